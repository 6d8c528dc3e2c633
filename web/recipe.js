// recipe.js: what a picture was made from: terrain, model, preset and what was changed. It is text in three forms: the
// fragment of a link, the settings of the library's calls, and the lines that do the same with the command.
export const SIZES = [128, 256, 512, 1024];
const LARGEST_SEED = 4294967295;

export const standard = (tables) => ({
  kind: "warped", size: 512, world: 1024, seed: 11,
  model: tables.models[0].id, preset: tables.models[0].presets[0].name,
  knobs: {}, values: {}, steps: 0,
});

export const modelOf = (tables, recipe) => tables.models.find((model) => model.id === recipe.model);

export function toFragment(recipe) {
  const { kind, size, world, seed, model, preset, steps } = recipe;
  const words = new URLSearchParams({ kind, size, world, seed, model, preset });
  for (const [name, position] of Object.entries(recipe.knobs)) words.append("knob." + name, position);
  for (const [name, value] of Object.entries(recipe.values)) words.append("set." + name, value);
  if (steps > 0) words.append("steps", steps);
  return "#" + words;
}

function number(text, low, high, what, whole) {
  const value = Number(text);
  if (!/^-?[0-9.]+(e[-+]?[0-9]+)?$/i.test(text) || !(value >= low && value <= high) || (whole && !Number.isInteger(value)))
    throw new Error(`the link's ${what} is no number from ${low} to ${high}`);
  return value;
}

function one(text, names, what) {
  if (!names.includes(text)) throw new Error(`the link names no ${what} that there is`);
  return text;
}

function setting(text, parameter) {
  if (parameter.choices.length) return one(text, parameter.choices, `choice of ${parameter.name}`);
  return number(text, -Infinity, Infinity, parameter.name); // the library knows the range
}

// Takes nothing on trust: an error has one line, for the user.
export function fromFragment(fragment, tables) {
  const recipe = standard(tables);
  const names = (list) => list.map((item) => item.name);
  const words = [...new URLSearchParams(fragment.slice(1, 8192))];
  const find = (key) => words.find((word) => word[0] === key)?.[1];
  if (find("model") !== undefined) {
    recipe.model = one(find("model"), tables.models.map((model) => model.id), "model");
    recipe.preset = modelOf(tables, recipe).presets[0].name;
  }
  const model = modelOf(tables, recipe);
  for (const [key, text] of words) {
    const [what, name] = [key.slice(0, key.indexOf(".") + 1), key.slice(key.indexOf(".") + 1)];
    if (key === "model") continue;
    else if (key === "kind") recipe.kind = one(text, names(tables.kinds), "kind of terrain");
    else if (key === "size") recipe.size = number(text, 16, 2048, "size", true);
    else if (key === "world") recipe.world = number(text, 1, 1e6, "length");
    else if (key === "seed") recipe.seed = number(text, 0, LARGEST_SEED, "seed", true);
    else if (key === "steps") recipe.steps = number(text, 0, 1e7, "number of steps", true);
    else if (key === "preset") recipe.preset = one(text, names(model.presets), "preset of " + model.id);
    else if (what === "knob.") recipe.knobs[one(name, names(model.knobs), "knob of " + model.id)] = number(text, 0, 1, "knob");
    else if (what === "set.") {
      one(name, names(model.parameters), "parameter of " + model.id);
      recipe.values[name] = setting(text, model.parameters.find((parameter) => parameter.name === name));
    } else throw new Error("the link has a word that means nothing here");
  }
  return recipe;
}

// As page_create takes them.
export const toSettings = (recipe) =>
  [...Object.entries(recipe.knobs).map(([name, position]) => `knob ${name} ${position}`),
    ...Object.entries(recipe.values).map(([name, value]) => `set ${name} ${value}`)].join("\n");

// The command's way to the same bits. file: the name of a dropped one.
export function toCommands(recipe, facts, steps, file) {
  const { kind, size, world, seed, model, preset } = recipe;
  const command = (...words) => words.join(" \\\n    ");
  const more = [...Object.entries(recipe.knobs).map(([name, position]) => `--knob ${name}=${position}`),
    ...Object.entries(recipe.values).map(([name, value]) => `--set ${name}=${value}`)];
  const run = (input, ...words) => command(`wadi run ${input} -o eroded`, ...words, `--model ${model}`, `--preset ${preset}`,
    `--seed ${seed} --steps ${steps}`, "--levels 1 --settle off", ...more);
  if (file) return run(`'${file.replace(/^-/, "./-").replaceAll("'", "'\\''")}'`);
  return command(`wadi generate ${kind}`, `--size ${size}x${size} --seed ${seed}`, `--world-size ${world} -o terrain.tif`) + "\n" +
    run("terrain.tif", `--cell-size ${facts.lx}`);
}
