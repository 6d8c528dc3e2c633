"""Maps derived from a terrain: slope, drainage area, flow direction, wetness, ..."""

from __future__ import annotations

from typing import Any, Sequence, Union

import numpy as np

from ._calls import ArgumentError, c_text, check, floats, read_cells, text
from ._wadi import ffi, lib
from .raster import as_given, south_up, to_raster, turned
from .simulation import Field, Value


def _maps() -> dict[str, Field]:
    found: dict[str, Field] = {}
    while (facts := lib.wadi_derived_facts_at(len(found))) != ffi.NULL:
        found[text(facts.name)] = Field(text(facts.name), text(facts.unit), text(facts.meaning), False, False)
    return found


DERIVED = _maps()
"""The maps that `derive` makes, with unit and meaning."""

_GIVEN = ("width", "height", "lx", "ly", "heights")
_OPTIONS = [name for name, _ in ffi.typeof("wadi_derive_def").fields if name not in _GIVEN]


def derive(
    dem: Any, maps: Union[str, Sequence[str]], *, cell_size: Union[float, Sequence[float], None] = None, **options: Value
) -> Any:
    """Maps of a terrain, in the kind of array that it came in, as `wadi derive` writes them.

        area = wadi.derive(dem, "area", cell_size=10)
        found = wadi.derive(dem, ["slope", "wetness"], cell_size=10)     # {"slope": ..., "wetness": ...}

    maps        a name of wadi.DERIVED, or several; water is routed once for all of them
    cell_size   metres, for an array without coordinates
    breach      True: drainage on heights whose hollows are cut through; False: on filled ones
    exponent    of the slope, for multiple flow directions: 1.1
    channel_m2  drainage area from which on a cell is a channel; 0: found from the terrain
    azimuth, altitude, exaggeration     of the hillshade: degrees, degrees, factor of the heights
    """
    raster = to_raster(dem, cell_size)
    made = ffi.new("wadi_derivation **")
    heights = np.ascontiguousarray(raster.values)
    check(lib.wadi_derive_create(_definition(raster.shape, raster.cell_size, floats(heights), options), made))
    derivation = ffi.gc(made[0], lib.wadi_derive_destroy)

    def read(name: str) -> Any:
        values = read_cells(raster.shape, lambda cells, count: lib.wadi_derive_map(derivation, c_text(name), cells, count))
        field = DERIVED[name]
        return as_given(dem, raster, turned(values, south_up(dem)), name, field.unit, field.meaning)

    return read(maps) if isinstance(maps, str) else {name: read(name) for name in maps}


def _definition(shape: tuple[int, int], cell_size: tuple[float, float], heights: Any, options: dict[str, Value]) -> Any:
    rows, columns = shape
    definition = ffi.new("wadi_derive_def *", lib.wadi_default_derive(columns, rows, *cell_size, heights))
    for name, value in options.items():
        if name not in _OPTIONS:
            raise ArgumentError(f"{name}: derive has no such option; it has {', '.join(_OPTIONS)}")
        setattr(definition, name, value)
    return definition
