#!/usr/bin/env python3
"""Step by step: a river source, a dam by a brush, and the mass balance."""

import numpy as np

import wadi

dem = wadi.generate("noise", 128, cell_size=5, seed=4, relief=120)
sim = wadi.Simulation(dem, "jako2011", cell_size=5, sediment_capacity=0.8)
y, x = np.unravel_index(np.argmax(dem), dem.shape)  # the summit
sim.sources = [wadi.Source(x + 0.5, y + 0.5, radius_m=10, rate_m3s=4)]
water = sim.view("water")  # the engine's own memory: it follows the steps

for done in sim.iterate(300, every=100):
    print(f"step {done}: {water.sum() * 25:.0f} m3 of water, deepest {water.max():.2f} m")
    if done == 200:
        sim.paint("raise", 64, 64, radius=30, strength=10)

mass = sim.mass
print(f"{mass.water.in_:.0f} m3 of water came, {mass.moved:.0f} m3 of ground moved, residual {mass.solid.residual:.2g} m3")
