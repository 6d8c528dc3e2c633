// water.frag.glsl: draws water over the ground: light is lost with depth, and the surface reflects the sky.
uniform float deep; // m, exaggerated: nearly opaque
uniform sampler2D sediments;

float surface_at(vec2 at, float level) { return height_at(at, level) + water_at(at, level); }

vec2 slope_of_water(vec2 uv, float level, float shallow) {
#ifdef SIMPLE
    return vec2(0.0);
#else
    vec2 step = exp2(level) / cells;
    vec2 slope = vec2(surface_at(uv - vec2(step.x, 0.0), level) - surface_at(uv + vec2(step.x, 0.0), level),
                      surface_at(uv - vec2(0.0, step.y), level) - surface_at(uv + vec2(0.0, step.y), level)) /
                 (2.0 * step * cells * cell);
    // Near a shore the slope of the ground would show in the water.
    return slope * smoothstep(threshold, 4.0 * threshold, shallow) * 0.7;
#endif
}

// Long periods, here also turned: otherwise the tiles of the noise show from afar.
vec2 ripples_at(vec2 ground, float level) {
#ifdef SIMPLE
    return 2.0 * textureLod(noise, ground / 88.0, level + 1.54).rg - 1.0;
#else
    vec2 a = mat2(0.8, -0.6, 0.6, 0.8) * ground, b = mat2(0.28, -0.96, 0.96, 0.28) * ground;
    return vec2(textureLod(noise, a / 41.0, level + 2.65).r + textureLod(noise, b / 29.0 + 0.3, level + 3.14).r,
                textureLod(noise, b.yx / 37.6, level + 2.77).r + textureLod(noise, a.yx / 31.0 + 0.7, level + 3.04).r) - 1.0;
#endif
}

uniform bool sides;

// 1 on the side of the water at the grid's rim, 0 on its surface.
float side_at(vec3 world, vec2 uv, float pixel) {
    if (!sides) return 0.0;
    vec2 inwards = 0.5 * (cells - 1.0) * cell - abs(world.xy);
    float below = surface_at(uv, 0.0) - world.z;
    return step(min(inwards.x, inwards.y), 0.01 * cell.x + pixel) * smoothstep(0.5, 2.0, below / pixel);
}

// The side: light comes from above, and is lost on the way down.
vec4 side_of(vec3 world, vec2 uv) {
    float below = max(surface_at(uv, 0.0) - world.z, 0.0);
    vec3 body = mix(vec3(0.09, 0.27, 0.33), vec3(0.012, 0.07, 0.14), 1.0 - exp(-2.0 * below / deep));
    return vec4(body * (sunlight * 0.2 * max(sun.z, 0.1) + vec3(0.42, 0.48, 0.56)), 0.9);
}

// The colour, and the share of the ground that it hides.
vec4 water_of(view v, vec3 world, float ahead) {
    vec2 uv = uv_of(world);
    float fine = level_of(apart_on(v, vec3(0.0, 0.0, 1.0), 0.05, ahead)), level = max(fine, 0.0);
#ifdef SIMPLE
    float shallow = water_at(uv, level), d = shallow;
#else
    float shallow = water_at(uv, level), d = max(world.z - height_at(uv, level), shallow);
#endif
    vec3 n = normalize(vec3(slope_of_water(uv, level, shallow) + 0.035 * ripples_at(world.xy / cell.x, fine) / (1.0 + level * level), 1.0));

    float facing = 1.0 - max(dot(-v.towards, n), 0.0), glance = facing * facing, fresnel = 0.02 + 0.98 * glance * glance * facing;
    vec3 mirrored = reflect(v.towards, n);
    mirrored.z = abs(mirrored.z);
    vec2 light = mix(light_at(uv), vec2(1.0), smoothstep(0.1, 1.0, d / deep)); // the map is that of the bed
    vec3 sky = sky_towards(mirrored) * mix(0.55, 1.0, light.r);
    float s = max(dot(mirrored, sun), 0.0), s4 = s * s * s * s, s16 = s4 * s4 * s4 * s4, s32 = s16 * s16, s128 = s32 * s32 * s32 * s32;
    // Ripples too small to draw spread the sun's image to a sheen. Those that are drawn sparkle in its middle.
    float glint = (0.05 * s32 + 0.25 * s128 * s128) * light.g;

    float carried = textureLod(sediments, uv, 0.0).r * exaggeration, mud = carried / (carried + 0.25 * d);
    float path = d / max(-v.towards.z, 0.25);
    float opaque = 1.0 - exp(-2.6 * path / deep - mud * 1.5);
    vec3 shallows = vec3(0.10, 0.30, 0.34), dark = vec3(0.010, 0.065, 0.13), brown = vec3(0.30, 0.22, 0.13);
    vec3 body = mix(mix(shallows, dark, smoothstep(0.0, 1.0, path / deep)), brown, 0.6 * mud);
    body *= (sunlight * 0.32 * max(sun.z, 0.1) * mix(0.4, 1.0, light.g) + vec3(0.30, 0.36, 0.44) * light.r);
#ifdef OVERLAID
    opaque *= 0.55;
#endif
    vec3 c = body * opaque + sky * fresnel + sunlight * glint;
    float cover = clamp(opaque + fresnel, 0.0, 1.0) * smoothstep(threshold, 3.0 * threshold, d);
#ifdef RIVERS
    cover *= 1.0 - river_at(uv, log2(pixel_at(ahead) / cell.x)).y; // the ground has its colour
#endif
    // A film is half as deep as the threshold. The mesh lies above steep ground in places, so d alone would show it.
    cover *= smoothstep(0.6 * threshold, 0.8 * threshold, shallow);
    vec4 above = vec4(c / max(opaque + fresnel, 1e-3), cover);
    return mix(above, side_of(world, uv), side_at(world, uv, pixel_at(ahead)));
}

void main() {
    vec4 ahead = samples_of(surfaces), mask = vec4(greaterThan(ahead, vec4(0.0)));
    vec4 near = near_ones(mask, ahead), rest = mask - near;
    vec4 c = vec4(0.0);
    int parts = dot(rest, vec4(1.0)) > 0.0 ? 2 : 1;
    for (int i = 0; i < parts; i++) {
        part p = part_of(i == 0 ? near : rest, ahead);
        view v = view_through(p.spot);
        vec3 world = place_of(v, p.spot, p.ahead);
        vec4 water = water_of(v, world, p.ahead);
        vec3 shown = to_screen(through_air(water.rgb, v.towards, distance(world, eye)));
        c += p.share * water.a * vec4(shown, 1.0);
    }
    colour = c;
}
