// cut.frag.glsl: draws the cut through the ground along the grid's rim, as layers of rock.
uniform float base, relief; // m, exaggerated: the cut's lower end; from the lowest to the highest height

vec3 cut_of(vec3 world, float pixel) {
    vec2 inwards = 0.5 * (cells - 1.0) * cell - abs(world.xy);
    vec3 n = inwards.x < inwards.y ? vec3(sign(world.x), 0.0, 0.0) : vec3(0.0, sign(world.y), 0.0);
    float below = height_at(uv_of(world), 0.0) - world.z, along = world.x + world.y;
    float level = log2(256.0 * pixel / relief); // mipmap level of noise that spans the relief
    float bend = 0.05 * textureLod(noise, vec2(along / (relief * 6.0), 0.2), level - 2.58).r;
    float band = textureLod(noise, vec2(0.13, (world.z / relief + bend) * 0.45), level - 1.15).r;
#ifdef SIMPLE
    float fine = 0.5;
#else
    float fine = textureLod(noise, vec2(along / relief * 0.3, world.z / relief * 5.0), level + 2.32).r;
#endif
    vec3 stone = mix(vec3(0.22, 0.165, 0.12), vec3(0.40, 0.325, 0.245), smoothstep(0.3, 0.7, band)) * (0.85 + 0.3 * fine);
    vec3 albedo = mix(vec3(0.10, 0.07, 0.045), stone, smoothstep(0.0, 0.05 * relief, below)); // soil at the top
#ifdef ICE
    float ice = ice_at(uv_of(world), 0.0);
    if (below < ice) albedo = mix(vec3(0.42, 0.56, 0.66), vec3(0.75, 0.80, 0.84), exp2(-8.0 * below / ice));
#endif
    float darker = mix(0.55, 1.0, smoothstep(base, base + 0.8 * relief, world.z));
    return albedo * darker * (sunlight * 0.55 * max(dot(n, sun), 0.0) + vec3(0.42, 0.46, 0.54));
}

void main() {
    vec4 ahead = -samples_of(grounds), mask = vec4(greaterThan(ahead, vec4(0.0)));
    part p = part_of(mask, ahead);
    view v = view_through(p.spot);
    vec3 world = place_of(v, p.spot, p.ahead);
    vec3 c = to_screen(through_air(cut_of(world, pixel_at(p.ahead)), v.towards, distance(world, eye)));
    colour = vec4(dithered(p.share * c), 1.0);
}
