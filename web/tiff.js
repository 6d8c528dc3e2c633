// tiff.js: reads a band of heights from TIFF and GeoTIFF: strips or tiles; plain, deflate or LZW. Writes one strip, deflated.
import { Reader, as16, checkSize, deflate, fail, inflate, joined } from "./bytes.js";

const BYTES = { 1: 1, 2: 1, 3: 2, 4: 4, 12: 8 }; // of a value in a tag, by kind
const MOST_VALUES = 8192; // of a text, and of a tag that is kept
const PLAIN = 1, LZW = 5, DEFLATE = [8, 32946];

export const isTiff = (bytes) => (bytes[0] === 0x49 && bytes[1] === 0x49) || (bytes[0] === 0x4d && bytes[1] === 0x4d);

function readTags(file) {
  if (file.u16(2) !== 42) fail("it is no TIFF, or one larger than 4 GB");
  const tags = new Map(), start = file.u32(4), count = file.u16(start);
  for (let i = 0; i < count; i++) {
    const at = start + 2 + 12 * i, kind = file.u16(at + 2), size = BYTES[kind];
    if (!size) continue;
    const values = file.u32(at + 4), place = values * size <= 4 ? at + 8 : file.u32(at + 8);
    tags.set(file.u16(at), { kind, place, values, size });
    file.part(place, values * size);
  }
  const read = (tag, usual) => {
    const found = tags.get(tag);
    if (!found) return usual;
    if (found.kind === 2) return file.text(found.place, Math.min(found.values, MOST_VALUES)).replace(/\0.*$/s, "");
    const number = { 1: "u8", 3: "u16", 4: "u32", 12: "f64" }[found.kind];
    return Array.from({ length: found.values }, (_, i) => file[number](found.place + i * found.size));
  };
  // What is kept must have the kind that it should have, and be short; its faults do not matter for the heights.
  read.kept = (tag, kind) => {
    const found = tags.get(tag);
    return found?.kind === kind && found.values < MOST_VALUES ? read(tag) : "";
  };
  return read;
}

// LZW of TIFF: codes of 9 to 12 bits, the highest bit first; 256 begins anew, 257 ends.
function unlzw(packed, count) {
  const out = new Uint8Array(count), starts = new Uint32Array(4096), lengths = new Uint32Array(4096);
  let filled = 0, next = 258, bits = 9, hold = 0, held = 0, last = -1;
  for (let i = 0; filled < count; ) {
    while (held < bits && i < packed.length) hold = (hold << 8) | packed[i++], held += 8;
    if (held < bits) fail("its compressed samples are damaged");
    const code = (hold >> (held -= bits)) & ((1 << bits) - 1);
    hold &= (1 << held) - 1;
    if (code === 257) break;
    if (code === 256) { next = 258; bits = 9; last = -1; continue; }
    const start = filled;
    if (code > next || (code === next && last < 0) || (code > 257 && code < next && !lengths[code])) fail("its compressed samples are damaged");
    const from = code < 256 ? -1 : code < next ? starts[code] : start - last;
    const length = code < 256 ? 1 : code < next ? lengths[code] : last + 1;
    for (let k = 0; k < length && filled < count; k++) out[filled++] = from < 0 ? code : out[from + k];
    if (last >= 0 && next < 4096) {
      starts[next] = start - last;
      lengths[next++] = last + 1;
    }
    last = length;
    if (next >= (1 << bits) - 1 && bits < 12) bits++;
  }
  if (filled < count) fail("it is truncated: samples are missing");
  return out;
}

