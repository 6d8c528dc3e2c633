// bytes.js: what the readers and writers of files share. A file may be damaged or hostile: every length is checked.
export const MOST_CELLS = 1 << 22;
const MOST_SIDE = 8192; // a texture's

export class FileError extends Error {}
export const fail = (text) => { throw new FileError(text); };

export function checkSize(width, height) {
  if (width < 2 || height < 2) fail(`it has ${width} x ${height} cells; at least 2 x 2 are needed`);
  if (width * height > MOST_CELLS)
    fail(`it has ${width} x ${height} cells, more than this page takes (${MOST_CELLS}); use the command, or a smaller file`);
  if (Math.max(width, height) > MOST_SIDE)
    fail(`it has ${width} x ${height} cells; this page takes at most ${MOST_SIDE} along a side; use the command, or a smaller file`);
}

// A DataView that says where a file ends.
export class Reader {
  constructor(bytes, little) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.little = little;
  }
  #check(at, count) {
    if (!(at >= 0 && at + count <= this.bytes.length)) fail("it is truncated or damaged");
  }
  u8(at) { this.#check(at, 1); return this.bytes[at]; }
  u16(at) { this.#check(at, 2); return this.view.getUint16(at, this.little); }
  u32(at) { this.#check(at, 4); return this.view.getUint32(at, this.little); }
  i32(at) { this.#check(at, 4); return this.view.getInt32(at, this.little); }
  f64(at) { this.#check(at, 8); return this.view.getFloat64(at, this.little); }
  part(at, count) { this.#check(at, count); return this.bytes.subarray(at, at + count); }
  text(at, count) { return String.fromCharCode(...this.part(at, count)); }
}

// Unpacks zlib's format into exactly so many bytes: a small file cannot ask for much memory.
export async function inflate(packed, count) {
  const out = new Uint8Array(count);
  let filled = 0;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const reader = stream.getReader();
  try {
    while (filled < count) {
      const { done, value } = await reader.read();
      if (done) break;
      const part = value.subarray(0, count - filled);
      out.set(part, filled);
      filled += part.length;
    }
  } catch {
    fail("its compressed samples are damaged");
  } finally {
    reader.cancel().catch(() => {});
  }
  if (filled < count) fail("it is truncated: samples are missing");
  return out;
}

export async function deflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// Samples as the library reads them from a RAW file. Of 8 bits, 255 becomes 65535.
export function as16(samples, eight) {
  const wide = new Uint16Array(samples.length);
  for (let i = 0; i < samples.length; i++) wide[i] = eight ? 257 * samples[i] : samples[i];
  return wide;
}
