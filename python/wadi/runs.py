"""Whole runs, as `wadi run` makes them: presets, levels, recipes, run folders. In memory, or in a folder."""

from __future__ import annotations

import csv
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence, Union

import numpy as np

from . import models
from ._calls import ArgumentError, Following, Held, c_path, c_text, cells, check, read_cells, tell_messages, text
from ._wadi import ffi, lib
from .raster import Path_, Raster, as_given, north_up, south_up, to_raster, turned
from .simulation import Field, Mass, Progress, Source, Value, dataset, mass_of


def _options() -> dict[str, Any]:
    found = {}
    option = ffi.new("wadi_run_option *")
    while lib.wadi_run_option_at(len(found), option):
        values = []
        while option.choices != ffi.NULL and option.choices[len(values)] != ffi.NULL:
            values.append(text(option.choices[len(values)]))
        found[text(option.name)] = {
            "value": text(option.value),
            "choices": values,
            "files": option.files,
            "repeated": option.repeated,
            "help": text(option.help),
        }
    return found


OPTIONS = _options()
_IS_PATH = (str, bytes, os.PathLike)
_MAPS = ("mask", "hardness", "water")  # options whose value is a file with a map


class Run(Held):
    """A run of the command, step by step.

        run = wadi.Run(dem, model="jako2011", steps=500)   # in memory
        run.step()
        run.finish()
        height, flow = run["height"], run["flow"]

        wadi.Run(recipe="alps.yaml", folder="alps").step().finish()   # as `wadi run --recipe alps.yaml -o alps`

    dem         the terrain: an array, a DataArray, a wadi.Raster (in memory), or a file's name
    recipe      a YAML file, or its text
    folder      the run folder; None: nothing is written
    cell_size   metres, for an array without coordinates
    options     those of `wadi run`, dashes as underscores, and the model's parameters by symbol or alias. An array is a
                map: Kc=array, rain=array, mask=array. sources: a list of wadi.Source. knobs: {"strength": 0.7}
    """

    def __init__(
        self,
        dem: Any = None,
        *,
        recipe: Optional[Path_] = None,
        folder: Optional[Path_] = None,
        cell_size: Union[float, Sequence[float], None] = None,
        **options: Value,
    ) -> None:
        with tempfile.TemporaryDirectory(prefix="wadi-") as given:
            words = _Words(str(options.get("model", "jako2011")), None if folder else Path(given), dem)
            definition, kept = self._definition(dem, recipe, folder, cell_size, words, options)
            made = ffi.new("wadi_run **")
            status = lib.wadi_run_start(definition, made)
            del kept
        self._adopt(status, made, dem)

    def _definition(self, dem: Any, recipe: Any, folder: Any, cell_size: Any, words: "_Words", options: Any) -> Any:
        raster = None
        definition = ffi.new("wadi_run_def *")
        kept: list[Any] = []

        def keep(value: Any) -> Any:
            kept.append(ffi.new("char[]", c_text(value)))
            return kept[-1]

        if isinstance(dem, _IS_PATH):
            definition.input = keep(os.fsdecode(dem))
            if cell_size is not None:
                words.add("cell_size", cell_size)
        elif dem is not None:
            raster = to_raster(dem, cell_size)
            definition.raster = raster._raster
        if recipe is not None and isinstance(recipe, str) and "\n" in recipe:
            definition.recipe_text = keep(recipe)
        elif recipe is not None:
            definition.recipe = keep(os.fsdecode(recipe))
        if folder is not None:
            definition.folder = keep(os.fsdecode(folder))
        for name, value in options.items():
            words.add(name, value)
        listed = ffi.new("const char *[]", [keep(word) for word in words.words])
        definition.options, definition.option_count = listed, len(words.words)
        return definition, (kept, listed, raster)

    @classmethod
    def resume(cls, folder: Path_, **options: Value) -> "Run":
        """Goes on with the run in a folder. steps=N: N more than were made."""
        run = cls.__new__(cls)
        words = _Words("jako2011", None)
        for name, value in options.items():
            words.add(name, value)
        kept = [ffi.new("char[]", c_text(word)) for word in words.words]
        made = ffi.new("wadi_run **")
        status = lib.wadi_run_resume(c_path(folder), ffi.new("const char *[]", kept), len(kept), made)
        run._adopt(status, made, None)
        return run

    def _adopt(self, status: int, made: Any, dem: Any) -> None:
        if status == lib.WADI_OK:
            self._run = ffi.gc(made[0], lib.wadi_run_close)
            self._hold(self._run)
            self._dem, self._turn = dem, south_up(dem)
        self._after(lambda: check(status))

    @staticmethod
    def _after(end: Callable[[], None]) -> None:
        """After a call: a warning that is an error hides no other."""
        try:
            tell_messages()
        finally:
            end()

    def step(self, steps: Optional[int] = None, progress: Optional[Progress] = None) -> "Run":
        """Makes steps; None: to the end. Ctrl-C stops it; the run can go on. progress as in Simulation.step."""
        following = Following(progress)
        count = 2**63 - 1 if steps is None else steps
        with self._stepped() as run:
            status = lib.wadi_run_step(run, count, lib.wadi_py_run_progress, following.handle)
            self._after(lambda: following.end(status))
        return self

    def iterate(self, every: int) -> Iterator[int]:
        """Makes all steps, in portions of `every`, and gives after each how many are made."""
        if every < 1:
            raise ArgumentError(f"every: {every}; 1 or more is wanted")
        while self.done < self.total:
            self.step(every)
            yield self.done

    def finish(self) -> "Run":
        """Ends a run whose steps are made: what is suspended settles, and a run folder gets its files."""
        with self._used(changes=True) as run:
            status = lib.wadi_run_finish(run)
            self._after(lambda: check(status))
        return self

    def checkpoint(self) -> None:
        """Writes a checkpoint into the run folder."""
        with self._used(changes=True) as run:
            check(lib.wadi_run_checkpoint(run))

    @property
    def done(self) -> int:
        """Steps made, of all stages."""
        return lib.wadi_run_done(self._run)

    @property
    def total(self) -> int:
        """Steps at its end."""
        return lib.wadi_run_total(self._run)

    @property
    def model(self) -> str:
        """The model's id, or "recipe" for more than one stage."""
        return text(lib.wadi_run_model(self._run)) or ""

    @property
    def mass(self) -> Mass:
        """The mass balance of the whole run."""
        with self._used() as run:
            return mass_of(lambda mass: lib.wadi_run_mass(run, mass))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the results."""
        with self._used() as run:
            grid = lib.wadi_run_grid(run)
            return (grid.height, grid.width)

    def _grid(self) -> Raster:
        made = ffi.new("wadi_raster **")
        with self._used() as run:
            check(lib.wadi_raster_like(lib.wadi_run_grid(run), made))
        return Raster(made[0])

    @property
    def fields(self) -> dict[str, Field]:
        """What can be read."""
        with self._used() as run:
            sim = lib.wadi_run_sim(run)
            count = lib.wadi_sim_fields(sim, ffi.NULL, 0)
            facts = ffi.new("wadi_field_facts[]", count)
            lib.wadi_sim_fields(sim, facts, count)
        return {text(f.name): Field(text(f.name), text(f.unit), text(f.meaning), False, f.parameter) for f in facts}

    def __getitem__(self, name: str) -> np.ndarray:
        """A copy of a map of the whole run."""
        with self._used() as run:
            read = read_cells(self.shape, lambda values, n: lib.wadi_run_get(run, c_text(name), values, n))
            return turned(read, self._turn)

    def get(self, name: str) -> Any:
        """A map in the kind of array that the terrain came in."""
        field = self.fields.get(name) or Field(name, "1", name, False, False)
        grid = self._grid()
        template = grid if self._dem is None or isinstance(self._dem, _IS_PATH) else self._dem
        return as_given(template, grid, self[name], name, field.unit, field.meaning)

    def to_xarray(self, names: Sequence[str] = ("height", "water", "flow", "erosion", "deposition")) -> Any:
        """An xarray.Dataset of maps, with units and coordinates."""
        return dataset(names, self.fields, self._dem, self._grid(), lambda name: self[name])

    def __repr__(self) -> str:
        return f"<wadi.Run {self.model}, step {self.done} of {self.total}>"


class _Words:
    """Options as the library takes them: "steps=200", "set=Kc=0.3". Arrays become files in `folder`."""

    def __init__(self, model: str, folder: Optional[Path], dem: Any = None) -> None:
        self.model = models.find(model)
        self.folder = folder
        self.rows = dem.shape[0] if south_up(dem) else None  # of a terrain that begins in the south
        self.words: list[str] = []

    def add(self, name: str, value: Value) -> None:
        option = name.replace("_", "-")
        if value is None:
            return
        if name == "knobs":
            self.words += [f"knob={knob}={_plain(position)}" for knob, position in dict(value).items()]
        elif option == "sources" and not isinstance(value, _IS_PATH):
            self.words += [f"sources={self._sources(value)}", "pixel"]
        elif option in OPTIONS:
            self._add_option(option, value)
        else:
            self._add_parameter(name, value)

    def _add_option(self, option: str, value: Value) -> None:
        if isinstance(value, (bool, np.bool_)):
            self.words += [option] if value and OPTIONS[option]["value"] is None else []
            if OPTIONS[option]["value"] is not None:
                self.words.append(f"{option}={'on' if value else 'off'}")
        elif option == "rain" and np.ndim(value) == 2:
            self.words.append(f"rain=@{self._map(option, value)}")
        elif option in _MAPS and np.ndim(value) == 2:
            self.words.append(f"{option}={self._map(option, value)}")
        elif OPTIONS[option]["repeated"] and not isinstance(value, str):
            self.words += [f"{option}={item}" for item in value]
        else:
            self.words.append(f"{option}={_plain(value)}")

    def _add_parameter(self, name: str, value: Value) -> None:
        parameter = self.model.find(name)
        if parameter is None:
            names = list(OPTIONS) + [n for row in self.model.parameters.values() for n in (row.name, row.alias)]
            raise ArgumentError(f"{name}: {self.model.id} has no such parameter, and a run no such option{_near(name, names)}")
        symbol = parameter.name
        map_ = np.ndim(value) == 2 and not isinstance(value, str)
        self.words.append(f"set={symbol}=@{self._map(symbol, value)}" if map_ else f"set={symbol}={_plain(value)}")

    def _file(self, name: str) -> Path:
        if self.folder is None:
            raise ArgumentError(f"{name.split('.')[0]}: a run folder names its inputs; write them to a file and give its name")
        return self.folder / name

    def _map(self, name: str, values: Any) -> str:
        path = self._file(f"{name}.npy")
        np.save(path, cells(north_up(values, self.rows is not None)))
        return str(path)

    def _sources(self, sources: Iterable[Source]) -> str:
        path = self._file("sources.csv")
        with open(path, "w", newline="", encoding="ascii") as file:
            writer = csv.writer(file)
            writer.writerow(["x", "y", "radius_m", "rate_m3s", "start_s", "end_s"])
            for s in sources:
                end = [] if s.end_s == float("inf") else [repr(float(s.end_s))]
                y = s.y if self.rows is None else self.rows - s.y
                writer.writerow([repr(float(v)) for v in (s.x, y, s.radius_m, s.rate_m3s, s.start_s)] + end)
        return str(path)


def _plain(value: Value) -> str:
    """Numbers with all their digits, pairs with a comma, paths."""
    if isinstance(value, (tuple, list)):
        return ",".join(_plain(item) for item in value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return os.fsdecode(value) if isinstance(value, _IS_PATH) else str(value)


def _near(name: str, names: Sequence[str]) -> str:
    texts = [ffi.new("char[]", c_text(n)) for n in names]
    found = lib.wadi_nearest_name(c_text(name.replace("_", "-")), ffi.new("const char *[]", texts), len(texts))
    return "" if found == ffi.NULL else f"; did you mean {text(found).replace('-', '_')}?"
