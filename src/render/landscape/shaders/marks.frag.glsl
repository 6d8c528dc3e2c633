// marks.frag.glsl: draws marks on the ground or on the water: a place, the line of a section, the ring of a brush. Widths
// are in pixels at any distance.
uniform int kind;           // 0 a place, 1 a line, 2 a ring
uniform vec4 shape;         // m: middle, radius, and radius of an inner ring; or the ends of a line
uniform vec3 ink;
uniform float filled;       // 1: the inside is filled
uniform vec3 seen;          // a place in pixels, and its distance on the ground (m) within which it is visible
uniform float least_pixels; // the smallest radius of a place

vec4 over(vec4 below, vec3 c, float share) { return below * (1.0 - share) + vec4(c, 1.0) * share; }
float within(float pixels, float width) { return clamp(0.5 * width + 0.5 - abs(pixels), 0.0, 1.0); }

// Bright with dark edges, so that it is visible on snow and on rock.
vec4 stroke(vec4 below, float pixels, float width, vec3 c, float strength) {
    vec4 edged = over(below, vec3(0.03, 0.04, 0.05), 0.7 * strength * within(pixels, width + 2.4));
    return over(edged, c, strength * within(pixels, width));
}

// The number of pixels in 1 m across a direction. apart: see apart_on.
float pixels_a_metre(vec2 direction, vec4 apart) {
    return 1.0 / max(length(vec2(dot(direction, apart.xy), dot(direction, apart.zw))), 1e-12);
}

vec4 disc_at(vec2 at, vec4 apart) {
    vec2 from = at - shape.xy;
    float far = max(length(from), 1e-6), pixels = (far - shape.z) * pixels_a_metre(from / far, apart);
    if (far < seen.z) pixels = min(pixels, length(gl_FragCoord.xy - seen.xy) - least_pixels);
    return stroke(over(vec4(0.0), ink, 0.75 * filled * clamp(0.5 - pixels, 0.0, 1.0)), pixels, 2.0, mix(ink, vec3(1.0), 0.25), 1.0);
}

vec4 line_at(vec2 at, vec4 apart) {
    vec2 along = shape.zw - shape.xy, from = at - shape.xy;
    float whole = max(length(along), 1e-6);
    vec2 unit = along / whole, off = from - unit * clamp(dot(from, unit), 0.0, whole);
    float far = length(off);
    vec2 across = far > 1e-5 * whole ? off / far : vec2(-unit.y, unit.x);
    return stroke(vec4(0.0), far * pixels_a_metre(across, apart), 2.0, ink, 1.0);
}

vec4 ring_at(vec2 at, vec4 apart) {
    vec2 from = at - shape.xy;
    float far = max(length(from), 1e-6), pixels = pixels_a_metre(from / far, apart);
    vec4 inner = shape.w > 0.0 ? stroke(vec4(0.0), (far - shape.w) * pixels, 1.0, ink, 0.45) : vec4(0.0);
    return stroke(inner, (far - shape.z) * pixels, 1.8, ink, 1.0);
}

float surface_at(vec2 at, float level) { return height_at(at, level) + water_at(at, level); }

// The slope of ground and water, over some pixels.
vec3 normal_at(vec2 at, float level) {
    vec2 step = exp2(level) / cells;
    vec2 rise = vec2(surface_at(at + vec2(step.x, 0.0), level) - surface_at(at - vec2(step.x, 0.0), level),
                     surface_at(at + vec2(0.0, step.y), level) - surface_at(at - vec2(0.0, step.y), level));
    return normalize(vec3(-rise / (2.0 * step * cells * cell), 1.0));
}

void main() {
    vec4 ground = samples_of(grounds), surface = samples_of(surfaces), wet = vec4(greaterThan(surface, vec4(0.0)));
    vec4 mask = vec4(greaterThan(ground, vec4(0.0))), ahead = mix(ground, surface, wet);
    vec4 near = near_ones(mask, ahead), rest = mask - near, c = vec4(0.0);
    int parts = dot(rest, vec4(1.0)) > 0.0 ? 2 : 1;
    for (int i = 0; i < parts; i++) {
        part p = part_of(i == 0 ? near : rest, ahead);
        view v = view_through(p.spot);
        vec3 world = place_of(v, p.spot, p.ahead);
        float level = max(log2(pixel_at(p.ahead) / cell.x) + 2.0, 0.0);
        vec4 apart = apart_on(v, normal_at(uv_of(world), level), 0.15, p.ahead);
        c += p.share * (kind == 0 ? disc_at(world.xy, apart) : kind == 1 ? line_at(world.xy, apart) : ring_at(world.xy, apart));
    }
    colour = c;
}
