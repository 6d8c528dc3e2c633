// files.js: which reader and writer a file needs.
import { isExr, readExr, writeExr } from "./exr.js";
import { isPng, readPng, writePng } from "./png.js";
import { isTiff, readTiff, writeTiff } from "./tiff.js";
import { FileError } from "./bytes.js";

const MOST_BYTES = 1 << 28;

// The samples of a dropped file, as the worker takes them. An error has one line with the file's name.
export async function readTerrain(file) {
  try {
    if (file.size > MOST_BYTES) throw new FileError("it is larger than this page takes");
    const bytes = new Uint8Array(await file.arrayBuffer());
    const read = isPng(bytes) ? readPng : isTiff(bytes) ? readTiff : isExr(bytes) ? readExr : null;
    if (!read) throw new FileError("it is no PNG, TIFF or EXR, which this page reads; the command reads more");
    const terrain = await read(bytes);
    const { samples } = terrain;
    return { ...terrain, name: file.name, samples: new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength) };
  } catch (error) {
    throw new Error(`${file.name}: ${error instanceof FileError ? error.message : "it is damaged"}`);
  }
}

// What the library writes itself has no `wrap`: `raw` is what it writes for the others.
const WRITERS = {
  png: { raw: "r16", wrap: writePng, kind: "image/png" },
  tif: { raw: "r32", wrap: writeTiff, kind: "image/tiff" },
  exr: { raw: "r32", wrap: writeExr, kind: "image/x-exr" },
  npy: { raw: "npy", kind: "application/octet-stream" },
  glb: { raw: "glb", mesh: true, kind: "model/gltf-binary" },
};

// place: where on Earth, from the file that the terrain was read from; null: not known.
export async function writeTerrain(simulation, ending, place) {
  const { raw, wrap, mesh = false, kind } = WRITERS[ending];
  const written = await simulation.ask("write", { ending: raw, mesh });
  return new Blob([wrap ? await wrap({ ...written, place }) : written.bytes], { type: kind });
}

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
