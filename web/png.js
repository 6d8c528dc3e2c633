// png.js: PNG of 8 or 16 bits, read and written exactly. (A browser's own pictures have 8 bits.)
import { Reader, as16, checkSize, deflate, fail, inflate, joined } from "./bytes.js";

const MARK = [137, 80, 78, 71, 13, 10, 26, 10];
const CHANNELS = { 0: 1, 2: 3, 4: 2, 6: 4 };

export const isPng = (bytes) => MARK.every((byte, i) => bytes[i] === byte);

const crcs = new Uint32Array(256).map((_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
function crc(bytes) {
  let value = ~0;
  for (const byte of bytes) value = crcs[(value ^ byte) & 255] ^ (value >>> 8);
  return ~value >>> 0;
}

function chunks(bytes) {
  const file = new Reader(bytes, false);
  const found = { data: [], texts: {}, transparent: null };
  for (let at = 8; ; ) {
    const count = file.u32(at), name = file.text(at + 4, 4), body = file.part(at + 8, count);
    if (crc(file.part(at + 4, count + 4)) !== file.u32(at + 8 + count)) fail(`its part ${name} is damaged`);
    if (name === "IHDR") found.head = new Reader(body, false);
    if (name === "IDAT") found.data.push(body);
    if (name === "tRNS") found.transparent = new Reader(body, false);
    if (name === "tEXt") {
      const end = body.indexOf(0);
      if (end > 0 && count < 256) found.texts[file.text(at + 8, end)] = file.text(at + 9 + end, count - end - 1);
    }
    if (name === "IEND") return found;
    at += 12 + count;
  }
}

// Undoes the filters, in place. Each row begins with the number of its filter.
function unfilter(raw, row, height, step) {
  for (let y = 0; y < height; y++) {
    const at = y * (row + 1) + 1, filter = raw[at - 1];
    if (filter > 4) fail("its rows are damaged");
    for (let i = 0; i < row && filter; i++) {
      const left = i >= step ? raw[at + i - step] : 0, up = y ? raw[at + i - row - 1] : 0;
      const corner = y && i >= step ? raw[at + i - row - 1 - step] : 0;
      raw[at + i] += filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : nearest(left, up, corner);
    }
  }
}
function nearest(left, up, corner) {
  const sum = left + up - corner;
  const a = Math.abs(sum - left), b = Math.abs(sum - up), c = Math.abs(sum - corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

// A sample that no cell has, for cells without data.
function unused(samples) {
  const used = new Uint8Array(65536);
  for (const sample of samples) used[sample] = 1;
  const free = used.lastIndexOf(0);
  return free < 0 ? fail("it is transparent in places and uses every grey, so none is left for cells without data") : free;
}

function pair(text) {
  const numbers = text?.split(" ").map(Number);
  return numbers?.length === 2 && numbers.every(Number.isFinite) ? numbers : [0, 0];
}

export async function readPng(bytes) {
  const found = chunks(bytes);
  if (!found.head) fail("it has no head");
  const width = found.head.u32(0), height = found.head.u32(4), depth = found.head.u8(8), colour = found.head.u8(9);
  if (depth < 8 || !CHANNELS[colour]) fail("it has a palette or fewer than 8 bits; save it as grey of 8 or 16 bits");
  if (depth !== 8 && depth !== 16) fail("it is damaged");
  if (found.head.u8(12)) fail("it is interlaced; save it without");
  checkSize(width, height);
  const channels = CHANNELS[colour], size = depth / 8, step = channels * size, row = width * step;
  const raw = await inflate(joined(found.data), (row + 1) * height);
  unfilter(raw, row, height, step);
  const at = (x, y, channel) => {
    const i = y * (row + 1) + 1 + x * step + channel * size;
    return size === 1 ? raw[i] : (raw[i] << 8) | raw[i + 1];
  };
  const grey = new Uint16Array(width * height), hidden = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value = (grey[y * width + x] = at(x, y, 0));
      if (channels > 2 && (at(x, y, 1) !== value || at(x, y, 2) !== value)) fail("it has colours; a heightmap is grey");
      if (channels % 2 === 0 && at(x, y, channels - 1) === 0) hidden.push(y * width + x);
    }
  const samples = as16(grey, size === 1);
  let nodata = found.transparent && channels === 1 ? found.transparent.u16(0) * (size === 1 ? 257 : 1) : NaN;
  if (hidden.length) {
    nodata = unused(samples);
    for (const i of hidden) samples[i] = nodata;
  }
  const [low, high] = pair(found.texts["wadi:range"]), [lx, ly] = pair(found.texts["wadi:cell-size"]);
  return { kind: "r16", samples, width, height, lx, ly, nodata, low, high };
}

function chunk(name, body) {
  const all = new Uint8Array(12 + body.length), view = new DataView(all.buffer);
  view.setUint32(0, body.length);
  for (let i = 0; i < 4; i++) all[4 + i] = name.charCodeAt(i);
  all.set(body, 8);
  view.setUint32(8 + body.length, crc(all.subarray(4, 8 + body.length)));
  return all;
}
const text = (key, value) => chunk("tEXt", new TextEncoder().encode(`${key}\0${value}`));

// raw: little-endian samples of 16 bits; low and high: what 0 and 65535 stand for.
export async function writePng({ bytes: raw, width, height, lx, ly, low, high }) {
  const head = new Uint8Array(13), view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head[8] = 16;
  const rows = new Uint8Array((2 * width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const to = y * (2 * width + 1) + 1 + 2 * x, from = 2 * (y * width + x);
      rows[to] = raw[from + 1];
      rows[to + 1] = raw[from];
    }
  return joined([new Uint8Array(MARK), chunk("IHDR", head), text("wadi:cell-size", `${lx} ${ly}`),
    text("wadi:range", `${low} ${high}`), chunk("IDAT", await deflate(rows)), chunk("IEND", new Uint8Array(0))]);
}
