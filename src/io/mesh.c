/* mesh.c: makes meshes of triangles from terrain and water. mesh_write.c writes them. */
#include "mesh.h"
#include "core/need.h"

#include <math.h>
#include <stdlib.h>

#include "wadi/mesh.h"

typedef struct source {
    const wadi_mesh *mesh;
    double exaggeration, threshold;
    int columns, rows; /* of corners */
    bool wet;          /* the water's mesh */
} source;

static int place_of(int i, int every, int size) { return i * every < size - 1 ? i * every : size - 1; }
static int count_of(int every, int size) { return (size - 2) / every + 2; }
static int column_of(const source *s, int i) { return place_of(i, s->mesh->every, s->mesh->width); }
static int row_of(const source *s, int j) { return place_of(j, s->mesh->every, s->mesh->height); }

static bool has_data(const source *s, int x, int y) {
    const wadi_mesh *m = s->mesh;
    return x >= 0 && y >= 0 && x < m->width && y < m->height &&
           isfinite(m->heights[(size_t)y * (size_t)m->width + (size_t)x]);
}

static double ground(const source *s, int x, int y) {
    return (double)s->mesh->heights[(size_t)y * (size_t)s->mesh->width + (size_t)x];
}

static double water(const source *s, int x, int y) {
    return (double)s->mesh->water[(size_t)y * (size_t)s->mesh->width + (size_t)x];
}

static double depth(const source *s, int x, int y) { return water(s, x, y) > s->threshold ? water(s, x, y) : 0; }

/* On dry ground the water corner is below the ground, so that both meet where the depth is the threshold. */
static double below_ground(const source *s, int x, int y) {
    const double thin = fmax(water(s, x, y), 0); /* no data: 0 */
    return ground(s, x, y) + fmin(thin - s->threshold, 0);
}

/* On dry ground next to water: the water's level, but below the ground, so that the water ends in the bank. */
static double level(const source *s, int x, int y) {
    double sum = 0;
    int wet = 0;
    if (depth(s, x, y) > 0) return ground(s, x, y) + depth(s, x, y);
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int u = x + dx * s->mesh->every, v = y + dy * s->mesh->every;
            if (!has_data(s, u, v) || !(depth(s, u, v) > 0)) continue;
            sum += ground(s, u, v) + depth(s, u, v);
            wet++;
        }
    return wet > 0 ? fmin(sum / wet, below_ground(s, x, y)) : below_ground(s, x, y);
}

static double surface(const source *s, int x, int y) {
    return s->exaggeration * (s->wet ? level(s, x, y) : ground(s, x, y));
}

/* Rise along x or y, from the neighbours with data. */
static double rise(const source *s, int x, int y, int dx, int dy, double cell) {
    const int back = has_data(s, x - dx, y - dy), ahead = has_data(s, x + dx, y + dy);
    if (!back && !ahead) return 0;
    return (surface(s, x + ahead * dx, y + ahead * dy) - surface(s, x - back * dx, y - back * dy)) /
           (cell * (back + ahead));
}

static void add_corner(const source *s, io_mesh *out, int x, int y) {
    const wadi_mesh *m = s->mesh;
    io_corner *c = &out->corners[out->corner_count++];
    const double gx = rise(s, x, y, 1, 0, m->lx), gy = rise(s, x, y, 0, 1, m->ly), size = sqrt(1 + gx * gx + gy * gy);
    c->at[0] = (float)((x + 0.5 - 0.5 * m->width) * m->lx);
    c->at[1] = (float)((y + 0.5 - 0.5 * m->height) * m->ly);
    c->at[2] = (float)surface(s, x, y);
    c->normal[0] = (float)(-gx / size);
    c->normal[1] = (float)(-gy / size);
    c->normal[2] = (float)(1 / size);
    c->uv[0] = (float)((x + 0.5) / m->width);
    c->uv[1] = (float)((y + 0.5) / m->height);
}

#define NONE UINT32_MAX

/* Whether a corner belongs to the water mesh: it or a neighbour is wet. */
static bool is_corner(const source *s, int i, int j) {
    if (!has_data(s, column_of(s, i), row_of(s, j))) return false;
    for (int v = j - 1; s->wet && v <= j + 1; v++)
        for (int u = i - 1; u <= i + 1; u++) {
            if (u < 0 || v < 0 || u >= s->columns || v >= s->rows) continue;
            const int x = column_of(s, u), y = row_of(s, v);
            if (has_data(s, x, y) && depth(s, x, y) > 0) return true;
        }
    return !s->wet;
}

static void add_triangle(const source *s, io_mesh *out, const uint32_t *numbers, const int corners[3][2]) {
    uint32_t *t = &out->triangles[3 * out->triangle_count];
    bool wet = !s->wet;
    for (int k = 0; k < 3; k++) {
        t[k] = numbers[(size_t)corners[k][1] * (size_t)s->columns + (size_t)corners[k][0]];
        if (t[k] == NONE) return;
        wet |= s->wet && depth(s, column_of(s, corners[k][0]), row_of(s, corners[k][1])) > 0;
    }
    if (wet) out->triangle_count++;
}

