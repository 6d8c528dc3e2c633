/* light.c: the light map: the visible shares of the sky and of the sun, for at most 1024 x 1024 places. It is computed
 * from the heights. While the ground keeps changing, each picture computes a part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "render/landscape/landscape.h"

#define MOST 1024     /* places per side */
#define SLICE_S 0.003 /* least time per picture while the ground changes, */
#define SHARE 0.08    /* or this share of the time since the one before, */
#define MOST_S 0.02   /* but no more */
#define NO_SHADOW -1e30f

static size_t rows_before(const light *light, int scale) { /* of the stretched copies */
    size_t rows = 0;
    for (int i = 0; i < scale; i++) rows += (size_t)light->copy_rows[i];
    return rows;
}

/* The heights of ground and ice, and smaller copies of them, stretched to the map's width. */
static const float *row_of(const wadi_landscape *l, int scale, int row) {
    const light *light = &l->light;
    return &light->stretched[(rows_before(light, scale) + (size_t)row) * (size_t)light->width];
}

bool landscape_make_light(wadi_landscape *l) {
    light *light = &l->light;
    while (level_size(l->width, light->level) > MOST || level_size(l->height, light->level) > MOST) light->level++;
    light->width = level_size(l->width, light->level), light->height = level_size(l->height, light->level);
    for (int i = 0; i < LIGHT_SCALES; i++) light->copy_rows[i] = level_size(light->height, i);
    light->age = DUE;
    light->map = malloc((size_t)light->width * (size_t)light->height * 2);
    light->rows = malloc((size_t)(light->width + light->height) * 6 * sizeof(float));
    light->stretched = malloc(rows_before(light, LIGHT_SCALES) * (size_t)light->width * sizeof(float));
    return light->map != NULL && light->rows != NULL && light->stretched != NULL;
}

/* --- the sky: higher ground around hides it; each scale is twice the one before --- */

static float between(const float *row, int left, int right, float part) {
    return row[left] + (row[right] - row[left]) * part;
}

static void stretch_row(wadi_landscape *l, size_t row) {
    light *light = &l->light;
    int scale = 0;
    while (row >= rows_before(light, scale + 1)) scale++;
    const int smallest = l->level_count - 1;
    const int level = light->level + scale < smallest ? light->level + scale : smallest,
              y = (int)(row - rows_before(light, scale));
    const int width = level_size(l->width, level), last = width - 1;
    const size_t first = (size_t)y * (size_t)width;
    const float *heights = &l->layers[WADI_LAYER_HEIGHT].levels[level][first],
                *ice = landscape_is_icy(l) ? &l->layers[WADI_LAYER_ICE].levels[level][first] : NULL;
    float *to = &light->stretched[row * (size_t)light->width];
    const float step = (float)width / (float)light->width;
    for (int x = 0; x < light->width; x++) {
        const float at = ((float)x + 0.5f) * step - 0.5f, u = at > 0 ? at : 0;
        const int k = (int)u < last ? (int)u : last, right = k < last ? k + 1 : k;
        to[x] = between(heights, k, right, u - (float)k) + (ice != NULL ? between(ice, k, right, u - (float)k) : 0);
    }
}

static inline float rise_of(float there, float here, float per_m) {
    float rise = (there - here) * per_m;
    rise = rise > -0.4f ? rise : -0.4f;
    return rise < 2.0f ? rise : 2.0f;
}

/* Adds the steepness from a row's places to those `aside` columns away, between two rows of a copy. */
static void add_rise(const float *here, const float *a, const float *b, float down, int aside, float per_m, int width,
                     float *sum) {
    const int first = aside < 0 ? -aside : 0, end = aside > 0 ? width - aside : width;
    for (int x = first; x < end; x++)
        sum[x] += rise_of(a[x + aside] + (b[x + aside] - a[x + aside]) * down, here[x], per_m);
    const int edge = aside < 0 ? 0 : width - 1;
    const float beyond = a[edge] + (b[edge] - a[edge]) * down;
    for (int x = 0; x < first && x < width; x++) sum[x] += rise_of(beyond, here[x], per_m);
    for (int x = end > first ? end : first; x < width; x++) sum[x] += rise_of(beyond, here[x], per_m);
}

