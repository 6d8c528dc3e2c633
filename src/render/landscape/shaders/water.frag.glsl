// water.frag.glsl: the water's surface over the ground that is drawn already: light lost with depth, and the sky in it.
in vec3 world;
in vec2 uv;
out vec4 colour;
uniform sampler2D sediments, light_map, noise, there;
uniform float threshold, deep; // m, exaggerated
uniform bool holes, lit, overlaid;

float surface_at(vec2 at, float level) { return height_at(at, level) + water_at(at, level); }

void main() {
    if (holes && texture(there, uv).r < 0.5) discard;
    vec2 across = dFdx(uv) * cells, down = dFdy(uv) * cells;
    float level = max(0.5 * log2(max(dot(across, across), dot(down, down))), 0.0);
    float d = max(world.z - height_at(uv, level), water_at(uv, level));
    if (water_at(uv, level) < 0.4 * threshold || d < threshold) discard;

    vec2 step = exp2(level) / cells;
    vec2 slope = vec2(surface_at(uv - vec2(step.x, 0.0), level) - surface_at(uv + vec2(step.x, 0.0), level),
                      surface_at(uv - vec2(0.0, step.y), level) - surface_at(uv + vec2(0.0, step.y), level)) /
                 (2.0 * step * cells * cell);
    // near a shore the ground's own slope would be seen in the water
    slope *= smoothstep(threshold, 4.0 * threshold, water_at(uv, level)) * 0.7;
    vec2 ground = world.xy / cell.x;
    vec2 ripples = vec2(texture(noise, ground / 5.1).r + texture(noise, ground / 1.7 + 0.3).r,
                        texture(noise, ground.yx / 4.7).r + texture(noise, ground.yx / 1.9 + 0.7).r) - 1.0;
    vec3 n = normalize(vec3(slope + 0.035 * ripples / (1.0 + level * level), 1.0));

    vec3 seen = away(world);
    float glance = pow(1.0 - max(dot(-seen, n), 0.0), 5.0), fresnel = 0.02 + 0.98 * glance;
    vec3 mirrored = reflect(seen, n);
    mirrored.z = abs(mirrored.z);
    vec2 light = lit ? texture(light_map, uv).rg : vec2(1.0, 1.0);
    vec3 sky = sky_towards(mirrored) * mix(0.55, 1.0, light.r);
    float glint = pow(max(dot(mirrored, sun), 0.0), 420.0) * 5.0 * light.g;

    float carried = texture(sediments, uv).r * exaggeration, mud = carried / (carried + 0.25 * d);
    float path = d / max(-seen.z, 0.25);
    float opaque = 1.0 - exp(-2.6 * path / deep - mud * 1.5);
    vec3 shallow = vec3(0.10, 0.30, 0.34), dark = vec3(0.010, 0.065, 0.13), brown = vec3(0.30, 0.22, 0.13);
    vec3 body = mix(mix(shallow, dark, smoothstep(0.0, 1.0, path / deep)), brown, 0.6 * mud);
    body *= (sunlight() * 0.32 * max(sun.z, 0.1) * mix(0.4, 1.0, light.g) + vec3(0.30, 0.36, 0.44) * light.r);
    if (overlaid) opaque *= 0.55;
    float edge = smoothstep(threshold, 3.0 * threshold, d);
    vec3 c = body * opaque + sky * fresnel + sunlight() * glint;
    float cover = clamp(opaque + fresnel, 0.0, 1.0) * edge;
    vec4 marks = marks_at(world.xy, dFdx(world.xy), dFdy(world.xy));
    vec3 shown = to_screen(through_air(c / max(opaque + fresnel, 1e-3), world)) * cover * (1.0 - marks.a) + marks.rgb;
    cover = 1.0 - (1.0 - cover) * (1.0 - marks.a);
    colour = vec4(shown / max(cover, 1e-4), cover);
}
