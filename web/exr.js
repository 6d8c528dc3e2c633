// exr.js: OpenEXR in lines, as heightmaps have it: read without compression or with ZIP, written without.
import { Reader, checkSize, fail, inflate, joined } from "./bytes.js";

const LINES = { 0: 1, 2: 1, 3: 16 }; // of a block, by compression
const BYTES = [4, 2, 4];             // of a sample: uint, half, float
const HALF = 1, FLOAT = 2;

export const isExr = (bytes) => bytes[0] === 0x76 && bytes[1] === 0x2f && bytes[2] === 0x31 && bytes[3] === 0x01;

function name(file, at) {
  let end = at;
  while (file.u8(end)) end++;
  return [file.text(at, end - at), end + 1];
}

function readHead(file) {
  if (file.u8(4) !== 2 || file.u32(4) & 0x1a00) fail("it has tiles or several parts; save it in lines, as one part");
  const head = {};
  let at = 8;
  while (file.u8(at)) {
    let key, kind;
    [key, at] = name(file, at);
    [kind, at] = name(file, at);
    head[key] = { at: at + 4, count: file.u32(at) };
    at += 4 + file.u32(at);
  }
  for (const key of ["channels", "compression", "dataWindow"]) if (!head[key]) fail(`it has no ${key}`);
  return [head, at + 1];
}

function readChannels(file, at) {
  const channels = [];
  while (file.u8(at)) {
    let word;
    [word, at] = name(file, at);
    channels.push({ name: word, kind: file.u32(at) });
    if (!BYTES[file.u32(at)] || file.u32(at + 8) !== 1 || file.u32(at + 12) !== 1) fail("its channels differ in size");
    at += 16;
  }
  return channels;
}

function unpacked(bytes) {
  for (let i = 1; i < bytes.length; i++) bytes[i] += bytes[i - 1] - 128;
  const out = new Uint8Array(bytes.length), half = (bytes.length + 1) >> 1;
  for (let i = 0; i < bytes.length; i++) out[i] = bytes[i & 1 ? half + (i >> 1) : i >> 1];
  return out;
}

function half(bits) {
  const exponent = (bits >> 10) & 31, fraction = bits & 1023, sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}

export async function readExr(bytes) {
  const file = new Reader(bytes, true);
  const [head, table] = readHead(file);
  const compression = file.u8(head.compression.at), lines = LINES[compression];
  if (!lines) fail("its compression is not read here; save it with ZIP or without");
  const [left, top, right, bottom] = [0, 4, 8, 12].map((i) => file.i32(head.dataWindow.at + i));
  const width = right - left + 1, height = bottom - top + 1;
  checkSize(width, height);
  const channels = readChannels(file, head.channels.at);
  const wanted = channels.find((channel) => channel.name === "Y") ?? (channels.length === 1 ? channels[0] : null);
  if (!wanted) fail(`it has no channel Y, but ${channels.map((channel) => channel.name).join(", ")}`);
  if (wanted.kind !== HALF && wanted.kind !== FLOAT) fail("its channel holds whole numbers; save it as half or float");
  const row = channels.reduce((sum, channel) => sum + BYTES[channel.kind] * width, 0);
  const before = channels.slice(0, channels.indexOf(wanted)).reduce((sum, channel) => sum + BYTES[channel.kind] * width, 0);
  const samples = new Float32Array(width * height).fill(NaN);
  for (let block = 0; block * lines < height; block++) {
    const at = file.u32(table + 8 * block), y0 = file.i32(at) - top, count = file.u32(at + 4);
    const held = Math.min(lines, height - y0) * row;
    if (!(y0 >= 0 && y0 < height)) fail("its lines are damaged");
    const packed = file.part(at + 8, count);
    const raw = compression && count < held ? unpacked(await inflate(packed, held)) : packed;
    if (raw.length < held) fail("its lines are damaged");
    const line = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
    for (let y = 0; y * row < held; y++)
      for (let x = 0; x < width; x++) {
        const from = y * row + before + x * BYTES[wanted.kind];
        samples[(y0 + y) * width + x] =
          wanted.kind === FLOAT ? line.getFloat32(from, true) : half(line.getUint16(from, true));
      }
  }
  return { kind: "r32", samples, width, height, lx: 0, ly: 0, nodata: NaN, low: 0, high: 0 };
}

// raw: little-endian float32.
export function writeExr({ bytes: raw, width, height }) {
  const parts = [], zero = [0];
  const ascii = (word) => [...new TextEncoder().encode(word), 0];
  const whole = (...numbers) => [...new Uint8Array(new Int32Array(numbers).buffer)];
  const float = (...numbers) => [...new Uint8Array(new Float32Array(numbers).buffer)];
  const attribute = (key, kind, value) => parts.push(...ascii(key), ...ascii(kind), ...whole(value.length), ...value);
  parts.push(0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0);
  attribute("channels", "chlist", [...ascii("Y"), ...whole(FLOAT, 0, 1, 1), ...zero]);
  attribute("compression", "compression", zero);
  attribute("dataWindow", "box2i", whole(0, 0, width - 1, height - 1));
  attribute("displayWindow", "box2i", whole(0, 0, width - 1, height - 1));
  attribute("lineOrder", "lineOrder", zero);
  attribute("pixelAspectRatio", "float", float(1));
  attribute("screenWindowCenter", "v2f", float(0, 0));
  attribute("screenWindowWidth", "float", float(1));
  parts.push(0);
  const row = 4 * width, first = parts.length + 8 * height;
  const rest = new Uint8Array(8 * height + (8 + row) * height), view = new DataView(rest.buffer);
  for (let y = 0; y < height; y++) {
    view.setUint32(8 * y, first + y * (8 + row), true);
    const at = 8 * height + y * (8 + row);
    view.setInt32(at, y, true);
    view.setUint32(at + 4, row, true);
    rest.set(raw.subarray(y * row, (y + 1) * row), at + 8);
  }
  return joined([new Uint8Array(parts), rest]);
}
