"""notebook.py FILE.ipynb [FOLDER]: runs a notebook's cells one after the other, where Jupyter need not be installed.

A notebook is committed without outputs, and is run in its own folder. FOLDER gets the figures of each cell, to be looked at.
Without matplotlib nothing is drawn, and all else runs. Without xarray a notebook that shows it is skipped, with 77.
"""

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import MagicMock


def draw_nothing():
    plot = MagicMock()
    plot.subplots.return_value = MagicMock(), MagicMock()
    plot.get_fignums.return_value = []
    sys.modules.update({"matplotlib": MagicMock(pyplot=plot), "matplotlib.pyplot": plot})
    if find_spec("xarray"):
        import xarray

        xarray.DataArray.plot = plot


def read(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4, f"{path}: version {notebook['nbformat']} of the format; 4 is wanted"
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert cells, f"{path}: no code"
    for cell in cells:
        assert not cell["outputs"] and cell["execution_count"] is None, f"{path}: clear the outputs before you commit"
    return ["".join(cell["source"]) for cell in cells]


def keep_figures(name, folder):
    """Each cell has its own, as in Jupyter."""
    plot = sys.modules.get("matplotlib.pyplot")
    for number in plot.get_fignums() if plot else ():
        if folder:
            plot.figure(number).savefig(Path(folder) / f"{name}-{number}.png")
        plot.close(number)


def main(file, folder=None):
    path = Path(file).resolve()
    programs = read(path)
    if not find_spec("matplotlib"):
        print(f"{path.name}: nothing is drawn, python3-matplotlib is not installed")
        draw_nothing()
    folder = os.path.abspath(folder) if folder else None
    os.chdir(path.parent)
    names = {"__name__": "__main__"}
    for i, program in enumerate(programs, 1):
        exec(compile(program, f"{path.name}, code cell {i}", "exec"), names)
        keep_figures(f"{path.stem}-{i}", folder)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except ModuleNotFoundError as missing:
        if missing.name != "xarray":
            raise
        print(f"SKIPPED: {sys.argv[1]}: python3-xarray is not installed")
        sys.exit(77)
