"""A simulation: fields in and out, steps, painting, sources, checkpoints."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence, Union

import numpy as np

from . import models
from ._calls import ArgumentError, Following, FormatError, Held, Lent, c_text, cells, check, error, floats, read_cells, table, text
from ._wadi import ffi, lib
from .raster import Path_, Raster, as_given, north_up, south_up, to_raster, turned

Value = Union[float, int, bool, str, Any]
Progress = Callable[[int, int], Optional[bool]]

_BRUSHES = {text(lib.wadi_brush_name(i)): i for i in range(lib.WADI_BRUSHES)}
_ENGINES = {text(lib.wadi_engine_name(i)): i for i in range(lib.WADI_ENGINE_AUTO + 1)}
_BOUNDARIES = {"closed": lib.WADI_CLOSED, "open": lib.WADI_OPEN, "wrap": lib.WADI_WRAP}


@dataclass(frozen=True)
class Field:
    """What a simulation has: a map, or a parameter per cell."""

    name: str
    unit: str
    meaning: str
    settable: bool
    parameter: bool


@dataclass(frozen=True)
class Balance:
    """Volumes in m3. residual = after - before - in_ + out - what other simulations changed."""

    before: float
    in_: float
    out: float
    after: float
    residual: float


@dataclass(frozen=True)
class Mass:
    """The mass balance, in m3."""

    solid: Balance
    water: Balance
    moved: float
    rained: float
    evaporated: float
    water_over_border: float
    solid_over_border: float
    exchanged: float
    advected: float
    solid_handed: float
    water_handed: float
    infiltrated: float


@dataclass(frozen=True)
class Source:
    """A river source. x and y are in cells from the first cell's corner: its centre is 0.5, 0.5."""

    x: float
    y: float
    radius_m: float
    rate_m3s: float
    start_s: float = 0.0
    end_s: float = float("inf")


def _balance(of: Any) -> Balance:
    return Balance(of.before, getattr(of, "in"), of.out, of.after, of.residual)


def mass_of(read: Callable[[Any], int]) -> Mass:
    mass = ffi.new("wadi_mass *")
    check(read(mass))
    others = [name for name, _ in ffi.typeof("wadi_mass").fields if name not in ("solid", "water")]
    return Mass(_balance(mass.solid), _balance(mass.water), **{name: getattr(mass, name) for name in others})


def choice(what: str, value: str, choices: dict[str, int]) -> int:
    if value not in choices:
        raise ArgumentError(f"{what} {value!r}: one of {', '.join(choices)} is wanted")
    return choices[value]


