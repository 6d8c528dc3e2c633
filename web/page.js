// page.js: the page: what its controls do. The simulation is a worker (simulation.js), the picture a module (view.js).
import { BRUSHES, dabStrength } from "./brushes.js";
import { readTerrain, save, writeTerrain } from "./files.js";
import { byId, element, fillChoice, knobRow, parameterRow, showLegend } from "./panel.js";
import { Pointer } from "./pointer.js";
import { SIZES, fromFragment, modelOf, standard, toCommands, toFragment, toSettings } from "./recipe.js";
import { Simulation } from "./simulation.js";
import { View } from "./view.js";

const simulation = new Simulation();
const state = {
  tables: null, recipe: null, facts: null, values: [], presetSteps: 0,
  file: null,      // the name of a dropped file, in place of a generated terrain
  place: null,     // of the file's terrain on Earth, as its GeoTIFF says
  frame: null,
  touched: false,  // painted, or changed after the first step: the recipe alone does not give the same
  brush: null,
};
let view;

// --- messages ---

let silence;
function say(text, kind = "note") {
  const box = byId("message");
  box.textContent = text;
  box.className = kind;
  box.hidden = false;
  clearTimeout(silence);
  silence = setTimeout(() => { box.hidden = true; }, kind === "error" ? 12000 : 5000);
}

// What goes wrong is said in one line; all else stays as it was.
const tried = (action) => async (...given) => {
  try {
    return await action(...given);
  } catch (error) {
    say(error.message, "error");
  }
};

// --- terrain and model ---

// With changes in the recipe. If that fails, the recipe stays as it was.
async function attempt(changes, action) {
  const before = state.recipe;
  state.recipe = { ...before, ...changes };
  try {
    await action();
  } catch (error) {
    state.recipe = before;
    if (state.frame) {
      showTerrain();
      showModel();
    }
    throw error;
  }
}

async function generate() {
  const { kind, size, world, seed } = state.recipe;
  await simulation.ask("generate", { kind, size, world, seed });
  await begin(null);
}

// file: the name of that which the terrain comes from; null: it is generated.
async function begin(file = state.file) {
  const { model, preset, seed } = state.recipe;
  const made = await simulation.ask("create", { model, preset, seed, settings: toSettings(state.recipe) });
  Object.assign(state, { file, touched: false });
  take(made);
  showTerrain();
  showLink();
}

function take({ values, presetSteps }) {
  Object.assign(state, { values, presetSteps });
  showModel();
  showBar();
}

async function open(file) {
  const terrain = await readTerrain(file);
  await simulation.ask("take", terrain);
  const presets = modelOf(state.tables, state.recipe).presets;
  const fitting = terrain.georeferenced && presets.find((preset) => preset.georeferenced);
  await attempt(fitting ? { preset: fitting.name, knobs: {}, values: {} } : {}, () => begin(file.name));
  state.place = terrain.place ?? null;
  if (view.facts === state.facts) // else it cannot be drawn, which has been said
    say(`${file.name}: ${state.facts.width} x ${state.facts.height} cells. ${state.facts.remarks}`);
}

// A changed setting goes to the running simulation; before the first step, and where nothing is painted, it is made anew.
async function adjust() {
  if (!state.frame?.steps && !state.touched) return begin();
  take(await simulation.ask("adjust", { settings: toSettings(state.recipe) }));
  state.touched = true;
  showLink();
}

// kind: "knobs" or "values"; value undefined: the preset's.
const change = (kind, name, value) => {
  const changed = { ...state.recipe[kind], [name]: value };
  if (value === undefined) delete changed[name];
  return attempt({ [kind]: changed }, adjust);
};

function choose(key, value) {
  const changes = { knobs: {}, values: {}, [key]: value };
  if (key === "model") changes.preset = modelOf(state.tables, changes).presets[0].name;
  return attempt(changes, begin);
}

// --- what the panel shows ---

function showTerrain() {
  const { recipe, facts, file, tables } = state;
  byId("kind").value = file ? "" : recipe.kind;
  for (const id of ["seed", "world"]) byId(id).value = recipe[id];
  const sizes = [...new Set([...SIZES, recipe.size])].sort((a, b) => a - b);
  fillChoice(byId("size"), sizes.map((size) => ({ value: size, label: `${size} x ${size}` })), recipe.size);
  byId("terrain-note").textContent = file
    ? `${file}: ${facts.width} x ${facts.height} cells of ${Number(facts.lx.toPrecision(4))} m`
    : tables.kinds.find((kind) => kind.name === recipe.kind).summary;
}

