"""Wadi erodes terrain, by published models, with the same bits on every machine.

    import wadi

    dem = wadi.read("hills.tif")
    eroded = wadi.erode(dem, model="jako2011", steps=500)
    wadi.write("eroded.tif", eroded)

erode        a terrain, in one line
Simulation   step by step: fields as numpy arrays, painting, sources, checkpoints
Run          recipes, presets and run folders, as the command has them
read, write  heightmaps: GeoTIFF, PNG, EXR, ...
generate     terrain from nothing
derive       slope, drainage area and other maps of a terrain
models       the models with their parameters, presets and knobs: print(wadi.models["jako2011"])
"""

from ._calls import (
    ArgumentError,
    DeviceError,
    FileError,
    FormatError,
    NumericError,
    OutOfMemoryError,
    UnsupportedError,
    WadiError,
    WadiWarning,
    text as _text,
)
from ._wadi import lib as _lib
from .derived import DERIVED, derive
from .erosion import erode
from .models import Knob, Model, Parameter, Preset, models
from .raster import Raster, read, write
from .runs import Run
from .simulation import Balance, Field, Mass, Simulation, Source
from .terrain import KINDS, generate, sha256

__version__ = _text(_lib.wadi_version())

__all__ = [
    "ArgumentError",
    "Balance",
    "DERIVED",
    "DeviceError",
    "Field",
    "FileError",
    "FormatError",
    "KINDS",
    "Knob",
    "Mass",
    "Model",
    "NumericError",
    "OutOfMemoryError",
    "Parameter",
    "Preset",
    "Raster",
    "Run",
    "Simulation",
    "Source",
    "UnsupportedError",
    "WadiError",
    "WadiWarning",
    "derive",
    "erode",
    "generate",
    "models",
    "read",
    "sha256",
    "write",
]