// Differences along each row, of whole samples or (3) of the bytes of floats.
function unpredict(raw, predictor, width, rows, size, little) {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength), row = width * size;
  for (let y = 0; y < rows; y++) {
    if (predictor === 2)
      for (let x = 1; x < width; x++) {
        const at = y * row + x * size;
        if (size === 1) raw[at] += raw[at - 1];
        else if (size === 2) view.setUint16(at, view.getUint16(at, little) + view.getUint16(at - 2, little), little);
        else view.setUint32(at, view.getUint32(at, little) + view.getUint32(at - 4, little), little);
      }
    if (predictor === 3) {
      const line = raw.subarray(y * row, (y + 1) * row);
      for (let i = 1; i < row; i++) line[i] += line[i - 1];
      const planes = line.slice();
      for (let x = 0; x < width; x++)
        for (let b = 0; b < size; b++) line[x * size + (little ? size - 1 - b : b)] = planes[b * width + x];
    }
  }
}

// A cell's sides in metres; degrees are measured on the ellipsoid, as in src/io/geotiff.c.
function cellOf(tag, height) {
  const scale = tag(33550);
  if (!scale) return tag(34264) ? fail("it is turned or sheared; warp it to a grid first") : [0, 0];
  const keys = tag(34735, []), key = (wanted) => {
    for (let i = 4; i + 3 < keys.length; i += 4) if (keys[i] === wanted) return keys[i + 3];
    return 0;
  };
  const unit = { 9002: 0.3048, 9003: 1200 / 3937 }[key(3076)] ?? 1;
  if (key(1024) !== 2) return [scale[0] * unit, scale[1] * unit];
  const radian = Math.PI / 180, major = 6378137, minor = 6356752.314245179, e2 = 1 - (minor / major) ** 2;
  const latitude = ((tag(33922, [0, 0, 0, 0, 0])[4] ?? 0) - 0.5 * height * scale[1]) * radian, s2 = Math.sin(latitude) ** 2;
  return [scale[0] * radian * major * Math.cos(latitude) / Math.sqrt(1 - e2 * s2),
    scale[1] * radian * major * (1 - e2) / (1 - e2 * s2) ** 1.5];
}

// Where the terrain lies: the size of a cell and a known point in the units of the CRS, and the keys that name the CRS.
function placeOf(tag) {
  const kept = [[33550, 12], [33922, 12], [34735, 3], [34736, 12], [34737, 2]]
    .map(([number, kind]) => [number, kind, ...(kind === 2 ? textBytes(tag.kept(number, kind)) : tag.kept(number, kind))]);
  const known = kept.slice(0, 3).every(([, , ...values]) => values.length > 0);
  return known ? kept.filter((one) => one.length > 2) : null;
}

const textBytes = (text) => (text ? [...text, "\0"].map((letter) => letter.charCodeAt(0)) : []);

const FORMATS = { "1,8": "Uint8", "1,16": "Uint16", "1,32": "Uint32", "2,8": "Int8", "2,16": "Int16", "2,32": "Int32", "3,32": "Float32", "3,64": "Float64" };

