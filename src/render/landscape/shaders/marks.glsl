// marks.glsl: what is drawn on the ground or on the water over it: places, a section's line, the brush's ring. Widths are
// pixels, however far it is.
uniform int mark_count, line_count, ring_count; // loops of none cost nothing, even where both sides of an if are worked out
uniform vec4 mark_places[64];                   // m; radius; 1: filled
uniform vec3 mark_colours[64];
uniform vec3 mark_seen[64];                     // pixels; m on the ground within which those pixels show it
uniform float least_pixels;                     // of a place's radius
uniform vec4 line_ends; // m
uniform vec4 ring;      // m; radius; the inner ring's

vec4 over(vec4 below, vec3 ink, float share) { return below * (1.0 - share) + vec4(ink, 1.0) * share; }
float within(float pixels, float width) { return clamp(0.5 * width + 0.5 - abs(pixels), 0.0, 1.0); }

// Bright with dark edges: seen on snow and on rock alike.
vec4 stroke(vec4 below, float pixels, float width, vec3 ink, float strength) {
    vec4 edged = over(below, vec3(0.03, 0.04, 0.05), 0.7 * strength * within(pixels, width + 2.4));
    return over(edged, ink, strength * within(pixels, width));
}

// Pixels that a length of 1 m takes across a direction.
float pixels_a_metre(vec2 direction, vec2 right, vec2 down) {
    return 1.0 / max(length(vec2(dot(direction, right), dot(direction, down))), 1e-12);
}

vec4 mark_over(vec4 below, vec4 place, vec3 seen, vec3 colour, vec2 at, vec2 right, vec2 down) {
    vec2 from = at - place.xy;
    float far = max(length(from), 1e-6), pixels = (far - place.z) * pixels_a_metre(from / far, right, down);
    if (far < seen.z) pixels = min(pixels, length(gl_FragCoord.xy - seen.xy) - least_pixels);
    vec4 c = below;
    if (place.w > 0.5) c = over(c, colour, 0.75 * clamp(0.5 - pixels, 0.0, 1.0));
    return stroke(c, pixels, 2.0, mix(colour, vec3(1.0), 0.25), 1.0);
}

vec4 line_over(vec4 below, vec2 at, vec2 right, vec2 down) {
    vec2 along = line_ends.zw - line_ends.xy, from = at - line_ends.xy;
    float whole = max(length(along), 1e-6);
    vec2 unit = along / whole, off = from - unit * clamp(dot(from, unit), 0.0, whole);
    float far = length(off);
    vec2 across = far > 1e-5 * whole ? off / far : vec2(-unit.y, unit.x);
    return stroke(below, far * pixels_a_metre(across, right, down), 2.0, vec3(1.0, 0.86, 0.30), 1.0);
}

vec4 ring_over(vec4 below, vec2 at, vec2 right, vec2 down) {
    vec2 from = at - ring.xy;
    float far = max(length(from), 1e-6), pixels = pixels_a_metre(from / far, right, down);
    vec4 c = ring.w > 0.0 ? stroke(below, (far - ring.w) * pixels, 1.0, vec3(1.0, 0.97, 0.85), 0.45) : below;
    return stroke(c, (far - ring.z) * pixels, 1.8, vec3(1.0, 0.98, 0.90), 1.0);
}

// At a place (m); right, down: how far the next pixels' places are. Times its share already, for over() something else.
vec4 marks_at(vec2 at, vec2 right, vec2 down) {
    vec4 c = vec4(0.0);
    for (int i = 0; i < mark_count; i++) c = mark_over(c, mark_places[i], mark_seen[i], mark_colours[i], at, right, down);
    for (int i = 0; i < line_count; i++) c = line_over(c, at, right, down);
    for (int i = 0; i < ring_count; i++) c = ring_over(c, at, right, down);
    return c;
}
