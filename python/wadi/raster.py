"""Heightmaps from and to files, and as numpy and xarray arrays."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Optional, Sequence, Union

import numpy as np

from ._calls import ArgumentError, Lent, c_path, c_text, cells, check, floats, text
from ._wadi import ffi, lib

Path_ = Union[str, "os.PathLike[str]"]
_FORMATS = {name[len("WADI_FORMAT_") :].lower(): value for value, name in ffi.typeof("wadi_format").elements.items()}
_SAMPLES = {name[len("WADI_SAMPLE_") :].lower(): value for value, name in ffi.typeof("wadi_sample").elements.items()}
_ENCODINGS = {
    name[len("WADI_ENCODING_") :].lower().replace("_", "-"): value
    for value, name in ffi.typeof("wadi_encoding").elements.items()
}


def _choice(what: str, value: str, choices: dict[str, int]) -> int:
    if value not in choices:
        raise ArgumentError(f"{what} {value!r}: one of {', '.join(choices)} is wanted")
    return choices[value]


def _name(value: int, choices: dict[str, int]) -> str:
    return next(name for name, number in choices.items() if number == value)


class Raster:
    """Heights in metres (or the values of a map) with their place on Earth. `wadi.read` makes one."""

    def __init__(self, pointer: Any) -> None:
        self._raster = ffi.gc(pointer, lib.wadi_raster_destroy)

    @classmethod
    def from_values(cls, values: Any, cell_size: Union[float, Sequence[float]] = 1.0) -> "Raster":
        """A raster without a place on Earth. NaN: no data."""
        array = cells(north_up(values))
        made = ffi.new("wadi_raster **")
        check(lib.wadi_raster_create(array.shape[1], array.shape[0], made))
        raster = cls(made[0])
        raster._raster.lx, raster._raster.ly = pair(cell_size)
        raster._values()[:] = array
        return raster

    def like(self, values: Any) -> "Raster":
        """Other values on the same grid, at the same place."""
        array = cells(north_up(values), self.shape)
        made = ffi.new("wadi_raster **")
        check(lib.wadi_raster_like(self._raster, made))
        raster = Raster(made[0])
        raster._values()[:] = array
        return raster

    def _values(self) -> np.ndarray:
        buffer = ffi.buffer(self._raster.values, 4 * self._raster.width * self._raster.height)
        return np.frombuffer(buffer, np.float32).reshape(self.shape)

    @property
    def values(self) -> np.ndarray:
        """The values without a copy, to be read. NaN: no data."""
        return np.asarray(Lent(self._raster, self._raster.values, self.shape, self._raster.width))

    def __array__(self, dtype: Any = None) -> np.ndarray:
        return self.values if dtype is None else self.values.astype(dtype)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (self._raster.height, self._raster.width)

    @property
    def cell_size(self) -> tuple[float, float]:
        """Metres along x and y."""
        return (self._raster.lx, self._raster.ly)

    @property
    def crs(self) -> Optional[str]:
        """The name of the CRS, or None."""
        return (text(self._raster.georef.name) or "unnamed") if self._raster.has_georef else None

    @property
    def transform(self) -> Optional[tuple[float, ...]]:
        """As GDAL's: x0, dx, 0, y0, 0, dy of the top left corner."""
        return tuple(self._raster.georef.transform) if self._raster.has_georef else None

    @property
    def format(self) -> str:
        """Of the file: "tif", "png", ...; "unknown" for values that came from memory."""
        return {"tiff": "tif"}.get(name := _name(self._raster.format, _FORMATS), name)

    @property
    def unit(self) -> str:
        """Of a map, if the file says so; "m" for heights."""
        return text(self._raster.map_unit) or "m"

    @property
    def remarks(self) -> list[str]:
        """Doubts of the reader, a line each."""
        return (text(self._raster.remarks) or "").splitlines()

    def __repr__(self) -> str:
        rows, columns = self.shape
        place = f", {self.crs}" if self.crs else ""
        return f"<wadi.Raster {columns} x {rows} cells of {self.cell_size[0]:g} x {self.cell_size[1]:g} m{place}>"

    def to_xarray(self, name: str = "height") -> Any:
        """An xarray.DataArray with the coordinates of the cells' centres.

        It has the CRS where rioxarray is installed. Else attributes have its name, and the metres of a coordinate's unit.
        """
        import xarray

        rows, columns = self.shape
        lx, ly = self.cell_size
        x0, dx, _, y0, _, dy = self.transform or (0, lx, 0, rows * ly, 0, -ly)
        coordinates = {
            "y": ("y", y0 + dy * (np.arange(rows) + 0.5), {_METRES: ly / abs(dy)}),
            "x": ("x", x0 + dx * (np.arange(columns) + 0.5), {_METRES: lx / abs(dx)}),
        }
        array = xarray.DataArray(self.values.copy(), coordinates, ("y", "x"), name, {"units": self.unit})
        return array if self.crs is None else self._with_crs(array)

    def _with_crs(self, array: Any) -> Any:
        if not _has_rioxarray():
            return array.assign_attrs(crs_name=self.crs)
        import rasterio

        with tempfile.TemporaryDirectory() as folder:
            write(path := Path(folder) / "crs.tif", self)
            with rasterio.open(path) as file:
                crs = file.crs
        return array.assign_attrs(crs_name=self.crs) if crs is None else array.rio.write_crs(crs)

    def _measuring(self, cell_size: Union[float, Sequence[float]]) -> "Raster":
        """The same at the same place, with other cells: what a user says goes before the file."""
        raster = self.like(self.values)
        raster._raster.lx, raster._raster.ly = pair(cell_size)
        raster._raster.lx_variation = 0
        return raster


