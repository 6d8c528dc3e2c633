"""Generated terrain, and hashes of values."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np

from ._calls import ArgumentError, c_text, cells, check, floats, table, text
from ._wadi import ffi, lib
from .raster import north_up, pair


def _kinds() -> dict[str, str]:
    count = ffi.new("size_t *")
    return {text(kind.name): text(kind.summary) for kind in table(lib.wadi_terrain_kinds(count), count[0])}


KINDS = _kinds()
"""The kinds of terrain that `generate` makes, and what they are."""


def generate(
    kind: str,
    size: Union[int, Sequence[int]],
    *,
    cell_size: Union[float, Sequence[float]] = 1.0,
    seed: int = 0,
    relief: float = 0.0,
    base: float = 0.0,
    roughness: Optional[float] = None,
    octaves: int = 0,
    feature: float = 0.0,
    warp: float = 0.0,
    stretch: float = 1.0,
    direction: float = 0.0,
) -> np.ndarray:
    """Generates terrain, with the same bits on every machine.

    kind       one of wadi.KINDS: "diamond-square", "noise", ...
    size       cells along x and y, or one number for both
    relief     highest minus lowest, m; 0: a fifth of the longer side
    base       height of the lowest point, m
    roughness  of random terrain
    octaves    of noise; 0: down to waves of about four cells
    feature    length of the longest waves, m; 0: a part of the longer side
    warp       about how far other noise moves each place, m
    stretch    of noise: how many times as long as wide its shapes are
    direction  of their length; of a ramp: where it rises to; degrees clockwise from up
    """
    width, height = (size, size) if np.ndim(size) == 0 else size
    terrain = ffi.new("wadi_terrain *", lib.wadi_default_terrain(name := ffi.new("char[]", c_text(kind)), width, height))
    terrain.kind, (terrain.lx, terrain.ly) = name, pair(cell_size)
    terrain.seed, terrain.octaves = seed, octaves
    terrain.relief_m, terrain.base_m, terrain.feature_m, terrain.warp_m = relief, base, feature, warp
    terrain.stretch, terrain.direction_deg = stretch, direction
    if roughness is not None:
        terrain.roughness = roughness
    if width < 2 or height < 2:
        raise ArgumentError(f"size: {width} x {height} cells; 2 or more along each side are wanted")
    values = np.empty((height, width), np.float32)
    check(lib.wadi_terrain_generate(terrain, floats(values, True)))
    return values


def sha256(values: Any) -> str:
    """The hash that run.json has of a field: of float32 values, the same in every file format."""
    array = cells(north_up(values))
    hex_ = ffi.new("char[65]")
    lib.wadi_field_sha256(floats(array), array.size, hex_)
    return text(hex_) or ""
