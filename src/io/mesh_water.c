/* mesh_water.c: the surface of water where it is deeper than the threshold. Marching squares over the nodes: the shore
 * crosses the edges between nodes where the water's level meets the ground, so it does not follow the corners of cells.
 * Bodies that do not touch are objects of their own. */
#include "mesh_water.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define STEEPEST_BANK 0.8 /* of the neighbour's depth: a river one node wide in a gorge stays */
#define LEAST_OPACITY 0.05
enum { LEAST_NODES = 4, MOST_BODIES = 32 };

typedef struct node {
    float depth;   /* above 0: wet; below: of the bank, or thinner than the threshold; NaN: no data */
    float level;   /* m: of the water, where it is wet */
    uint32_t body; /* a node of the same body, at last the first of them; NONE: dry, or the sea */
    uint32_t corner;
    uint32_t right, below; /* the corners where the shore crosses the edges to the next nodes */
    bool sea;
} node;

typedef struct triangle {
    uint32_t corners[3];
    uint32_t body; /* a node; NONE: the sea */
} triangle;

typedef struct water {
    const io_surface *s;
    node *nodes;
    io_part all; /* the corners of all bodies */
    triangle *triangles;
    size_t triangle_count, triangle_room;
    double usual; /* m: the mean depth */
    bool failed;
} water;

static size_t count_of(const io_surface *s) { return (size_t)s->columns * (size_t)s->rows; }
static node *at(const water *w, int i, int j) { return &w->nodes[(size_t)j * (size_t)w->s->columns + (size_t)i]; }

static bool inside(const io_surface *s, int i, int j) { return i >= 0 && j >= 0 && i < s->columns && j < s->rows; }

static double water_at(const io_surface *s, int i, int j) {
    const wadi_mesh *m = s->mesh;
    const float depth = m->water[(size_t)io_node_y(s, j) * (size_t)m->width + (size_t)io_node_x(s, i)];
    return depth > 0 ? (double)depth : 0; /* no data: 0 */
}

/* --- the sea: what is lower than its level and joined to the border --- */

static bool is_below_sea(const water *w, int i, int j) {
    return io_node_has_data(w->s, i, j) && io_node_ground(w->s, i, j) < w->s->mesh->sea_m;
}

static bool flood_sea(water *w) {
    const io_surface *s = w->s;
    uint32_t *open = malloc(count_of(s) * sizeof *open);
    size_t count = 0;
    if (open == NULL) return false;
    for (int j = 0; j < s->rows; j++)
        for (int i = 0; i < s->columns; i++) {
            const bool border = i == 0 || j == 0 || i == s->columns - 1 || j == s->rows - 1;
            at(w, i, j)->sea = border && is_below_sea(w, i, j);
            if (at(w, i, j)->sea) open[count++] = (uint32_t)j * (uint32_t)s->columns + (uint32_t)i;
        }
    while (count > 0) {
        const uint32_t from = open[--count];
        const int x = (int)(from % (uint32_t)s->columns), y = (int)(from / (uint32_t)s->columns);
        for (int k = 0; k < 9; k++) {
            const int i = x + k % 3 - 1, j = y + k / 3 - 1;
            if (!inside(s, i, j) || at(w, i, j)->sea || !is_below_sea(w, i, j)) continue;
            at(w, i, j)->sea = true;
            open[count++] = (uint32_t)j * (uint32_t)s->columns + (uint32_t)i;
        }
    }
    free(open);
    return true;
}

/* --- depths --- */

static void set_wet(water *w, int i, int j) {
    const io_surface *s = w->s;
    node *n = at(w, i, j);
    const double ground = io_node_ground(s, i, j);
    if (!io_node_has_data(s, i, j)) {
        n->depth = NAN;
        return;
    }
    const double depth = n->sea ? s->mesh->sea_m - ground : water_at(s, i, j);
    n->depth = n->sea || depth > s->threshold ? (float)depth : 0;
    n->level = n->depth > 0 ? (float)(ground + depth) : 0;
}

/* Of a dry node next to water: the mean level there minus the ground. Lower ground has a film, and ends the water too.
 */