def pair(value: Union[float, Sequence[float]]) -> tuple[float, float]:
    """One number for both axes, or two."""
    return (float(value), float(value)) if np.ndim(value) == 0 else (float(value[0]), float(value[1]))


def read(
    path: Path_,
    *,
    size: Optional[tuple[int, int]] = None,
    big_endian: bool = False,
    height_range: Optional[tuple[float, float]] = None,
    cell_size: Union[float, Sequence[float], None] = None,
    nodata: Union[float, Sequence[float], None] = None,
    band: Union[int, str, None] = None,
    z_unit: Optional[str] = None,
    encoding: str = "none",
    plain_values: bool = False,
) -> Raster:
    """Reads a heightmap: PNG, TIFF, EXR, NPY, raw, and what GDAL reads.

    size         columns and rows of a raw file; else it is a square
    big_endian   byte order of a raw file
    height_range metres of sample 0 and of full scale, for integers
    cell_size    metres; one number, or x and y
    nodata       samples that mean no data, besides those of the file; one or two
    band         number, from 1, or name
    z_unit       of the heights: "m", "ft", "us-ft", ...
    encoding     of heights in colours: "luminance", "red", "terrarium", "mapbox-rgb", ...
    plain_values a map, not heights: values stay as they are
    """
    options = ffi.new("wadi_read_options *")
    if size is not None:
        options.width, options.height = size
    options.big_endian, options.plain_values = big_endian, plain_values
    if height_range is not None:
        options.has_range, (options.low, options.high) = True, height_range
    if cell_size is not None:
        options.lx, options.ly = pair(cell_size)
    missing = [] if nodata is None else list(np.atleast_1d(nodata))
    if len(missing) > 2:
        raise ArgumentError(f"nodata: two values at most, not {len(missing)}")
    options.nodata_count = len(missing)
    options.nodata[0 : len(missing)] = [float(value) for value in missing]
    kept = [ffi.new("char[]", c_text(value)) for value in (band, z_unit) if value is not None]
    if band is not None:
        options.band = kept[0]
    if z_unit is not None:
        options.z_unit = kept[-1]
    options.encoding = _choice("encoding", encoding, _ENCODINGS)
    made = ffi.new("wadi_raster **")
    check(lib.wadi_raster_read(c_path(path), options, made))
    return Raster(made[0])


def write(
    path: Path_,
    values: Any,
    *,
    like: Any = None,
    cell_size: Union[float, Sequence[float], None] = None,
    sample: Optional[str] = None,
    unit: Optional[str] = None,
    description: Optional[str] = None,
) -> None:
    """Writes heights, or a map with its unit, in the format of the file's name: the whole file or nothing.

    like         a raster or DataArray with the place on Earth
    cell_size    metres, where neither `values` nor `like` has a place on Earth
    sample       "float32", "uint8", "uint16"; of TIFF also "int8", "int16", "int32", "uint32"; else what the format is usual with
    unit         of a map: "m3/s"; heights are in metres
    description  of a map, one line; TIFF keeps it
    """
    raster = to_raster(values if like is None else like)
    if cell_size is not None and raster.crs is None:
        raster = raster._measuring(cell_size)
    if like is not None:
        raster = raster.like(north_up(values, south_up(like)))
    options = ffi.new("wadi_write_options *")
    name = c_path(path)
    options.format = lib.wadi_format_of_name(name)
    facts = lib.wadi_format_facts_of(options.format)
    options.sample = _choice("sample", sample, _SAMPLES) if sample else facts.sample if facts else lib.WADI_SAMPLE_FLOAT32
    kept = [ffi.new("char[]", c_text(value)) if value is not None else ffi.NULL for value in (unit, description)]
    options.unit, options.description = kept
    check(lib.wadi_raster_write(name, raster._raster, options))


