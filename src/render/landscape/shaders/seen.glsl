// seen.glsl: shared by the shaders that compute colours. For each sample of a pixel they know how far ahead of the eye the
// ground, the cut and the water are. From this follow the visible places. The stencil gives each shader the pixels that have
// a sample of its kind. SAMPLES: 4 or 1 per pixel. SIMPLE: a faster form.
flat in vec3 sunlight, zenith, horizon, opposite, rim; // see whole.vert.glsl
out vec4 colour;          // already multiplied by its share of the pixel
uniform vec3 sun;         // the direction towards it
uniform vec3 right, up;   // half the picture at distance 1, or without perspective
uniform vec2 picture;     // pixels
uniform float haze;       // 1/m
uniform bool lit;
uniform sampler2D light_map, noise;
#if SAMPLES > 1
uniform sampler2DMS grounds, surfaces; // m ahead; 0: nothing; grounds below 0: the cut
uniform vec4 spots_x, spots_y; // of a pixel's samples, from its middle, pixels
vec4 samples_of(sampler2DMS map) {
    ivec2 at = ivec2(gl_FragCoord.xy);
    return vec4(texelFetch(map, at, 0).r, texelFetch(map, at, 1).r, texelFetch(map, at, 2).r, texelFetch(map, at, 3).r);
}
#else
uniform sampler2D grounds, surfaces;
const vec4 spots_x = vec4(0.0), spots_y = vec4(0.0);
vec4 samples_of(sampler2D map) { return vec4(texelFetch(map, ivec2(gl_FragCoord.xy), 0).r); }
#endif

// --- light and air ---

// The sky in a direction: blue above, pale at the horizon, bright around the sun. Products replace the slow pow.
vec3 sky_towards(vec3 d) {
    float below = 1.0 - max(d.z, 0.0), s = max(dot(d, sun), 0.0);
    float near = below * below * below * below;
    vec3 sky = mix(zenith, horizon, near * near);
#ifdef SIMPLE
    return sky;
#endif
    float s4 = s * s * s * s, s8 = s4 * s4, s16 = s8 * s8, s32 = s16 * s16, s128 = s32 * s32 * s32 * s32;
    return sky + vec3(1.0, 0.86, 0.66) * (0.18 * s8 * s4 + 0.35 * s128 * s32 * s16 * s4);
}

// Adds the colour of the air in between. towards: direction of length 1 to a place `away` m away.
vec3 through_air(vec3 c, vec3 towards, float away) {
    if (!perspective) return c;
    return mix(sky_towards(vec3(towards.xy, max(towards.z, 0.02))) * 0.9, c, exp2(-1.442695 * haze * away));
}

// --- a pixel's rays ---

struct view {
    vec3 ray;         // the vector to a place 1 m ahead
    vec3 towards;     // the same, of length 1
    vec3 right, down; // to the next pixels' rays
};
view view_through(vec2 spot) {
    vec2 at = (gl_FragCoord.xy + spot) * 2.0 / picture - 1.0;
    vec3 ray = perspective ? forward + right * at.x + up * at.y : forward;
    return view(ray, normalize(ray), right * 2.0 / picture.x, -up * 2.0 / picture.y);
}
vec3 place_of(view v, vec2 spot, float ahead) {
    if (perspective) return eye + v.ray * ahead;
    vec2 at = (gl_FragCoord.xy + spot) * 2.0 / picture - 1.0;
    return eye + right * at.x + up * at.y + forward * (ahead - shift);
}
vec2 uv_of(vec3 world) { return world.xy / (cell * cells) + 0.5; }

// The distance on the map (m) between a pixel and its neighbours on a slope of this normal. The slope faces the eye by at
// least `least`. Otherwise the distance would be infinite along a line of sight.
vec4 apart_on(view v, vec3 n, float least, float ahead) {
    float facing = min(dot(n, v.ray), -least), m = perspective ? ahead : 1.0;
    return m * vec4((v.right - v.ray * (dot(n, v.right) / facing)).xy, (v.down - v.ray * (dot(n, v.down) / facing)).xy);
}
// A pixel's size in cells, as a power of 2: the number of the smaller copy of a map that is as coarse.
float level_of(vec4 apart) {
    vec4 c = apart / cell.xyxy;
    return 0.5 * log2(max(max(dot(c.xy, c.xy), dot(c.zw, c.zw)), 1e-12));
}
float pixel_at(float ahead) { return length(up) * 2.0 / picture.y * (perspective ? ahead : 1.0); } // m

vec2 light_at(vec2 uv) { return lit ? textureLod(light_map, uv, 0.0).rg : vec2(1.0); } // of the sky, of the sun

#if !defined(OVERLAID) && !defined(SIMPLE)
#define RIVERS // on the ground, not under a map
// x: how much of a river the ground shows: of one too shallow for a surface, or only a cell or two wide.
// y: how much the surface of the latter is hidden. From afar it would be a broken line. A pixel is 2^level cells wide.
vec2 river_at(vec2 uv, float level) {
    float small = max(level, 0.0), depth = water_at(uv, small), around = water_at(uv, small + 3.0);
    // A channel in the bed of a lake has deep water on all sides.
    vec2 aside = 4.0 * exp2(small) / cells, along = vec2(aside.x, 0.0), across = vec2(0.0, aside.y);
    float least = min(min(water_at(uv - along, small), water_at(uv + along, small)),
                      min(water_at(uv - across, small), water_at(uv + across, small)));
    float lake = smoothstep(0.5 * threshold, threshold, least);
    float narrow = (1.0 - smoothstep(0.15, 0.4, around / max(depth, 1e-30))) * smoothstep(-4.0, -3.0, level) * (1.0 - lake);
    // Between a sea and its shore the depth goes through that of a brook, too.
    float brook = (1.0 - smoothstep(threshold, 2.0 * threshold, depth)) * (1.0 - smoothstep(0.5 * threshold, threshold, around));
    return vec2(max(brook, narrow), narrow);
}
#endif

// --- a pixel's samples ---

// Samples of a pixel that see one surface: their share of all, their middle, and its distance ahead.
struct part {
    float share;
    vec2 spot;
    float ahead;
};
part part_of(vec4 mask, vec4 ahead) {
    float count = max(dot(mask, vec4(1.0)), 1e-6);
    return part(0.25 * count, vec2(dot(mask, spots_x), dot(mask, spots_y)) / count, dot(mask, ahead) / count);
}

// Chooses the near ones of the masked samples (1) where a pixel sees one surface far in front of another; else all.
vec4 near_ones(vec4 mask, vec4 ahead) {
#if SAMPLES > 1
    vec4 low = mix(vec4(1e30), ahead, mask), high = mix(vec4(0.0), ahead, mask);
    float near = min(min(low.x, low.y), min(low.z, low.w)), far = max(max(high.x, high.y), max(high.z, high.w));
    bool one = far - near <= 5.0 * pixel_at(near);
    return one ? mask : mask * vec4(lessThan(ahead, vec4(0.5 * (near + far))));
#else
    return mask;
#endif
}

// Noise of half a level, so that uniform skies have no bands.
vec3 dithered(vec3 c) {
    return c + (fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}
