// ground.frag.glsl: draws the ground: rock, soil, grass, woods, snow, deposits and small rivers, in the light of sun and sky.
uniform vec2 range;         // lowest and highest land, exaggerated
uniform float change_scale; // 1/m
uniform vec2 rivers;        // log2 of the smallest river's depth; 1 / what log2 rises by to one that shows fully
uniform bool unlit;         // the colours alone, for textures
uniform float detail;       // 1: bumps smaller than a cell are lit; 0: not
uniform sampler2D changes;
#ifdef OVERLAID
uniform vec2 overlay_ends;  // the ends of the map's scale
uniform vec3 overlay_kind;  // 1: logarithmic; 1: transparent at 0; the value from which it is opaque
uniform sampler2D overlay_map, ramp;
#endif

vec3 normal_at(vec2 at, float level) {
    vec2 step = exp2(level) / cells;
#ifdef SIMPLE
    float z = height_at(at, level);
    vec2 rise = vec2(height_at(at + vec2(step.x, 0.0), level), height_at(at + vec2(0.0, step.y), level)) - z;
    return normalize(vec3(-rise / (step * cells * cell), 1.0));
#else
    float dx = height_at(at + vec2(step.x, 0.0), level) - height_at(at - vec2(step.x, 0.0), level);
    float dy = height_at(at + vec2(0.0, step.y), level) - height_at(at - vec2(0.0, step.y), level);
    return normalize(vec3(-vec2(dx, dy) / (2.0 * step * cells * cell), 1.0));
#endif
}

