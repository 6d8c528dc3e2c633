/* mesh_write.c: writes meshes as OBJ and PLY. */
#include "mesh_parts.h"
#include "mesh_sink.h"

#include <string.h>

/* --- OBJ: y up, z south, v up; corners are counted from 1 through all objects --- */

static void obj_part(io_sink *s, const io_part *mesh, size_t first) {
    io_sink_text(s, "o ");
    io_sink_text(s, mesh->name);
    io_sink_text(s, "\n");
    for (int kind = 0; kind < 3; kind++)
        for (size_t i = 0; i < mesh->corner_count; i++) {
            const io_corner *c = &mesh->corners[i];
            const float *v = kind == 0 ? c->at : c->normal;
            io_sink_text(s, kind == 0 ? "v" : kind == 1 ? "vt" : "vn");
            io_sink_number(s, (double)(kind == 1 ? c->uv[0] : v[0]));
            io_sink_number(s, kind == 1 ? 1 - (double)c->uv[1] : (double)v[2]);
            if (kind != 1) io_sink_number(s, (double)v[1]);
            io_sink_text(s, "\n");
        }
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        char line[160];
        unsigned long long n[3];
        for (int k = 0; k < 3; k++) n[k] = (unsigned long long)mesh->triangles[3 * i + (size_t)k] + first + 1;
        snprintf(line, sizeof line, "f %llu/%llu/%llu %llu/%llu/%llu %llu/%llu/%llu\n", n[0], n[0], n[0], n[1], n[1],
                 n[1], n[2], n[2], n[2]);
        io_sink_text(s, line);
    }
}

static wadi_status write_obj(const char *path, const io_scene *scene) {
    wadi_status status;
    io_sink *s = io_sink_open(path, &status);
    if (s == NULL) return status;
    io_sink_text(s, "# m; y is up, z south\n");
    size_t first = 0;
    for (size_t i = 0; i < scene->count; i++) {
        obj_part(s, &scene->parts[i], first);
        first += scene->parts[i].corner_count;
    }
    return io_sink_close(s);
}

/* --- PLY: z up, y north --- */

static void put_corner(io_sink *s, const io_corner *c) {
    const float values[] = {c->at[0],      -c->at[1],    c->at[2], c->normal[0],
                            -c->normal[1], c->normal[2], c->uv[0], 1 - c->uv[1]};
    for (int k = 0; k < 8; k++) io_sink_float(s, values[k]);
}

static void put_triangles(io_sink *s, const io_part *part, size_t first) {
    const uint8_t three = 3;
    for (size_t i = 0; i < part->triangle_count; i++) {
        io_sink_put(s, &three, 1);
        for (size_t k = 0; k < 3; k++) io_sink_word(s, part->triangles[3 * i + k] + (uint32_t)first);
    }
}

/* A file has one mesh: all parts. */
wadi_status io_ply_write(const char *path, const io_scene *scene) {
    size_t corners = 0, triangles = 0, first = 0;
    wadi_status status;
    char head[640];
    io_sink *s = io_sink_open(path, &status);
    if (s == NULL) return status;
    for (size_t i = 0; i < scene->count; i++) {
        corners += scene->parts[i].corner_count;
        triangles += scene->parts[i].triangle_count;
    }
    snprintf(
        head, sizeof head,
        "ply\nformat binary_little_endian 1.0\ncomment m; z is up, y north\nelement vertex %zu\n"
        "property float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float "
        "nz\n"
        "property float s\nproperty float t\nelement face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
        corners, triangles);
    io_sink_text(s, head);
    for (size_t i = 0; i < scene->count; i++)
        for (size_t k = 0; k < scene->parts[i].corner_count; k++) put_corner(s, &scene->parts[i].corners[k]);
    for (size_t i = 0; i < scene->count; first += scene->parts[i++].corner_count)
        put_triangles(s, &scene->parts[i], first);
    return io_sink_close(s);
}

/* --- the formats --- */

io_mesh_writer *io_mesh_writer_of(const char *path) {
    static const struct {
        const char *end;
        io_mesh_writer *write;
    } formats[] = {{".obj", write_obj}, {".ply", io_ply_write}, {".gltf", io_gltf_write}, {".glb", io_glb_write}};
    const char *const dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof formats / sizeof *formats; i++) {
        size_t k = 0;
        while (formats[i].end[k] != '\0' && (dot[k] | 0x20) == (formats[i].end[k] | 0x20)) k++;
        if (formats[i].end[k] == '\0' && dot[k] == '\0') return formats[i].write;
    }
    return NULL;
}
