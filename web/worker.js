// worker.js: the simulation, in a thread of its own. It answers orders, and while it plays it sends frames: the page asks for
// the next one when it has drawn the last.
import { openCore } from "./core.js";

const MOST_MS = 30; // of steps between two looks at the orders
const MOST_STEPS = 1000;
const LEAST_MS = 0.02; // of a step: the clock is coarse, and may stand still
const LAYERS = ["height", "water", "sediment", "change", "ice"];

const START_MS = 20000; // after which threads are given up

const late = () => new Promise((_, reject) => setTimeout(() => reject(new Error("the threads did not start")), START_MS));

// Threads share memory, which a browser gives only to a page whose server isolates it from others.
async function open() {
  if (crossOriginIsolated && navigator.hardwareConcurrency > 1) {
    try {
      return await Promise.race([openCore({}, "./wadi-threads.js"), late()]);
    } catch (error) {
      console.warn(error.message); // such as too little memory; one thread needs less
    }
  }
  return openCore();
}

const core = await open();
let facts = null;
let overlay = "";
let playing = false;
let goal = Infinity; // the step at which playing ends
let asked = true;    // the page waits for a frame
let fresh = false;   // the next frame is the first of a new simulation
let owed = false;    // something has changed since the last one
let stepMs = 10;     // of one step, lately
let rate = 0;        // steps a second, lately

const cells = () => facts.width * facts.height;

function map(name) {
  const place = core.page_get(name);
  return place ? core.floats(place, cells()) : null;
}

function frame() {
  asked = owed = false;
  const layers = {};
  for (const name of LAYERS) layers[name] = map(name);
  layers.overlay = overlay ? map(overlay) : null;
  const buffers = Object.values(layers).filter(Boolean).map((layer) => layer.buffer);
  postMessage({ frame: { layers, facts, fresh, steps: core.page_steps(), time: core.page_time(), rate, playing, threads: core.page_threads() } }, buffers);
  fresh = false;
}

// A frame now, or as soon as the page has drawn the last.
function show() {
  if (asked) frame();
  else owed = true;
}

let due = null;
const beat = new MessageChannel(); // a timer would wait for 4 ms at least
beat.port1.onmessage = () => {
  due = null;
  if (playing) play();
};
function go() {
  if (due === null) beat.port2.postMessage(due = true);
}

function play() {
  const left = goal - core.page_steps();
  const count = Math.max(1, Math.min(left, MOST_STEPS, Math.floor(MOST_MS / stepMs)));
  const began = performance.now();
  try {
    core.page_step(count);
  } catch (error) {
    playing = false;
    frame();
    postMessage({ stopped: error.message });
    return;
  }
  stepMs = Math.max((performance.now() - began) / count, LEAST_MS);
  rate = rate ? rate + 0.1 * (1000 / stepMs - rate) : 1000 / stepMs;
  if (core.page_steps() >= goal) playing = false;
  show();
  if (playing) go();
}

const state = () => ({ values: JSON.parse(core.page_values()), presetSteps: core.page_preset_steps() });

const orders = {
  tables: () => ({ version: core.page_version(), ...JSON.parse(core.page_tables()) }),
  generate({ kind, size, world, seed }) {
    core.page_generate(kind, size, world, seed);
  },
  take({ name, kind, samples, width, height, lx, ly, nodata, low, high }) {
    core.lend(samples, (place) =>
      core.page_take(name, kind, place, samples.byteLength, width, height, lx, ly, nodata, low, high));
  },
  create({ model, preset, seed, settings }) {
    core.page_create(model, preset, seed, settings);
    facts = JSON.parse(core.page_terrain_facts());
    fresh = true;
    playing = false;
    rate = 0;
    frame();
    return state();
  },
  adjust({ settings }) {
    core.page_adjust(settings);
    show();
    return state();
  },
  paint({ brush, radius, strength, falloff, level, places }) {
    core.lend(places, (place) => core.page_paint(brush, radius, strength, falloff, level, place, places.length / 2));
    show();
  },
  play({ until }) {
    goal = until;
    playing = core.page_steps() < goal;
    rate = 0;
    if (playing) go();
  },
  pause() {
    playing = false;
    frame();
  },
  step({ count }) {
    core.page_step(count);
    frame();
  },
  ready() {
    asked = true;
    if (owed) frame();
  },
  show({ name }) {
    overlay = name;
    show();
  },
  hash: () => core.page_hash("height"),
  figures: () => JSON.parse(core.page_figures()),
  write({ ending, mesh }) {
    const path = `/terrain.${ending}`;
    core.page_write(path, mesh ? 1 : 0);
    const bytes = core.module.FS.readFile(path);
    core.module.FS.unlink(path);
    return { bytes, low: core.page_written_low(), high: core.page_written_high(), ...facts };
  },
};

onmessage = ({ data: { id, order, given } }) => {
  try {
    postMessage({ id, result: orders[order](given) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
postMessage({ open: true });
