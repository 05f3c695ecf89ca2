"""Reads and writes weights files for the engine's evaluation, from networks that were trained elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from soffio._files import replacing
from soffio._given import path as checked_path
from soffio._native import native
from soffio.arrays import numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class NetworkShape:
    """The network of a variant: ``inputs``, two layers of linear units clipped to 0 to 1, and a sum; and the units of its weights.

    The layers after the first one exist once per output bucket. The number of pieces selects one of the ``output_buckets``,
    ordered from few pieces to many.

    >>> shape = NetworkShape.of("english")
    >>> shape.inputs, shape.first_units, shape.second_units, shape.output_buckets
    (128, 256, 8, 4)
    """

    inputs: int
    first_units: int
    second_units: int
    output_buckets: int
    first_one: int
    second_one: int
    second_bias_one: int
    output_one: int

    @classmethod
    def of(cls, variant: str) -> NetworkShape:
        """Returns the network of a variant."""
        return cls(**native.network_shape(variant))


def _whole(name: str, values: ArrayLike, one: float, kind: str, shape: tuple[int, ...], buckets: int | None = None) -> NDArray[Any]:
    """Converts ``values`` to integers in units of 1/``one``. With ``buckets``, values without a bucket dimension are used for all."""
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

    If x is the ``network_inputs`` of a position, the value is ``last @ clip(clip(x @ first + first_bias) @ second + second_bias) +
    last_bias``, where clip limits values to 0 to 1; a value of ``man`` counts as one man. The shapes are (inputs, 256), (256,),
    (256, 8), (8,), (8,) and (); all but the first two may have an additional leading dimension of 4, one entry per output bucket.

    Raises ``WeightsError`` for other shapes, and for weights that exceed the engine's integer range. Raises ``OSError`` if the
    file cannot be written; an existing file is then unchanged.
    """
    shape = NetworkShape.of(variant)
    if not (isinstance(man, (int, float)) and 0 < man < float("inf")):
        raise native.WeightsError(f"man must be a number above 0, not {native.shown(man)}")
    value = 100 * shape.output_one / man
    buckets, wide = shape.output_buckets, (shape.first_units, shape.second_units)
    content = native.weights_file(
        variant,
        _whole("first", first, shape.first_one, "i2", (shape.inputs, shape.first_units)),
        _whole("first_bias", first_bias, shape.first_one, "i2", (shape.first_units,)),
        _whole("second", second, shape.second_one, "i2", wide, buckets).swapaxes(1, 2).reshape(-1, shape.first_units),
        _whole("second_bias", second_bias, shape.second_bias_one, "i4", (shape.second_units,), buckets).reshape(-1),
        _whole("last", last, value, "i4", (shape.second_units,), buckets).reshape(-1),
        _whole("last_bias", last_bias, value, "i4", (), buckets),
        note,
    )
    with replacing(checked_path("path", path)) as file:
        file.write(content)


def read_weights(path: str | PathLike[str]) -> dict[str, Any]:
    """Returns the content of a weights file: ``variant``, ``note``, and the arguments of ``write_weights`` for a ``man`` of 1.

    For a file whose network has 128 units in its first layer, the weights of the other units are 0.
    """
    np = numpy()
    content = native.read_weights(checked_path("path", path))
    shape = NetworkShape.of(content["variant"])
    units = {
        "first": shape.first_one,
        "first_bias": shape.first_one,
        "second": shape.second_one,
        "second_bias": shape.second_bias_one,
        "last": 100 * shape.output_one,
        "last_bias": 100 * shape.output_one,
    }
    for name, one in units.items():
        content[name] = np.asarray(content[name]) / one
    content["second"] = content["second"].swapaxes(1, 2)
    return content
