"""test_page.py PAGE WADI: drives the page in a headless Chromium as a user would, and compares it with the command.

PAGE is the built page (build/web/page), WADI the command. `--speed` only measures; `--picture FILE` only makes the
picture of docs/web.md.
"""

import base64
import io
import json
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from pathlib import Path

from browser import Browser

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
sys.path.append(str(ROOT / "web"))
from serve import ISOLATION, server_of


def command(wadi, folder, lines, maps="none"):
    """Runs lines as the page shows them; the hash of the eroded height."""
    for line in lines.replace("\\\n", " ").splitlines():
        more = f"--force --quiet --maps {maps} --format npy" if line.startswith("wadi run") else "--force"
        subprocess.run(f"'{wadi}' {line.removeprefix('wadi ')} {more}", shell=True, cwd=folder, check=True, capture_output=True)
    return hash_of(wadi, Path(folder, "eroded", "height.npy"))


def hash_of(wadi, file):
    text = subprocess.run([wadi, "info", file], check=True, capture_output=True, text=True).stdout
    return next(line.split()[1] for line in text.splitlines() if line.startswith("sha256"))


def read_png(data):
    """Rows of RGB from an 8-bit PNG of three or four channels."""
    file, packed = io.BytesIO(data[8:]), b""
    while True:
        length, name = struct.unpack(">I4s", file.read(8))
        body = file.read(length + 4)[:-4]
        if name == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        if name == b"IDAT":
            packed += body
        if name == b"IEND":
            break
    step = {2: 3, 6: 4}[colour]
    raw, row, before, rows = zlib.decompress(packed), width * step, bytes(width * step), []
    for y in range(height):
        kind, line = raw[y * (row + 1)], bytearray(raw[y * (row + 1) + 1:(y + 1) * (row + 1)])
        for i in range(row) if kind else ():
            left, up, corner = (line[i - step] if i >= step else 0), before[i], (before[i - step] if i >= step else 0)
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            line[i] = line[i] + (left, up, (left + up) // 2, nearest)[kind - 1] & 255
        rows.append(line)
        before = line
    return width, height, step, rows


def means(png, across=16, down=12):
    """The mean colours of so many parts of a picture."""
    width, height, step, rows = read_png(png)
    found = []
    for y in range(down):
        for x in range(across):
            lines = rows[y * height // down:(y + 1) * height // down:3]
            cells = [line[i * step:i * step + 3] for line in lines for i in range(x * width // across, (x + 1) * width // across, 3)]
            found.append(tuple(sum(cell[k] for cell in cells) / len(cells) for k in range(3)))
    return found


class Page:
    def __init__(self, browser, folder, headers):
        server = server_of(folder, headers=headers)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.browser, self.address, self.isolated = browser, f"http://127.0.0.1:{server.server_port}/", bool(headers)

    def open(self, fragment=""):
        self.browser.open(self.address + fragment)
        self.browser.wait("document.body?.dataset.ready === 'yes'", 60)

    def run(self, script):
        return self.browser.run(script)

    def threads(self, cells):
        return min(self.run("navigator.hardwareConcurrency"), 16, cells // 4096) if self.isolated else 1

    def text(self, name):
        return self.run(f"document.getElementById('{name}').textContent")

    def set(self, name, value):
        self.run(f"{{const e = document.getElementById('{name}'); e.value = {json.dumps(value)}; e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change'))}}")

    def click(self, name):
        self.run(f"document.getElementById('{name}').click()")

    def at_step(self, steps):
        """When it stands at this step: its hash and the lines for the command."""
        self.browser.wait(f"document.getElementById('steps').textContent.startsWith('step {steps:,} of') && document.getElementById('play').textContent === 'Play'"
                          f" && document.getElementById('hash').dataset.steps === '{steps}'", 60)
        return self.text("hash"), self.text("commands")

    def message(self):
        return self.browser.wait("document.getElementById('message').hidden ? '' : document.getElementById('message').textContent")

    def no_message(self):
        self.run("document.getElementById('message').hidden = true")


def test_same_bits(page, plain, wadi, folder):
    """With threads and without: a link as a user opens it, then each model by the page's own worker."""
    runs = {}
    for each in (plain, page):
        each.open("#kind=noise&size=128&world=128&seed=3&knob.strength=0.7&set.Kc=2&steps=15")
        shown, lines = each.at_step(15)
        assert "--knob strength=0.7" in lines and "--set Kc=2" in lines, lines
        runs.setdefault(lines, []).append(shown)
        found = each.run("""(async () => {
            const { Simulation } = await import('./simulation.js');
            const { fromFragment, toCommands, toSettings } = await import('./recipe.js');
            const simulation = new Simulation();
            await simulation.opened;
            const tables = await simulation.ask('tables'), found = [];
            let frame;
            simulation.onframe = (given) => { frame = given; };
            for (const { id, presets } of tables.models) {
                const r = fromFragment(`#kind=ridged&size=128&world=512&seed=9&model=${id}&preset=${presets.at(-1).name}`, tables);
                await simulation.ask('generate', r);
                await simulation.ask('create', { ...r, settings: toSettings(r) });
                for (const count of [1, 7, 17]) await simulation.ask('step', { count });
                found.push([toCommands(r, frame.facts, 25), await simulation.ask('hash'), frame.threads]);
            }
            simulation.worker.terminate();
            return found;
        })()""")
        for lines, shown, threads in found:
            assert threads == each.threads(128 * 128), f"{threads} threads"
            runs.setdefault(lines, []).append(shown)
    assert len(runs) > 5
    for lines, shown in runs.items():
        assert shown == 2 * [command(wadi, folder, lines)], f"other bits than those of\n{lines}"


def picture_of(page):
    """The drawn picture as a PNG, half as wide, and its size."""
    page.browser.wait("picture.dataset.drawn === 'fine'")  # it follows the moving one
    width, height = page.run("[picture.clientWidth / 2, picture.clientHeight / 2]")
    data = page.run(f"(() => {{ const c = document.createElement('canvas'); c.width = {width}; c.height = {height};"
                    "c.getContext('2d').drawImage(picture, 0, 0, c.width, c.height); return c.toDataURL('image/png').slice(22) })()")
    return base64.b64decode(data), f"{width}x{height}"


def test_picture(page, wadi, folder):
    """It is the command's, also of a glacier, and of ground after one."""
    def of_command(source, size):
        subprocess.run([wadi, "render", source, "-o", "theirs.png", "--3d", "--picture", size, "--force"], cwd=folder, check=True, capture_output=True)
        return means(Path(folder, "theirs.png").read_bytes())

    glacier = "#kind=noise&size=128&world=12000&seed=2&model=braun1999&preset=glaciers&set.K_g=0&set.S_c=100&steps=80"
    island = "#kind=island&size=128&world=128&seed=2"
    subprocess.run([wadi, "generate", "island", "--size", "128x128", "--seed", "2", "-o", "island.tif"], cwd=folder, check=True, capture_output=True)
    for fragment in (island, glacier, island):
        page.open(fragment)
        source = "island.tif"
        if fragment == glacier:
            command(wadi, folder, page.at_step(80)[1], maps="ice")
            source = "eroded"
        else:
            page.at_step(0)
        ours, size = picture_of(page)
        one, other = means(ours), of_command(source, size)
        worst = max(abs(a - b) for mine, native in zip(one, other) for a, b in zip(mine, native))
        spread = max(sum(cell) for cell in one) - min(sum(cell) for cell in one)
        print(f"picture of {fragment[:12]}: a part of it differs by at most {worst:.1f} of 255 from the command's")
        assert spread > 150, "the picture is of one colour"
        assert worst < 10, "it differs from the command's picture"


def test_files(page, wadi, folder):
    subprocess.run([wadi, "generate", "noise", "--size", "80x64", "--seed", "4", "-o", "a.tif"], cwd=folder, check=True, capture_output=True)
    for name in ("a.png", "a.exr", "a.tif"):
        if name != "a.tif":
            subprocess.run([wadi, "generate", "noise", "--size", "80x64", "--seed", "4", "-o", name], cwd=folder, check=True, capture_output=True)
        page.browser.give_file("#file", Path(folder, name))
        page.browser.wait(f"document.getElementById('terrain-note').textContent.startsWith('{name}: 80 x 64')")
        page.click("step")
        shown, lines = page.at_step(10)
        assert shown == command(wadi, folder, lines), f"{name}: other bits than those of\n{lines}"
    page.browser.give_file("#file", DATA / "jacksboro.tif")
    page.browser.wait("document.getElementById('terrain-note').textContent.startsWith('jacksboro.tif')")
    shown, lines = page.at_step(0)
    assert shown == hash_of(wadi, DATA / "jacksboro.tif"), "jacksboro.tif: other heights than the command's"
    assert "--preset dem" in lines, lines


def write_png8(file, width, height):
    """A grey PNG of 8 bits, with a row of each filter in turn; the samples are noise."""
    raw, state, before = b"", 1, bytes(width)
    for y in range(height):
        line = bytearray(width)
        for x in range(width):
            state = state * 48271 % 2147483647
            line[x] = state & 255
        kind, packed = y % 3, bytearray(line)
        for x in range(width):
            packed[x] = line[x] - (0, line[x - 1] if x else 0, before[x])[kind] & 255
        raw += bytes([kind]) + packed
        before = line

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    Path(file).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def test_more_files(page, wadi, folder):
    """Files of other programs: the heights that the command reads."""
    write_png8(Path(folder, "eight.png"), 40, 30)
    names = ["eight.png"]
    kinds = {"lzw.tif": "-ot Float32 -co COMPRESS=LZW -co PREDICTOR=3", "tiled.tif": "-ot Float32 -co TILED=YES -co BLOCKXSIZE=32 -co BLOCKYSIZE=16 -co COMPRESS=DEFLATE -co PREDICTOR=3",
             "big.tif": "-co ENDIANNESS=BIG -co COMPRESS=LZW -ot Float64", "whole.tif": "-co COMPRESS=LZW -co PREDICTOR=2 -co ENDIANNESS=BIG"}
    refused = "predictor.tif"
    for name, how in {**kinds, refused: "-ot Float64 -co COMPRESS=LZW -co PREDICTOR=2"}.items():
        subprocess.run(f"gdal_translate -q {how} '{DATA}/jacksboro.tif' {name}", shell=True, cwd=folder, check=True, capture_output=True)
    for name in names + list(kinds):
        page.browser.give_file("#file", Path(folder, name))
        page.browser.wait(f"document.getElementById('terrain-note').textContent.startsWith('{name}')")
        assert page.at_step(0)[0] == hash_of(wadi, Path(folder, name)), f"{name}: other heights than the command's"
    write_png8(Path(folder, "long.png"), 8193, 2)
    for name, why in ((refused, "its predictor 2 of 64-bit samples"), ("long.png", "it has 8193 x 2 cells")):
        page.no_message()
        page.browser.give_file("#file", Path(folder, name))
        assert page.message().startswith(f"{name}: {why}"), page.message()


def test_broken_files(page, folder):
    before = page.text("hash")
    good = Path(folder, "a.png").read_bytes()
    for name, data in (("cut.png", good[:300]), ("text.tif", b"no raster"), ("bits.png", good[:60] + b"\0\0" + good[62:])):
        Path(folder, name).write_bytes(data)
        page.no_message()
        page.browser.give_file("#file", Path(folder, name))
        message = page.message()
        assert message.startswith(name + ": ") and "\n" not in message, message
    assert page.text("hash") == before, "a broken file changed the terrain"
    page.no_message()
    page.run("{ const given = new DataTransfer(); given.items.add(new File(['text'], 'dropped.txt'));"
             "document.dispatchEvent(new DragEvent('drop', { dataTransfer: given, cancelable: true })) }")
    assert page.message().startswith("dropped.txt: it is no PNG")
    page.no_message()
    files = {name: list(Path(folder, name).read_bytes()) for name in ("a.png", "a.exr", "a.tif")}
    odd = page.run("""(async (files) => {
        const { readTerrain } = await import('./files.js');
        const odd = [];
        let seed = 1;
        const random = (most) => (seed = (seed * 48271) % 2147483647) % most;
        for (const [name, bytes] of Object.entries(files))
            for (let i = 0; i < 150; i++) {
                const copy = Uint8Array.from(bytes);
                for (let k = 0; k < 1 + (i % 3); k++) copy[random(i % 2 ? 400 : copy.length)] = random(256);
                try {
                    const { samples, width, height, kind } = await readTerrain(new File([copy.subarray(0, i % 5 ? copy.length : random(copy.length))], name));
                    if (samples.length !== width * height * (kind === 'r16' ? 2 : 4)) odd.push(name + ' ' + i);
                } catch (error) {
                    if (!error.message.startsWith(name + ': ') || error.message.includes('\\n')) odd.push(error.message);
                }
            }
        return odd;
    })(""" + json.dumps(files) + ")")
    assert odd == [], odd


def saved(page, file):
    page.click(f"save-{file.suffix[1:]}")
    end = time.monotonic() + 20
    while not (file.exists() and file.stat().st_size > 0):
        assert time.monotonic() < end, f"no {file.name} comes: {page.text('message')}"
        time.sleep(0.05)
    time.sleep(0.1)
    return file


def test_export(page, wadi, folder):
    page.open("#kind=base&size=64&world=480&seed=5&steps=20")
    shown, _ = page.at_step(20)
    page.browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    for ending in ("png", "tif", "exr", "npy", "glb"):
        saved(page, Path(folder, f"wadi-base.{ending}"))
    for ending in ("tif", "exr", "npy"):
        assert hash_of(wadi, Path(folder, f"wadi-base.{ending}")) == shown, ending
    about = subprocess.run([wadi, "info", Path(folder, "wadi-base.tif"), "--json"], check=True, capture_output=True).stdout
    assert json.loads(about)["cell_size"] == [7.5, 7.5]
    mesh = Path(folder, "wadi-base.glb").read_bytes()
    assert mesh[:4] == b"glTF" and int.from_bytes(mesh[8:12], "little") == len(mesh)
    for name in ("wadi-base.png", "wadi-base.tif"):
        page.browser.give_file("#file", Path(folder, name))
        page.browser.wait(f"document.getElementById('terrain-note').textContent.startsWith('{name}')")
        again, _ = page.at_step(0)
        assert again == hash_of(wadi, Path(folder, name)), f"its own {name} has other heights for the command"


def place_of(file):
    about = json.loads(subprocess.run(["gdalinfo", "-json", file], check=True, capture_output=True).stdout)
    return about["coordinateSystem"]["wkt"], about["geoTransform"], about["metadata"][""]["AREA_OR_POINT"]


def test_place(page, wadi, folder):
    """A GeoTIFF that was opened is saved with its place and CRS: one that EPSG names, and one that texts and numbers make."""
    how = "-a_srs '+proj=lcc +lat_1=40 +lat_2=50 +lon_0=-84 +ellps=bessel +units=us-ft' -a_ullr 1000 9000 5030 5560 -mo AREA_OR_POINT=Point"
    subprocess.run(f"gdal_translate -q -co ENDIANNESS=BIG {how} '{DATA}/jacksboro.tif' own.tif", shell=True, cwd=folder, check=True)
    for file in (DATA / "jacksboro.tif", Path(folder, "own.tif")):
        page.browser.give_file("#file", file)
        page.browser.wait(f"document.getElementById('terrain-note').textContent.startsWith('{file.name}')")
        shown, _ = page.at_step(0)
        written = saved(page, Path(folder, "wadi-terrain.tif"))
        assert place_of(written) == place_of(file), file.name
        assert hash_of(wadi, written) == shown, file.name
        written.unlink()
    entry, other = struct.pack(">HH", 34737, 2), struct.pack(">HH", 34737, 1)  # bytes, where the CRS has a text
    data = file.read_bytes()
    assert data.count(entry) == 1
    damaged = Path(folder, "damaged.tif")
    damaged.write_bytes(data.replace(entry, other))
    page.browser.give_file("#file", damaged)
    page.browser.wait("document.getElementById('terrain-note').textContent.startsWith('damaged.tif')")


def test_use(page):
    page.open("#kind=noise&size=128&seed=1&world=128")
    before, _ = page.at_step(0)
    page.click("brush-raise")
    x, y = page.run("[picture.clientWidth / 2, picture.clientHeight / 2]")
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        page.browser.mouse(kind, x, y, button="left", clickCount=1)
        time.sleep(0.2)
    page.browser.wait(f"document.getElementById('hash').textContent !== '{before}'")
    painted, _ = page.at_step(0)
    page.run("{ const field = document.querySelector('[data-name=Kc]'); field.value = 1.5; field.dispatchEvent(new Event('change')) }")
    page.browser.wait("document.getElementById('commands').textContent.includes('--set Kc=1.5')")
    assert page.at_step(0)[0] == painted, "a changed parameter takes away what was painted"
    page.click("reset")
    page.browser.wait(f"document.getElementById('hash').textContent === '{before}'")
    page.set("overlay", "water")
    whole = page.run("document.getElementById('progress').max")
    page.set("count", whole)
    page.click("step")
    page.at_step(whole)
    page.click("play")  # beyond the preset's steps, so until it is paused
    page.browser.wait(f"!document.getElementById('steps').textContent.startsWith('step {whole:,} of') && !document.getElementById('legend').hidden")
    assert page.text("rate").endswith("threads" if page.threads(128 * 128) > 1 else "by 1 thread"), page.text("rate")
    page.click("play")
    page.browser.wait("document.getElementById('play').textContent === 'Play'")
    page.run("document.querySelector('[data-name=Kc]').value = 1e9")
    page.run("document.querySelector('[data-name=Kc]').dispatchEvent(new Event('change'))")
    assert "Kc" in page.message()


def test_pointer(page):
    """Each part of a drag turns, or moves with the right button."""
    page.run("""import('./pointer.js').then(({ Pointer }) => {
        const canvas = document.body.appendChild(document.createElement('canvas'));
        canvas.style = 'position: fixed; inset: 0; width: 400px; height: 400px; z-index: 99';
        window.moves = [];
        window.pointer = new Pointer({ move: (name) => moves.push(name) }, canvas, () => null, () => {});
    })""")
    for button, buttons, name in (("left", 1, "turn"), ("right", 2, "pan")):
        page.run("moves.length = 0")
        page.browser.mouse("mousePressed", 100, 100, button=button, buttons=buttons, clickCount=1)
        for x in (120, 140, 160):
            page.browser.mouse("mouseMoved", x, 110, button=button, buttons=buttons)
            page.browser.wait(f"moves.length >= {x // 20 - 5}")
        page.browser.mouse("mouseReleased", 160, 110, button=button, clickCount=1)
        assert page.run("moves") == [name] * 3, page.run("moves")
    page.run("pointer.canvas.remove()")


def test_too_large(page):
    """A terrain that cannot be drawn: the old picture stays, and the worker is still asked for the next."""
    seen = page.run("""(async () => {
        const { View } = await import('./view.js');
        const canvas = document.body.appendChild(document.createElement('canvas'));
        canvas.id = 'another';
        const view = await View.open(canvas), drawn = () => new Promise((done) => { view.ondrawn = done; });
        const layers = (count) => ({ height: new Float32Array(count), water: new Float32Array(count) });
        view.begin({ width: 16, height: 16, lx: 1, ly: 1 }, layers(256));
        await drawn();
        const seen = [];
        try {
            view.begin({ width: 2, height: 1 << 21, lx: 1, ly: 1 }, layers(1 << 22));
        } catch (error) {
            seen.push(error.message);
        }
        await drawn();
        view.update(layers(1 << 22));
        await drawn();
        seen.push(view.heights.length, view.facts.width);
        canvas.remove();
        return seen;
    })()""")
    assert len(seen) == 3 and "not 2 x 2097152" in seen[0] and seen[1:] == [256, 16], seen


def test_refused(page):
    """A simulation that cannot be made leaves the terrain as it was."""
    assert page.run("""(async () => {
        const core = await (await import('./core.js')).openCore();
        const create = (preset) => { const { models: [{ id, presets }] } = JSON.parse(core.page_tables()); core.page_create(id, preset ?? presets[0].name, 1, ''); };
        core.page_generate('cone', 64, 64, 1);
        create();
        core.page_generate('cone', 32, 32, 1);
        try { create('nonsense'); return 'made' } catch {}
        create();
        return JSON.parse(core.page_terrain_facts()).width;
    })()""") == 64


def test_clock(page):
    """Where the clock stands still, the worker still looks at its orders."""
    page.browser.call("Page.setBypassCSP", enabled=True)
    page.open("#kind=cone&size=64")
    steps, rate = page.run("""(async () => {
        const begin = `performance.now = () => 0; import('${new URL('worker.js', location.href)}');`;
        const worker = new Worker(URL.createObjectURL(new Blob([begin], { type: 'text/javascript' })), { type: 'module' });
        const answer = (found) => new Promise((done, fail) => {
            setTimeout(() => fail(new Error('the worker hangs')), 20000);
            worker.addEventListener('message', ({ data }) => data.error ? fail(new Error(data.error)) : found(data) && done(data));
        });
        const ask = (order, given) => { worker.postMessage({ id: order, order, given }); return answer(({ id }) => id === order); };
        await answer(({ open }) => open);
        const { result: { models: [{ id, presets }] } } = await ask('tables', {});
        await ask('generate', { kind: 'cone', size: 16, world: 16, seed: 1 });
        await ask('create', { model: id, preset: presets[0].name, seed: 1, settings: '' });
        await ask('ready', {});
        ask('play', { until: 1e9 });
        const { frame: { steps, rate } } = await answer(({ frame }) => frame?.steps > 0);
        ask('pause', {});
        await answer(({ frame }) => frame && !frame.playing);
        worker.terminate();
        return [steps, rate];
    })()""")
    page.browser.call("Page.setBypassCSP", enabled=False)
    assert 0 < steps <= 1000 and rate and rate <= 50000, (steps, rate)


def test_bad_links(page):
    page.open("#set.Kc=99999")
    assert "Kc" in page.message()
    page.at_step(0)
    for fragment in ("#kind=%3Cscript%3E", "#model=jako2011&set.Kc=x", "#size=1e9", "#nonsense", "#set.Kc=99999", "#preset=seep"):
        page.no_message()
        page.run(f"location.hash = '{fragment}'")
        assert "\n" not in page.message(), fragment
    page.run("location.hash = '#kind=cone&size=64'")
    page.browser.wait("document.getElementById('kind').value === 'cone'")


def measure(*pages):
    """Steps a second of each model's first preset in 512 x 512 cells, with no picture, in each of the pages."""
    pages[0].open("#kind=cone&size=64")
    models = pages[0].run("import('./core.js').then(m => m.openCore()).then(c => JSON.parse(c.page_tables()).models)")
    for model in models:
        rates = [rate_of(page, model["id"], model["presets"][0]["name"]) for page in pages]
        print(f"| {model['id']} | " + " | ".join(f"{rate:.0f}" for rate in rates) + " |", flush=True)


def rate_of(page, model, preset):
    page.open("#kind=cone&size=64")
    return page.run("""(async (model, preset) => {
        const { Simulation } = await import('./simulation.js');
        const simulation = new Simulation();
        await simulation.opened;
        await simulation.ask('generate', { kind: 'diamond-square', size: 512, world: 512, seed: 5 });
        await simulation.ask('create', { model, preset, seed: 5, settings: '' });
        const rates = [];
        for (let count = 1; rates.length < 5; count = Math.max(1, Math.round(2 * rates.at(-1)))) { // for two seconds each
            const began = performance.now();
            await simulation.ask('step', { count });
            rates.push(1000 * count / (performance.now() - began));
        }
        simulation.worker.terminate();
        return Math.max(...rates.slice(2)); // the browser first compiles; then other programs may disturb
    })(""" + json.dumps(model) + "," + json.dumps(preset) + ")")


def take_picture(page, file):
    page.open("#kind=warped&size=512&world=1024&seed=11&preset=rivers&steps=700")
    page.at_step(700)
    page.browser.wait("picture.dataset.drawn === 'fine'")
    data = page.browser.call("Page.captureScreenshot", format="jpeg", quality=82)["data"]
    Path(file).write_bytes(base64.b64decode(data))


def main(built, wadi, *options):
    wadi = str(Path(wadi).resolve())
    browser = Browser("chromium", *((1280, 800) if "--picture" in options else (900, 560)))
    try:
        page, plain = Page(browser, built, ISOLATION), Page(browser, built, {})
        page.open()
        if "--speed" in options:
            return measure(plain, page)
        if "--picture" in options:
            return take_picture(page, options[1])
        with tempfile.TemporaryDirectory() as folder:
            for test, more in ((test_same_bits, (plain, wadi, folder)), (test_picture, (wadi, folder)), (test_files, (wadi, folder)),
                               (test_more_files, (wadi, folder)),
                               (test_broken_files, (folder,)), (test_export, (wadi, folder)), (test_place, (wadi, folder)), (test_use, ()),
                               (test_pointer, ()), (test_too_large, ()), (test_refused, ()), (test_clock, ()), (test_bad_links, ())):
                began = time.monotonic()
                test(page, *more)
                print(f"{test.__name__}: {time.monotonic() - began:.1f} s", flush=True)
        assert browser.errors == [], browser.errors
    finally:
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
