// core.js: the library as a module, with the calls of web/*.c as methods. The page has one to draw, its worker one to simulate,
// with threads where it may have them.

// What a call gives ("ok": true, or an error is thrown with the library's message) and what it takes.
const calls = {
  page_version: ["string"], page_tables: ["string"],
  page_generate: ["ok", "string", "number", "number", "number"],
  page_take: ["ok", "string", "string", "number", "number", "number", "number", "number", "number", "number", "number", "number"],
  page_terrain_facts: ["string"],
  page_create: ["ok", "string", "string", "number", "string"], page_adjust: ["ok", "string"],
  page_step: ["ok", "number"], page_paint: ["ok", "number", "number", "number", "number", "number", "number", "number"],
  page_get: ["number", "string"], page_hash: ["string", "string"],
  page_steps: ["number"], page_time: ["number"], page_threads: ["number"], page_preset_steps: ["number"],
  page_values: ["string"], page_figures: ["string"],
  page_write: ["ok", "string", "number"], page_written_low: ["number"], page_written_high: ["number"],
  scene_open: ["ok", "string"], scene_size: ["ok", "number", "number", "number", "number"],
  scene_set: ["ok", "number", "number", "number"], scene_clear: ["ok", "number"], scene_reset: ["ok"], scene_fit: [null, "number", "number"],
  scene_draw: ["ok", "number", "number", "number"], scene_settled: ["number"], scene_overlay: [null, "string"],
  scene_dry: [null, "number"], scene_exaggerate: [null, "number"], scene_sun: [null, "number", "number"],
  scene_ring: [null, "number", "number", "number", "number"], scene_turn: [null, "number", "number"],
  scene_zoom: [null, "number"], scene_pan: [null, "number", "number"],
  scene_pick: ["number", "number", "number", "number", "number"], scene_legend: ["string"],
};

export async function openCore(settings = {}, file = "./wadi.js") {
  let module;
  try {
    module = await (await import(file)).default(settings);
  } catch (error) {
    throw new Error(`the page's WebAssembly, which has SIMD, did not start (${error.message})`);
  }
  const error = module.cwrap("page_error", "string", []);
  const core = { module };
  for (const [name, [gives, ...takes]] of Object.entries(calls)) {
    const call = module.cwrap(name, gives === "ok" ? "number" : gives, takes);
    core[name] = gives !== "ok" ? call : (...given) => {
      if (!call(...given)) throw new Error(error());
    };
  }
  // The bytes lie in the module's memory while `use` is called with their place.
  core.lend = (bytes, use) => {
    const place = module._malloc(Math.max(bytes.byteLength, 1));
    if (!place) throw new Error("there is no memory for so many cells");
    try {
      module.HEAPU8.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), place);
      return use(place);
    } finally {
      module._free(place);
    }
  };
  core.floats = (place, count) => module.HEAPF32.slice(place >> 2, (place >> 2) + count);
  return core;
}
