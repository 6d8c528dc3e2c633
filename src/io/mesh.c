/* mesh.c: makes meshes of triangles from terrain. mesh_water.c makes the water's, mesh_write.c and mesh_gltf.c write
 * them. */
#include "core/least_depth.h"
#include "core/need.h"
#include "mesh_parts.h"
#include "mesh_water.h"

#include <math.h>
#include <stdlib.h>

#define NONE UINT32_MAX
#define BASE_SHARE 0.05 /* of the diagonal: how far the sides reach below the lowest ground */

static int count_of(int every, int size) { return (size - 2) / every + 2; }

/* --- the ground --- */

/* Rise along x or y, from the neighbours with data. */
static double rise(const io_surface *s, int x, int y, int dx, int dy, double cell) {
    const int back = io_cell_has_data(s, x - dx, y - dy), ahead = io_cell_has_data(s, x + dx, y + dy);
    if (!back && !ahead) return 0;
    return s->exaggeration *
           (io_cell_height(s, x + ahead * dx, y + ahead * dy) - io_cell_height(s, x - back * dx, y - back * dy)) /
           (cell * (back + ahead));
}

static void add_node(const io_surface *s, io_part *part, int i, int j) {
    const int x = io_node_x(s, i), y = io_node_y(s, j);
    const double gx = rise(s, x, y, 1, 0, s->mesh->lx), gy = rise(s, x, y, 0, 1, s->mesh->ly);
    const double size = sqrt(1 + gx * gx + gy * gy);
    io_corner *c = &part->corners[part->corner_count++];
    io_node_place(s, i, j, c);
    c->at[2] = (float)(s->exaggeration * io_cell_height(s, x, y));
    c->normal[0] = (float)(-gx / size);
    c->normal[1] = (float)(-gy / size);
    c->normal[2] = (float)(1 / size);
}

/* Nodes i0 to i1, j0 to j1, both included. */
typedef struct block {
    int i0, j0, i1, j1;
    uint32_t *numbers; /* of the block's nodes' corners */
} block;

static uint32_t number(const block *b, int i, int j) {
    return b->numbers[(size_t)(j - b->j0) * (size_t)(b->i1 - b->i0 + 1) + (size_t)(i - b->i0)];
}

static void add_triangle(const block *b, io_part *part, const int corners[3][2]) {
    uint32_t t[3];
    for (int k = 0; k < 3; k++) {
        t[k] = number(b, corners[k][0], corners[k][1]);
        if (t[k] == NONE) return;
    }
    io_part_triangle(part, t[0], t[1], t[2]);
}

/* Two triangles, counterclockwise from above. */
static void add_quad(const io_surface *s, const block *b, io_part *part, int i, int j) {
    const bool falls = io_quad_falls(s, i, j);
    const int one[3][2] = {{i, j}, {i, j + 1}, {i + 1, falls ? j + 1 : j}};
    const int two[3][2] = {{i + 1, j + 1}, {i + 1, j}, {i, falls ? j : j + 1}};
    add_triangle(b, part, one);
    add_triangle(b, part, two);
}

static bool add_block(const io_surface *s, io_scene *scene, const char *name, block b) {
    const size_t nodes = (size_t)(b.i1 - b.i0 + 1) * (size_t)(b.j1 - b.j0 + 1);
    io_part *part = io_scene_add(scene, name, IO_GROUND);
    b.numbers = malloc(nodes * sizeof *b.numbers);
    const bool room = part != NULL && b.numbers != NULL && io_part_room(part, nodes, 2 * nodes);
    size_t k = 0;
    for (int j = b.j0; room && j <= b.j1; j++)
        for (int i = b.i0; i <= b.i1; i++) {
            const bool there = io_node_has_data(s, i, j);
            b.numbers[k++] = there ? (uint32_t)part->corner_count : NONE;
            if (there) add_node(s, part, i, j);
        }
    for (int j = b.j0; room && j < b.j1; j++)
        for (int i = b.i0; i < b.i1; i++) add_quad(s, &b, part, i, j);
    free(b.numbers);
    if (room && part->triangle_count == 0) {
        free(part->corners);
        free(part->triangles);
        scene->count--;
    }
    return room;
}

