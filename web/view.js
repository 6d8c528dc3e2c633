// view.js: the picture and its camera. It draws when something has changed, at once and coarsely while it moves, and then once
// more with finer pixels.
import { openCore } from "./core.js";

const LAYERS = { height: 0, water: 1, sediment: 2, change: 3, overlay: 4, ice: 5 }; // wadi_layer
const IDLE_MS = 250;

export class View {
  static async open(canvas) {
    const core = await openCore({ canvas });
    core.scene_open("#" + canvas.id);
    return new View(core, canvas);
  }

  constructor(core, canvas) {
    this.core = core;
    this.canvas = canvas;
    this.place = 0; // of one layer in the module's memory, with so many cells
    this.count = 0;
    this.shape = "";
    this.fine = false;   // whether the drawn picture is a fine one
    this.coarse = 1;     // pixels of a moving picture along one of the page's; less where drawing is slow
    this.changed = 0;    // when something changed last
    this.ondrawn = () => {};
    new ResizeObserver(() => this.touch()).observe(canvas);
    const loop = () => {
      requestAnimationFrame(loop);
      this.#draw();
    };
    requestAnimationFrame(loop);
  }

  touch() {
    this.changed = performance.now();
    this.dirty = true;
  }

  // A terrain of another shape, or a new start: the camera and the colours' scales begin anew. If it cannot be drawn, the
  // old picture stays.
  begin(facts, layers) {
    this.touch(); // first: the worker waits for a picture in any case
    const shape = [facts.width, facts.height, facts.lx, facts.ly].join(), other = shape !== this.shape;
    if (other) this.#size(facts);
    this.shape = shape;
    this.facts = facts;
    this.#set(layers, true);
    this.core.scene_reset();
    if (other) this.fit();
  }

  #size({ width, height, lx, ly }) {
    const { core } = this, count = width * height;
    const place = core.module._malloc(4 * count);
    try {
      if (!place) throw new Error("there is no memory for a picture of so many cells");
      core.scene_size(width, height, lx, ly);
    } catch (error) {
      core.module._free(place);
      throw error;
    }
    core.module._free(this.place);
    Object.assign(this, { place, count });
  }

  update(layers) {
    this.touch();
    this.#set(layers, false);
  }

  #set(layers, all) {
    if (layers.height.length !== this.count) return; // of a terrain that cannot be drawn
    this.heights = layers.height;
    for (const [name, number] of Object.entries(LAYERS)) {
      const values = layers[name];
      if (!values && !(all && name !== "overlay")) continue;
      if (!values && name === "ice") {
        this.core.scene_clear(number);
        continue;
      }
      if (values) this.core.module.HEAPF32.set(values, this.place >> 2);
      else this.core.module.HEAPF32.fill(0, this.place >> 2, (this.place >> 2) + this.count);
      this.core.scene_set(number, this.place, all || name === "overlay" ? 1 : 0);
    }
  }

  fit() {
    this.core.scene_fit(this.canvas.clientWidth, this.canvas.clientHeight);
    this.touch();
  }

  // One of scene_turn, scene_zoom, ... and its numbers.
  move(call, ...numbers) {
    this.core["scene_" + call](...numbers);
    this.touch();
  }

  pick(x, y) {
    const { core, canvas } = this;
    if (!this.shape) return null;
    const place = core.scene_pick(canvas.clientWidth, canvas.clientHeight, x, y);
    return place ? [core.module.HEAPF64[place >> 3], core.module.HEAPF64[(place >> 3) + 1]] : null;
  }

  heightAt([x, y]) {
    const { width, height } = this.facts;
    const at = (value, most) => Math.min(Math.max(Math.floor(value), 0), most - 1);
    return this.heights[at(y, height) * width + at(x, width)];
  }

  #draw() {
    if (!this.shape) return;
    const still = performance.now() - this.changed > IDLE_MS;
    const unsettled = !this.core.scene_settled();
    if (!this.dirty && !unsettled && (this.fine || !still)) return;
    const fine = still && !this.dirty;
    const times = !fine ? this.coarse : this.coarse < 1 ? 1 : Math.max(2, devicePixelRatio);
    const width = Math.round(this.canvas.clientWidth * times), height = Math.round(this.canvas.clientHeight * times);
    if (width < 1 || height < 1) return;
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    const began = performance.now();
    this.core.scene_draw(width, height, fine ? 1 : 0.7);
    if (!fine) this.#adapt(began);
    this.dirty = false;
    this.fine = fine;
    this.canvas.dataset.drawn = fine ? "fine" : "moving";
    this.ondrawn();
  }

  // The next turn comes when the picture is shown, so the time between tells whether drawing is too slow.
  #adapt(began) {
    setTimeout(() => requestAnimationFrame(() => {
      const ms = performance.now() - began;
      if (ms > 120 && this.coarse > 0.5) this.coarse -= 0.25;
      if (ms < 30 && this.coarse < 1) this.coarse += 0.25;
    }));
  }
}
