#!/usr/bin/env python3
"""beside_itzi.py: MacDonald's channels by Itzi's own modules, for docs/benchmarks.md.

Prints what `measures channel` and bench/simwe.sh print of Wadi. It needs NumPy and Itzi 25.4 (its `surfaceflow` and
`flow`), where Python finds them. GRASS is not needed: the maps are arrays.
"""

import sys

try:
    import numpy as np
    from itzi.surfaceflow import SurfaceFlowSimulation
except ImportError as missing:
    sys.exit(f"beside_itzi.py: {missing}: install NumPy and Itzi 25.4")

G = 9.80665


class Domain:
    """The maps of a run, as Itzi's RasterDomain gives them."""

    def __init__(self, dem, n, cell):
        self.dx = self.dy = cell
        self.padded = {}
        self.shape = dem.shape
        names = "friction h bcval bctype ext hmax hfe hfs qe qs qe_new qs_new v vdir vmax fr dire dirs st_bound st_herr"
        for name in names.split() + ["dem"]:
            self.padded[name] = np.zeros((dem.shape[0] + 2, dem.shape[1] + 2), np.float32)
        self.padded["dem"][:] = np.pad(dem, 1, mode="edge")
        self.get_array("friction")[:] = n
        self.get_array("bctype")[:] = 1  # closed
        self.get_array("bctype")[:, -1] = 2  # open

    def get_array(self, name):
        return self.padded[name][1:-1, 1:-1]

    def get_padded(self, name):
        return self.padded[name]

    def amax(self, name):
        return float(self.get_array(name).max())

    def swap_arrays(self, a, b):
        self.padded[a], self.padded[b] = self.padded[b], self.padded[a]


def run(dem, n, cell, enters, until):
    """The depths after so many seconds. enters: water, m/s."""
    domain = Domain(dem, n, cell)
    values = {"dtmax": 2, "cfl": 0.5, "theta": 0.7, "vrouting": 0.1, "hmin": 0.005, "slmax": 0.5, "g": G}
    flow = SurfaceFlowSimulation(domain, values)
    flow.update_flow_dir()
    time = 0.0
    while time < until:
        flow.solve_dt()
        domain.get_array("ext")[:] = enters
        flow.step()
        time += flow._dt
    return domain.get_array("h")


def channel(rain, cell):
    """Mean error of the surface, as Itzi's test_analytic.py has it."""
    first = 2.0 if rain == 0 else 1.0
    fine = 100
    x = np.arange(0, 1000 * fine + 1) / fine
    bell = np.exp(-16 * (x / 1000 - 0.5) ** 2)
    h = (4 / G) ** (1 / 3) * (1 + 0.5 * bell)
    dh = (4 / G) ** (1 / 3) * 0.5 * bell * -32 * (x / 1000 - 0.5) / 1000
    q = first + rain * x
    slope = (q * q / (G * h**3) - 1) * dh - 2 * q * rain / (G * h * h) - 0.033**2 * q * q / h ** (10 / 3)
    z = np.concatenate([[0], np.cumsum((slope[1:] + slope[:-1]) / 2)]) / fine
    z -= z[-1]
    at = (np.arange(int(1000 / cell)) * cell + cell / 2) * fine
    at = at.astype(int)
    enters = np.zeros((3, len(at)))
    enters[:, 0] = first / cell
    depth = run(np.tile(z[at], (3, 1)), 0.033, cell, enters + rain, 3600)
    error = depth[1] - h[at]
    print(f"channel, rain {rain:g} m/s, cells of {cell:g} m: error of the surface {np.abs(error).mean():.4f} m, "
          f"largest {error[np.abs(error).argmax()]:+.4f} m")


if __name__ == "__main__":
    for rain in (0, 0.001):
        for cell in (10, 5):
            channel(rain, cell)
