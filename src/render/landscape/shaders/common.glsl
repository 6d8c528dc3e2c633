// common.glsl: what all shaders of the landscape know.
uniform vec2 cells;       // of the grid
uniform vec2 cell;        // m
uniform float exaggeration;
uniform vec3 eye;
uniform vec3 sun;         // towards it, exaggerated no less than the ground
uniform bool perspective;
uniform vec3 forward;
uniform sampler2D heights, waters;

float height_at(vec2 at, float level) { return textureLod(heights, at, level).r * exaggeration; }
float water_at(vec2 at, float level) { return textureLod(waters, at, level).r * exaggeration; }
vec3 away(vec3 world) { return perspective ? normalize(world - eye) : forward; }

// The sky towards a direction, in linear light: blue above, pale at the horizon, bright about the sun.
vec3 sky_towards(vec3 d) {
    float up = max(d.z, 0.0), low = 1.0 - smoothstep(0.0, 0.35, sun.z);
    vec3 zenith = mix(vec3(0.13, 0.29, 0.62), vec3(0.16, 0.22, 0.42), low);
    vec3 horizon = mix(vec3(0.62, 0.74, 0.87), vec3(0.85, 0.62, 0.45), low * 0.7);
    vec3 sky = mix(horizon, zenith, 1.0 - pow(1.0 - up, 3.0));
    float near_sun = max(dot(d, sun), 0.0);
    return sky + vec3(1.0, 0.86, 0.66) * (0.18 * pow(near_sun, 12.0) + 0.35 * pow(near_sun, 180.0));
}
vec3 sunlight() {
    float low = 1.0 - smoothstep(0.0, 0.4, sun.z);
    return mix(vec3(3.05, 2.85, 2.55), vec3(2.9, 1.9, 1.1), low);
}
// What lies in between takes the air's colour.
uniform float haze; // 1/m
vec3 through_air(vec3 colour, vec3 world) {
    if (!perspective) return colour;
    float d = length(world - eye);
    vec3 towards = (world - eye) / max(d, 1e-6);
    return mix(sky_towards(vec3(towards.xy, max(towards.z, 0.02))) * 0.9, colour, exp(-haze * d));
}
#ifdef FRAGMENT
// Linear light to a screen's, highlights rolled off (Narkowicz' fit of ACES), sRGB.
vec3 to_screen(vec3 c) {
    c *= 0.72;
    c = clamp((c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
    c = mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
    // half a level of noise, so that even skies have no bands
    return c + (fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}
#endif