static void set_bank(water *w, int i, int j) {
    const io_surface *s = w->s;
    node *n = at(w, i, j);
    double sum = 0, deepest = 0;
    int wet = 0;
    bool sea = false;
    if (n->depth > 0 || isnan(n->depth)) return;
    for (int k = 0; k < 9; k++) {
        const int x = i + k % 3 - 1, y = j + k / 3 - 1;
        if (!inside(s, x, y) || !(at(w, x, y)->depth > 0)) continue;
        sum += (double)at(w, x, y)->level;
        deepest = fmax(deepest, (double)at(w, x, y)->depth);
        sea |= at(w, x, y)->sea;
        wet++;
    }
    if (wet == 0) return;
    const double film = fmin(water_at(s, i, j) - s->threshold, -1e-3 * s->threshold);
    const double bank = fmin(sum / wet - io_node_ground(s, i, j), film);
    n->depth = (float)(sea ? bank : fmax(bank, -STEEPEST_BANK * deepest));
}

static bool is_wet(const node *n) { return n->depth > 0; }

/* --- corners --- */

/* From the neighbours that are wet; a dry one counts as level. */
static double rise(const water *w, int i, int j, int dx, int dy, double cell) {
    const io_surface *s = w->s;
    double levels[2];
    for (int k = 0; k < 2; k++) {
        const int x = i + (k == 0 ? -dx : dx), y = j + (k == 0 ? -dy : dy);
        const bool there = inside(s, x, y) && is_wet(at(w, x, y));
        levels[k] = (double)(there ? at(w, x, y) : at(w, i, j))->level;
    }
    return s->exaggeration * (levels[1] - levels[0]) / (2 * cell * s->mesh->every);
}

static float *values_of(const io_part *part, uint32_t corner) { return &part->water[IO_WATER_VALUES * corner]; }

static void copy_values(const io_part *to, uint32_t corner, const io_part *from, uint32_t other) {
    memcpy(values_of(to, corner), values_of(from, other), IO_WATER_VALUES * sizeof(float));
}

/* Shallow water lets the ground through, and its shore has hardly any colour. */
static float opacity(const water *w, double depth) {
    return (float)(LEAST_OPACITY + (1 - LEAST_OPACITY) * (1 - exp(-1.4 * depth / w->usual)));
}

static void set_values(const water *w, int i, int j, uint32_t corner) {
    const wadi_mesh *m = w->s->mesh;
    const size_t cell = (size_t)io_node_y(w->s, j) * (size_t)m->width + (size_t)io_node_x(w->s, i);
    float *values = values_of(&w->all, corner);
    for (int k = 0; k < 3; k++) {
        const float value = m->flow[k] != NULL ? m->flow[k][cell] : NAN;
        values[k] = isfinite(value) ? value : k < 2 ? 0.5f : 0;
    }
    values[3] = opacity(w, (double)at(w, i, j)->depth);
}

static uint32_t add_corner(water *w) {
    if (w->failed || !io_part_room(&w->all, 1, 0)) {
        w->failed = true;
        return NONE;
    }
    return (uint32_t)w->all.corner_count++;
}

static uint32_t node_corner(water *w, int i, int j) {
    node *n = at(w, i, j);
    if (n->corner != NONE) return n->corner;
    n->corner = add_corner(w);
    if (n->corner == NONE) return NONE;
    io_corner *c = &w->all.corners[n->corner];
    const double gx = rise(w, i, j, 1, 0, w->s->mesh->lx), gy = rise(w, i, j, 0, 1, w->s->mesh->ly);
    const double size = sqrt(1 + gx * gx + gy * gy);
    io_node_place(w->s, i, j, c);
    c->at[2] = (float)(w->s->exaggeration * (double)n->level);
    c->normal[0] = (float)(-gx / size);
    c->normal[1] = (float)(-gy / size);
    c->normal[2] = (float)(1 / size);
    set_values(w, i, j, n->corner);
    return n->corner;
}

static float between(float a, float b, double share) { return (float)((double)a + share * ((double)b - (double)a)); }

/* The shore between a wet node and a dry one. It lies on the ground, or in it. */
static uint32_t cross(water *w, int i, int j, int dry_i, int dry_j) {
    const node *wet = at(w, i, j), *dry = at(w, dry_i, dry_j);
    const double a = (double)wet->depth, b = (double)dry->depth;
    const double share = fmin(fmax(a / (a - b), 0.02), 0.98);
    const uint32_t from = node_corner(w, i, j), made = add_corner(w);
    if (made == NONE) return NONE;
    const io_corner near = w->all.corners[from];
    io_corner far, *c = &w->all.corners[made];
    io_node_place(w->s, dry_i, dry_j, &far);
    *c = near;
    for (int k = 0; k < 2; k++) {
        c->at[k] = between(near.at[k], far.at[k], share);
        c->uv[k] = between(near.uv[k], far.uv[k], share);
    }
    const double here = io_node_ground(w->s, i, j), there = io_node_ground(w->s, dry_i, dry_j);
    c->at[2] = (float)(w->s->exaggeration * fmin(here + share * (there - here), (double)wet->level));
    copy_values(&w->all, made, &w->all, from);
    values_of(&w->all, made)[3] = opacity(w, 0);
    return made;
}

