// brushes.js: the page's brushes, with the strengths that the window has (viewer/tools/brushes.c). `name` and `shifted` are
// names of the library's table of brushes.
export const BRUSHES = [
  { name: "raise", shifted: "lower", label: "Raise", help: "Raise the ground; with Shift lower it", strength: 10, grows: true },
  { name: "smooth", shifted: "smooth", label: "Smooth", help: "Smooth the ground", strength: 6 },
  { name: "flatten", shifted: "flatten", label: "Flatten", help: "Flatten to the height where the stroke began", strength: 6 },
  { name: "water", shifted: "drain", label: "Water", help: "Pour water; with Shift drain it", strength: 2, grows: true },
  { name: "rain", shifted: "dry", label: "Rain", help: "Paint where it rains; with Shift where it does not", strength: 1, needs: "rain" },
  { name: "harden", shifted: "soften", label: "Hardness", help: "Harden the rock; with Shift soften it", strength: 1, needs: "hardness" },
  { name: "protect", shifted: "expose", label: "Mask", help: "Protect the ground from erosion; with Shift expose it again", strength: 2 },
];
const DABS_A_SECOND = 30;

// The strength of one dab. power: the slider, 1 is usual. `grows`: it is a length, which goes with the size of a cell.
// rain: the model's usual rain, of which the brush of rain paints a multiple.
export function dabStrength(brush, power, cell, rain) {
  const strength = (brush.strength * power) / DABS_A_SECOND;
  if (brush.grows) return strength * cell;
  return brush.needs === "rain" ? strength * rain : Math.min(strength, 1);
}
