// kind.frag.glsl: marks in the stencil the pixels that have a sample of a kind. The sign of a place is its kind.
uniform int kind;

void main() {
    bvec4 here = equal(sign(samples_of(grounds)), vec4(float(kind)));
    if (!any(here)) discard;
    colour = vec4(0.0);
}
