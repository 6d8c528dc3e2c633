// kind.frag.glsl: keeps the pixels that have a sample of a kind, for the stencil. The kind is its places' sign.
uniform int kind;

void main() {
    bvec4 here = equal(sign(samples_of(grounds)), vec4(float(kind)));
    if (!any(here)) discard;
    colour = vec4(0.0);
}