static int least(int a, int b) { return a < b ? a : b; }

static bool add_ground(const io_surface *s, io_scene *scene) {
    const int most = s->mesh->chunk > 0 ? s->mesh->chunk : s->columns + s->rows;
    bool good = true;
    for (int j = 0; j < s->rows - 1 && good; j += most)
        for (int i = 0; i < s->columns - 1 && good; i += most) {
            char name[32];
            snprintf(name, sizeof name, s->mesh->chunk > 0 ? "ground_x%d_y%d" : "ground", i / most, j / most);
            const block b = {i, j, least(i + most, s->columns - 1), least(j + most, s->rows - 1), NULL};
            good = add_block(s, scene, name, b);
        }
    return good;
}

/* --- sides --- */

static float base_of(const io_surface *s) {
    const wadi_mesh *m = s->mesh;
    double lowest = INFINITY;
    for (int j = 0; j < s->rows; j++)
        for (int i = 0; i < s->columns; i++)
            if (io_node_has_data(s, i, j)) lowest = fmin(lowest, io_node_ground(s, i, j));
    return (float)(s->exaggeration * lowest - BASE_SHARE * hypot(m->lx * (m->width - 1), m->ly * (m->height - 1)));
}

/* Below an edge whose outside is on the right. */
static void add_side(const io_surface *s, io_part *part, int i, int j, int i2, int j2, const float normal[2],
                     float base) {
    if (!io_node_has_data(s, i, j) || !io_node_has_data(s, i2, j2)) return;
    const uint32_t first = (uint32_t)part->corner_count;
    for (int k = 0; k < 4; k++) {
        io_corner *c = &part->corners[part->corner_count++];
        io_node_place(s, k < 2 ? i : i2, k < 2 ? j : j2, c);
        c->at[2] = k % 2 ? base : (float)(s->exaggeration * io_node_ground(s, k < 2 ? i : i2, k < 2 ? j : j2));
        c->normal[0] = normal[0], c->normal[1] = normal[1], c->normal[2] = 0;
    }
    io_part_triangle(part, first, first + 1, first + 3);
    io_part_triangle(part, first, first + 3, first + 2);
}

static bool add_sides(const io_surface *s, io_scene *scene) {
    static const float north[2] = {0, -1}, south[2] = {0, 1}, west[2] = {-1, 0}, east[2] = {1, 0};
    const int right = s->columns - 1, last = s->rows - 1;
    const size_t edges = 2 * ((size_t)right + (size_t)last);
    io_part *part = io_scene_add(scene, "sides", IO_SIDES);
    const float base = base_of(s);
    if (part == NULL || !io_part_room(part, 4 * edges, 2 * edges)) return false;
    for (int i = 0; i < right; i++) {
        add_side(s, part, i + 1, 0, i, 0, north, base);
        add_side(s, part, i, last, i + 1, last, south, base);
    }
    for (int j = 0; j < last; j++) {
        add_side(s, part, 0, j, 0, j + 1, west, base);
        add_side(s, part, right, j + 1, right, j, east, base);
    }
    return true;
}

/* --- the scene --- */

static wadi_status check(const char *path, const wadi_mesh *m) {
    if (m->width < 2 || m->height < 2 || !(m->lx > 0) || !(m->ly > 0) || m->every < 0 || m->chunk < 0 ||
        !(m->exaggeration >= 0) || !isfinite(m->exaggeration) || (m->has_sea && !isfinite(m->sea_m)))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a mesh of %d x %d cells of %g x %g m, each %d-th, cannot be", path,
                         m->width, m->height, m->lx, m->ly, m->every);
    return WADI_OK;
}

#ifdef WADI_WITH_PNG
/* The colours at a size of powers of two, which all graphics cards like. */
typedef struct picture {
    const wadi_mesh *mesh;
    int width, height;
    uint8_t *row;
} picture;

static int power_near(int size) {
    int power = 1;
    while (power < size - power / 2 && power < 1 << 13) power *= 2;
    return power;
}

