// terrain.frag.glsl: the ground: rock, soil, grass, snow and what was laid down, in sun and sky light.
in vec3 world;
in vec2 uv;
out vec4 colour;
uniform sampler2D changes, overlay_map, light_map, noise, ramp, there;
uniform bool holes, overlaid, lit;
uniform float threshold;   // m of water, exaggerated
uniform vec2 overlay_ends; // its scale
uniform vec3 overlay_kind; // 1: logarithmic; 1: lets the ground through at 0; from where on it is whole
uniform vec2 range;        // of heights, exaggerated
uniform float change_scale;// 1/m

// Of the full-resolution field, at the size that a pixel has there.
vec3 normal_at(vec2 at, float level) {
    vec2 step = exp2(level) / cells;
    float dx = height_at(at + vec2(step.x, 0.0), level) - height_at(at - vec2(step.x, 0.0), level);
    float dy = height_at(at + vec2(0.0, step.y), level) - height_at(at - vec2(0.0, step.y), level);
    return normalize(vec3(-dx, -dy, 1.0) / vec3(2.0 * step * cells * cell, 1.0));
}

void main() {
    if (holes && texture(there, uv).r < 0.5) discard;
    vec2 across = dFdx(uv) * cells, down = dFdy(uv) * cells;
    float level = max(0.5 * log2(max(dot(across, across), dot(down, down))), 0.0);
    vec3 n = normal_at(uv, level), wide = normal_at(uv, level + 2.0);

    // Two scales of what no model resolves: a field's grain, and patches of growth.
    vec2 ground = world.xy / cell.x;
    float grain = texture(noise, ground / 23.0).r + 0.6 * texture(noise, ground / 7.3).r - 0.8;
    float patches = texture(noise, ground / 190.0).r + 0.5 * texture(noise, ground / 71.0).r - 0.75;

    float slope = 1.0 - n.z, high = (world.z - range.x) / max(range.y - range.x, 1e-6);
    vec3 rock = mix(vec3(0.21, 0.185, 0.16), vec3(0.36, 0.33, 0.295), clamp(0.5 + 0.7 * grain + 0.3 * patches, 0.0, 1.0));
    // strata: bands along the height
    rock *= 0.9 + 0.16 * texture(noise, vec2(high * 3.1 + 0.02 * grain, 0.37)).r;
    vec3 grass = mix(vec3(0.060, 0.088, 0.030), vec3(0.150, 0.155, 0.062), clamp(0.5 + patches + 0.4 * grain, 0.0, 1.0));
    vec3 soil = mix(vec3(0.20, 0.15, 0.095), vec3(0.29, 0.235, 0.155), clamp(0.5 + grain, 0.0, 1.0));
    vec3 snow = vec3(0.84, 0.87, 0.92);
    float steep = smoothstep(0.10, 0.30, slope + 0.05 * grain + 0.04 * patches);
    float bare = smoothstep(0.45, 0.78, high + 0.12 * patches + 0.05 * grain);
    vec3 albedo = mix(mix(grass, soil, clamp(bare * 0.9 + 0.25 * smoothstep(0.04, 0.13, slope), 0.0, 1.0)), rock,
                      max(steep, 0.55 * bare));
    float laid = texture(changes, uv).r * change_scale;
    vec3 gravel = mix(vec3(0.40, 0.335, 0.235), vec3(0.52, 0.455, 0.34), clamp(0.5 + grain, 0.0, 1.0));
    albedo = mix(albedo, gravel, 0.85 * smoothstep(0.06, 0.7, laid) * (1.0 - 0.6 * steep));
    albedo = mix(albedo, rock * 0.85, 0.55 * smoothstep(0.1, 1.0, -laid));
    float snowy = smoothstep(0.80, 0.92, high + 0.10 * patches + 0.03 * grain) * (1.0 - smoothstep(0.22, 0.42, slope));
    albedo = mix(albedo, snow, snowy);
    // the ground is wet and dark where there is, or just was, a film of water
    albedo *= 1.0 - 0.35 * smoothstep(0.0, 1.0, water_at(uv, level) / (0.004 * cell.x * exaggeration));

    if (overlaid) {
        float v = texture(overlay_map, uv).r;
        float at = overlay_kind.x > 0.5 ? log(max(v, overlay_ends.x) / overlay_ends.x) / log(overlay_ends.y / overlay_ends.x)
                                        : (v - overlay_ends.x) / (overlay_ends.y - overlay_ends.x);
        float whole = overlay_kind.y > 0.5 ? smoothstep(0.0, max(overlay_kind.z, 0.01), overlay_kind.x > 0.5 || overlay_ends.x >= 0.0
                                                  ? at : abs(2.0 * at - 1.0))
                                           : 1.0;
        float grey = dot(albedo, vec3(0.3, 0.5, 0.2));
        albedo = mix(vec3(grey) * 1.3, texture(ramp, vec2((clamp(at, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb, 0.92 * whole);
    }

    vec2 light = lit ? texture(light_map, uv).rg : vec2(1.0, 1.0);
    float sky_seen = light.r, in_sun = light.g;
    float facing = max(dot(n, sun), 0.0);
    vec3 from_sky = mix(vec3(0.22, 0.20, 0.17), vec3(0.30, 0.40, 0.58), 0.5 + 0.5 * mix(n.z, wide.z, 0.5)) * sky_seen;
    vec3 bounced = vec3(0.10, 0.085, 0.06) * max(dot(n, normalize(vec3(-sun.xy, 0.3))), 0.0) * sky_seen;
    vec3 c = albedo * (sunlight() * facing * in_sun * (0.6 + 0.4 * sky_seen) + from_sky + bounced);
    vec4 marks = marks_at(world.xy, dFdx(world.xy), dFdy(world.xy));
    marks *= 1.0 - step(threshold, water_at(uv, 0.0)); // where there is water they are on it
    colour = vec4(to_screen(through_air(c, world)) * (1.0 - marks.a) + marks.rgb, 1.0);
}
