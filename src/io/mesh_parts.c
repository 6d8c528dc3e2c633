#include "mesh_parts.h"

#include <math.h>
#include <stdlib.h>

/* --- parts --- */

io_part *io_scene_add(io_scene *scene, const char *name, io_material material) {
    io_part *parts = realloc(scene->parts, (scene->count + 1) * sizeof *parts);
    if (parts == NULL) return NULL;
    scene->parts = parts;
    io_part *part = &parts[scene->count++];
    *part = (io_part){.material = material};
    snprintf(part->name, sizeof part->name, "%s", name);
    return part;
}

void io_scene_free(io_scene *scene) {
    for (size_t i = 0; i < scene->count; i++) {
        free(scene->parts[i].corners);
        free(scene->parts[i].water);
        free(scene->parts[i].triangles);
    }
    free(scene->parts);
    free(scene->texture);
    *scene = (io_scene){0};
}

static bool grow(void **memory, size_t *room, size_t needed, size_t size) {
    if (needed <= *room) return true;
    const size_t more = needed + needed / 2 + 64;
    void *longer = realloc(*memory, more * size);
    if (longer == NULL) return false;
    *memory = longer;
    *room = more;
    return true;
}

bool io_part_room(io_part *part, size_t corners, size_t triangles) {
    const size_t needed = part->corner_count + corners;
    size_t room = part->corner_room;
    if (needed > UINT32_MAX / 8) return false;
    if (part->material == IO_WATER &&
        !grow((void **)&part->water, &room, needed, IO_WATER_VALUES * sizeof *part->water))
        return false;
    return grow((void **)&part->corners, &part->corner_room, needed, sizeof *part->corners) &&
           grow((void **)&part->triangles, &part->triangle_room, part->triangle_count + triangles,
                3 * sizeof *part->triangles);
}

void io_part_triangle(io_part *part, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *t = &part->triangles[3 * part->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

/* --- nodes --- */

static int place_of(int i, int every, int size) { return i * every < size - 1 ? i * every : size - 1; }
int io_node_x(const io_surface *s, int i) { return place_of(i, s->mesh->every, s->mesh->width); }
int io_node_y(const io_surface *s, int j) { return place_of(j, s->mesh->every, s->mesh->height); }

bool io_cell_has_data(const io_surface *s, int x, int y) {
    const wadi_mesh *m = s->mesh;
    return x >= 0 && y >= 0 && x < m->width && y < m->height &&
           isfinite(m->heights[(size_t)y * (size_t)m->width + (size_t)x]);
}

double io_cell_height(const io_surface *s, int x, int y) {
    return (double)s->mesh->heights[(size_t)y * (size_t)s->mesh->width + (size_t)x];
}

bool io_node_has_data(const io_surface *s, int i, int j) {
    return io_cell_has_data(s, io_node_x(s, i), io_node_y(s, j));
}
double io_node_ground(const io_surface *s, int i, int j) { return io_cell_height(s, io_node_x(s, i), io_node_y(s, j)); }

void io_node_place(const io_surface *s, int i, int j, io_corner *c) {
    const wadi_mesh *m = s->mesh;
    const int x = io_node_x(s, i), y = io_node_y(s, j);
    c->at[0] = (float)((x + 0.5 - 0.5 * m->width) * m->lx);
    c->at[1] = (float)((y + 0.5 - 0.5 * m->height) * m->ly);
    c->uv[0] = (float)((x + 0.5) / m->width);
    c->uv[1] = (float)((y + 0.5) / m->height);
}

bool io_quad_falls(const io_surface *s, int i, int j) {
    const bool nw = io_node_has_data(s, i, j), se = io_node_has_data(s, i + 1, j + 1);
    if (!nw || !se || !io_node_has_data(s, i + 1, j) || !io_node_has_data(s, i, j + 1)) return nw && se;
    return fabs(io_node_ground(s, i, j) - io_node_ground(s, i + 1, j + 1)) <
           fabs(io_node_ground(s, i + 1, j) - io_node_ground(s, i, j + 1));
}
