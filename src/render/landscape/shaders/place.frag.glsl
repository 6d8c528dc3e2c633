// place.frag.glsl: writes how far ahead of the eye the visible place is; negative for the cut through the ground.
in float ahead;
in vec2 uv;
out float place;
#ifdef HOLES
uniform sampler2D there;
#endif
uniform float kind; // 1, or -1 for the cut

void main() {
#ifdef HOLES
    if (texture(there, uv).r < 0.5) discard;
#endif
    place = kind * ahead;
}
