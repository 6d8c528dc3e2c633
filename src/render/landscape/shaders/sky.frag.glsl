// sky.frag.glsl: draws the background.

vec3 sky_of(view v) {
    if (!perspective) return vec3(0.82, 0.82, 0.80);
    // Below the horizon: a plain surface, like a table in a studio.
    vec3 d = v.towards, edge = sky_towards(normalize(vec3(d.xy, 0.0) + vec3(1e-6, 0.0, 0.0))) * 0.9;
    vec3 below = mix(edge, vec3(0.45, 0.53, 0.61), 1.0 - smoothstep(-0.35, 0.0, d.z)) * mix(1.0, 0.78, 1.0 - smoothstep(-0.9, -0.2, d.z));
    return mix(below, sky_towards(d), smoothstep(-0.02, 0.02, d.z));
}

vec3 shown_of(view v) {
#ifdef SIMPLE
    if (!perspective) return to_screen(vec3(0.82, 0.82, 0.80));
    float below = smoothstep(-0.35, 0.0, v.towards.z), low = smoothstep(-0.9, -0.2, v.towards.z);
    return mix(to_screen(vec3(0.45, 0.53, 0.61)) * mix(0.87, 1.0, low), rim, below);
#else
    return to_screen(sky_of(v));
#endif
}

void main() {
#if SAMPLES > 1
    part p = part_of(vec4(equal(samples_of(grounds), vec4(0.0))), vec4(0.0));
#else
    part p = part_of(vec4(1.0), vec4(0.0));
#endif
    colour = vec4(dithered(p.share * shown_of(view_through(p.spot))), 1.0);
}
