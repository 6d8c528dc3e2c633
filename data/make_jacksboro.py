#!/usr/bin/env python3
"""Makes data/jacksboro.tif from the Jacksboro fault DEM of Debian's package python-matplotlib-data.

    apt-get install python-matplotlib-data gdal-bin
    data/make_jacksboro.py [FROM.npz [TO.tif]]

Standard library and gdal_translate alone. The cells' values are copied as they are; the georeference is the
archive's own (its xmin, dx, ... are the edges of the outer cells, in degrees)."""
import ast
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

SOURCE = "/usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz"


def member(archive, name):
    """The header and the bytes of one array of an .npz (NPY format 1.0)."""
    content = archive.read(name + ".npy")
    assert content[:8] == b"\x93NUMPY\x01\x00", name
    start = 10 + struct.unpack("<H", content[8:10])[0]
    return ast.literal_eval(content[10:start].decode()), content[start:]


def number(archive, name):
    return struct.unpack("<d", member(archive, name)[1])[0]


def main(source=SOURCE, target=str(pathlib.Path(__file__).with_name("jacksboro.tif"))):
    with zipfile.ZipFile(source) as archive:
        header, cells = member(archive, "elevation")
        west, east = number(archive, "xmin"), number(archive, "xmax")
        # Named upside down in the archive: its ymin is the top of the first row, which is the northern one.
        north, south = number(archive, "ymin"), number(archive, "ymax")
        dx, dy = number(archive, "dx"), number(archive, "dy")
    assert header["descr"] == "<i2" and not header["fortran_order"]
    rows, columns = header["shape"]
    assert abs((east - west) / dx - columns) < 1e-6 and abs((north - south) / dy - rows) < 1e-6
    with tempfile.TemporaryDirectory() as folder:
        raw = pathlib.Path(folder, "elevation.raw")
        raw.write_bytes(cells)
        raw.with_suffix(".hdr").write_text(
            f"ENVI\nsamples = {columns}\nlines = {rows}\nbands = 1\ndata type = 2\nbyte order = 0\ninterleave = bsq\n")
        edges = [repr(edge) for edge in (west, north, east, south)]
        subprocess.run(["gdal_translate", "-q", "-of", "GTiff", "-a_srs", "EPSG:4326", "-a_ullr", *edges,
                        "-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=2", "-co", "ZLEVEL=9",
                        "--config", "GDAL_PAM_ENABLED", "NO", str(raw), target], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