# --- what a caller may give as a terrain ---


def is_xarray(value: Any) -> bool:
    return hasattr(value, "coords") and hasattr(value, "dims") and hasattr(value, "values")


def south_up(value: Any) -> bool:
    """A DataArray whose rows begin in the south. The library's begin in the north."""
    y = value.coords.get(value.dims[0]) if is_xarray(value) and value.ndim == 2 else None
    return y is not None and y.size > 1 and bool(y[0] < y[-1])


def turned(values: np.ndarray, turn: bool) -> np.ndarray:
    """With the rows in the opposite order, if `turn`."""
    return np.ascontiguousarray(values[::-1]) if turn else values


def north_up(values: Any, turn: bool = False) -> Any:
    """Values with the first row in the north. turn: those without coordinates have it in the south."""
    if isinstance(values, Raster):
        return values.values
    if is_xarray(values):
        return turned(_heights(values), south_up(values) if values.dims[0] in values.coords else turn)
    return np.asanyarray(values)[::-1] if turn else values


_METRES = "metres_per_unit"  # of a coordinate
_STORAGE = ("scale_factor", "add_offset", "_FillValue", "missing_value")  # how a file has the samples


def _heights(array: Any) -> np.ndarray:
    """float32 values, with NaN for no data, of samples as a file has them."""
    values, attrs = np.asarray(array.values), array.attrs
    given = [attrs.get("_FillValue"), attrs.get("missing_value")]
    if _has_rioxarray() and "_FillValue" not in array.encoding:  # else xarray has put NaN there
        given.append(array.rio.nodata)
    missing = np.array([number for value in given if value is not None for number in np.ravel(value)])
    none = np.isin(values, missing.astype(values.dtype) if values.dtype.kind == "f" else missing)
    heights = values * attrs.get("scale_factor", 1) + attrs.get("add_offset", 0)
    return np.where(none, np.nan, heights).astype(np.float32)


def _spacing(array: Any, axis: int) -> float:
    """Metres between the centres of cells, from the coordinates."""
    name = array.dims[axis]
    if name not in array.coords or array.sizes[name] < 2:
        return 1.0
    steps = np.diff(np.asarray(array.coords[name].values, np.float64))
    if not np.allclose(steps, steps[0], rtol=1e-3):
        raise ArgumentError(f"the coordinate {name!r} is not evenly spaced: resample it first")
    return abs(float(steps.mean())) * float(array.coords[name].attrs.get(_METRES, 1))


def _has_rioxarray() -> bool:
    try:
        import rioxarray  # noqa: F401
    except ImportError:
        return False
    return True


def _from_xarray(array: Any) -> Raster:
    if array.ndim != 2:
        raise ArgumentError(f"a DataArray of two dimensions is wanted, not {array.dims}")
    if _has_rioxarray() and array.rio.crs is not None:
        return _by_geotiff(array)
    return Raster.from_values(array, (_spacing(array, 1), _spacing(array, 0)))


def _by_geotiff(array: Any) -> Raster:
    """With a CRS: by way of a file, so that cells and units are as the command has them."""
    rows = array.isel({array.dims[0]: slice(None, None, -1)}) if south_up(array) else array
    with tempfile.TemporaryDirectory() as folder:
        _bare(rows, _heights(rows)).rio.to_raster(path := Path(folder) / "dem.tif")
        return read(path)


def _bare(array: Any, values: np.ndarray) -> Any:
    """Other values in the same DataArray, without how a file has the samples."""
    result = array.copy(data=values)
    result.attrs = {name: value for name, value in array.attrs.items() if name not in _STORAGE}
    result.encoding = {name: value for name, value in array.encoding.items() if name == "grid_mapping"}
    return result


def to_raster(values: Any, cell_size: Union[float, Sequence[float], None] = None) -> Raster:
    """A raster from a raster, a DataArray, or an array in metres. cell_size goes before what it says itself."""
    if isinstance(values, Raster):
        raster = values
    elif is_xarray(values):
        raster = _from_xarray(values)
    else:
        return Raster.from_values(values, 1.0 if cell_size is None else cell_size)
    return raster if cell_size is None else raster._measuring(cell_size)


def as_given(template: Any, raster: Raster, values: np.ndarray, name: str, unit: str, meaning: str) -> Any:
    """Values in the kind of array that the caller gave as the terrain."""
    if isinstance(template, Raster):
        return raster.like(values)
    if not is_xarray(template):
        return values
    result = _bare(template, values)
    result.name = name
    result.attrs.update(units=unit, long_name=meaning)
    return result
