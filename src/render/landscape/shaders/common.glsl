// common.glsl: what all shaders of the landscape know.
uniform vec2 cells; // of the grid
uniform vec2 cell;  // m
uniform float exaggeration;
uniform vec3 eye;
uniform vec3 forward;
uniform bool perspective;
uniform float shift;     // m: makes what is ahead of the eye more than 0 without perspective too
uniform float threshold; // m of water, exaggerated
uniform sampler2D heights, waters;

float height_at(vec2 at, float level) { return textureLod(heights, at, level).r * exaggeration; }
float water_at(vec2 at, float level) { return textureLod(waters, at, level).r * exaggeration; }
