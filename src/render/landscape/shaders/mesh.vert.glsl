// mesh.vert.glsl: a patch's corners, put on the ground or, SURFACE, on the water. Towards the distance at which a patch would
// be coarser every other corner moves to its neighbour, so that patches meet without cracks.
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 place; // first cell, cells a quad
uniform mat4 view_projection;
uniform float reach_of_one; // the distance from which on quads of 2 cells do
uniform float threshold;    // m of water, exaggerated
out vec3 world;
out vec2 uv;

vec2 uv_of(vec2 at) { return (at + 0.5) / cells; }
vec2 world_of(vec2 at) { return (at - 0.5 * (cells - 1.0)) * cell; }

#ifdef SURFACE
// Where it is dry beside water, the water's level: it goes on into the bank, which hides it.
float surface_at(vec2 here, float level) {
    float b = height_at(here, level), d = water_at(here, level);
    if (d > threshold) return b + d;
    float sum = 0.0, wet = 0.0;
    vec2 step = exp2(level) / cells;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            vec2 beside = here + vec2(x, y) * step;
            float d1 = water_at(beside, level);
            if (d1 > threshold) {
                sum += height_at(beside, level) + d1;
                wet += 1.0;
            }
        }
    return wet > 0.0 ? min(sum / wet, b + d) : b - 2.0 * threshold;
}
#endif

void main() {
    float level = log2(place.z);
    vec2 at = min(place.xy + corner * place.z, cells - 1.0);
    vec3 first = vec3(world_of(at), height_at(uv_of(at), max(level - 1.0, 0.0)));
    float next = reach_of_one * place.z; // of the level after this one
    float coarse = perspective ? clamp((distance(first, eye) / next - 0.7) / 0.3, 0.0, 1.0) : 0.0;
    at = min(place.xy + (corner - fract(corner * 0.5) * 2.0 * coarse) * place.z, cells - 1.0);
    float sampled = max(level + coarse - 1.0, 0.0);
    uv = uv_of(at);
#ifdef SURFACE
    world = vec3(world_of(at), surface_at(uv, sampled));
#else
    world = vec3(world_of(at), height_at(uv, sampled));
#endif
    gl_Position = view_projection * vec4(world, 1.0);
}
