"""stub.py OUT.pyi: the stub of wadi.erosion, with the parameters of each model from the library's tables."""

import sys

import wadi
from wadi.runs import OPTIONS

HEAD = '''"""Made by stub.py from the tables of the library."""

from typing import Any, Literal, Mapping, Optional, Sequence, TypeVar, Union, overload

from .simulation import Progress, Source

_Dem = TypeVar("_Dem")
_Map = Any  # an array of values per cell
'''

COMMON = {"cell_size": "Union[float, Sequence[float], None]", "progress": "Optional[Progress]"}
SPECIAL = {
    "preset": "str",
    "sources": "Union[str, Sequence[Source]]",
    "rain": "Union[float, str, _Map]",
    "steps": "int",
    "seed": "int",
    "levels": "int",
    "threads": "int",
    "mask": "Union[str, _Map]",
    "hardness": "Union[str, _Map]",
    "water": "Union[str, _Map]",
    "set": "Sequence[str]",
}


def option_type(name: str) -> str:
    option = OPTIONS[name]
    if option["choices"]:
        return f"Literal[{', '.join(map(repr, option['choices']))}]"
    return SPECIAL.get(name, "bool" if option["value"] is None else "Union[str, float]")


def parameter_type(parameter: wadi.Parameter) -> str:
    if parameter.choices:
        return f"Literal[{', '.join(map(repr, parameter.choices))}]"
    return "Union[float, _Map]" if parameter.per_cell else "float"


def is_name(name: str) -> bool:
    return name.isidentifier() and name != "lambda"


def keywords(model: wadi.Model) -> dict[str, str]:
    found = dict(COMMON)
    for name in OPTIONS:
        python = name.replace("-", "_")
        if name not in ("model", "knob", "cell-size") and not OPTIONS[name]["files"] and is_name(python):
            found[python] = option_type(name)
    found["knobs"] = "Mapping[str, float]"
    for parameter in model.parameters.values():
        for name in (parameter.name, parameter.alias.replace("-", "_")):
            if is_name(name) and name not in found:
                found[name] = parameter_type(parameter)
    return found


def overload(model: wadi.Model, default: bool) -> str:
    lines = ["@overload", "def erode(", "    dem: _Dem,"]
    lines.append(f"    model: Literal[{model.id!r}]{' = ...' if default else ''},")
    lines.append("    *,")
    lines += [f"    {name}: {kind} = ...," for name, kind in keywords(model).items()]
    lines.append(") -> _Dem:")
    text = str(model).replace("\\", "/").replace('"""', "'")
    lines += ['    """' + text.replace("\n", "\n    ").replace("\n    \n", "\n\n"), '    """']
    return "\n".join(lines)


def main(out: str) -> None:
    first = next(iter(wadi.models)) if "jako2011" not in wadi.models else "jako2011"
    parts = [HEAD] + [overload(model, model.id == first) for model in wadi.models.values()]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n\n".join(parts) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
