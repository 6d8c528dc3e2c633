"""The erosion models: parameters, presets and knobs, from the tables of the library."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Mapping, Optional

from ._calls import c_text, error, table, text
from ._wadi import ffi, lib


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model. The range is that at the model's own scale."""

    name: str
    alias: str
    unit: str
    meaning: str
    source: str
    minimum: float
    standard: float
    maximum: float
    choices: tuple[str, ...]
    per_cell: bool

    def __str__(self) -> str:
        values = " | ".join(self.choices) or f"{self.minimum:g} .. {self.maximum:g}"
        unit = "" if self.unit == "1" or self.choices else f" {self.unit}"
        return f"{self.name} ({self.alias}): {self.meaning} [{values}{unit}{', per cell' if self.per_cell else ''}]"


@dataclass(frozen=True)
class Preset:
    """Values of all parameters for a purpose."""

    name: str
    summary: str
    settings: Mapping[str, str]


@dataclass(frozen=True)
class Knob:
    """Moves several parameters together, from 0 to 1; 0.5 is the preset."""

    name: str
    meaning: str


@dataclass(frozen=True)
class Model:
    """A published erosion model."""

    id: str
    title: str
    citation: str
    parameters: Mapping[str, Parameter]
    presets: Mapping[str, Preset]
    knobs: Mapping[str, Knob]

    def find(self, name: str) -> Optional[Parameter]:
        """By symbol or alias; None if there is none. Underscores are as good as dashes."""
        index = lib.wadi_model_parameter_index(lib.wadi_model_find(c_text(self.id)), c_text(name.replace("_", "-")))
        if index < 0:
            index = lib.wadi_model_parameter_index(lib.wadi_model_find(c_text(self.id)), c_text(name))
        return None if index < 0 else list(self.parameters.values())[index]

    def __str__(self) -> str:
        lines = [f"{self.id}: {self.title}", self.citation, "", "parameters:"]
        lines += [f"  {parameter}" for parameter in self.parameters.values()]
        lines += ["", "presets:"] + [f"  {preset.name}: {preset.summary}" for preset in self.presets.values()]
        if self.knobs:
            lines += ["", "knobs:"] + [f"  {knob.name}: {knob.meaning}" for knob in self.knobs.values()]
        return "\n".join(lines)


def _names(pointer: object) -> tuple[str, ...]:
    found: list[str] = []
    while pointer != ffi.NULL and pointer[len(found)] != ffi.NULL:
        found.append(text(pointer[len(found)]) or "")
    return tuple(found)


def _parameter(row: object) -> Parameter:
    return Parameter(
        name=text(row.name),
        alias=text(row.alias),
        unit=text(row.unit),
        meaning=text(row.meaning),
        source=text(row.source),
        minimum=row.minimum,
        standard=row.standard,
        maximum=row.maximum,
        choices=_names(row.choices),
        per_cell=row.per_cell,
    )


def _preset(row: object) -> Preset:
    settings = {}
    while row.settings[len(settings)].name != ffi.NULL:
        setting = row.settings[len(settings)]
        settings[text(setting.name)] = text(setting.value)
    return Preset(text(row.name), text(row.summary), MappingProxyType(settings))


def _knob(row: object) -> Knob:
    return Knob(text(row.name), text(row.meaning))


def _rows(function: object, model: object, make: object) -> Mapping[str, object]:
    count = ffi.new("size_t *")
    first = function(model, count)
    return MappingProxyType({made.name: made for made in map(make, table(first, count[0]))})


def _model(model: object) -> Model:
    return Model(
        id=text(lib.wadi_model_id(model)),
        title=text(lib.wadi_model_title(model)),
        citation=text(lib.wadi_model_citation(model)),
        parameters=_rows(lib.wadi_model_parameters, model, _parameter),
        presets=_rows(lib.wadi_model_presets, model, _preset),
        knobs=_rows(lib.wadi_model_knobs, model, _knob),
    )


models: Mapping[str, Model] = MappingProxyType(
    {made.id: made for made in (_model(lib.wadi_model_at(i)) for i in range(lib.wadi_model_count()))}
)


def find(name: str) -> Model:
    """The model with this id; an error suggests the nearest."""
    if lib.wadi_model_find(c_text(name)) == ffi.NULL:
        raise error()
    return models[name]
