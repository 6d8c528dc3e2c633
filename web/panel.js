// panel.js: makes lists, sliders and rows from the library's tables.
export const byId = (id) => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function fillChoice(select, items, chosen) {
  select.replaceChildren(...items.map(({ value, label, title = "" }) => element("option", { value, textContent: label, title })));
  select.value = chosen;
}

// Short, and the same when it is read back.
export function numberText(value) {
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(6));
  return String(Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e7 ? rounded : rounded.toExponential());
}

let rows = 0;

// One knob, 0 to 1: changed(position) is called when it was moved; 0.5 is the preset.
export function knobRow(knob, position, changed) {
  const id = `knob-${knob.name}`;
  const slider = element("input", { type: "range", id, min: 0, max: 1, step: 0.01, value: position, title: knob.meaning });
  const shown = element("output", { textContent: numberText(position), htmlFor: id });
  slider.addEventListener("input", () => { shown.textContent = slider.value; });
  slider.addEventListener("change", () => changed(Number(slider.value)));
  slider.addEventListener("dblclick", () => { slider.value = 0.5; changed(0.5); });
  return element("div", { className: "row" }, element("label", { htmlFor: id, textContent: knob.name, title: knob.meaning }), slider, shown);
}

// One parameter: a choice, or a number within its range. changed(text) is called with the new value.
export function parameterRow(parameter, state, isChanged, changed, reset) {
  const id = `parameter-${rows++}`;
  const { choices } = parameter;
  const field = choices.length
    ? element("select", { id })
    : element("input", { id, type: "number", step: "any", min: state.low, max: state.high, value: numberText(state.value) });
  if (choices.length) fillChoice(field, choices.map((value) => ({ value, label: value })), choices[state.value]);
  field.dataset.name = parameter.name;
  field.addEventListener("change", () => changed(field.value));
  const unit = parameter.unit === "1" ? "" : parameter.unit;
  const back = element("button", { type: "button", className: "back", textContent: "↺", title: "As the preset has it", hidden: !isChanged });
  back.setAttribute("aria-label", `${parameter.alias}: as the preset has it`);
  back.addEventListener("click", reset);
  const range = choices.length ? "" : ` (${numberText(state.low)} to ${numberText(state.high)} ${unit})`;
  const label = element("label", { htmlFor: id, title: parameter.meaning + range }, element("b", { textContent: parameter.name }), " " + parameter.alias);
  return element("div", { className: isChanged ? "row changed" : "row" }, label, field, ...(choices.length ? [] : [element("small", { textContent: unit })]), back);
}

// The colours of a map over the ground, from low to high.
export function showLegend(box, legend) {
  box.hidden = !legend.title;
  if (!legend.title) return;
  const hex = (rgb) => "#" + rgb.toString(16).padStart(6, "0");
  const bar = element("canvas", { width: legend.colours.length, height: 1 });
  const pen = bar.getContext("2d");
  legend.colours.forEach((rgb, i) => { pen.fillStyle = hex(rgb); pen.fillRect(i, 0, 1, 1); });
  const ticks = element("div", { className: "ticks" });
  for (const [value, place] of legend.ticks) {
    const tick = element("span", { textContent: numberText(value) });
    tick.style.left = `${100 * place}%`;
    ticks.append(tick);
  }
  const unit = legend.unit && legend.unit !== "1" ? ` (${legend.unit})` : "";
  box.replaceChildren(element("div", { textContent: legend.title + unit }), bar, ticks);
}