class Simulation(Held):
    """A model on a terrain, in memory. The same terrain and parameters give the same bits on every machine.

        sim = wadi.Simulation(dem, "jako2011", cell_size=10, Kc=0.3)
        sim.step(1000)
        water = sim["water"]

    dem         heights in metres: an array, a DataArray or a wadi.Raster. NaN: no data
    model       its id: wadi.models has them all
    preset      where the parameters begin; None: the model's first
    knobs       {"strength": 0.7, ...}: move parameters together, before those below
    cell_size   metres, one number or x and y; None: that of the terrain, else 1
    boundary    "closed", "open" or "wrap"; None: the preset's
    engine      "cpu", "opencl", "cuda", "reference" or "auto"
    threads     0: as many as are useful
    seed        of random rain
    parameters  by symbol or alias (dashes as underscores): a number, a choice's name, or an array of values per cell
    """

    def __init__(
        self,
        dem: Any,
        model: str = "jako2011",
        *,
        preset: Optional[str] = None,
        knobs: Optional[dict[str, float]] = None,
        cell_size: Union[float, Sequence[float], None] = None,
        boundary: Optional[str] = None,
        engine: str = "cpu",
        device: int = -1,
        threads: int = 0,
        seed: int = 0,
        allow_out_of_range: bool = False,
        **parameters: Value,
    ) -> None:
        raster = to_raster(dem, cell_size)
        found = models.find(model)
        rows, columns = raster.shape
        of = lib.wadi_model_find(c_text(model))
        definition = ffi.new("wadi_def *", lib.wadi_default_def(of, columns, rows, *raster.cell_size))
        if preset is not None:
            self._take_preset(definition, of, preset)
        for name, position in (knobs or {}).items():
            check(lib.wadi_def_knob(definition, c_text(name), float(position)))
        if boundary is not None:
            definition.boundary = choice("boundary", boundary, _BOUNDARIES)
        definition.engine = choice("engine", engine, _ENGINES)
        definition.device, definition.threads, definition.seed = device, threads, seed
        definition.allow_out_of_range = allow_out_of_range
        arrays = {}
        for name, value in parameters.items():
            arrays.update(self._set_value(definition, found, name, value))
        made = ffi.new("wadi_sim **")
        check(lib.wadi_sim_create(definition, made))
        self._adopt(made[0], dem, raster)
        self["height"] = raster
        for name, value in arrays.items():
            self[name] = value

    def _adopt(self, pointer: Any, template: Any, raster: Raster) -> None:
        self._sim = ffi.gc(pointer, lib.wadi_sim_destroy)
        self._template, self._raster = template, raster
        self._turn = south_up(template)
        self._hold(self._sim)

    @staticmethod
    def _take_preset(definition: Any, model: Any, name: str) -> None:
        found = lib.wadi_preset_find(c_text(name), ffi.new("const wadi_model **", model))
        if found == ffi.NULL:
            raise error()
        check(lib.wadi_def_preset(definition, found))

    @staticmethod
    def _set_value(definition: Any, model: models.Model, name: str, value: Value) -> dict[str, Any]:
        """Sets a number or a choice; gives back what is an array."""
        parameter = model.find(name)
        symbol = c_text(parameter.name if parameter else name)
        if isinstance(value, str):
            check(lib.wadi_def_set_text(definition, symbol, c_text(value)))
        elif np.ndim(value) == 0:
            check(lib.wadi_def_set(definition, symbol, float(value)))
        else:
            if parameter is None:
                check(lib.wadi_def_set(definition, symbol, 0.0))
            return {parameter.name: value}
        return {}

    # --- fields ---

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        definition = lib.wadi_sim_def(self._sim)
        return (definition.height, definition.width)

    @property
    def fields(self) -> dict[str, Field]:
        """What can be read, and what of it can be set."""
        count = lib.wadi_sim_fields(self._sim, ffi.NULL, 0)
        facts = ffi.new("wadi_field_facts[]", count)
        lib.wadi_sim_fields(self._sim, facts, count)
        made = (Field(text(f.name), text(f.unit), text(f.meaning), f.settable, f.parameter) for f in table(facts, count))
        return {field.name: field for field in made}

    def __getitem__(self, name: str) -> np.ndarray:
        """A copy of a field. NaN: no data."""
        with self._used() as sim:
            read = read_cells(self.shape, lambda values, count: lib.wadi_sim_get(sim, c_text(name), values, count))
            return turned(read, self._turn)

    def __setitem__(self, name: str, value: Value) -> None:
        """Sets a field, or a parameter: one value for all cells, or an array of them.

        "height" begins anew: no water, nothing eroded.
        """
        fields = self.fields
        parameter = None if name in fields and not fields[name].parameter else self.model.find(name)
        symbol = c_text(parameter.name if parameter else name)
        with self._used(changes=True) as sim:
            if isinstance(value, str):
                check(lib.wadi_sim_set_parameter(sim, symbol, self._choice(symbol, value)))
            elif parameter is not None and np.ndim(value) == 0:
                check(lib.wadi_sim_set_parameter(sim, symbol, float(value)))
            else:
                values = value if np.ndim(value) > 0 else np.full(self.shape, value)
                array = cells(north_up(values, self._turn), self.shape)
                check(lib.wadi_sim_set(sim, symbol, floats(array), array.size))

    def _choice(self, symbol: bytes, value: str) -> float:
        definition = ffi.new("wadi_def *", lib.wadi_sim_def(self._sim)[0])
        check(lib.wadi_def_set_text(definition, symbol, c_text(value)))
        return definition.values[lib.wadi_model_parameter_index(definition.model, symbol)]

    def __contains__(self, name: str) -> bool:
        return lib.wadi_sim_has(self._sim, c_text(name))

    def rect(self, name: str, x: int, y: int, width: int, height: int) -> np.ndarray:
        """A copy of the cells x .. x + width - 1, y .. y + height - 1 of a field."""
        values = np.empty((height, width), np.float32) if height > 0 and width > 0 else np.empty((1, 1), np.float32)
        rect = ffi.new("wadi_rect *", (x, self.shape[0] - y - height if self._turn else y, width, height))
        with self._used() as sim:
            check(lib.wadi_sim_get_rect(sim, c_text(name), rect, floats(values, True), values.shape[1]))
        return turned(values, self._turn)

    def view(self, name: str) -> np.ndarray:
        """A field to be read, without a copy where the engine has it in memory: steps then change it. Else a copy."""
        pointer, stride = ffi.new("const float **"), ffi.new("size_t *")
        with self._used() as sim:
            status = lib.wadi_sim_borrow(sim, c_text(name), pointer, stride)
            if status == lib.WADI_ERROR_UNSUPPORTED:
                copy = self[name]
                copy.flags.writeable = False
                return copy
            check(status)
            return np.asarray(Lent(sim, pointer[0], self.shape, stride[0]))[:: -1 if self._turn else 1]

    def get(self, name: str) -> Any:
        """A field in the kind of array that the terrain came in: numpy, DataArray or wadi.Raster."""
        field = self.fields.get(name) or Field(name, "1", name, False, False)
        return as_given(self._template, self._raster, self[name], name, field.unit, field.meaning)

    # --- steps ---

    def step(self, steps: int = 1, progress: Optional[Progress] = None) -> int:
        """Makes steps, and returns how many were made. Ctrl-C stops between steps; other threads of Python go on.

        progress(done, steps) is called about twenty times a second. If it returns False, the steps end there.
        """
        following = Following(progress)
        with self._stepped() as sim:
            before = self.steps
            following.end(lib.wadi_sim_step_with(sim, steps, lib.wadi_py_sim_progress, following.handle))
            return self.steps - before

    def iterate(self, steps: int, every: int = 1) -> Iterator[int]:
        """Makes steps in portions of `every`, and gives after each how many are made.

        for done in sim.iterate(1000, every=100): ...
        """
        if every < 1:
            raise ArgumentError(f"every: {every}; 1 or more is wanted")
        done = 0
        while done < steps:
            done += self.step(min(every, steps - done))
            yield done

    @property
    def steps(self) -> int:
        """Made so far."""
        return lib.wadi_sim_steps(self._sim)

    @property
    def time(self) -> float:
        """Simulated seconds."""
        return lib.wadi_sim_time(self._sim)

    @property
    def mass(self) -> Mass:
        """The mass balance."""
        with self._used() as sim:
            return mass_of(lambda mass: lib.wadi_sim_mass(sim, mass))

    @property
    def device(self) -> str:
        """What computes: "AMD EPYC ..., avx512"."""
        return text(lib.wadi_sim_device(self._sim)) or ""

    @property
    def model(self) -> models.Model:
        return models.models[text(lib.wadi_model_id(lib.wadi_sim_def(self._sim).model))]

    @property
    def parameters(self) -> dict[str, Union[float, str]]:
        """Their values; of one with a map, the value without it."""
        values = lib.wadi_sim_def(self._sim).values
        rows = self.model.parameters.values()
        return {row.name: row.choices[int(values[i])] if row.choices else values[i] for i, row in enumerate(rows)}

    @property
    def warning(self) -> Optional[str]:
        """What to know of its time step, or None."""
        return text(lib.wadi_sim_safety(self._sim).warning)

    # --- changes between steps ---

    def paint(
        self,
        brush: str,
        x: float,
        y: float,
        *,
        radius: float,
        strength: float,
        falloff: float = 0.5,
        level: float = 0.0,
    ) -> None:
        """One dab of a brush at a cell: "raise", "lower", "smooth", "flatten", "water", ... (wadi/paint.h).

        radius is in metres, level (of "flatten") the height in metres.
        """
        place = (x, self._row(y))
        dab = ffi.new("wadi_dab *", (choice("brush", brush, _BRUSHES), *place, radius, strength, falloff, level))
        with self._used(changes=True) as sim:
            check(lib.wadi_sim_paint(sim, dab, 1))

    def _row(self, y: float) -> float:
        """Between the caller's rows and the library's."""
        return self.shape[0] - y if self._turn else y

    @property
    def sources(self) -> list[Source]:
        """River sources. Set a list of wadi.Source."""
        count = ffi.new("size_t *")
        first = lib.wadi_sim_sources(self._sim, count)
        return [Source(s.x, self._row(s.y), s.radius_m, s.rate_m3s, s.start_s, s.end_s) for s in table(first, count[0])]

    @sources.setter
    def sources(self, sources: Iterable[Source]) -> None:
        rows = [(s.x, self._row(s.y), s.radius_m, s.rate_m3s, s.start_s, s.end_s) for s in sources]
        with self._used(changes=True) as sim:
            check(lib.wadi_sim_set_sources(sim, ffi.new("wadi_source[]", rows), len(rows)))

    def set_drops(self, count: float, radius: float, rate: float) -> None:
        """Random rain: each step, `count` discs of `radius` metres, each raining `rate` m/s."""
        with self._used(changes=True) as sim:
            check(lib.wadi_sim_set_drops(sim, ffi.new("wadi_drops *", (count, radius, rate))))

    def take(self, other: "Simulation") -> None:
        """Takes terrain, water, sediment and hardness of another model's simulation, bit for bit."""
        with self._used(changes=True) as sim, other._used() as of:
            check(lib.wadi_sim_take(sim, of))

    def settle(self) -> None:
        """Lets what is suspended in the water lie down, as the command does at the end of a run."""
        with self._used(changes=True) as sim:
            check(lib.wadi_sim_settle(sim))

    # --- checkpoints ---

    def to_bytes(self) -> bytes:
        """The whole simulation. It goes on with the same bits."""
        parts: list[bytes] = []
        writing = Following(lambda data: parts.append(bytes(data)))
        with self._used() as sim:
            writing.end(lib.wadi_sim_save(sim, ffi.NULL, 0, lib.wadi_py_write, writing.handle))
        return b"".join(parts)

    @classmethod
    def from_bytes(cls, data: bytes, *, engine: str = "cpu", device: int = -1, threads: int = 0) -> "Simulation":
        """A simulation as it was saved, on any engine."""
        place = 0

        def read(count: int) -> bytes:
            nonlocal place
            place += count
            return data[place - count : place]

        model = lib.wadi_model_at(0)
        how = ffi.new("wadi_def *", lib.wadi_default_def(model, 2, 2, 1.0, 1.0))
        how.engine, how.device, how.threads = choice("engine", engine, _ENGINES), device, threads
        made, note, note_bytes = ffi.new("wadi_sim **"), ffi.new("void **"), ffi.new("size_t *")
        reading = Following(read)
        reading.end(lib.wadi_sim_restore(lib.wadi_py_read, reading.handle, how, made, note, note_bytes))
        lib.wadi_free(note[0])
        sim = cls.__new__(cls)
        of = lib.wadi_sim_def(made[0])
        grid = Raster.from_values(np.zeros((of.height, of.width), np.float32), (of.lx, of.ly))
        sim._adopt(made[0], grid.values, grid)
        if place != len(data):
            raise FormatError(f"the checkpoint has {len(data) - place} bytes too many")
        return sim

    def __reduce__(self) -> tuple[Any, ...]:
        return (Simulation.from_bytes, (self.to_bytes(),))

    def save(self, path: Path_) -> None:
        """Writes a checkpoint: the whole file or nothing."""
        temporary = f"{os.fsdecode(path)}.{os.getpid()}.new"
        try:
            with open(temporary, "wb") as file:
                file.write(self.to_bytes())
            os.replace(temporary, path)
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise

    @classmethod
    def load(cls, path: Path_, *, engine: str = "cpu", device: int = -1, threads: int = 0) -> "Simulation":
        """Reads a checkpoint that `save` has written."""
        with open(path, "rb") as file:
            return cls.from_bytes(file.read(), engine=engine, device=device, threads=threads)

    def to_xarray(self, names: Optional[Sequence[str]] = None) -> Any:
        """An xarray.Dataset of fields, with units and coordinates. None: all maps."""
        return dataset(
            names if names is not None else [field.name for field in self.fields.values() if not field.parameter],
            self.fields,
            self._template,
            self._raster,
            lambda name: self[name],
        )

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<wadi.Simulation {self.model.id}, {columns} x {rows} cells, step {self.steps}>"


def dataset(
    names: Sequence[str], fields: dict[str, Field], template: Any, raster: Raster, read: Callable[[str], np.ndarray]
) -> Any:
    import xarray

    grid = template if hasattr(template, "coords") else raster.to_xarray()
    made = {}
    for name in names:
        field = fields.get(name) or Field(name, "1", name, False, False)
        made[name] = as_given(grid, raster, read(name), name, field.unit, field.meaning)
    return xarray.Dataset(made)