/* The rise around a row at one scale: four places, slightly rotated. */
static void look_around(const wadi_landscape *l, int y, int scale, const float *here, float *sum) {
    static const double places[4][2] = {{1, 0.35}, {-0.35, 1}, {-1, -0.35}, {0.35, -1}};
    const light *light = &l->light;
    const int rows = light->copy_rows[scale];
    const double reach = 1.5 * ldexp(1, scale);
    const float per_m = (float)(l->lit_for[2] / (ldexp(reach, light->level) * l->lx));
    memset(sum, 0, (size_t)light->width * sizeof *sum);
    for (int k = 0; k < 4; k++) {
        const double at = (y + 0.5 + reach * places[k][1]) * rows / light->height - 0.5;
        const double v = fmin(fmax(at, 0), rows - 1);
        const int j = (int)v, below = j + 1 < rows ? j + 1 : j;
        int aside = (int)lround(reach * places[k][0]);
        if (abs(aside) >= light->width) aside = aside < 0 ? 1 - light->width : light->width - 1;
        add_rise(here, row_of(l, scale, j), row_of(l, scale, below), (float)(v - j), aside, per_m, light->width, sum);
    }
}

static void sky_row(wadi_landscape *l, int y) {
    light *light = &l->light;
    const int width = light->width;
    const float *here = row_of(l, 0, y);
    float *sum = light->rows, *hidden = sum + width;
    memset(hidden, 0, (size_t)width * sizeof *hidden);
    for (int i = 0; i < LIGHT_SCALES; i++) {
        look_around(l, y, i, here, sum);
        for (int x = 0; x < width; x++) {
            const float most = sum[x] > 0 ? 0.25f * sum[x] : 0, now = 0.6f * hidden[x] + 0.75f * most;
            hidden[x] = 0.85f * hidden[x] > now ? 0.85f * hidden[x] : now;
        }
    }
    uint8_t *out = &light->map[(size_t)y * (size_t)width * 2];
    for (int x = 0; x < width; x++) out[2 * x] = (uint8_t)(255.0f / (1.0f + 3.5f * hidden[x]) + 0.5f);
}

/* --- the sun: shadows propagate from line to line, away from it --- */

typedef struct sweep {
    int lines, length;            /* of the map, across what the sun is more nearly along, and along it */
    size_t line_step, place_step; /* in the map */
    bool backwards;               /* the sun is beyond the last line */
    int whole;                /* places by which the ray towards the sun moves aside from line to line: whole ones, */
    float part;               /* and what is left */
    float step, falls, place; /* m: from line to line; that a shadow falls by then; a place's width */
    float exaggeration;
} sweep;

static sweep sweep_of(const wadi_landscape *l) {
    const light *light = &l->light;
    const vec3 sun = landscape_vec3_towards(l->lit_for[0], l->lit_for[1]);
    const double mx = l->lx * l->width / light->width, my = l->ly * l->height / light->height;
    const double level = fmax(hypot(sun.x, sun.y), 1e-3), x = sun.x / mx, y = sun.y / my;
    const bool by_rows = fabs(y) >= fabs(x);
    const double ahead = by_rows ? y : x, aside = fabs(ahead) > 0 ? (by_rows ? x : y) / fabs(ahead) : 0;
    const double step = by_rows ? hypot(my, aside * mx) : hypot(mx, aside * my);
    return (sweep){.lines = by_rows ? light->height : light->width,
                   .length = by_rows ? light->width : light->height,
                   .line_step = by_rows ? (size_t)light->width : 1,
                   .place_step = by_rows ? 1 : (size_t)light->width,
                   .backwards = ahead > 0,
                   .whole = (int)floor(aside),
                   .part = (float)(aside - floor(aside)),
                   .step = (float)step,
                   .falls = (float)(step * sun.z / level),
                   .place = (float)mx,
                   .exaggeration = (float)l->lit_for[2]};
}

