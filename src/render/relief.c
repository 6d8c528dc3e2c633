/* relief.c: light from five sides, at two scales, and the visible share of the sky.
 *
 * A single light from the north-west hides every ridge along its direction, so there are weaker lights too. The set is
 * symmetric about the diagonal. Detail would hide large forms, so a quarter of the light is that of a blurred surface.
 * Valleys are darker because they see less of the sky. Horizons are found in 16 directions, far ones on the blurred
 * surface. */
#include "relief.h"
#include "core/strict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "resample.h"

#define BLUR_RADIUS 15
#define BLUR_SIGMA 5.0

static const struct {
    float x, y, up, weight; /* towards the light; weight is over `up`, so that flat ground gets 1 */
} LIGHTS[] = {
    {-0.54168f, -0.54168f, 0.64279f, 0.46f / 0.64279f}, /* north-west, 40 degrees high */
    {-0.76604f, 0.0f, 0.64279f, 0.21f / 0.64279f},      /* west */
    {0.0f, -0.76604f, 0.64279f, 0.21f / 0.64279f},      /* north */
    {-0.45452f, 0.45452f, 0.76604f, 0.06f / 0.76604f},  /* south-west, 50 degrees high */
    {0.45452f, -0.45452f, 0.76604f, 0.06f / 0.76604f},  /* north-east */
};

float render_light(float gx, float gy) {
    const float scale = 1.0f / sqrtf(1.0f + gx * gx + gy * gy);
    float light = 0.0f;
    for (size_t i = 0; i < sizeof LIGHTS / sizeof *LIGHTS; i++) {
        const float facing = (LIGHTS[i].up - gx * LIGHTS[i].x - gy * LIGHTS[i].y) * scale;
        light += facing > 0.0f ? facing * LIGHTS[i].weight : 0.0f;
    }
    return light;
}

static bool covered(const render_relief *relief, int x, int y) {
    return x >= 0 && x < relief->width && y >= 0 && y < relief->height &&
           relief->coverage[(size_t)y * (size_t)relief->width + (size_t)x] >= RENDER_COVERED;
}

/* Height of the neighbour. Without one, the slope of the other side continues, so that an edge is not a cliff. */
static float neighbour(const render_relief *relief, int x, int y, int dx, int dy) {
    const float *ground = relief->ground;
    const size_t width = (size_t)relief->width;
    if (covered(relief, x + dx, y + dy)) return ground[(size_t)(y + dy) * width + (size_t)(x + dx)];
    const float here = ground[(size_t)y * width + (size_t)x];
    if (!covered(relief, x - dx, y - dy)) return here;
    return 2.0f * here - ground[(size_t)(y - dy) * width + (size_t)(x - dx)];
}

typedef struct gradient {
    float x, y; /* ground units per pixel */
} gradient;

/* The same as below, for pixels with all eight neighbours. */
static gradient gradient_inside(const float *at, int width) {
    const float nw = at[-width - 1], n = at[-width], ne = at[-width + 1], w = at[-1];
    const float e = at[1], sw = at[width - 1], s = at[width], se = at[width + 1];
    return (gradient){(ne + se - nw - sw + 2.0f * (e - w)) / 8.0f, (sw + se - nw - ne + 2.0f * (s - n)) / 8.0f};
}

/* Horn 1981: the 3x3 neighbourhood, with twice the weight for the middle row and column. */
static gradient gradient_at(const render_relief *relief, int x, int y) {
    if (!relief->holes && x > 0 && y > 0 && x + 1 < relief->width && y + 1 < relief->height)
        return gradient_inside(relief->ground + (size_t)y * (size_t)relief->width + (size_t)x, relief->width);
    const float nw = neighbour(relief, x, y, -1, -1), n = neighbour(relief, x, y, 0, -1);
    const float ne = neighbour(relief, x, y, 1, -1), w = neighbour(relief, x, y, -1, 0);
    const float e = neighbour(relief, x, y, 1, 0), sw = neighbour(relief, x, y, -1, 1);
    const float s = neighbour(relief, x, y, 0, 1), se = neighbour(relief, x, y, 1, 1);
    return (gradient){(ne + se - nw - sw + 2.0f * (e - w)) / 8.0f, (sw + se - nw - ne + 2.0f * (s - n)) / 8.0f};
}

#define BINS 512 /* an eighth of an octave each, from 2^-48 up */
float render_relief_typical_slope(const render_relief *relief) {
    uint64_t counts[BINS] = {0}, total = 0;
    for (int y = 0; y < relief->height; y++) {
        for (int x = 0; x < relief->width; x++) {
            if (!covered(relief, x, y)) continue;
            const gradient g = gradient_at(relief, x, y);
            const float slope = hypotf(g.x, g.y);
            if (!(slope > 0x1p-40f)) continue; /* flat parts do not count for the steepness of hills */
            const int bin = (int)((log2f(slope) + 48.0f) * 8.0f);
            counts[bin < 0 ? 0 : bin < BINS ? bin : BINS - 1]++;
            total++;
        }
    }
    uint64_t below = 0;
    for (int bin = 0; bin < BINS && total > 0; bin++) {
        below += counts[bin];
        if (below * 5 >= total * 4) return exp2f((float)(bin + 1) / 8.0f - 48.0f);
    }
    return 0.0f;
}

