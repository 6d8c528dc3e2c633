#!/usr/bin/env python3
"""The bundled terrain, eroded and drawn: six lines, and a picture where matplotlib is installed.

    python3 erode.py jacksboro.tif
"""

import sys

import wadi

dem = wadi.read(sys.argv[1])
eroded = wadi.erode(dem, model="jako2011", steps=200)
change = eroded.values - dem.values
print(f"{dem}: up to {-change.min():.2f} m eroded, {change.max():.2f} m deposited, sha256 {wadi.sha256(eroded)[:8]}")
wadi.write("eroded.tif", eroded)

try:
    import matplotlib.pyplot as plot
except ImportError:
    sys.exit("python3-matplotlib draws the picture: it is not installed")
figure, axes = plot.subplots(1, 2, figsize=(12, 5), layout="constrained")
for axis, values, title, colours in ((axes[0], eroded.values, "height", "cividis"), (axes[1], change, "change", "RdBu")):
    limit = {"vmin": -abs(change).max() / 4, "vmax": abs(change).max() / 4} if title == "change" else {}
    figure.colorbar(axis.imshow(values, cmap=colours, **limit), ax=axis, label="m")
    axis.set_title(f"{title} after 200 steps")
figure.savefig("eroded.png")