/* The corner of the shore on the edge of two nodes, of which the first lies north or west. */
static uint32_t shore_corner(water *w, int i, int j, int i2, int j2) {
    node *first = at(w, i < i2 ? i : i2, j < j2 ? j : j2);
    uint32_t *kept = i != i2 ? &first->right : &first->below;
    if (*kept == NONE) *kept = is_wet(at(w, i, j)) ? cross(w, i, j, i2, j2) : cross(w, i2, j2, i, j);
    return *kept;
}

/* --- triangles --- */

static void add_triangle(water *w, uint32_t a, uint32_t b, uint32_t c, uint32_t body) {
    if (w->triangle_count == w->triangle_room) {
        const size_t room = 2 * w->triangle_room + 1024;
        triangle *more = realloc(w->triangles, room * sizeof *more);
        w->failed |= more == NULL;
        if (more == NULL) return;
        w->triangles = more;
        w->triangle_room = room;
    }
    if (!w->failed) w->triangles[w->triangle_count++] = (triangle){{a, b, c}, body};
}

static uint32_t root_of(water *w, uint32_t n) {
    while (w->nodes[n].body != n) n = w->nodes[n].body = w->nodes[w->nodes[n].body].body;
    return n;
}

/* A quad's nodes from the north-west on, counterclockwise from above. */
typedef struct quad {
    int i[4], j[4];
    uint32_t body;
} quad;

static bool wet_at(const water *w, const quad *q, int k) { return is_wet(at(w, q->i[k & 3], q->j[k & 3])); }

static uint32_t shore_after(water *w, const quad *q, int k) {
    const int a = k & 3, b = (k + 1) & 3;
    return shore_corner(w, q->i[a], q->j[a], q->i[b], q->j[b]);
}

/* Two wet nodes across from each other, and dry ground between them. */
static bool is_parted(const water *w, const quad *q) {
    if (wet_at(w, q, 0) != wet_at(w, q, 2) || wet_at(w, q, 1) != wet_at(w, q, 3) || wet_at(w, q, 0) == wet_at(w, q, 1))
        return false;
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += (double)at(w, q->i[k], q->j[k])->depth;
    return !(sum > 0);
}

static void add_polygon(water *w, const quad *q) {
    uint32_t corners[8];
    int count = 0;
    const int first = io_quad_falls(w->s, q->i[0], q->j[0]) ? 0 : 1;
    for (int k = first; k < first + 4; k++) {
        if (wet_at(w, q, k)) corners[count++] = node_corner(w, q->i[k & 3], q->j[k & 3]);
        if (wet_at(w, q, k) != wet_at(w, q, k + 1)) corners[count++] = shore_after(w, q, k);
    }
    for (int k = 2; k < count; k++) add_triangle(w, corners[0], corners[k - 1], corners[k], q->body);
}

static void add_quad(water *w, int i, int j) {
    quad q = {{i, i, i + 1, i + 1}, {j, j + 1, j + 1, j}, NONE};
    bool any = false, sea = false;
    for (int k = 0; k < 4; k++) {
        const node *n = at(w, q.i[k], q.j[k]);
        if (isnan(n->depth)) return;
        any |= is_wet(n);
        sea |= n->sea;
        if (is_wet(n) && !n->sea) q.body = (uint32_t)(n - w->nodes);
    }
    if (!any) return;
    if (sea) q.body = NONE;
    if (!is_parted(w, &q)) {
        add_polygon(w, &q);
        return;
    }
    for (int k = 0; k < 4; k++)
        if (wet_at(w, &q, k)) {
            if (!sea) q.body = (uint32_t)(at(w, q.i[k], q.j[k]) - w->nodes);
            add_triangle(w, shore_after(w, &q, k + 3), node_corner(w, q.i[k], q.j[k]), shore_after(w, &q, k), q.body);
        }
}