/* The height of the shadow over a line's places, and the distance of its caster, from the line before. */
static void hand_on(const sweep *s, float *high, float *away, float *shadow, float *distance) {
    const int first = s->whole < 0 ? -s->whole : 0, end = s->whole < 0 ? s->length : s->length - s->whole;
    high[s->length] = high[s->length - 1], away[s->length] = away[s->length - 1];
    for (int i = 0; i < s->length; i++) shadow[i] = NO_SHADOW, distance[i] = 0;
    for (int i = first; i < end; i++) {
        const int k = i + s->whole;
        shadow[i] = high[k] + (high[k + 1] - high[k]) * s->part - s->falls;
        distance[i] = away[k] + (away[k + 1] - away[k]) * s->part + s->step;
    }
}

/* 0 to 255. A shadow is softer the farther its caster is, and soft within a place, so that no dent of a slope has an
 * edge. */
static void light_line(const sweep *s, const float *z, const float *shadow, const float *distance, uint8_t *lit) {
    for (int i = 0; i < s->length; i++) {
        float v = 1 + (z[i] - shadow[i]) / (0.09f * distance[i] + 1.2f * s->place);
        v = v > 0 ? v : 0;
        v = v < 1 ? v : 1;
        lit[i * (ptrdiff_t)s->place_step * 2] = (uint8_t)(255.0f * (v * v * (3 - 2 * v)) + 0.5f);
    }
}

static void sun_line(wadi_landscape *l, int n) {
    light *light = &l->light;
    const sweep s = sweep_of(l);
    const int room = light->width + light->height;
    const size_t first = (size_t)(s.backwards ? s.lines - 1 - n : n) * s.line_step;
    const float *heights = &row_of(l, 0, 0)[first];
    float *z = light->rows, *shadow = z + room, *distance = shadow + room, *high = distance + room, *away = high + room;
    if (n == 0)
        for (int i = 0; i < s.length; i++) high[i] = NO_SHADOW, away[i] = 0;
    for (int i = 0; i < s.length; i++) z[i] = heights[(size_t)i * s.place_step] * s.exaggeration;
    hand_on(&s, high, away, shadow, distance);
    light_line(&s, z, shadow, distance, &light->map[2 * first + 1]);
    for (int i = 0; i < s.length; i++) {
        away[i] = z[i] > shadow[i] ? 0 : distance[i];
        high[i] = z[i] > shadow[i] ? z[i] : shadow[i];
    }
}

/* --- both, in their order --- */

static void upload(const wadi_landscape *l) {
    glBindTexture(GL_TEXTURE_2D, l->light.texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, l->light.width, l->light.height, GL_RG, GL_UNSIGNED_BYTE, l->light.map);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void landscape_light_up(wadi_landscape *l, const wadi_look *look) {
    light *light = &l->light;
    const double now[] = {look->sun_azimuth, look->sun_elevation, look_exaggeration(look)};
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the same bits, a NaN's too, need no new light */
    if (memcmp(now, l->lit_for, sizeof now) != 0) light->age = DUE;
    if (light->age == UP_TO_DATE && !light->making) return;
    const bool whole = light->age == DUE;
    const double began = platform_clock_s();
    if (whole || !light->making) { /* from the start */
        memcpy(l->lit_for, now, sizeof now);
        light->making = true, light->age = UP_TO_DATE, light->next = 0;
        light->worked = began;
    }
    const double until = began + fmin(fmax(SLICE_S, SHARE * (began - light->worked)), MOST_S);
    light->worked = began;
    const int copies = (int)rows_before(light, LIGHT_SCALES), rows = light->height, lines = sweep_of(l).lines;
    for (; light->next < copies + rows + lines; light->next++) {
        if (!whole && platform_clock_s() > until) return;
        if (light->next < copies)
            stretch_row(l, (size_t)light->next);
        else if (light->next < copies + rows)
            sky_row(l, light->next - copies);
        else
            sun_line(l, light->next - copies - rows);
    }
    light->making = false;
    upload(l);
}