/* Places without data take roughly the height of the nearest place with data, so blur and horizons need no mask. */
static void fill_holes(const render_relief *relief, float *filled) {
    const size_t width = (size_t)relief->width, count = width * (size_t)relief->height;
    memcpy(filled, relief->ground, count * sizeof *filled);
    uint8_t *known = malloc(count);
    if (known == NULL) return; /* holes are then lowest ground: less pretty, but valid */
    for (size_t i = 0; i < count; i++) known[i] = relief->coverage[i] >= RENDER_COVERED;
    for (size_t i = 1; i < count; i++) {
        if (known[i]) continue;
        const bool left = i % width > 0 && known[i - 1], up = i >= width && known[i - width];
        if (left || up) filled[i] = filled[up ? i - width : i - 1];
        known[i] = left || up;
    }
    for (size_t i = count - 1; i-- > 0;) {
        if (known[i]) continue;
        const bool right = (i + 1) % width > 0 && known[i + 1], down = i + width < count && known[i + width];
        if (right || down) filled[i] = filled[down ? i + width : i + 1];
        known[i] = right || down;
    }
    free(known);
}

static void gaussian(float weights[2 * BLUR_RADIUS + 1]) {
    double sum = 0.0, exact[2 * BLUR_RADIUS + 1];
    for (int i = -BLUR_RADIUS; i <= BLUR_RADIUS; i++)
        sum += exact[i + BLUR_RADIUS] = exp(-0.5 * i * i / (BLUR_SIGMA * BLUR_SIGMA));
    for (int i = 0; i <= 2 * BLUR_RADIUS; i++) weights[i] = (float)(exact[i] / sum);
}

static int clamp_index(int i, int count) { return i < 0 ? 0 : i < count ? i : count - 1; }

/* Beyond the border the surface is mirrored at the border point, so that an even slope stays even. Value i is twice the
 * border's value minus the value at the same distance inside. */
static int mirror_index(int i, int count) { return clamp_index(i < 0 ? -i : 2 * (count - 1) - i, count); }

static void add_row(const float *restrict row, float *restrict out, int width, float weight) {
    for (int x = 0; x < width; x++) out[x] += weight * row[x];
}

static void blur_down(const float *in, float *out, int width, int height, int y, const float *weights) {
    for (int x = 0; x < width; x++) out[x] = 0.0f;
    for (int t = -BLUR_RADIUS; t <= BLUR_RADIUS; t++) {
        const float weight = weights[t + BLUR_RADIUS];
        const int at = y + t, border = clamp_index(at, height);
        add_row(in + (size_t)border * (size_t)width, out, width, at == border ? weight : 2.0f * weight);
        if (at != border) add_row(in + (size_t)mirror_index(at, height) * (size_t)width, out, width, -weight);
    }
}

static float turned(const float *in, int i, int count) {
    const int border = clamp_index(i, count);
    return i == border ? in[i] : 2.0f * in[border] - in[mirror_index(i, count)];
}

static void blur_across(const float *restrict in, float *restrict out, int width, const float *weights) {
    for (int x = 0; x < width; x++) {
        float sum = 0.0f;
        if (x >= BLUR_RADIUS && x + BLUR_RADIUS < width) {
            for (int t = 0; t <= 2 * BLUR_RADIUS; t++) sum += weights[t] * in[x + t - BLUR_RADIUS];
        } else {
            for (int t = 0; t <= 2 * BLUR_RADIUS; t++) sum += weights[t] * turned(in, x + t - BLUR_RADIUS, width);
        }
        out[x] = sum;
    }
}

static void blur(const render_relief *relief, const float *in, float *between, float *out) {
    float weights[2 * BLUR_RADIUS + 1];
    gaussian(weights);
    const int width = relief->width;
#pragma omp parallel num_threads(relief->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < relief->height; y++) {
            float *row = between + (size_t)y * (size_t)width;
            blur_down(in, row, width, relief->height, y, weights);
            blur_across(row, out + (size_t)y * (size_t)width, width, weights);
        }
    }
}

static void light_row(const render_relief *relief, const render_relief *large, int y) {
    for (int x = 0; x < relief->width; x++) {
        const size_t i = (size_t)y * (size_t)relief->width + (size_t)x;
        const float k = relief->steepness;
        const gradient fine = gradient_at(relief, x, y), broad = gradient_at(large, x, y);
        relief->light[i] =
            0.75f * render_light(k * fine.x, k * fine.y) + 0.25f * render_light(1.5f * k * broad.x, 1.5f * k * broad.y);
        relief->slope[i] = k * sqrtf(fine.x * fine.x + fine.y * fine.y);
        const float bulge = k * (relief->ground[i] - large->ground[i]) / (float)BLUR_SIGMA * 3.0f;
        relief->bulge[i] = bulge / sqrtf(1.0f + bulge * bulge);
    }
}

