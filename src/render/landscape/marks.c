/* marks.c: what is drawn on the ground: the brush's ring, places, a section's line. */
#include <math.h>

#include "render/landscape/landscape.h"
#include "render/landscape/tell.h"

#define LEAST_PIXELS 4.5 /* of a place's radius */

static double east(const wadi_landscape *l, double x) { return (x - 0.5 * l->width) * l->lx; }
static double south(const wadi_landscape *l, double y) { return (y - 0.5 * l->height) * l->ly; }

/* Where a place is in the picture (pixels), and how far from it (m) on the ground it may be seen there. */
static void find_seen(const wadi_landscape *l, const eye *e, const wadi_mark *mark, const wadi_look *look, int height,
                      float seen[3]) {
    const vec3 at = {east(l, mark->x), south(l, mark->y),
                     landscape_surface(l, mark->x - 0.5, mark->y - 0.5, look_exaggeration(look))};
    const vec3 from = vec3_minus(at, e->at);
    const double away = e->perspective ? fmax(vec3_dot(from, e->forward), 1e-9) : 1, pixel_m = away / e->pixels_at_one;
    seen[0] = (float)(0.5 * height * e->aspect + vec3_dot(from, e->right) / pixel_m);
    seen[1] = (float)(0.5 * height + vec3_dot(from, e->up) / pixel_m);
    seen[2] = (float)(8 * LEAST_PIXELS * pixel_m);
}

static int tell_places(GLuint program, const wadi_landscape *l, const eye *e, const wadi_look *look, int height) {
    float places[WADI_MOST_MARKS][4], colours[WADI_MOST_MARKS][3], seen[WADI_MOST_MARKS][3];
    int count = 0;
    for (; (size_t)count < look->mark_count && count < WADI_MOST_MARKS; count++) {
        const wadi_mark *m = &look->marks[count];
        float *place = places[count];
        place[0] = (float)east(l, m->x), place[1] = (float)south(l, m->y);
        place[2] = (float)m->radius_m, place[3] = m->filled ? 1 : 0;
        find_seen(l, e, m, look, height, seen[count]);
        for (int i = 0; i < 3; i++) colours[count][i] = (float)(m->rgb >> (16 - 8 * i) & 255) / 255.0f;
    }
    if (count > 0) glUniform4fv(place_of(program, "mark_places"), count, &places[0][0]);
    if (count > 0) glUniform3fv(place_of(program, "mark_colours"), count, &colours[0][0]);
    if (count > 0) glUniform3fv(place_of(program, "mark_seen"), count, &seen[0][0]);
    tell1(program, "least_pixels", LEAST_PIXELS);
    return count;
}

void landscape_tell_marks(GLuint program, const wadi_landscape *l, const eye *e, const wadi_look *look, int height) {
    const bool ring = look->ring_radius_m > 0, inner = look->ring_falloff > 0 && look->ring_falloff < 1;
    tell_count(program, "mark_count", tell_places(program, l, e, look, height));
    tell_count(program, "line_count", look->line);
    tell_count(program, "ring_count", ring);
    if (look->line)
        tell4(program, "line_ends", east(l, look->line_x0), south(l, look->line_y0), east(l, look->line_x1),
              south(l, look->line_y1));
    if (ring)
        tell4(program, "ring", east(l, look->ring_x), south(l, look->ring_y), look->ring_radius_m,
              inner ? look->ring_radius_m * (1 - look->ring_falloff) : 0);
}
