// sky.frag.glsl: what is behind everything.
in vec2 at;
out vec4 colour;
uniform vec3 right, up; // half the picture at distance 1

void main() {
    vec3 d = perspective ? normalize(forward + right * at.x + up * at.y) : vec3(0.0);
    // below the horizon a quiet plain, as of a table in a studio
    vec3 rim = sky_towards(normalize(vec3(d.xy, 0.0) + vec3(1e-6, 0.0, 0.0))) * 0.9;
    vec3 below = mix(rim, vec3(0.50, 0.54, 0.58), 1.0 - smoothstep(-0.35, 0.0, d.z)) * mix(1.0, 0.78, 1.0 - smoothstep(-0.9, -0.2, d.z));
    vec3 c = !perspective ? vec3(0.82, 0.82, 0.80) : mix(below, sky_towards(d), smoothstep(-0.02, 0.02, d.z));
    colour = vec4(to_screen(c), 1.0);
}
