// whole.vert.glsl: a triangle that covers the picture. It also computes the light of sun and sky (linear), the direction of
// reflected light, and the horizon on the screen.
uniform vec3 sun;
flat out vec3 sunlight, zenith, horizon, opposite, rim;

void main() {
    float low = 1.0 - smoothstep(0.0, 0.4, sun.z), lower = 1.0 - smoothstep(0.0, 0.35, sun.z);
    sunlight = mix(vec3(3.05, 2.85, 2.55), vec3(2.9, 1.9, 1.1), low);
    zenith = mix(vec3(0.13, 0.30, 0.66), vec3(0.16, 0.22, 0.42), lower);
    horizon = mix(vec3(0.60, 0.74, 0.90), vec3(0.85, 0.62, 0.45), lower * 0.7);
    rim = to_screen(horizon * 0.9);
    opposite = normalize(vec3(-sun.xy, 0.3));
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 1.0, 1.0);
}