#define DIRECTIONS 16
static const int REACH[] = {1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90};
static const float SINES[DIRECTIONS + 4] = {
    0.0f,       0.382683f,  0.707107f, 0.923880f,  1.0f,       0.923880f,  0.707107f, 0.382683f, 0.0f,      -0.382683f,
    -0.707107f, -0.923880f, -1.0f,     -0.923880f, -0.707107f, -0.382683f, 0.0f,      0.382683f, 0.707107f, 0.923880f};

/* A picture needs 200 million of these, and sanitizers would take minutes. They check the rest. */
#define UNWATCHED __attribute__((no_sanitize("address", "undefined")))
UNWATCHED static void raise_row(const float *restrict to, const float *restrict from, float rise,
                                float *restrict horizon, int count) {
    for (int i = 0; i < count; i++) {
        const float tangent = (to[i] - from[i]) * rise;
        horizon[i] = tangent > horizon[i] ? tangent : horizon[i];
    }
}

/* Raises a row's horizons (tangents) by the surface at distance dx, dy. */
static void raise_horizon(const render_relief *relief, const float *filled, const float *blurred, int y, int dx, int dy,
                          float *restrict horizon) {
    const int width = relief->width;
    if (y + dy < 0 || y + dy >= relief->height || abs(dx) >= width) return;
    const float distance = sqrtf((float)(dx * dx + dy * dy));
    const float rise = relief->steepness / distance;
    const float *restrict from = filled + (size_t)y * (size_t)width;
    const float *restrict to = (distance > 6.0f ? blurred : filled) + (size_t)(y + dy) * (size_t)width;
    const int begin = dx < 0 ? -dx : 0, end = dx > 0 ? width - dx : width;
    raise_row(to + begin + dx, from + begin, rise, horizon + begin, end - begin);
}

static bool inside(const render_relief *relief, int x, int y) {
    return x >= 0 && x < relief->width && y >= 0 && y < relief->height;
}

/* If the next pixel is outside the map, the slope continues. Else a border below a slope would be too bright. */
static void start_horizon(const render_relief *relief, const float *filled, int y, int dx, int dy, float *horizon) {
    const float rise = relief->steepness / sqrtf((float)(dx * dx + dy * dy));
    const float *from = filled + (size_t)y * (size_t)relief->width;
    for (int x = 0; x < relief->width; x++) {
        horizon[x] = 0.0f;
        if (inside(relief, x + dx, y + dy) || !inside(relief, x - dx, y - dy)) continue;
        const float tangent = (from[x] - filled[(size_t)(y - dy) * (size_t)relief->width + (size_t)(x - dx)]) * rise;
        horizon[x] = tangent > 0.0f ? tangent : 0.0f;
    }
}

static void sky_row(const render_relief *relief, const float *filled, const float *blurred, int y, float *horizon) {
    const int width = relief->width;
    float *restrict sky = relief->sky + (size_t)y * (size_t)width;
    for (int x = 0; x < width; x++) sky[x] = 0.0f;
    for (int d = 0; d < DIRECTIONS; d++) {
        for (size_t r = 0; r < sizeof REACH / sizeof *REACH; r++) {
            const int dx = (int)lrintf((float)REACH[r] * SINES[d + 4]), dy = (int)lrintf((float)REACH[r] * SINES[d]);
            if (r == 0) start_horizon(relief, filled, y, dx, dy, horizon);
            raise_horizon(relief, filled, blurred, y, dx, dy, horizon);
        }
        for (int x = 0; x < width; x++) sky[x] += 1.0f - horizon[x] / sqrtf(1.0f + horizon[x] * horizon[x]);
    }
    for (int x = 0; x < width; x++) sky[x] /= DIRECTIONS;
}

wadi_status render_relief_shade(const render_relief *relief) {
    const size_t count = (size_t)relief->width * (size_t)relief->height;
    float *planes = malloc(count * 2 * sizeof *planes);
    float *horizons = malloc((size_t)relief->height * (size_t)relief->width * sizeof *horizons);
    if (planes == NULL || horizons == NULL) {
        free(planes);
        free(horizons);
        return wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory to shade %dx%d pixels", relief->width,
                         relief->height);
    }
    float *filled = planes, *blurred = planes + count;
    fill_holes(relief, filled);
    blur(relief, filled, horizons, blurred);
    render_relief large = *relief;
    large.ground = blurred;
#pragma omp parallel num_threads(relief->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < relief->height; y++) {
            light_row(relief, &large, y);
            sky_row(relief, filled, blurred, y, horizons + (size_t)y * (size_t)relief->width);
        }
    }
    free(planes);
    free(horizons);
    return WADI_OK;
}
