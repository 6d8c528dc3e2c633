// map_smaller.frag.glsl: makes the next smaller copy of a map. It averages cells like `shrink` in layers.c.
out float value;
uniform sampler2D larger;
uniform vec2 size; // of the smaller copy

void main() { value = texture(larger, gl_FragCoord.xy / size).r; }