#ifdef OVERLAID
vec3 overlay_on(vec3 albedo, vec2 uv) {
    float v = textureLod(overlay_map, uv, 0.0).r;
    float at = overlay_kind.x > 0.5 ? log(max(v, overlay_ends.x) / overlay_ends.x) / log(overlay_ends.y / overlay_ends.x)
                                    : (v - overlay_ends.x) / (overlay_ends.y - overlay_ends.x);
    float from_0 = overlay_kind.x > 0.5 || overlay_ends.x >= 0.0 ? at : abs(2.0 * at - 1.0);
    float whole = overlay_kind.y > 0.5 ? smoothstep(0.0, max(overlay_kind.z, 0.01), from_0) : 1.0;
    float grey = dot(albedo, vec3(0.3, 0.5, 0.2));
    vec3 shown = textureLod(ramp, vec2((clamp(at, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5), 0.0).rgb;
    return mix(vec3(grey) * 1.3, shown, 0.92 * whole);
}
#endif

// What a place is made of.
struct material {
    vec3 albedo;
    vec2 bumps; // slope of bumps that are smaller than a cell or a few: towards x and y
};
void cover(inout material m, vec3 albedo, float rough, float share) {
    m.albedo = mix(m.albedo, albedo, share);
    m.bumps *= mix(1.0, rough, share);
}

#ifdef DRY
// Dry land, in place of grass, gravel and snow: sand on flats, and beds of ochre and pale rock that crop out on slopes, each at one height.
// Hard beds are steeper than the slope, and soft ones less so. uphill: the slope towards x and y, as drawn.
material dry_of(vec2 ground, float slope, vec2 uphill, float high, float grain, float patches, vec2 bumps, float level, float pixel) {
    float bend = high + 0.012 * textureLod(noise, ground / 900.0, max(level - 1.8, 0.0)).r;
    float bed = textureLod(noise, vec2(bend * 0.11, 0.61), 0.0).r;
    vec4 beds = textureLod(noise, vec2(bend * 0.42, 0.23), log2(107.5 * pixel / (range.y - range.x)));
    float thin = beds.r;
    vec3 rock = mix(vec3(0.185, 0.072, 0.040), vec3(0.27, 0.125, 0.066), smoothstep(0.30, 0.50, bed));
    rock = mix(rock, vec3(0.36, 0.245, 0.155), smoothstep(0.56, 0.70, bed));
    rock *= (0.66 + 0.46 * smoothstep(0.3, 0.65, thin)) * (1.0 + 0.14 * grain);
    vec3 sand = mix(vec3(0.225, 0.150, 0.085), vec3(0.315, 0.222, 0.132), clamp(0.5 + 0.8 * patches + 0.25 * grain, 0.0, 1.0));
    vec3 scrub = vec3(0.115, 0.105, 0.056);
    sand = mix(sand, scrub, 0.55 * smoothstep(0.05, 0.5, patches + 0.5 * grain));
    float rocky = smoothstep(0.015, 0.09, slope + 0.012 * grain + 0.015 * patches);
    return material(mix(sand, rock, rocky), mix(0.1, 1.0, rocky) * bumps + 8.0 * rocky * (beds.b - 0.5) * uphill);
}
#endif

// One noise is turned, so that its tiles do not show.
const mat2 turned = mat2(0.8, 0.6, -0.6, 0.8);

// `high` is the height from 0 to 1. A pixel is 2^level cells and `pixel` m wide.
material material_of(vec2 uv, vec2 ground, vec3 n, float high, float level, float pixel) {
    // Noise on two scales stands for details that no model resolves: grain, and patches of plants. It has 256 texels.
#ifdef SIMPLE
    vec2 both = textureLod(noise, ground / 130.0, max(level + 0.98, 0.0)).rg;
    float grain = 1.6 * both.g - 0.8, patches = 1.5 * both.r - 0.75, strata = 0.5, stands = patches, crags = 0.5;
    vec2 bumps = vec2(0.0);
#else
    vec4 fine = textureLod(noise, ground / 23.0, level + 3.476) + 0.6 * textureLod(noise, ground / 7.3, level + 5.132) - 0.8;
    vec4 coarse = textureLod(noise, turned * ground / 71.0, level + 1.850);
    float grain = fine.r, wide = textureLod(noise, ground / 190.0, level + 0.430).r;
    float patches = wide + 0.5 * coarse.r - 0.75, crags = smoothstep(0.32, 0.60, 0.5 * (wide + coarse.r) + 0.2 * grain);
    vec2 bumps = 3.0 * (fine.ba + (coarse.ba - 0.5) * turned);
    float stands = textureLod(noise, ground / 610.0, level - 1.25).r + 0.6 * patches - 0.5;
    float strata = textureLod(noise, vec2(high * 3.1 + 0.02 * grain, 0.37), log2(793.6 * pixel / (range.y - range.x))).r;
#endif
    float slope = 1.0 - normalize(vec3(n.xy, n.z * exaggeration)).z; // as it is, not as it is drawn
    float laid = textureLod(changes, uv, 0.0).r * change_scale;
#ifdef DRY
    material m = dry_of(ground, slope, -n.xy / n.z, high, grain, patches, bumps, level, pixel);
    vec3 silt = mix(vec3(0.50, 0.45, 0.385), vec3(0.60, 0.55, 0.48), clamp(0.5 + grain, 0.0, 1.0)); // paler than sand
    cover(m, silt, 0.2, 0.85 * smoothstep(0.06, 0.7, laid) * (1.0 - smoothstep(0.05, 0.15, slope)));
#else
    vec3 rock = mix(vec3(0.20, 0.182, 0.163), vec3(0.35, 0.326, 0.298), clamp(0.5 + 0.7 * grain + 0.3 * patches, 0.0, 1.0));
    rock *= (0.9 + 0.16 * strata) * (0.86 + 0.26 * crags);
    // Woods on gentle and steep slopes alike, grass in their clearings and above them.
    vec3 wood = mix(vec3(0.014, 0.026, 0.011), vec3(0.048, 0.066, 0.024), clamp(0.5 + 0.9 * grain + 0.2 * patches, 0.0, 1.0));
    vec3 grass = mix(vec3(0.070, 0.095, 0.030), vec3(0.150, 0.160, 0.062), clamp(0.5 + patches + 0.4 * grain, 0.0, 1.0));
    vec3 soil = mix(vec3(0.20, 0.15, 0.095), vec3(0.29, 0.235, 0.155), clamp(0.5 + grain, 0.0, 1.0));
    vec3 snow = vec3(0.84, 0.87, 0.92);
    // Plants grow up to the tops of hills: of a map that is wide for its relief. Snow lies lower on higher or steeper mountains.
    float relief = (range.y - range.x) / exaggeration, rise = relief / max(cells.x * cell.x, cells.y * cell.y);
    float mountain = smoothstep(0.05, 0.10, rise);
    float snow_line = mix(1.0, 0.62, max(smoothstep(0.08, 0.125, rise), smoothstep(1200.0, 2400.0, relief)));
    float steep = smoothstep(0.12, 0.30, slope + 0.07 * grain + 0.05 * patches);
    float bare = mountain * smoothstep(0.42, 0.74, high + 0.12 * patches + 0.05 * grain);
    float wooded = smoothstep(-0.10, 0.25, stands + 2.5 * slope) * (1.0 - mountain * smoothstep(0.30, 0.44, high + 0.08 * stands + 0.03 * grain));
    float rocky = max(steep, 0.55 * bare);
    vec3 plants = mix(mix(grass, soil, clamp(bare * 0.9 + 0.25 * smoothstep(0.04, 0.13, slope), 0.0, 1.0)), wood, wooded);
    material m = material(mix(plants, rock, rocky), mix(mix(0.15, 0.8, wooded), 1.1, rocky) * bumps);
    vec3 gravel = mix(vec3(0.40, 0.335, 0.235), vec3(0.52, 0.455, 0.34), clamp(0.5 + grain, 0.0, 1.0));
    cover(m, gravel, 0.3, 0.85 * smoothstep(0.06, 0.7, laid) * (1.0 - 0.6 * steep));
    cover(m, rock * 0.85, 1.0, 0.55 * smoothstep(0.1, 1.0, -laid));
    float snowy = mountain * smoothstep(snow_line, snow_line + 0.16, high + 0.10 * patches + 0.03 * grain)
                * (1.0 - smoothstep(0.20, 0.34, slope + 0.12 * grain + 0.08 * patches));
    cover(m, snow, 0.25, snowy);
#endif
    // Beside water that is drawn the ground is wet and dark; a film elsewhere leaves it as it is. Beds are silt and sand.
    float depth = water_at(uv, max(level, 0.0)), per_cell = depth / (cell.x * exaggeration);
    vec3 bed = mix(vec3(0.19, 0.165, 0.115), vec3(0.28, 0.245, 0.18), clamp(0.5 + grain, 0.0, 1.0));
    cover(m, bed, 0.2, 0.85 * smoothstep(0.02, 0.12, per_cell) * step(threshold, depth));
    m.albedo *= 1.0 - 0.35 * smoothstep(1.0, 1.5, depth / threshold);
    return m;
}

#ifdef ICE
uniform float firn_line; // m, exaggerated

// Firn is white. Below it ice is bare: grey, with debris along its rim, and blue where it is steep and breaks into crevasses.
// Around it the ground is bare debris, and thin ice on walls lies in patches.
void add_ice(inout material m, vec2 uv, vec2 ground, vec3 n, float z, float level) {
    float fine = max(level, 0.0), per_m = 1.0 / (cell.x * exaggeration), slope = 1.0 - normalize(vec3(n.xy, n.z * exaggeration)).z;
    float thick = ice_at(uv, fine) * per_m, around = ice_at(uv, fine + 2.0) * per_m, wide = ice_at(uv, fine + 4.5) * per_m;
#ifdef SIMPLE
    float grain = 0.0, patches = 0.0, bands = 0.5;
#else
    float grain = textureLod(noise, ground / 17.0, level + 3.913).r - 0.5;
    float patches = textureLod(noise, ground / 120.0, level + 1.093).r - 0.5;
    float bands = textureLod(noise, ground / 75.0 + vec2(z * per_m / 9.0, 0.0), level + 1.8).r;
#endif
    float firn = smoothstep(-0.04, 0.04, (z - firn_line) / (range.y - range.x) + 0.08 * patches + 0.03 * grain);
    vec3 debris = mix(vec3(0.15, 0.137, 0.122), vec3(0.27, 0.25, 0.225), clamp(0.5 + 1.2 * grain + 0.4 * patches, 0.0, 1.0));
    cover(m, debris, 0.7, 0.85 * smoothstep(0.03, 0.30, wide + 0.25 * patches + 0.1 * grain) * (1.0 - smoothstep(0.2, 0.35, slope)));
    vec3 bare = mix(vec3(0.30, 0.355, 0.40), vec3(0.52, 0.58, 0.62), clamp(0.5 + 0.9 * grain + 0.9 * patches, 0.0, 1.0));
    vec3 ice = mix(bare, vec3(0.72, 0.76, 0.82) * (0.96 + 0.08 * grain), firn);
    float broken = smoothstep(0.008, 0.06, slope) * smoothstep(0.48, 0.66, bands);
    ice = mix(ice, vec3(0.17, 0.30, 0.40), broken * mix(0.5, 0.22, firn));
    float rim = 1.0 - smoothstep(0.55, 0.85, around / max(thick, 1e-6) + 0.5 * patches + 0.2 * grain);
    ice = mix(ice, debris, (1.0 - firn) * max(rim, 1.0 - smoothstep(0.1, 0.5, thick + 0.3 * patches)));
    float shows = 0.01 + 0.9 * smoothstep(0.22, 0.40, slope + 0.06 * patches + 0.05 * grain);
    cover(m, ice, 0.2, smoothstep(shows, 2.0 * shows + 0.1, thick));
}
#endif

#ifdef RIVERS
// Rivers without a surface. From near the depth is smoothed, or they would be lines of squares.
void add_river(inout material m, vec2 uv, float level) {
    float depth = water_at(uv, max(level, min(-level, 1.0)));
    float river = smoothstep(0.0, 1.0, (log2(max(depth, 1e-30)) - rivers.x) * rivers.y) * river_at(uv, level).x;
#ifdef DRY
    cover(m, vec3(0.40, 0.335, 0.250), 0.2, 0.7 * river); // a wash
#else
    cover(m, vec3(0.085, 0.150, 0.205), 0.1, 0.9 * river);
#endif
}
#endif

vec3 ground_of(view v, vec3 world, float ahead) {
    vec2 uv = uv_of(world);
    float facing_level = log2(pixel_at(ahead) / cell.x);
#ifdef SIMPLE
    float level = facing_level;
    vec3 n = normal_at(uv, max(level, 0.0)), wide = n;
#else
    vec3 wide = normal_at(uv, max(facing_level, 0.0) + 2.0);
    float level = level_of(apart_on(v, wide, 0.05, ahead));
    vec3 n = normal_at(uv, max(level, 0.0));
#endif
    float high = (world.z - range.x) / max(range.y - range.x, 1e-6);
    material m = material_of(uv, world.xy / cell.x, n, high, level, pixel_at(ahead));
#ifdef ICE
    add_ice(m, uv, world.xy / cell.x, n, world.z, level);
#endif
#ifdef OVERLAID
    m = material(overlay_on(m.albedo, uv), vec2(0.0)); // the map alone
#endif
    if (unlit) return m.albedo;
#ifdef RIVERS
    add_river(m, uv, facing_level);
#endif
    n = normalize(vec3(n.xy - n.z * detail * m.bumps, n.z));
    vec2 light = light_at(uv);
    // What is not sky is ground around, much of it in the sun: it lights shaded cliffs from the side.
#ifdef DRY
    vec3 around = vec3(0.150, 0.105, 0.075) * sunlight;
#else
    vec3 around = vec3(0.050, 0.047, 0.034) * sunlight;
#endif
    float in_sun = light.g, facing = max(dot(n, sun), 0.0), sky = light.r * (0.5 + 0.5 * mix(n.z, wide.z, 0.5));
    around *= 1.0 - 0.75 * dot(n.xy, sun.xy); // sunlit slopes are opposite to shaded ones
    vec3 ambient = mix(around, vec3(0.30, 0.40, 0.58), sky);
    return m.albedo * (sunlight * facing * in_sun * (0.6 + 0.4 * light.r) + ambient);
}

void main() {
    vec4 ahead = samples_of(grounds), mask = vec4(greaterThan(ahead, vec4(0.0)));
    vec4 near = near_ones(mask, ahead), rest = mask - near;
    vec3 c = vec3(0.0);
    int parts = dot(rest, vec4(1.0)) > 0.0 ? 2 : 1;
    for (int i = 0; i < parts; i++) {
        part p = part_of(i == 0 ? near : rest, ahead);
        view v = view_through(p.spot);
        vec3 world = place_of(v, p.spot, p.ahead);
        vec3 ground = ground_of(v, world, p.ahead);
        c += p.share * (unlit ? to_srgb(clamp(ground, 0.0, 1.0)) : to_screen(through_air(ground, v.towards, distance(world, eye))));
    }
    if (unlit) c /= max(0.25 * dot(mask, vec4(1.0)), 0.01); // pixels at the border are half empty
    colour = vec4(dithered(c), 1.0);
}
