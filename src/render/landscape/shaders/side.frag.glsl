// side.frag.glsl: layers in the cut.
in vec3 world;
in float depth;
in vec2 uv;
out vec4 colour;
uniform sampler2D noise, there;
uniform bool holes;
uniform float base, relief;

void main() {
    if (holes && texture(there, uv).r < 0.5) discard;
    vec3 n = normalize(cross(dFdx(world), dFdy(world)));
    if (dot(n, away(world)) > 0.0) n = -n;
    float along = world.x + world.y;
    float bend = 0.05 * texture(noise, vec2(along / (relief * 6.0), 0.2)).r;
    float band = texture(noise, vec2(0.13, (world.z / relief + bend) * 0.45)).r;
    float fine = texture(noise, vec2(along / relief * 0.3, world.z / relief * 5.0)).r;
    vec3 stone = mix(vec3(0.22, 0.165, 0.12), vec3(0.40, 0.325, 0.245), smoothstep(0.3, 0.7, band)) * (0.85 + 0.3 * fine);
    vec3 topsoil = vec3(0.10, 0.07, 0.045);
    vec3 albedo = mix(topsoil, stone, smoothstep(0.0, 0.05 * relief, depth));
    float darker = mix(0.55, 1.0, smoothstep(base, base + 0.8 * relief, world.z));
    vec3 c = albedo * darker * (sunlight() * 0.55 * max(dot(n, sun), 0.0) + vec3(0.42, 0.46, 0.54));
    colour = vec4(to_screen(through_air(c, world)), 1.0);
}
