// copy.frag.glsl: copies the picture to its target.
uniform sampler2D pixels;

void main() { colour = texelFetch(pixels, ivec2(gl_FragCoord.xy), 0); }
