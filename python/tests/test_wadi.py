"""The Python package, beside the command: the same bits, the same words."""

import gc
import json
import os
import pickle
import signal
import subprocess
import threading
import time
import warnings
import weakref
from pathlib import Path

import numpy as np
import pytest

import wadi

WADI = os.environ.get("WADI", "wadi")
DATA = Path(__file__).resolve().parents[2] / "data" / "jacksboro.tif"


@pytest.fixture
def dem():
    return wadi.generate("diamond-square", (64, 48), seed=7)


def command(*words):
    done = subprocess.run([WADI, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def hashes(folder):
    outputs = json.loads((folder / "run.json").read_text())["outputs"]
    return {name: output["sha256"] for name, output in outputs.items()}


# --- the command's bits ---


@pytest.mark.parametrize("model", wadi.models)
def test_erode_has_the_bits_of_the_command(model, tmp_path, dem):
    wadi.write(tmp_path / "dem.npy", dem)
    command("run", tmp_path / "dem.npy", "-o", tmp_path / "run", "--model", model, "--steps", 6, "--quiet")
    eroded = wadi.erode(dem, model=model, steps=6)
    assert wadi.sha256(eroded) == hashes(tmp_path / "run")["height"]
    assert not np.array_equal(eroded, dem)


def test_options_parameters_and_maps_are_those_of_the_command(tmp_path, dem):
    hardness = np.linspace(0, 1, dem.size, dtype=np.float32).reshape(dem.shape)
    capacity = np.where(hardness > 0.5, 1.5, 0.5).astype(np.float32)
    (tmp_path / "s.csv").write_text("x,y,radius_m,rate_m3s\n20,10,3,0.5\n")
    for name, values in (("dem", dem), ("hard", hardness), ("kc", capacity)):
        wadi.write(tmp_path / f"{name}.npy", values)
    command(
        *("run", tmp_path / "dem.npy", "-o", tmp_path / "run", "--steps", 9, "--levels", 2, "--seed", 3, "--quiet"),
        *("--hardness", tmp_path / "hard.npy", "--set", f"Kc=@{tmp_path / 'kc.npy'}", "--set", "Ks=0.02"),
        *("--rain", "drops:count=2,radius=4,rate=0.01", "--sources", tmp_path / "s.csv", "--pixel"),
        *("--knob", "strength=0.7", "--boundary", "open", "--maps", "all"),
    )
    run = wadi.Run(
        dem,
        steps=9,
        levels=2,
        seed=3,
        hardness=hardness,
        sediment_capacity=capacity,
        Ks=0.02,
        rain="drops:count=2,radius=4,rate=0.01",
        sources=[wadi.Source(20, 10, 3, 0.5)],
        knobs={"strength": 0.7},
        boundary="open",
        track_sliding="on",
    )
    assert run.total == run.step().done > 9
    before = {"sediment": wadi.sha256(run["sediment"])}
    run.finish()
    expected = hashes(tmp_path / "run")
    assert len(expected) > 5
    assert {name: before.get(name) or wadi.sha256(run[name]) for name in expected} == expected


def test_a_georeferenced_file(tmp_path):
    command("run", DATA, "-o", tmp_path / "run", "--steps", 3, "--quiet")
    raster = wadi.read(DATA)
    eroded = wadi.erode(raster, steps=3)
    assert wadi.sha256(eroded) == hashes(tmp_path / "run")["height"]
    assert eroded.crs == raster.crs is not None and eroded.transform == raster.transform
    wadi.write(tmp_path / "eroded.tif", eroded)
    again = wadi.read(tmp_path / "eroded.tif")
    assert again.crs == raster.crs and again.cell_size == raster.cell_size
    np.testing.assert_array_equal(again.values, eroded.values)
    run = wadi.Run(DATA, steps=3).step().finish()
    assert wadi.sha256(run["height"]) == wadi.sha256(eroded)
    assert run.get("flow").crs == raster.crs


def test_a_recipe_in_a_folder(tmp_path):
    recipe = "generate: {kind: noise, size: 40x30, seed: 2}\nformat: npy\nstages:\n- {model: mei2007, steps: 8}\n- {model: olsen2004, steps: 4}\n"
    (tmp_path / "two.yaml").write_text(recipe)
    command("run", "--recipe", tmp_path / "two.yaml", "-o", tmp_path / "command", "--quiet")
    seen = []
    run = wadi.Run(recipe=tmp_path / "two.yaml", folder=tmp_path / "python", threads=1)
    run.step(5, progress=lambda done, total: seen.append((done, total)))
    assert (run.done, run.total, run.model) == (5, 12, "recipe") and seen[0] == (0, 12) and seen[-1] == (5, 12)
    run.checkpoint()
    del run
    run = wadi.Run.resume(tmp_path / "python")
    assert list(run.iterate(4)) == [9, 12]
    run.finish()
    assert hashes(tmp_path / "python") == hashes(tmp_path / "command")
    in_memory = wadi.Run(recipe=recipe).step().finish()
    assert in_memory.shape == (30, 40)
    assert wadi.sha256(in_memory["height"]) == hashes(tmp_path / "command")["height"]
    assert in_memory.mass.moved > 0


# --- a simulation ---


def test_steps_and_fields(dem):
    sim = wadi.Simulation(dem, "jako2011", cell_size=2, Kc=2, seed=1)
    sim.set_drops(3, 4, 0.01)
    assert sim.step(50) == 50 == sim.steps
    assert sim.parameters["Kc"] == 2 and sim.time > 0 and "jako2011" in repr(sim)
    water = sim["water"]
    assert water.shape == (48, 64) and water.dtype == np.float32 and water.max() > 0
    np.testing.assert_array_equal(sim.rect("water", 5, 7, 20, 11), water[7:18, 5:25])
    for name, field in sim.fields.items():
        values = sim[name]
        assert field.unit and field.meaning and name in sim
        if field.settable:
            sim[name] = values
        else:
            with pytest.raises(wadi.ArgumentError, match=name):
                sim[name] = values


def test_a_view_is_the_memory_of_the_engine(dem):
    sim = wadi.Simulation(dem)
    water = sim.view("water")
    sim["water"] = np.full(dem.shape, 0.25, np.float32)
    assert (water == 0.25).all()
    sim.step(20)
    np.testing.assert_array_equal(water, sim["water"])
    assert not (water == 0.25).all()
    with pytest.raises(ValueError):
        water[0, 0] = 1
    copy = sim.view("height")
    np.testing.assert_array_equal(copy, sim["height"])
    with pytest.raises(ValueError):
        copy[0, 0] = 1
    expected = sim["water"]
    del sim
    np.testing.assert_array_equal(water, expected)  # the view keeps the simulation


def test_changes_between_steps(dem):
    sim = wadi.Simulation(dem, "jako2011", Ks=0.01)
    sim["Ks"] = 0.02
    sim["sediment_capacity"] = np.full(dem.shape, 0.7)
    sim["mask"] = 0.5
    assert sim.parameters["Ks"] == 0.02
    assert (sim["Kc"] == np.float32(0.7)).all() and (sim["mask"] == 0.5).all()
    sim.paint("raise", 20.5, 10.5, radius=5, strength=3)
    assert sim["height"][10, 20] == pytest.approx(dem[10, 20] + 3, abs=0.01)
    sim.sources = [wadi.Source(30, 20, 2, 0.5, end_s=100)]
    assert sim.sources == [wadi.Source(30, 20, 2, 0.5, 0, 100)]
    sim.step(10)
    mass = sim.mass
    assert mass.water.in_ > 0 and abs(mass.solid.residual) < 1e-6 * mass.solid.before
    other = wadi.Simulation(dem, "mei2007")
    other.take(sim)
    np.testing.assert_array_equal(other["height"], sim["height"])


def test_choices_and_boundary(dem):
    sim = wadi.Simulation(dem, "mei2007", boundary="open")
    sim.model.parameters
    for parameter in sim.model.parameters.values():
        if parameter.choices:
            sim[parameter.name] = parameter.choices[-1]
            assert sim.parameters[parameter.name] == parameter.choices[-1]


def test_checkpoints(tmp_path, dem):
    sim = wadi.Simulation(dem, seed=3)
    sim.set_drops(2, 3, 0.02)
    sim.step(20)
    sim.save(tmp_path / "a.wadi")
    copies = [wadi.Simulation.load(tmp_path / "a.wadi"), pickle.loads(pickle.dumps(sim))]
    sim.step(20)
    for copy in copies:
        assert copy.steps == 20
        copy.step(20)
        np.testing.assert_array_equal(copy["height"], sim["height"])
    data = (tmp_path / "a.wadi").read_bytes()
    with pytest.raises(wadi.FormatError, match="ends too early"):
        wadi.Simulation.from_bytes(data[:-9])
    with pytest.raises(wadi.FormatError, match="3 bytes too many"):
        wadi.Simulation.from_bytes(data + b"abc")
    assert [p.name for p in tmp_path.iterdir()] == ["a.wadi"]


def test_nodata_and_masked_arrays(dem):
    dem[3, 4] = np.nan
    sim = wadi.Simulation(np.ma.masked_invalid(dem))
    sim.step(5)
    assert np.isnan(sim["height"][3, 4]) and np.isnan(sim["water"]).sum() == 1
    assert np.isnan(sim.view("water")).sum() == 1


# --- progress, Ctrl-C, threads ---


def test_progress_stops_and_raises(dem):
    sim = wadi.Simulation(dem)
    assert 10 <= sim.step(100000, progress=lambda done, steps: done < 10) < 100000
    seen = []

    def fail(done, steps):
        seen.append(done)
        if done:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        sim.step(100000, progress=fail)
    assert len(seen) == 2
    with pytest.raises(RuntimeError, match="it cannot be changed while it steps"):
        sim.step(10, progress=lambda done, steps: sim.step(1))
    with pytest.raises(RuntimeError, match="it cannot be changed while it steps"):
        sim.step(10, progress=lambda done, steps: sim.__setitem__("water", 0.0))
    assert sim.step(4, progress=lambda done, steps: sim["water"].max() >= 0) == 4
    assert list(sim.iterate(10, every=4)) == [4, 8, 10]
    with pytest.raises(wadi.ArgumentError, match="every: 0"):
        list(wadi.Run(dem, steps=5).iterate(0))
    run = wadi.Run(dem, steps=5)
    with pytest.raises(RuntimeError, match="it cannot be changed while it steps"):
        run.step(progress=lambda done, total: run.step())
    assert run.step(progress=lambda done, total: run["water"].max() >= 0).done == 5


def test_a_simulation_ends_with_its_last_name(dem):
    def fail(done, steps):
        raise KeyError("mine")

    gc.collect()
    gc.disable()
    try:
        sim = wadi.Simulation(dem)
        lives = weakref.ref(sim)
        try:
            sim.step(5, progress=fail)
        except KeyError:
            pass
        sim.step(5, progress=lambda done, steps, sim=sim: True)
        del sim
        assert lives() is None
    finally:
        gc.enable()


def test_ctrl_c_ends_the_steps(dem):
    sim = wadi.Simulation(dem)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        sim.step(10**9)
    steps = sim.steps
    assert 0 < steps < 10**9
    assert sim.step(2) == 2


def test_other_threads_go_on(dem):
    sim = wadi.Simulation(dem, threads=1)
    stop, refused, ticks = threading.Event(), [], 0
    stepping = threading.Thread(target=lambda: sim.step(10**9, progress=lambda done, steps: not stop.is_set()))
    stepping.start()
    time.sleep(0.1)
    try:
        sim["water"]
    except RuntimeError as error:
        refused.append(str(error))
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        ticks += 1
    stop.set()
    stepping.join()
    assert refused == ["another thread is using it"]
    assert ticks > 1000  # the GIL is free while the library computes


@pytest.mark.parametrize("call", ["get", "fields", "step", "mass"])
def test_a_run_belongs_to_one_thread_at_a_time(dem, call):
    run = wadi.Run(dem, steps=10, threads=1)
    stepping, end = threading.Event(), threading.Event()

    def wait(done, total):
        stepping.set()
        return end.wait(60)

    other = threading.Thread(target=lambda: run.step(progress=wait))
    other.start()
    assert stepping.wait(60)
    calls = {"get": lambda: run["water"], "fields": lambda: run.fields, "step": run.step, "mass": lambda: run.mass}
    try:
        with pytest.raises(RuntimeError, match="another thread is using it"):
            calls[call]()
    finally:
        end.set()
        other.join()
    assert run.done == 10 and run.finish()["water"].shape == dem.shape


# --- derived maps ---


def test_derived_maps_are_those_of_the_command(tmp_path, dem):
    names = list(wadi.DERIVED)
    wadi.write(tmp_path / "dem.npy", dem)
    command("derive", tmp_path / "dem.npy", "-o", tmp_path / "maps", "--maps", ",".join(names), "--format", "npy", "--breach", "--cell-size", 5)
    found = wadi.derive(dem, names, cell_size=5, breach=True)
    for name in names:
        np.testing.assert_array_equal(found[name], np.load(tmp_path / "maps" / f"{name}.npy"), err_msg=name)
    shade = wadi.derive(dem, "hillshade", cell_size=5)
    assert shade.shape == dem.shape and not np.array_equal(shade, wadi.derive(dem, "hillshade", cell_size=5, azimuth=90.0))
    with pytest.raises(wadi.ArgumentError, match="azimut: derive has no such option"):
        wadi.derive(dem, "hillshade", azimut=90)
    with pytest.raises(wadi.ArgumentError, match="slop"):
        wadi.derive(dem, "slop")


def test_derived_maps_of_other_arrays(dem):
    raster = wadi.read(DATA)
    area = wadi.derive(raster, "area")
    assert area.crs == raster.crs and area.values.max() > 1e6
    north, south = turned_over(dem)
    found = [wadi.derive(given, ["aspect", "direction"]) for given in (north, south)]
    for name, map_ in found[0].items():
        np.testing.assert_array_equal(map_.values, found[1][name].values[::-1])
        np.testing.assert_array_equal(map_.values, wadi.derive(dem, name, cell_size=10))
        assert map_.name == name and map_.attrs["long_name"] == wadi.DERIVED[name].meaning


# --- files, errors, tables ---


def test_files(tmp_path, dem):
    wadi.write(tmp_path / "a.png", dem, sample="uint16")
    low, high = float(dem.min()), float(dem.max())
    back = wadi.read(tmp_path / "a.png", height_range=(low, high), cell_size=(3, 4))
    assert back.cell_size == (3, 4) and back.format == "png"
    np.testing.assert_allclose(back.values, dem, atol=(high - low) / 65535)
    wadi.write(tmp_path / "flow.tif", np.abs(dem), unit="m3/s", description="a flow")
    assert wadi.read(tmp_path / "flow.tif", plain_values=True).unit == "m3/s"
    wadi.write(tmp_path / "a.r32", dem)
    np.testing.assert_array_equal(wadi.read(tmp_path / "a.r32", size=(64, 48)).values, dem)
    wadi.write(tmp_path / "b.tif", dem, like=wadi.Raster.from_values(dem, 5))
    assert wadi.read(tmp_path / "b.tif").cell_size in ((5, 5), (1, 1))


def test_errors_say_what_the_library_says(tmp_path, dem):
    with pytest.raises(wadi.ArgumentError, match="jako2012.*jako2011"):
        wadi.erode(dem, model="jako2012")
    with pytest.raises(ValueError, match="Kz: jako2011 has no such parameter.*did you mean K"):
        wadi.erode(dem, Kz=1)
    with pytest.raises(wadi.ArgumentError, match="step_s.*did you mean steps"):
        wadi.erode(dem, step_s=1)
    with pytest.raises(wadi.ArgumentError, match="Kc = -1 is outside"):
        wadi.Simulation(dem, Kc=-1)
    with pytest.raises(wadi.ArgumentError, match="unknown parameter 'Kz'"):
        wadi.Simulation(dem, Kz=1)
    with pytest.raises(wadi.ArgumentError, match="10 x 10 values for 64 x 48 cells"):
        wadi.Simulation(dem)["water"] = np.zeros((10, 10))
    with pytest.raises(wadi.ArgumentError, match="none.tif"):
        wadi.read(tmp_path / "none.tif")
    with pytest.raises(wadi.FormatError):
        (tmp_path / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
        wadi.read(tmp_path / "bad.png")
    with pytest.raises(wadi.ArgumentError, match="format: a run in memory writes no files"):
        wadi.Run(dem, format="tif")
    with pytest.raises(wadi.ArgumentError, match="a run folder names its inputs"):
        wadi.Run(DATA, folder=tmp_path / "run", mask=dem)
    with pytest.raises(wadi.ArgumentError, match="brush 'rise'"):
        wadi.Simulation(dem).paint("rise", 1, 1, radius=1, strength=1)
    with pytest.raises(wadi.ArgumentError, match="two dimensions"):
        wadi.erode(dem[0])
    assert not (tmp_path / "run").exists()


def test_warnings_are_pythons(tmp_path, dem):
    wadi.write(tmp_path / "flow.tif", dem, unit="m3/s")
    with pytest.warns(wadi.WadiWarning, match="is a map in m3/s, no height"):
        wadi.erode(tmp_path / "flow.tif", steps=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(wadi.WadiWarning):
            wadi.erode(tmp_path / "flow.tif", steps=1)
        wadi.erode(dem, steps=1)
        with pytest.raises(wadi.WadiWarning) as raised:
            wadi.Run(tmp_path / "flow.tif", folder=tmp_path / "run", steps=1)
    del raised
    gc.collect()
    wadi.Run.resume(tmp_path / "run").step().finish()  # its folder is not locked any more


def test_a_warning_hides_no_exception(dem, monkeypatch):
    run = wadi.Run(dem, steps=5)

    def warn():
        raise wadi.WadiWarning("first")

    def fail(done, total):
        raise KeyError("mine")

    monkeypatch.setattr("wadi.runs.tell_messages", warn)
    with pytest.raises(KeyError, match="mine"):
        run.step(progress=fail)


def test_values_of_other_kinds(tmp_path, dem):
    path = os.fsencode(tmp_path / "dem.tif")
    wadi.write(path, dem)
    np.testing.assert_array_equal(wadi.read(path).values, dem)
    knobs = {"strength": np.float64(0.7)}
    eroded = wadi.Run(path, steps=3, knobs=knobs, folder=os.fsencode(tmp_path / "run"), force=np.True_).step().finish()
    assert wadi.sha256(eroded["height"]) == hashes(tmp_path / "run")["height"]
    wadi.write(path, np.zeros(dem.shape), unit="1")
    still = wadi.Run(dem, steps=3, knobs=knobs, mask=path).step().finish()
    assert not np.array_equal(still["height"], eroded["height"])


def test_a_cell_size_keeps_the_place(tmp_path):
    raster = wadi.read(DATA)
    wadi.write(tmp_path / "a.tif", raster.values, like=raster, cell_size=7)
    again = wadi.read(tmp_path / "a.tif")
    assert (again.crs, again.transform, again.cell_size) == (raster.crs, raster.transform, raster.cell_size)
    run = wadi.Run(raster, cell_size=7, steps=1)
    assert run.get("height").crs == raster.crs and run.get("height").cell_size == (7, 7)
    assert wadi.Simulation(raster, cell_size=7).get("height").crs == raster.crs
    wadi.write(tmp_path / "a.npy", raster.values, cell_size=7)
    assert wadi.read(tmp_path / "a.npy").cell_size == (7, 7)


def test_tables():
    model = wadi.models["jako2011"]
    assert model.find("sediment_capacity") is model.parameters["Kc"]
    assert "Kc" in str(model) and model.presets and model.knobs
    for found in wadi.models.values():
        assert found.citation and all(p.meaning and p.minimum <= p.maximum for p in found.parameters.values())
    assert "noise" in wadi.KINDS
    assert wadi.__version__ in command("version")


def test_mass_has_all_that_the_library_has():
    from wadi._wadi import ffi

    names = [name for name, _ in ffi.typeof("wadi_mass").fields]
    assert list(wadi.Mass.__dataclass_fields__) == names
    assert [n.rstrip("_") for n in wadi.Balance.__dataclass_fields__] == [n for n, _ in ffi.typeof("wadi_balance").fields]


def test_the_stub_knows_the_parameters():
    stub = (Path(wadi.__file__).parent / "erosion.pyi").read_text()
    compile(stub, "erosion.pyi", "exec")
    for model in wadi.models.values():
        assert f"Literal['{model.id}']" in stub
    assert "    sediment_capacity: Union[float, _Map] = ..." in stub
    assert "    steps: int = ..." in stub and "    format:" not in stub


# --- xarray ---


def test_xarray(dem):
    xarray = pytest.importorskip("xarray")
    y, x = np.arange(48)[::-1] * 10.0, np.arange(64) * 10.0
    given = xarray.DataArray(dem, {"y": y, "x": x}, ("y", "x"), attrs={"source": "made"})
    eroded = wadi.erode(given, steps=4)
    np.testing.assert_array_equal(eroded.values, wadi.erode(dem, steps=4, cell_size=10))
    assert eroded.attrs["source"] == "made" and eroded.attrs["units"] == "m" and (eroded.x == x).all()
    sim = wadi.Simulation(given)
    sim.step(3)
    all_fields = sim.to_xarray()
    assert {"height", "water", "flow"} <= set(all_fields) and all_fields.water.attrs["units"] == "m"
    assert wadi.Run(given, steps=2).step().finish().to_xarray(["flow"]).flow.attrs["units"] == "m3/s"
    with pytest.raises(wadi.ArgumentError, match="not evenly spaced"):
        wadi.erode(given.assign_coords(x=x**2), steps=1)


def test_a_crs_by_rioxarray(tmp_path):
    rioxarray = pytest.importorskip("rioxarray")
    dem = rioxarray.open_rasterio(DATA).squeeze("band", drop=True)
    eroded = wadi.erode(dem, steps=2)
    assert wadi.sha256(eroded) == wadi.sha256(wadi.erode(wadi.read(DATA), steps=2))
    assert eroded.rio.crs == dem.rio.crs


def turned_over(dem, crs=None):
    """The same terrain with its rows from the north, and from the south, as DataArrays."""
    xarray = pytest.importorskip("xarray")
    y, x = np.arange(dem.shape[0])[::-1] * 10.0 + 5, np.arange(dem.shape[1]) * 10.0 + 5
    north = xarray.DataArray(dem, {"y": y, "x": x}, ("y", "x"))
    if crs is not None:
        pytest.importorskip("rioxarray")
        north = north.rio.write_crs(crs)
    return north, north[::-1]


@pytest.mark.parametrize("crs", [None, "EPSG:32616"])
def test_rows_from_the_south(tmp_path, dem, crs):
    north, south = turned_over(dem, crs)
    rates = np.linspace(0.2, 1, dem.size).reshape(dem.shape)
    options = dict(steps=5, knobs={"strength": 0.6})
    place, turned_place = wadi.Source(20, 10, 3, 0.5), wadi.Source(20, 38, 3, 0.5)
    expected = wadi.Run(north, Kc=rates, sources=[place], **options).step().finish()
    found = wadi.Run(south, Kc=rates[::-1], sources=[turned_place], **options).step().finish()
    np.testing.assert_array_equal(found["height"], expected["height"][::-1])
    assert found.get("height").sortby("y").equals(expected.get("height").sortby("y"))
    assert wadi.sha256(found.get("height")) == wadi.sha256(expected["height"])
    wadi.write(tmp_path / "south.tif", found.get("height"))
    np.testing.assert_array_equal(wadi.read(tmp_path / "south.tif").values, expected["height"])

    sims = [wadi.Simulation(given, Kc=values) for given, values in ((north, rates), (south, rates[::-1]))]
    for sim, row in zip(sims, (10.5, 37.5)):
        sim.sources = [wadi.Source(20, row, 3, 0.5)]
        assert sim.sources[0].y == row
        sim.paint("raise", 20.5, row, radius=50, strength=3)
        sim["water"] = rates if sim is sims[0] else north.copy(data=rates)  # an array has its own rows
        sim.step(5)
    for name in ("height", "water", "Kc"):
        np.testing.assert_array_equal(sims[1][name], sims[0][name][::-1])
    np.testing.assert_array_equal(sims[1].view("water"), sims[1]["water"])
    np.testing.assert_array_equal(sims[1].rect("water", 5, 7, 20, 11), sims[1]["water"][7:18, 5:25])
    np.testing.assert_array_equal(sims[1].to_xarray().height.values, sims[1]["height"])


@pytest.mark.parametrize("attribute", ["_FillValue", "missing_value"])
def test_samples_of_a_dataarray(dem, attribute):
    north, _ = turned_over(dem)
    samples = (north * 10).round().astype(np.int16)
    samples[3, 4] = -32768
    samples.attrs = {attribute: np.int16(-32768), "scale_factor": 0.1, "units": "m"}
    samples.encoding = {"dtype": "int16", "_FillValue": -32768, "scale_factor": 0.1}
    for given in (wadi.Simulation(samples), wadi.Simulation(samples, cell_size=7)):
        assert np.isnan(given["height"]).sum() == 1 and np.isnan(given["height"][3, 4])
    eroded = wadi.erode(samples, steps=2)
    assert eroded.dtype == np.float32 and not eroded.encoding and set(eroded.attrs) == {"units", "long_name"}
    heights = wadi.Simulation(samples)["height"]
    heights[3, 4] = dem[3, 4]
    np.testing.assert_allclose(heights, dem, atol=0.051)


def test_a_geographic_raster_as_xarray(tmp_path, monkeypatch):
    raster = wadi.read(DATA)
    sim = wadi.Simulation(raster)
    pytest.importorskip("xarray")
    for without in (True, False):
        with monkeypatch.context() as patch:
            if without:
                patch.setattr("wadi.raster._has_rioxarray", lambda: False)
            elif not wadi.raster._has_rioxarray():
                continue
            for given in (raster.to_xarray(), sim.to_xarray().height, wadi.Run(raster, steps=1).to_xarray().height):
                np.testing.assert_allclose(wadi.Simulation(given)._raster.cell_size, raster.cell_size, rtol=1e-6)
                if without:
                    assert given.attrs["crs_name"] == raster.crs
                else:
                    assert wadi.raster.to_raster(given).crs == raster.crs