function showModel() {
  const { tables, recipe, values } = state;
  const model = modelOf(tables, recipe);
  byId("model").value = model.id;
  byId("model-note").textContent = model.title;
  byId("model-note").title = model.citation;
  fillChoice(byId("preset"), model.presets.map((preset) => ({ value: preset.name, label: preset.name })), recipe.preset);
  byId("preset-note").textContent = model.presets.find((preset) => preset.name === recipe.preset).summary;
  byId("knobs").replaceChildren(...model.knobs.map((knob) =>
    knobRow(knob, recipe.knobs[knob.name] ?? 0.5, tried((position) => change("knobs", knob.name, position === 0.5 ? undefined : position)))));
  byId("parameters").replaceChildren(...model.parameters.map((parameter, i) => {
    const { name } = parameter;
    return parameterRow(parameter, values[i], name in recipe.values, tried((text) => change("values", name, text)), tried(() => change("values", name)));
  }));
  for (const brush of BRUSHES) byId(`brush-${brush.name}`).disabled = Boolean(brush.needs && !model[brush.needs]);
  if (state.brush?.needs && !model[state.brush.needs]) pick(null);
}

function showLink() {
  byId("commands").textContent = toCommands(state.recipe, state.facts, state.frame?.steps ?? 0, state.file);
  byId("commands-note").textContent = state.touched ? "Painting, and changes after the first step, are not in these lines." : "";
}

function showFrame(frame) {
  const wasPlaying = state.frame?.playing;
  state.frame = frame;
  delete byId("hash").dataset.steps;
  if (frame.fresh) view.begin((state.facts = frame.facts), frame.layers);
  else view.update(frame.layers);
  showBar();
  if (!frame.playing) tried(showFigures)(frame);
  if (!frame.playing || !wasPlaying) showLink();
}

function showBar() {
  const { frame, presetSteps } = state;
  if (!frame) return;
  const { steps, time, rate, playing, threads } = frame;
  byId("play").textContent = playing ? "Pause" : "Play";
  byId("progress").max = presetSteps;
  byId("progress").value = Math.min(steps, presetSteps);
  byId("steps").textContent = `step ${steps.toLocaleString("en")} of ${presetSteps.toLocaleString("en")}`;
  byId("time").textContent = `${Number(time.toPrecision(4)).toLocaleString("en")} s simulated`;
  byId("rate").textContent = playing && rate ? `${rate.toFixed(0)} steps/s by ${threads} thread${threads > 1 ? "s" : ""}` : "";
}

async function showFigures(frame) {
  const hash = await simulation.ask("hash");
  if (frame !== state.frame) return; // the next frame has its own
  byId("hash").textContent = hash;
  byId("hash").dataset.steps = frame.steps;
  const { moved, residual, warning } = await simulation.ask("figures");
  const share = moved > 0 ? Math.abs(residual) / moved : 0;
  byId("figures").textContent = moved > 0
    ? `${Math.round(moved).toLocaleString("en")} m³ of ground moved; the balance closes to ${share.toExponential(0)} of it.` : "";
  byId("warning").textContent = warning ?? "";
}

simulation.onframe = tried(showFrame);
simulation.onstopped = (message) => say(message, "error");

// --- playing ---

const play = tried(async () => {
  if (state.frame?.playing) return simulation.ask("pause");
  const { steps } = state.frame;
  await simulation.ask("play", { until: steps < state.presetSteps ? state.presetSteps : 1e9 });
});
const step = tried(() => simulation.ask("step", { count: Number(byId("count").value) || 1 }));
const reset = tried(() => begin());

// --- painting ---

const radius = () => (Number(byId("brush-size").value) / 100) * Math.max(state.facts.width * state.facts.lx, state.facts.height * state.facts.ly);

function pick(brush) {
  state.brush = brush;
  for (const button of document.querySelectorAll("#brushes button"))
    button.setAttribute("aria-pressed", button.id === (brush ? `brush-${brush.name}` : "brush-look"));
  byId("picture").classList.toggle("painting", Boolean(brush));
}

let level = 0;
const paint = tried(async (places, first, shifted) => {
  const { brush, facts, tables } = state;
  if (first) level = view.heightAt([places[0], places[1]]);
  const rainAt = modelOf(tables, state.recipe).parameters.findIndex((parameter) => parameter.alias === "rain");
  state.touched = true;
  await simulation.ask("paint", {
    brush: tables.brushes.indexOf(shifted ? brush.shifted : brush.name), places,
    radius: radius(), falloff: 0.7, level: brush.name === "flatten" ? level : 0,
    strength: dabStrength(brush, Number(byId("brush-power").value), Math.min(facts.lx, facts.ly), rainAt < 0 ? 0 : state.values[rainAt].value),
  });
});

// --- what the page is made of ---

