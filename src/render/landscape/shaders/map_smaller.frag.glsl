// map_smaller.frag.glsl: a smaller copy of a map, from the one before: between its cells, as shrink in layers.c.
out float value;
uniform sampler2D larger;
uniform vec2 size; // of the smaller one

void main() { value = texture(larger, gl_FragCoord.xy / size).r; }
