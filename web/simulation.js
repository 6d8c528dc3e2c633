// simulation.js: the page's side of the worker. Each order is a promise; frames come by `onframe`. Another engine, such as one
// on WebGPU, would have these calls, and the picture would not know.
export class Simulation {
  constructor() {
    this.waiting = new Map();
    this.next = 1;
    this.onframe = () => {};
    this.onstopped = () => {};
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.opened = new Promise((resolve, reject) => {
      this.worker.onerror = (event) => reject(new Error(event.message || "the simulation did not start"));
      this.worker.onmessage = ({ data }) => this.#heard(data, resolve);
    });
  }

  #heard(data, opened) {
    if (data.open) return opened();
    if (data.frame) return this.onframe(data.frame);
    if (data.stopped !== undefined) return this.onstopped(data.stopped);
    const { resolve, reject } = this.waiting.get(data.id);
    this.waiting.delete(data.id);
    if (data.error !== undefined) reject(new Error(data.error));
    else resolve(data.result);
  }

  ask(order, given = {}) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, order, given });
    });
  }
}