export async function readTiff(bytes) {
  const little = bytes[0] === 0x49, file = new Reader(bytes, little), tag = readTags(file);
  const [width] = tag(256, [0]), [height] = tag(257, [0]), [bits] = tag(258, [1]), [format] = tag(339, [1]);
  const [compression] = tag(259, [1]), [predictor] = tag(317, [1]);
  checkSize(width, height);
  if (tag(277, [1])[0] !== 1) fail("it has several bands; save the one with the heights");
  const kind = FORMATS[`${format},${bits}`] ?? fail(`its samples of ${bits} bits are not read here`);
  if (compression !== PLAIN && compression !== LZW && !DEFLATE.includes(compression))
    fail("its compression is not read here; save it with deflate, LZW or without");
  const tiled = Boolean(tag(322)), size = bits / 8;
  if (!(predictor === 1 || (predictor === 2 && size <= 4) || (predictor === 3 && format === 3)))
    fail(`its predictor ${predictor} of ${bits}-bit samples is not read here; save it without a predictor`);
  const across = tiled ? tag(322)[0] : width, down = tiled ? tag(323, [0])[0] : Math.min(tag(278, [height])[0], height);
  if (!(across > 0 && down > 0 && across * down <= 1 << 24)) fail("its tiles are damaged");
  const places = tag(tiled ? 324 : 273, []), counts = tag(tiled ? 325 : 279, []);
  const values = new Float64Array(width * height);
  const columns = Math.ceil(width / across);
  for (let i = 0; i < columns * Math.ceil(height / down); i++) {
    if (places[i] === undefined || counts[i] === undefined) fail("it is truncated: samples are missing");
    const x0 = (i % columns) * across, y0 = Math.floor(i / columns) * down;
    const rows = tiled ? down : Math.min(down, height - y0), count = rows * across * size;
    const packed = file.part(places[i], counts[i]);
    const raw = compression === PLAIN ? packed.slice(0, count) : compression === LZW ? unlzw(packed, count) : await inflate(packed, count);
    if (raw.length < count) fail("it is truncated: samples are missing");
    unpredict(raw, predictor, across, rows, size, little);
    const view = new DataView(raw.buffer);
    for (let y = 0; y < Math.min(rows, height - y0); y++)
      for (let x = 0; x < Math.min(across, width - x0); x++)
        values[(y0 + y) * width + x0 + x] = view[`get${kind}`]((y * across + x) * size, little);
  }
  const [lx, ly] = cellOf(tag, height), missing = tag(42113), nodata = missing?.trim() ? Number(missing) : NaN;
  const known = { width, height, lx, ly, low: 0, high: 0, georeferenced: lx > 0, place: lx > 0 ? placeOf(tag) : null };
  if (lx === 0 && (kind === "Uint8" || kind === "Uint16"))
    return { ...known, kind: "r16", samples: as16(values, kind === "Uint8"), nodata: kind === "Uint8" ? 257 * nodata : nodata };
  if (lx === 0 && !kind.startsWith("Float")) fail("it has whole numbers and no place on a map, so what they measure is unknown; save it as float");
  return { ...known, kind: "r32", samples: Float32Array.from(values, (value) => (value === nodata ? NaN : value)), nodata: NaN };
}

// raw: little-endian float32; NaN is no data. place: that of a file that was read, or null: the size of a cell in metres alone.
export async function writeTiff({ bytes: raw, width, height, lx, ly, place }) {
  const packed = await deflate(raw);
  const tags = [
    [256, 4, width], [257, 4, height], [258, 3, 32], [259, 3, DEFLATE[0]], [262, 3, 1], [273, 4, 0], [277, 3, 1], [278, 4, height],
    [279, 4, packed.length], [339, 3, 3], ...(place ?? [[33550, 12, lx, ly, 0], [33922, 12, 0, 0, 0, 0, 0, 0]]), [42113, 2, ...textBytes("nan")],
  ].map(([number, kind, ...values]) => ({ number, kind, values, size: values.length * BYTES[kind] }));
  for (const tag of tags) tag.beside = tag.size > 4 ? tag.size + (tag.size & 1) : 0; // bytes outside the list of tags
  let free = 8 + 2 + 12 * tags.length + 4;
  const head = new Uint8Array(tags.reduce((sum, { beside }) => sum + beside, free)), view = new DataView(head.buffer);
  tags.find(({ number }) => number === 273).values[0] = head.length;
  head.set([0x49, 0x49, 42, 0, 8, 0, 0, 0, tags.length, 0]);
  tags.forEach(({ number, kind, values, beside }, i) => {
    const at = 10 + 12 * i, start = beside ? free : at + 8;
    view.setUint16(at, number, true);
    view.setUint16(at + 2, kind, true);
    view.setUint32(at + 4, values.length, true);
    if (beside) view.setUint32(at + 8, free, true);
    const set = { 2: "setUint8", 3: "setUint16", 4: "setUint32", 12: "setFloat64" }[kind];
    values.forEach((value, k) => view[set](start + k * BYTES[kind], value, true));
    free += beside;
  });
  return joined([head, packed]);
}
