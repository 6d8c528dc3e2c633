#!/usr/bin/env python3
"""A sweep over one parameter, in threads: how the sediment capacity changes what is moved."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import wadi

dem = wadi.generate("diamond-square", 96, seed=7)


def moved(capacity: float) -> tuple[float, float]:
    """The library computes without Python's lock, so threads are enough."""
    run = wadi.Run(dem, model="jako2011", steps=150, threads=1, sediment_capacity=capacity)
    run.step().finish()
    return capacity, run.mass.moved


capacities = np.geomspace(0.1, 0.9, 4)
with ThreadPoolExecutor(2) as pool:
    table = np.array(list(pool.map(moved, capacities)))
for capacity, volume in table:
    print(f"Kc {capacity:5.2f}: {volume:8.1f} m3 moved")
assert (np.diff(table[:, 1]) > 0).all()
