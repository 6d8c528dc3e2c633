// mesh.vert.glsl: places the corners of a patch on the ground or, with SURFACE, on the water. Farther patches are coarser.
// Near the distance of that change every second corner moves to its neighbour, so that patches meet without cracks.
layout(location = 0) in vec3 corner; // 1 to 4: below the patch's north, south, west, east rim, on the rim of the grid
layout(location = 1) in vec3 place;  // first cell, cells per quad
uniform mat4 view_projection;
uniform float reach_of_one; // the distance from which quads of 2 cells suffice
uniform float above;        // m: height of the eye above all ground
uniform float base;         // m: lower end of the cut through the ground
out float ahead;
out vec2 uv;

vec2 uv_of(vec2 at) { return (at + 0.5) / cells; }
vec2 world_of(vec2 at) { return (at - 0.5 * (cells - 1.0)) * cell; }

#ifdef SURFACE
// A dry place next to water has the level of that water. So the surface continues into the bank, which hides it.
float z_at(vec2 here, float level) {
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
#else
float z_at(vec2 here, float level) { return height_at(here, level); }
#endif

bool at_rim(vec2 at, float rim) {
    return rim < 1.5 ? at.y < 0.5 : rim < 2.5 ? at.y > cells.y - 1.5 : rim < 3.5 ? at.x < 0.5 : at.x > cells.x - 1.5;
}

void main() {
    float level = log2(place.z);
    vec2 at = min(place.xy + corner.xy * place.z, cells - 1.0);
    float away = length(vec3(world_of(at) - eye.xy, above)), next = reach_of_one * place.z; // distance of the next level
    float coarse = perspective ? clamp((away / next - 0.85) / 0.15, 0.0, 1.0) : 0.0;
    at = min(place.xy + (corner.xy - fract(corner.xy * 0.5) * 2.0 * coarse) * place.z, cells - 1.0);
    uv = uv_of(at);
    vec3 world = vec3(world_of(at), z_at(uv, max(level + coarse - 1.0, 0.0)));
#ifdef SURFACE
    float lower = min(world.z, height_at(uv, max(level + coarse - 1.0, 0.0))); // the water's side ends on the ground
#else
    float lower = base;
#endif
    if (corner.z > 0.5 && at_rim(at, corner.z)) world.z = lower;
    ahead = dot(world - eye, forward) + shift;
    gl_Position = view_projection * vec4(world, 1.0);
}
