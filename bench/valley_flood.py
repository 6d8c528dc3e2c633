#!/usr/bin/env python3
"""valley_flood.py: test 5 of the Environment Agency's 2-D benchmarks by `wadi run`, for docs/benchmarks.md.

    bench/valley_flood.py DEM [CELL] [WADI-RUN-OPTION...]

DEM is the report's terrain in cells of 10 m, in its own coordinates. The Environment Agency gives it to those who ask.
CELL is the size of the cells in m (10): 50 is the report's. WADI names the command (wadi).
"""

import csv
import os
import subprocess
import sys
import tempfile

WADI = os.environ.get("WADI", "wadi")
OPENING = (232620, 830505), (232810, 830315)  # the centres of its first and last cells of 10 m
PLACES = {1: (235200, 832400), 2: (236700, 833800), 3: (237800, 835200), 4: (239400, 838000),
          5: (243300, 840300), 6: (235700, 832500), 7: (237700, 835500)}
HOURS = 30


def discharge(t):
    """m3/s: 3000 from 600 to 1200 s, in straight lines from 300 s and to 6000 s."""
    return 3000 * max(0, min(1, (t - 300) / 300, (6000 - t) / 4800))


def write_sources(path):
    """Pieces of 20 s, on 20 places."""
    with open(path, "w") as file:
        print("x,y,radius_m,rate_m3s,start_s,end_s", file=file)
        for t in range(300, 6000, 20):
            for i in range(20):
                x, y = (a + (b - a) * i / 19 for a, b in zip(*OPENING))
                print(f"{x},{y},0,{discharge(t + 10) / 20},{t},{t + 20}", file=file)


def run(dem, cell, options, folder):
    """The rows of gauges.csv."""
    sources, out = os.path.join(folder, "sources.csv"), os.path.join(folder, "run")
    write_sources(sources)
    if cell != 10:
        coarse = os.path.join(folder, "coarse.tif")
        subprocess.run([WADI, "resample", dem, "-o", coarse, "--cell-size", str(cell)], check=True)
        dem = coarse
    values = {"pipes": 8, "pipe_area": "depth", "friction_law": "manning", "n": 0.04, "d_cf": 1, "Fr": 100, "rain": 0,
              "Ke": 0, "Ks": 0, "Kd": 0, "dt": 0.1 * cell, "A": 60 * cell, "substeps": "adaptive"}
    command = [WADI, "run", dem, "--model", "mei2007", "--boundary", "closed", "--scale", "cell", "-o", out, "--allow-out-of-range"]
    command += [f"--set={name}={value}" for name, value in values.items()]
    command += ["--steps", str(round(HOURS * 3600 / (0.1 * cell))), "--sources", sources, "--settle", "off"]
    command += ["--gauges", " ".join(f"p{n}={x},{y}" for n, (x, y) in PLACES.items()), "--gauge-every", "60"]
    subprocess.run(command + options, check=True)
    with open(os.path.join(out, "gauges.csv")) as file:
        return list(csv.DictReader(file))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    options = sys.argv[2:]
    cell = float(options.pop(0)) if options and not options[0].startswith("-") else 10
    with tempfile.TemporaryDirectory() as folder:
        rows = run(sys.argv[1], cell, options, folder)
    print("point  ground, m  10 cm after, h  highest, m  after, h  depth at the end, m")
    for n in PLACES:
        here = [row for row in rows if row["gauge"] == f"p{n}"]
        hours = [float(row["time_s"]) / 3600 for row in here]
        depths = [float(row["depth_m"]) for row in here]
        stages = [float(row["stage_m"]) for row in here]
        ground = stages[0] - depths[0]
        arrival = next((t for t, depth in zip(hours, depths) if depth > 0.1), float("nan"))
        highest = max(stages)
        print(f"{n:5d}{ground:11.2f}{arrival:16.2f}{highest:12.2f}{hours[stages.index(highest)]:10.2f}{depths[-1]:15.2f}")


if __name__ == "__main__":
    main()