/* Nodes of one polygon are of one body. */
static void join(water *w, int i, int j) {
    const quad q = {{i, i, i + 1, i + 1}, {j, j + 1, j + 1, j}, NONE};
    uint32_t first = NONE;
    bool parted = is_parted(w, &q);
    for (int k = 0; k < 4; k++)
        if (isnan(at(w, q.i[k], q.j[k])->depth)) return;
    for (int k = 0; k < 4 && !parted; k++) {
        const node *n = at(w, q.i[k], q.j[k]);
        if (n->body == NONE) continue;
        const uint32_t root = root_of(w, (uint32_t)(n - w->nodes));
        if (first == NONE)
            first = root;
        else
            w->nodes[root].body = first;
    }
}

/* --- sides at the border: from the surface down to the ground --- */

static uint32_t turned_copy(water *w, uint32_t corner, float nx, float ny) {
    const uint32_t made = corner == NONE ? NONE : add_corner(w);
    if (made == NONE) return NONE;
    w->all.corners[made] = w->all.corners[corner];
    copy_values(&w->all, made, &w->all, corner);
    float *normal = w->all.corners[made].normal;
    normal[0] = nx, normal[1] = ny, normal[2] = 0;
    return made;
}

/* From the corner `a` to `b`, with the outside on the right. */
static void add_side(water *w, const uint32_t ends[2], const double floor_m[2], float nx, float ny, uint32_t body) {
    uint32_t upper[2], lower[2];
    for (int k = 0; k < 2; k++) {
        upper[k] = turned_copy(w, ends[k], nx, ny);
        lower[k] = turned_copy(w, ends[k], nx, ny);
        if (upper[k] == NONE || lower[k] == NONE) return;
        float *z = &w->all.corners[lower[k]].at[2];
        *z = fminf(*z, (float)(w->s->exaggeration * floor_m[k]));
    }
    add_triangle(w, upper[0], lower[0], lower[1], body);
    add_triangle(w, upper[0], lower[1], upper[1], body);
}

static void add_border_edge(water *w, int i, int j, int i2, int j2, float nx, float ny) {
    const node *a = at(w, i, j), *b = at(w, i2, j2);
    if (isnan(a->depth) || isnan(b->depth) || (!is_wet(a) && !is_wet(b))) return;
    const double ground[2] = {io_node_ground(w->s, i, j), io_node_ground(w->s, i2, j2)};
    const node *wet = is_wet(a) ? a : b;
    const uint32_t body = a->sea || b->sea ? NONE : (uint32_t)(wet - w->nodes);
    uint32_t ends[2];
    double floor_m[2] = {ground[0], ground[1]};
    ends[0] = is_wet(a) ? node_corner(w, i, j) : shore_corner(w, i, j, i2, j2);
    ends[1] = is_wet(b) ? node_corner(w, i2, j2) : shore_corner(w, i, j, i2, j2);
    if (w->failed) return;
    for (int k = 0; k < 2; k++)
        if (!is_wet(k == 0 ? a : b)) floor_m[k] = (double)w->all.corners[ends[k]].at[2] / w->s->exaggeration;
    add_side(w, ends, floor_m, nx, ny, body);
}

static void add_sides(water *w) {
    const int right = w->s->columns - 1, last = w->s->rows - 1;
    for (int i = 0; i < right; i++) {
        add_border_edge(w, i + 1, 0, i, 0, 0, -1);
        add_border_edge(w, i, last, i + 1, last, 0, 1);
    }
    for (int j = 0; j < last; j++) {
        add_border_edge(w, 0, j, 0, j + 1, -1, 0);
        add_border_edge(w, right, j + 1, right, j, 1, 0);
    }
}

/* --- objects --- */

/* Takes the triangles of one object from `all`. `moved` has room for all corners. */
static bool add_object(const water *w, io_scene *scene, const char *name, const uint32_t *object_of, uint32_t object,
                       uint32_t *moved) {
    io_part *part = io_scene_add(scene, name, IO_WATER);
    if (part == NULL) return false;
    for (size_t c = 0; c < w->all.corner_count; c++) moved[c] = NONE;
    for (size_t t = 0; t < w->triangle_count; t++) {
        if (object_of[t] != object) continue;
        if (!io_part_room(part, 3, 1)) return false;
        uint32_t corners[3];
        for (int k = 0; k < 3; k++) {
            uint32_t *to = &moved[w->triangles[t].corners[k]];
            if (*to == NONE) {
                *to = (uint32_t)part->corner_count++;
                part->corners[*to] = w->all.corners[w->triangles[t].corners[k]];
                copy_values(part, *to, &w->all, w->triangles[t].corners[k]);
            }
            corners[k] = *to;
        }
        io_part_triangle(part, corners[0], corners[1], corners[2]);
    }
    if (part->triangle_count == 0) scene->count--, free(part->corners), free(part->water), free(part->triangles);
    return true;
}