/* Two triangles along the diagonal whose ends differ less in height, so that it follows ridges and valleys. From above
 * they are counterclockwise. */
static void add_quad(const source *s, io_mesh *out, const uint32_t *numbers, int i, int j) {
    const int x0 = column_of(s, i), x1 = column_of(s, i + 1), y0 = row_of(s, j), y1 = row_of(s, j + 1);
    const bool all = has_data(s, x0, y0) && has_data(s, x1, y0) && has_data(s, x0, y1) && has_data(s, x1, y1);
    const bool falling = all ? fabs(ground(s, x0, y0) - ground(s, x1, y1)) < fabs(ground(s, x1, y0) - ground(s, x0, y1))
                             : has_data(s, x0, y0) && has_data(s, x1, y1);
    const int a[2] = {i, j}, b[2] = {i + 1, j}, c[2] = {i, j + 1}, d[2] = {i + 1, j + 1};
    const int one[3][2] = {{a[0], a[1]}, {c[0], c[1]}, {falling ? d[0] : b[0], falling ? d[1] : b[1]}};
    const int two[3][2] = {{d[0], d[1]}, {b[0], b[1]}, {falling ? a[0] : c[0], falling ? a[1] : c[1]}};
    add_triangle(s, out, numbers, one);
    add_triangle(s, out, numbers, two);
}

static bool make(const source *s, io_mesh *out) {
    const size_t corners = (size_t)s->columns * (size_t)s->rows;
    uint32_t *numbers = malloc(corners * sizeof *numbers);
    size_t count = 0;
    for (int j = 0; numbers != NULL && j < s->rows; j++)
        for (int i = 0; i < s->columns; i++)
            numbers[(size_t)j * (size_t)s->columns + (size_t)i] = is_corner(s, i, j) ? (uint32_t)count++ : NONE;
    *out = (io_mesh){.corners = malloc((count + 1) * sizeof *out->corners),
                     .triangles = malloc((2 * corners + 1) * 3 * sizeof *out->triangles)};
    const bool room = numbers != NULL && out->corners != NULL && out->triangles != NULL;
    for (int j = 0; room && j < s->rows; j++)
        for (int i = 0; i < s->columns; i++)
            if (numbers[(size_t)j * (size_t)s->columns + (size_t)i] != NONE)
                add_corner(s, out, column_of(s, i), row_of(s, j));
    for (int j = 0; room && j < s->rows - 1; j++)
        for (int i = 0; i < s->columns - 1; i++) add_quad(s, out, numbers, i, j);
    free(numbers);
    return room;
}

static void let_go(io_mesh *mesh) {
    free(mesh->corners);
    free(mesh->triangles);
}

static wadi_status check(const char *path, const wadi_mesh *m) {
    if (m->width < 2 || m->height < 2 || !(m->lx > 0) || !(m->ly > 0) || m->every < 0 || !(m->exaggeration >= 0) ||
        !isfinite(m->exaggeration))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a mesh of %d x %d cells of %g x %g m, each %d-th, cannot be", path,
                         m->width, m->height, m->lx, m->ly, m->every);
    return WADI_OK;
}

wadi_status wadi_mesh_write(const char *path, const wadi_mesh *given) {
    WADI_IEEE_MODE;
    WADI_NEED(path);
    WADI_NEED(given);
    wadi_mesh mesh = *given;
    io_mesh_writer *const writer = io_mesh_writer_of(path);
    if (writer == NULL) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: meshes are .obj, .ply, .gltf or .glb files", path);
    const wadi_status checked = check(path, given);
    if (checked != WADI_OK) return checked;
    if (mesh.every == 0) mesh.every = 1;
    source s = {.mesh = &mesh, .exaggeration = mesh.exaggeration > 0 ? mesh.exaggeration : 1};
    s.threshold = mesh.water_threshold_m > 0 ? mesh.water_threshold_m : 0.01 * (mesh.lx + mesh.ly);
    s.columns = count_of(mesh.every, mesh.width), s.rows = count_of(mesh.every, mesh.height);
    if ((uint64_t)s.columns * (uint64_t)s.rows > UINT32_MAX / 8)
        return wadi_fail(WADI_ERROR_UNSUPPORTED,
                         "%s: %d x %d corners are more than a mesh can have; take each n-th cell", path, s.columns,
                         s.rows);
    io_mesh parts[2] = {{0}, {0}};
    bool room = make(&s, &parts[0]);
    s.wet = true;
    if (room && mesh.water != NULL) room = make(&s, &parts[1]);
    wadi_status status = room ? WADI_OK : wadi_fail(WADI_ERROR_MEMORY, "%s: not enough memory for its mesh", path);
    if (status == WADI_OK && parts[0].triangle_count == 0)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "%s: there is no triangle whose corners have data", path);
    if (status == WADI_OK) status = writer(path, &parts[0], parts[1].triangle_count > 0 ? &parts[1] : NULL);
    let_go(&parts[0]);
    let_go(&parts[1]);
    return status;
}