function fillPanel() {
  const { tables } = state;
  byId("version").textContent = tables.version;
  fillChoice(byId("kind"), tables.kinds.map(({ name, summary }) => ({ value: name, label: name, title: summary })));
  fillChoice(byId("model"), tables.models.map(({ id, title }) => ({ value: id, label: id, title })));
  fillChoice(byId("overlay"), [{ value: "", label: "none" }, ...tables.maps.filter((map) => map.name !== "height")
    .map(({ name, title, meaning }) => ({ value: name, label: title, title: meaning }))], "");
  const look = element("button", { type: "button", id: "brush-look", textContent: "Look", title: "Drag to turn, Shift or the right button to move, wheel to come closer" });
  look.addEventListener("click", () => pick(null));
  byId("brushes").replaceChildren(look, ...BRUSHES.map((brush) => {
    const button = element("button", { type: "button", id: `brush-${brush.name}`, textContent: brush.label, title: brush.help });
    button.addEventListener("click", () => pick(brush));
    return button;
  }));
  pick(null);
}

const within = (field, low, high) => {
  const value = Number(field.value);
  if (!(value >= low && value <= high)) throw new Error(`${field.labels[0].textContent}: a number from ${low} to ${high} is wanted`);
  return value;
};

function connect() {
  const on = (id, event, action) => byId(id).addEventListener(event, tried(action));
  on("kind", "change", () => attempt({ kind: byId("kind").value }, generate));
  on("size", "change", () => attempt({ size: Number(byId("size").value) }, generate));
  on("seed", "change", () => attempt({ seed: Math.round(within(byId("seed"), 0, 4294967295)) }, generate));
  on("world", "change", () => attempt({ world: within(byId("world"), 16, 1000000) }, generate));
  on("dice", "click", () => attempt({ seed: Math.floor(Math.random() * 100000) }, generate));
  on("model", "change", () => choose("model", byId("model").value));
  on("preset", "change", () => choose("preset", byId("preset").value));
  on("play", "click", play);
  on("step", "click", step);
  on("reset", "click", reset);
  on("fit", "click", () => view.fit());
  on("file", "change", async () => {
    const [file] = byId("file").files;
    byId("file").value = "";
    if (file) await open(file);
  });
  on("overlay", "change", async () => {
    view.move("overlay", byId("overlay").value);
    await simulation.ask("show", { name: byId("overlay").value });
  });
  on("dry", "change", () => view.move("dry", byId("dry").checked ? 1 : 0));
  on("exaggeration", "input", () => view.move("exaggerate", Number(byId("exaggeration").value)));
  on("sun", "input", () => view.move("sun", Number(byId("sun").value), 36));
  for (const ending of ["png", "tif", "exr", "npy", "glb"])
    on(`save-${ending}`, "click", async () => save(await writeTerrain(simulation, ending, state.file ? state.place : null), `wadi-${state.file ? "terrain" : state.recipe.kind}.${ending}`));
  on("copy-link", "click", async () => {
    if (state.file) throw new Error("a link cannot hold a dropped file; send the file too, and the lines for the command");
    history.replaceState(null, "", toFragment({ ...state.recipe, steps: state.frame.steps }));
    await navigator.clipboard.writeText(location.href);
    say(state.touched ? "The link is copied. What was painted, or changed after the first step, is not in it." : "The link is copied.");
  });
  on("copy-commands", "click", async () => {
    await navigator.clipboard.writeText(byId("commands").textContent);
    say("The lines are copied.");
  });
  connectDrop();
  document.addEventListener("keydown", (event) => {
    const action = { " ": play, ".": step, r: reset }[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.target.closest("input, select, button, summary")) return;
    event.preventDefault();
    action();
  });
  addEventListener("hashchange", tried(openLink));
}

function connectDrop() {
  const drop = (name, action) => document.addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.toggle("dropping", name === "dragover");
    action?.(event);
  });
  drop("dragover");
  drop("dragleave");
  drop("drop", tried(async (event) => {
    const [file] = event.dataTransfer.files;
    if (file) await open(file);
  }));
}

async function openLink() {
  const { steps, ...recipe } = fromFragment(location.hash, state.tables);
  await attempt(recipe, generate);
  if (steps > 0) await simulation.ask("play", { until: steps });
}

async function start() {
  view = await View.open(byId("picture")); // first: it says so where a browser cannot do what the page needs
  byId("picture").addEventListener("webglcontextlost", () => say("the browser took the picture's memory away; load the page again", "error"));
  await simulation.opened;
  state.tables = await simulation.ask("tables");
  state.recipe = standard(state.tables);
  view.ondrawn = () => {
    simulation.ask("ready");
    showLegend(byId("legend"), byId("overlay").value ? JSON.parse(view.core.scene_legend()) : {});
  };
  new Pointer(view, byId("picture"), () => state.brush && { radius: radius(), falloff: 0.7 }, paint);
  fillPanel();
  connect();
  try {
    await openLink();
  } catch (error) {
    await generate();
    say(error.message, "error");
  }
  document.body.dataset.ready = "yes";
}

start().catch((error) => say(error.message, "error"));
