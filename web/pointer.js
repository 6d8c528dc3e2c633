// pointer.js: what the mouse, the pen, fingers and keys do on the picture: they look around or paint.
const DABS_A_SECOND = 30;

export class Pointer {
  // brush(): null to look around, else { radius, falloff }; paint(places, first, shifted) sends dabs.
  constructor(view, canvas, brush, paint) {
    Object.assign(this, { view, canvas, brush, paint });
    this.down = new Map(); // pointers by id
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.#release(event));
    canvas.addEventListener("pointerleave", () => this.view.move("ring", 0, 0, 0, 0));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("dblclick", () => this.brush() || this.view.fit());
  }

  #press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, Object.assign(event, { pressed: event.button })); // of a move, button is -1
    if (this.down.size === 1 && event.button === 0 && this.brush()) this.#begin(event);
    else this.#end();
  }

  #move(event) {
    const before = this.down.get(event.pointerId);
    this.#ring(event);
    if (!before) return;
    const x = event.offsetX - before.offsetX, y = event.offsetY - before.offsetY;
    if (this.stroke) this.at = event;
    else if (this.down.size === 2) this.#pinch(event);
    else if (before.pressed === 0 && !event.shiftKey) this.view.move("turn", -0.3 * x, 0.3 * y);
    else this.view.move("pan", x / this.canvas.clientHeight, y / this.canvas.clientHeight);
    this.down.set(event.pointerId, Object.assign(event, { pressed: before.pressed }));
  }

  #pinch(event) {
    const spread = (one, other) => Math.hypot(one.offsetX - other.offsetX, one.offsetY - other.offsetY);
    const other = [...this.down.values()].find((one) => one.pointerId !== event.pointerId);
    const before = spread(this.down.get(event.pointerId), other), now = spread(event, other);
    if (before > 0 && now > 0) this.view.move("zoom", before / now);
  }

  #release(event) {
    this.down.delete(event.pointerId);
    this.#end();
  }

  #wheel(event) {
    event.preventDefault();
    this.view.move("zoom", Math.exp(0.0012 * event.deltaY));
  }

  #key(event) {
    const turns = { ArrowLeft: [6, 0], ArrowRight: [-6, 0], ArrowUp: [0, 4], ArrowDown: [0, -4] };
    const zooms = { "+": 0.9, "=": 0.9, "-": 1.1 };
    if (turns[event.key]) this.view.move("turn", ...turns[event.key]);
    else if (zooms[event.key]) this.view.move("zoom", zooms[event.key]);
    else return;
    event.preventDefault();
  }

  #ring(event) {
    const brush = this.brush();
    const place = brush && this.view.pick(event.offsetX, event.offsetY);
    if (place) this.view.move("ring", ...place, brush.radius, brush.falloff);
    else if (this.ringed) this.view.move("ring", 0, 0, 0, 0);
    this.ringed = Boolean(place);
  }

  // A stroke makes so many dabs a second while the button is held, and none farther apart than the brush is wide.
  #begin(event) {
    this.at = event;
    this.stroke = { last: null, timer: setInterval(() => this.#dab(), 1000 / DABS_A_SECOND) };
    this.#dab();
  }

  #dab() {
    const { stroke, view } = this;
    const place = view.pick(this.at.offsetX, this.at.offsetY);
    if (!place) return;
    const first = stroke.last === null;
    const from = stroke.last ?? place;
    const { lx, ly } = view.facts;
    const apart = Math.hypot((place[0] - from[0]) * lx, (place[1] - from[1]) * ly);
    const count = Math.min(Math.max(Math.ceil(apart / (0.35 * this.brush().radius)), 1), 64);
    const places = new Float64Array(2 * count);
    for (let i = 0; i < count; i++)
      for (const k of [0, 1]) places[2 * i + k] = from[k] + ((i + 1) / count) * (place[k] - from[k]);
    stroke.last = place;
    this.paint(places, first, this.at.shiftKey);
  }

  #end() {
    if (this.stroke) clearInterval(this.stroke.timer);
    this.stroke = null;
  }
}
