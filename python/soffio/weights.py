"""Weights of the engine's evaluation: files of them, written from networks that were trained elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from soffio._native import native

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class NetworkShape:
    """The network of a variant: ``inputs``, two layers of clipped linear units (cut to 0 to 1), and a sum; and the units of its weights. The
    layers after the first one stand in ``output_buckets``, of which the number of pieces chooses one: from few pieces to many.

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
        """That of a variant."""
        return cls(**native.network_shape(variant))


def _whole(name: str, values: ArrayLike, one: float, kind: str, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
    """``values`` in units of 1/``one``; with a shape, in each bucket those of its own or, without a dimension for them, the same."""
    import numpy as np

    scaled = np.rint(np.asarray(values, dtype=np.float64) * one)
    if shape is not None:
        if scaled.shape not in (shape, shape[1:]):
            raise native.WeightsError(f"{name} has the shape {scaled.shape}, not {shape} or {shape[1:]}")
        scaled = np.broadcast_to(scaled, shape)
    bounds = np.iinfo(kind)
    if not np.all((scaled >= bounds.min) & (scaled <= bounds.max)):
        raise native.WeightsError(f"{name}: weights beyond {bounds.max / one:g} cannot be kept")
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
    """Writes a network of real numbers as a file of weights, which ``Engine(eval_file=...)`` and the option ``EvalFile`` take.

    With x the ``network_inputs`` of a position, the value is ``last @ clip(clip(x @ first + first_bias) @ second + second_bias) +
    last_bias``, where clip cuts to 0 to 1; a value of ``man`` counts as one man. The shapes are (inputs, 256), (256,), (256, 8), (8,),
    (8,) and (); all but the first two may have a dimension of 4 before these, one place for each output bucket. Raises
    ``WeightsError`` for other shapes, and for weights that are too large for the engine's whole numbers.
    """
    shape = NetworkShape.of(variant)
    if not man > 0:
        raise native.WeightsError(f"man: a man must be worth more than nothing, not {man}")
    value = 100 * shape.output_one / man
    buckets, wide = shape.output_buckets, (shape.first_units, shape.second_units)
    native.write_weights(
        fspath(path),
        variant,
        _whole("first", first, shape.first_one, "i2"),
        _whole("first_bias", first_bias, shape.first_one, "i2"),
        _whole("second", second, shape.second_one, "i2", (buckets, *wide)).swapaxes(1, 2).reshape(-1, shape.first_units),
        _whole("second_bias", second_bias, shape.second_bias_one, "i4", (buckets, shape.second_units)).reshape(-1),
        _whole("last", last, value, "i4", (buckets, shape.second_units)).reshape(-1),
        _whole("last_bias", last_bias, value, "i4", (buckets,)),
        note,
    )


def read_weights(path: str | PathLike[str]) -> dict[str, Any]:
    """The content of a file of weights: ``variant``, ``note``, and the arguments of ``write_weights`` with a ``man`` of 1. A file of a
    network with 128 units in its first layer has 0 for the others."""
    import numpy as np

    content = native.read_weights(fspath(path))
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
