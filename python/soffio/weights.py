"""Reads and writes weights files, so that the engine can use networks that were trained with other programs."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, Any

from soffio._arguments import path as checked_path
from soffio._arguments import type_error
from soffio._files import replacing
from soffio._native import native
from soffio.arrays import numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class NetworkShape:
    """The sizes of the layers in a variant's network, and the scales of its fixed-point weights (the integers that represent 1).

    The network has two layers of linear units, whose outputs are clamped to the range from 0 to 1, and an output layer. Each
    of the ``output_buckets`` has its own copy of all layers after the first one. The number of pieces selects the bucket; buckets are
    in ascending order of the number of pieces.

    >>> shape = NetworkShape.for_variant("english")
    >>> shape.inputs, shape.first_units, shape.second_units, shape.output_buckets
    (128, 256, 8, 4)
    """

    inputs: int
    first_units: int
    second_units: int
    output_buckets: int
    first_scale: int
    second_scale: int
    second_bias_scale: int
    output_scale: int

    @classmethod
    def for_variant(cls, variant: str) -> NetworkShape:
        """Returns the shape of the network for a variant."""
        return cls(**native.network_shape(variant))


def _whole(name: str, values: ArrayLike, one: float, kind: str, shape: tuple[int, ...], buckets: int | None = None) -> NDArray[Any]:
    """Converts ``values`` to integers in units of 1/``one``. Values without a bucket dimension are repeated for all ``buckets``."""
    np = numpy()
    try:
        scaled = np.rint(np.asarray(values, dtype=np.float64) * one)
    except (OverflowError, TypeError, ValueError) as error:
        raise native.WeightsError(f"{name} must be an array of numbers: {error}") from error
    whole_shape = shape if buckets is None else (buckets, *shape)
    if scaled.shape not in (shape, whole_shape):
        either = "" if buckets is None else f" or {whole_shape}"
        raise native.WeightsError(f"{name} has shape {scaled.shape}, expected {shape}{either}")
    scaled = np.broadcast_to(scaled, whole_shape)
    bounds = np.iinfo(kind)
    if not np.all((scaled >= bounds.min) & (scaled <= bounds.max)):
        raise native.WeightsError(f"{name} has a weight outside the range {bounds.min / one:g} to {bounds.max / one:g}")
    whole: NDArray[Any] = scaled.astype(kind, order="C")
    return whole


def write_weights(
    path: str | PathLike[str],
    variant: str,
    *,
    first: ArrayLike,
    first_bias: ArrayLike,
    second: ArrayLike,
    second_bias: ArrayLike,
    last: ArrayLike,
    last_bias: ArrayLike,
    man: float = 1.0,
    note: str = "",
) -> None:
    """Writes a floating-point network as a weights file for ``Engine(eval_file=...)`` and the ``EvalFile`` option.

    If x is the row of ``network_inputs`` for a position, the value of the position is ``last @ clip(clip(x @ first + first_bias) @
    second + second_bias) + last_bias``, where clip clamps values to the range from 0 to 1. A value of ``man`` corresponds to one man.
    The shapes of the arrays are (inputs, 256), (256,), (256, 8), (8,), (8,) and (). All arrays except the first two may have an
    additional leading dimension of 4, with one entry per output bucket.

    Raises ``WeightsError`` if an array has a different shape, ``man`` is not above 0, or if a weight exceeds the engine's integer range. Raises ``OSError`` if
    the file cannot be written; an existing file is then unchanged.
    """
    shape = NetworkShape.for_variant(variant)
    if not isinstance(man, Real):
        raise type_error("man", "a number", man)
    try:
        units = float(man)
    except OverflowError:
        units = float("inf")
    if not 0 < units < float("inf"):
        raise native.WeightsError(f"man must be a number above 0, not {native.shown(man)}")
    value = 100 * shape.output_scale / units
    buckets, wide = shape.output_buckets, (shape.first_units, shape.second_units)
    content = native.weights_file(
        variant,
        _whole("first", first, shape.first_scale, "i2", (shape.inputs, shape.first_units)),
        _whole("first_bias", first_bias, shape.first_scale, "i2", (shape.first_units,)),
        _whole("second", second, shape.second_scale, "i2", wide, buckets).swapaxes(1, 2).reshape(-1, shape.first_units),
        _whole("second_bias", second_bias, shape.second_bias_scale, "i4", (shape.second_units,), buckets).reshape(-1),
        _whole("last", last, value, "i4", (shape.second_units,), buckets).reshape(-1),
        _whole("last_bias", last_bias, value, "i4", (), buckets),
        note,
    )
    with replacing(checked_path("path", path)) as file:
        file.write(content)


def read_weights(path: str | PathLike[str]) -> dict[str, Any]:
    """Returns the contents of a weights file as a dictionary.

    The keys are ``variant``, ``note``, and the array arguments of ``write_weights``, scaled for a ``man`` of 1. If the network in the
    file has only 128 units in its first layer, the weights of the other units are 0.
    """
    np = numpy()
    content = native.read_weights(checked_path("path", path))
    shape = NetworkShape.for_variant(content["variant"])
    units = {
        "first": shape.first_scale,
        "first_bias": shape.first_scale,
        "second": shape.second_scale,
        "second_bias": shape.second_bias_scale,
        "last": 100 * shape.output_scale,
        "last_bias": 100 * shape.output_scale,
    }
    for name, one in units.items():
        content[name] = np.asarray(content[name]) / one
    content["second"] = content["second"].swapaxes(1, 2)
    return content