static double mix(const uint8_t *colours, size_t one, size_t other, double part) {
    return (1 - part) * colours[one] + part * colours[other];
}

/* The sample of a picture of `to` pixels in one of `from` pixels, which covers the same ground. */
static double place_in(int i, int to, int from) { return fmin(fmax((i + 0.5) * from / to - 0.5, 0), from - 1); }

static const uint8_t *colour_row(void *context, int y) {
    const picture *p = context;
    const wadi_mesh *m = p->mesh;
    const double v = place_in(y, p->height, m->height);
    const size_t stride = 3 * (size_t)m->width, above = (size_t)v * stride,
                 below = (size_t)fmin(floor(v) + 1, m->height - 1) * stride;
    for (int x = 0; x < p->width; x++) {
        const double u = place_in(x, p->width, m->width);
        const size_t left = 3 * (size_t)u, right = 3 * (size_t)fmin(floor(u) + 1, m->width - 1);
        for (size_t k = 0; k < 3; k++) {
            const double upper = mix(m->colours, above + left + k, above + right + k, u - floor(u));
            const double lower = mix(m->colours, below + left + k, below + right + k, u - floor(u));
            p->row[3 * (size_t)x + k] = (uint8_t)(upper + (v - floor(v)) * (lower - upper) + 0.5);
        }
    }
    return p->row;
}

/* Only glTF has a picture inside. */
static wadi_status add_texture(const char *path, const wadi_mesh *m, io_mesh_writer *writer, io_scene *scene) {
    if (m->colours == NULL || (writer != io_gltf_write && writer != io_glb_write)) return WADI_OK;
    io_output output = io_output_memory(path);
    picture p = {.mesh = m, .width = power_near(m->width), .height = power_near(m->height)};
    p.row = malloc(3 * (size_t)p.width);
    if (p.row == NULL) return wadi_fail(WADI_ERROR_MEMORY, "%s: not enough memory for its colours", path);
    const io_png_head head = {.width = p.width, .height = p.height, .channels = 3, .depth = 8, .picture = true};
    const wadi_status status = io_png_encode(&output, &head, colour_row, &p);
    free(p.row);
    scene->texture = output.bytes;
    scene->texture_bytes = (size_t)output.size;
    return io_output_status(&output, status);
}
#else
static wadi_status add_texture(const char *path, const wadi_mesh *m, io_mesh_writer *writer, io_scene *scene) {
    (void)writer;
    (void)scene;
    if (m->colours == NULL) return WADI_OK;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: png not built: install libpng-dev and build again", path);
}
#endif

static wadi_status write_scene(const char *path, const io_surface *s, io_mesh_writer *writer) {
    io_scene scene = {0};
    bool room = add_ground(s, &scene);
    wadi_status status = WADI_OK;
    if (room && scene.count == 0)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "%s: there is no triangle whose corners have data", path);
    if (room && status == WADI_OK && s->mesh->sides) room = add_sides(s, &scene);
    if (room && status == WADI_OK && s->mesh->water != NULL) room = io_water_add(s, &scene);
    if (!room) status = wadi_fail(WADI_ERROR_MEMORY, "%s: not enough memory for its mesh", path);
    if (status == WADI_OK) status = add_texture(path, s->mesh, writer, &scene);
    if (status == WADI_OK) status = writer(path, &scene);
    io_scene_free(&scene);
    return status;
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
    if (writer == io_ply_write) mesh.chunk = 0, mesh.water = NULL;
    io_surface s = {.mesh = &mesh, .exaggeration = mesh.exaggeration > 0 ? mesh.exaggeration : 1};
    s.threshold = mesh.water_threshold_m > 0 ? mesh.water_threshold_m : wadi_least_depth(mesh.lx, mesh.ly);
    s.columns = count_of(mesh.every, mesh.width), s.rows = count_of(mesh.every, mesh.height);
    if ((uint64_t)s.columns * (uint64_t)s.rows > UINT32_MAX / 8)
        return wadi_fail(WADI_ERROR_UNSUPPORTED,
                         "%s: %d x %d corners are more than a mesh can have; take each n-th cell", path, s.columns,
                         s.rows);
    return write_scene(path, &s, writer);
}
