"""Terrain eroded in one line. The stub erosion.pyi, which the build makes, has the parameters of each model."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

from .runs import Run
from .simulation import Progress, Value


def erode(
    dem: Any,
    model: str = "jako2011",
    *,
    cell_size: Union[float, Sequence[float], None] = None,
    progress: Optional[Progress] = None,
    **options: Value,
) -> Any:
    """Erodes a terrain, and returns its height in the kind of array that it came in.

        eroded = wadi.erode(dem, model="mei2007", steps=500, cell_size=10)

    It does what `wadi run` does, with the same bits: the preset for this terrain, levels, and what settles at the end.
    options are those of `wadi run`, with dashes as underscores, and the parameters of the model by symbol or alias.
    wadi.Run gives more than the height; wadi.Simulation goes step by step.
    """
    run = Run(dem, model=model, cell_size=cell_size, **options)
    return run.step(progress=progress).finish().get("height")
