// common.glsl: uniforms and functions that all shaders of the landscape share.
uniform vec2 cells; // of the grid
uniform vec2 cell;  // m
uniform float exaggeration;
uniform vec3 eye;
uniform vec3 forward;
uniform bool perspective;
uniform float shift;     // m: makes distances ahead of the eye positive, without perspective too
uniform float threshold; // m of water, exaggerated
uniform sampler2D heights, waters;

#ifdef ICE
uniform sampler2D ices;
float ice_at(vec2 at, float level) { return textureLod(ices, at, level).r * exaggeration; }
#else
float ice_at(vec2 at, float level) { return 0.0; }
#endif
// Of the ground or, where there is ice, of its surface.
float height_at(vec2 at, float level) { return textureLod(heights, at, level).r * exaggeration + ice_at(at, level); }
float water_at(vec2 at, float level) { return textureLod(waters, at, level).r * exaggeration; }

// Converts linear light from 0 to 1 to sRGB. Roots replace the slow pow; the error is at most 0.2 %.
vec3 to_srgb(vec3 c) {
    vec3 s1 = sqrt(c), s2 = sqrt(s1), s3 = sqrt(s2);
    return mix(12.92 * c, 0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * c, step(0.0031308, c));
}

// Converts linear light to sRGB. Highlights are rolled off by Narkowicz' fit of ACES.
vec3 to_screen(vec3 c) {
    c *= 0.72;
    return to_srgb(clamp((c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0));
}
