// light.frag.glsl: for each place of the ground: how much of the sky it sees, and how much of the sun.
in vec2 at;
out vec4 colour;
uniform float finest; // mip level whose cells are this map's

void main() {
    vec2 here = at * 0.5 + 0.5;
    float z = height_at(here, finest), m = cell.x * exp2(finest);
    // Hollows: ground around that stands higher, by rings of twice the size each.
    float hidden = 0.0;
    for (int i = 0; i < 6; i++) {
        float level = finest + float(i), reach = 1.5 * exp2(level);
        vec2 r = reach / cells;
        float sum = 0.0;
        for (int k = 0; k < 4; k++) {
            vec2 d = k == 0 ? vec2(r.x, 0.35 * r.y) : k == 1 ? vec2(-0.35 * r.x, r.y) : k == 2 ? vec2(-r.x, -0.35 * r.y) : vec2(0.35 * r.x, -r.y);
            float rise = (height_at(here + d, level) - z) / (reach * cell.x);
            sum += clamp(rise, -0.4, 2.0);
        }
        hidden = max(hidden * 0.85, hidden * 0.6 + max(sum * 0.25, 0.0) * 0.75);
    }
    float sky = 1.0 / (1.0 + 3.5 * hidden);
    // The sun: along the ray towards it, in growing steps; a near miss is half a shadow.
    float lit = 1.0, along = 1.2 * m;
    vec2 level_sun = sun.xy / max(length(sun.xy), 1e-6);
    float rise = sun.z / max(length(sun.xy), 1e-3);
    for (int i = 0; i < 40; i++) {
        vec2 p = here + level_sun * along / (cell * cells);
        if (p.x < 0.0 || p.y < 0.0 || p.x > 1.0 || p.y > 1.0) break;
        float level = max(log2(along * 0.12 / cell.x), finest);
        float clear = z + rise * along - height_at(p, level);
        lit = min(lit, 0.5 + 0.5 * clear / (0.045 * along + 0.35 * m));
        along *= 1.16;
        if (lit <= 0.0) break;
    }
    colour = vec4(sky, smoothstep(0.0, 1.0, lit), 0.0, 1.0);
}
