// copy.frag.glsl: the picture, to where it is wanted.
uniform sampler2D pixels;

void main() { colour = texelFetch(pixels, ivec2(gl_FragCoord.xy), 0); }