/* Objects: 0 the sea, then the largest bodies, then all others; NONE is left out. `sizes`: nodes, by their root. */
enum { SEA, FIRST_BODY, OTHERS = FIRST_BODY + MOST_BODIES };

static void choose_objects(const uint32_t *sizes, size_t nodes, uint32_t *object) {
    uint32_t largest[MOST_BODIES];
    size_t count = 0;
    for (size_t n = 0; n < nodes; n++) {
        object[n] = sizes[n] >= LEAST_NODES ? OTHERS : NONE;
        if (sizes[n] < LEAST_NODES) continue;
        size_t place = count < MOST_BODIES ? count++ : MOST_BODIES;
        while (place > 0 && sizes[largest[place - 1]] < sizes[n]) {
            if (place < MOST_BODIES) largest[place] = largest[place - 1];
            place--;
        }
        if (place < MOST_BODIES) largest[place] = (uint32_t)n;
    }
    for (size_t k = 0; k < count; k++) object[largest[k]] = FIRST_BODY + (uint32_t)k;
}

static bool add_objects(water *w, io_scene *scene) {
    const size_t nodes = count_of(w->s);
    uint32_t *sizes = calloc(nodes, sizeof *sizes), *object = malloc(nodes * sizeof *object);
    uint32_t *object_of = malloc((w->triangle_count + 1) * sizeof *object_of);
    uint32_t *moved = malloc((w->all.corner_count + 1) * sizeof *moved);
    bool good = sizes != NULL && object != NULL && object_of != NULL && moved != NULL;
    for (uint32_t n = 0; good && n < nodes; n++)
        if (w->nodes[n].body != NONE) sizes[root_of(w, n)]++;
    if (good) choose_objects(sizes, nodes, object);
    for (size_t t = 0; good && t < w->triangle_count; t++) {
        const uint32_t body = w->triangles[t].body;
        object_of[t] = body == NONE ? SEA : object[root_of(w, body)];
    }
    for (uint32_t k = SEA; good && k <= OTHERS; k++) {
        char name[32];
        snprintf(name, sizeof name, k == SEA ? "sea" : k == OTHERS ? "water_others" : "water_%u", k - FIRST_BODY);
        good = add_object(w, scene, name, object_of, k, moved);
    }
    free(sizes);
    free(object);
    free(object_of);
    free(moved);
    return good;
}

static void find_usual_depth(water *w) {
    double sum = 0, wet = 0;
    for (size_t n = 0; n < count_of(w->s); n++)
        if (is_wet(&w->nodes[n])) sum += (double)w->nodes[n].depth, wet++;
    w->usual = wet > 0 ? sum / wet : 1;
}

static bool set_depths(water *w) {
    const io_surface *s = w->s;
    if (s->mesh->has_sea && !flood_sea(w)) return false;
    for (int j = 0; j < s->rows; j++)
        for (int i = 0; i < s->columns; i++) set_wet(w, i, j);
    for (int j = 0; j < s->rows; j++)
        for (int i = 0; i < s->columns; i++) set_bank(w, i, j);
    find_usual_depth(w);
    for (uint32_t n = 0; n < count_of(s); n++) {
        w->nodes[n].body = is_wet(&w->nodes[n]) && !w->nodes[n].sea ? n : NONE;
        w->nodes[n].corner = w->nodes[n].right = w->nodes[n].below = NONE;
    }
    return true;
}

static bool make(water *w) {
    const io_surface *s = w->s;
    if (w->nodes == NULL || !set_depths(w)) return false;
    for (int j = 0; j < s->rows - 1; j++)
        for (int i = 0; i < s->columns - 1; i++) {
            join(w, i, j);
            add_quad(w, i, j);
        }
    if (s->mesh->sides) add_sides(w);
    return !w->failed;
}

bool io_water_add(const io_surface *surface, io_scene *scene) {
    water w = {.s = surface, .nodes = calloc(count_of(surface), sizeof(node)), .all.material = IO_WATER};
    const bool good = make(&w) && add_objects(&w, scene);
    free(w.nodes);
    free(w.triangles);
    free(w.all.corners);
    free(w.all.water);
    return good;
}
