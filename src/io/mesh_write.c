/* mesh_write.c: writes meshes as OBJ, PLY and glTF. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

/* --- buffered bytes --- */

typedef struct sink {
    io_output output;
    uint64_t at;
    size_t used;
    bool base64; /* of what follows */
    uint8_t left[3];
    size_t left_count;
    char buffer[1 << 16];
} sink;

static void flush(sink *s) {
    io_output_write(&s->output, s->at, s->buffer, s->used); /* closing reports an error */
    s->at += s->used;
    s->used = 0;
}

static void put(sink *s, const void *bytes, size_t count) {
    if (s->used + count > sizeof s->buffer) flush(s);
    memcpy(s->buffer + s->used, bytes, count);
    s->used += count;
}

static void text(sink *s, const char *words) { put(s, words, strlen(words)); }

static void put_group(sink *s, size_t count) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t v = (uint32_t)s->left[0] << 16 | (uint32_t)s->left[1] << 8 | s->left[2];
    char group[4];
    for (size_t i = 0; i < 4; i++) group[i] = '=';
    for (size_t i = 0; i <= count; i++) group[i] = letters[v >> (18 - 6 * i) & 63];
    put(s, group, 4);
    memset(s->left, 0, sizeof s->left);
    s->left_count = 0;
}

static void put_binary(sink *s, const uint8_t *bytes, size_t count) {
    if (!s->base64) {
        put(s, bytes, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        s->left[s->left_count++] = bytes[i];
        if (s->left_count == 3) put_group(s, 3);
    }
}

static void put_word(sink *s, uint32_t v) { /* the low byte first */
    const uint8_t bytes[] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
    put_binary(s, bytes, 4);
}

static void put_float(sink *s, float v) {
    uint32_t bits;
    memcpy(&bits, &v, 4);
    put_word(s, bits);
}

/* Decimal numbers, independent of the caller's locale. */
static void number_text(char *out, size_t size, double v, int decimals) {
    const double unit = decimals == 9 ? 1e9 : 1e6;
    const int64_t scaled = (int64_t)floor(fabs(v) * unit + 0.5), whole = (int64_t)unit;
    snprintf(out, size, "%s%lld.%0*lld", v < 0 && scaled > 0 ? "-" : "", (long long)(scaled / whole), decimals,
             (long long)(scaled % whole));
}

static void put_number(sink *s, double v) {
    char digits[40];
    number_text(digits, sizeof digits, v, 6);
    text(s, " ");
    text(s, digits);
}

static sink *open_sink(const char *path, wadi_status *status) {
    sink *s = malloc(sizeof *s);
    *status = s != NULL ? WADI_OK : wadi_fail(WADI_ERROR_MEMORY, "%s: not enough memory to write it", path);
    if (s == NULL) return NULL;
    s->at = s->used = s->left_count = 0;
    s->base64 = false;
    memset(s->left, 0, sizeof s->left);
    *status = io_output_open(&s->output, path);
    if (*status == WADI_OK) return s;
    free(s);
    return NULL;
}

static wadi_status close_sink(sink *s) {
    flush(s);
    const wadi_status status = io_output_close(&s->output, WADI_OK);
    free(s);
    return status;
}

/* --- OBJ: y up, z south, v up; corners are counted from 1 through all objects --- */

static void obj_part(sink *s, const char *name, const io_mesh *mesh, size_t first) {
    text(s, "o ");
    text(s, name);
    text(s, "\n");
    for (int kind = 0; kind < 3; kind++)
        for (size_t i = 0; i < mesh->corner_count; i++) {
            const io_corner *c = &mesh->corners[i];
            const float *v = kind == 0 ? c->at : c->normal;
            text(s, kind == 0 ? "v" : kind == 1 ? "vt" : "vn");
            put_number(s, (double)(kind == 1 ? c->uv[0] : v[0]));
            put_number(s, kind == 1 ? 1 - (double)c->uv[1] : (double)v[2]);
            if (kind != 1) put_number(s, (double)v[1]);
            text(s, "\n");
        }
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        char line[160];
        unsigned long long n[3];
        for (int k = 0; k < 3; k++) n[k] = (unsigned long long)mesh->triangles[3 * i + (size_t)k] + first + 1;
        snprintf(line, sizeof line, "f %llu/%llu/%llu %llu/%llu/%llu %llu/%llu/%llu\n", n[0], n[0], n[0], n[1], n[1],
                 n[1], n[2], n[2], n[2]);
        text(s, line);
    }
}

static wadi_status write_obj(const char *path, const io_mesh *ground, const io_mesh *water) {
    wadi_status status;
    sink *s = open_sink(path, &status);
    if (s == NULL) return status;
    text(s, "# m; y is up, z south\n");
    obj_part(s, "ground", ground, 0);
    if (water != NULL) obj_part(s, "water", water, ground->corner_count);
    return close_sink(s);
}

/* --- PLY: z up, y north --- */

static wadi_status write_ply(const char *path, const io_mesh *ground, const io_mesh *water) {
    wadi_status status;
    char head[640];
    sink *s = open_sink(path, &status);
    if (s == NULL) return status;
    (void)water; /* a file has one mesh */
    snprintf(
        head, sizeof head,
        "ply\nformat binary_little_endian 1.0\ncomment m; z is up, y north\nelement vertex %zu\n"
        "property float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float "
        "nz\n"
        "property float s\nproperty float t\nelement face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
        ground->corner_count, ground->triangle_count);
    text(s, head);
    for (size_t i = 0; i < ground->corner_count; i++) {
        const io_corner *c = &ground->corners[i];
        const float values[] = {c->at[0],      -c->at[1],    c->at[2], c->normal[0],
                                -c->normal[1], c->normal[2], c->uv[0], 1 - c->uv[1]};
        for (int k = 0; k < 8; k++) put_float(s, values[k]);
    }
    for (size_t i = 0; i < ground->triangle_count; i++) {
        const uint8_t three = 3;
        put(s, &three, 1);
        for (size_t k = 0; k < 3; k++) put_word(s, ground->triangles[3 * i + k]);
    }
    return close_sink(s);
}

/* --- glTF 2.0: y up, z south, v down --- */

static uint64_t binary_bytes(const io_mesh *mesh) {
    return mesh != NULL ? (uint64_t)mesh->corner_count * sizeof(io_corner) + (uint64_t)mesh->triangle_count * 12 : 0;
}

static void put_mesh(sink *s, const io_mesh *mesh) {
    if (mesh == NULL) return;
    for (size_t i = 0; i < mesh->corner_count; i++) {
        const io_corner *c = &mesh->corners[i];
        const float values[] = {c->at[0],     c->at[2],     c->at[1], c->normal[0],
                                c->normal[2], c->normal[1], c->uv[0], c->uv[1]};
        for (int k = 0; k < 8; k++) put_float(s, values[k]);
    }
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++) put_word(s, mesh->triangles[i]);
}

typedef struct words {
    char *text;
    size_t length, room;
} words;

static void say(words *w, const char *more) {
    const size_t length = strlen(more);
    if (w->length + length >= w->room) return; /* there is room for all: see gltf_text */
    memcpy(w->text + w->length, more, length + 1);
    w->length += length;
}

static void say_number(words *w, double v) {
    char digits[40];
    number_text(digits, sizeof digits, v, 9); /* enough for the same float32 */
    say(w, digits);
}

static void say_bounds(words *w, const io_mesh *mesh) {
    static const int order[] = {0, 2, 1};
    for (int upper = 0; upper < 2; upper++) {
        say(w, upper ? ",\"max\":[" : ",\"min\":[");
        for (int k = 0; k < 3; k++) {
            double v = (double)mesh->corners[0].at[order[k]];
            for (size_t i = 1; i < mesh->corner_count; i++) {
                const double u = (double)mesh->corners[i].at[order[k]];
                v = upper ? fmax(v, u) : fmin(v, u);
            }
            if (k > 0) say(w, ",");
            say_number(w, v);
        }
        say(w, "]");
    }
}

static void say_parts(words *w, const io_mesh *const *parts, int count) {
    char line[512];
    uint64_t at = 0;
    say(w, "\"bufferViews\":[");
    for (int i = 0; i < count; i++) {
        const unsigned long long corners = (unsigned long long)parts[i]->corner_count * sizeof(io_corner),
                                 indices = (unsigned long long)parts[i]->triangle_count * 12;
        snprintf(line, sizeof line,
                 "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"byteStride\":32,\"target\":34962},{"
                 "\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":34963}",
                 i > 0 ? "," : "", (unsigned long long)at, corners, (unsigned long long)at + corners, indices);
        say(w, line);
        at += corners + indices;
    }
    say(w, "],\"accessors\":[");
    for (int i = 0; i < count; i++) {
        const unsigned long long corners = parts[i]->corner_count;
        snprintf(line, sizeof line, "%s{\"bufferView\":%d,\"componentType\":5126,\"count\":%llu,\"type\":\"VEC3\"",
                 i > 0 ? "," : "", 2 * i, corners);
        say(w, line);
        say_bounds(w, parts[i]);
        snprintf(line, sizeof line,
                 "},{\"bufferView\":%d,\"byteOffset\":12,\"componentType\":5126,\"count\":%llu,\"type\":\"VEC3\"},{"
                 "\"bufferView\":%d,\"byteOffset\":24,\"componentType\":5126,\"count\":%llu,\"type\":\"VEC2\"},{"
                 "\"bufferView\":%d,\"componentType\":5125,\"count\":%llu,\"type\":\"SCALAR\"}",
                 2 * i, corners, 2 * i, corners, 2 * i + 1, (unsigned long long)parts[i]->triangle_count * 3);
        say(w, line);
    }
    say(w, "],\"materials\":[{\"name\":\"ground\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.42,0.38,0.3,1],"
           "\"metallicFactor\":0,\"roughnessFactor\":0.95}},"
           "{\"name\":\"water\",\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.05,0.2,0.35,0."
           "75],\"metallicFactor\":0,\"roughnessFactor\":0.05}}],\"meshes\":[");
    for (int i = 0; i < count; i++) {
        snprintf(line, sizeof line,
                 "%s{\"name\":\"%s\",\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"TEXCOORD_0\":%d},"
                 "\"indices\":%d,\"material\":%d}]}",
                 i > 0 ? "," : "", i > 0 ? "water" : "ground", 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3, i);
        say(w, line);
    }
    say(w, count > 1 ? "],\"nodes\":[{\"mesh\":0,\"name\":\"ground\"},{\"mesh\":1,\"name\":\"water\"}],\"scenes\":[{"
                       "\"nodes\":[0,1]}],\"scene\":0"
                     : "],\"nodes\":[{\"mesh\":0,\"name\":\"ground\"}],\"scenes\":[{\"nodes\":[0]}],\"scene\":0");
}

/* The text before the buffer. In .gltf the buffer is between the two halves of the text. */
static void gltf_text(words *w, const io_mesh *ground, const io_mesh *water) {
    const io_mesh *const parts[] = {ground, water};
    say(w, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"wadi ");
    say(w, wadi_version());
    say(w, "\"},");
    say_parts(w, parts, water != NULL ? 2 : 1);
}

static wadi_status write_gltf(const char *path, const io_mesh *ground, const io_mesh *water) {
    static const char end[] = "\"}]}\n";
    char json[8192], line[128];
    words w = {json, 0, sizeof json};
    wadi_status status;
    sink *s = open_sink(path, &status);
    if (s == NULL) return status;
    gltf_text(&w, ground, water);
    snprintf(line, sizeof line, ",\"buffers\":[{\"byteLength\":%llu,\"uri\":\"data:application/octet-stream;base64,",
             (unsigned long long)binary_bytes(ground) + binary_bytes(water));
    say(&w, line);
    text(s, json);
    s->base64 = true;
    put_mesh(s, ground);
    put_mesh(s, water);
    if (s->left_count > 0) put_group(s, s->left_count);
    s->base64 = false;
    text(s, end);
    return close_sink(s);
}

static wadi_status write_glb(const char *path, const io_mesh *ground, const io_mesh *water) {
    char json[8192], line[96];
    words w = {json, 0, sizeof json};
    wadi_status status;
    const uint64_t binary = binary_bytes(ground) + binary_bytes(water);
    if (binary > UINT32_MAX - sizeof json - 64)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: a .glb has 4 GiB at most; take each n-th cell, or write .ply",
                         path);
    sink *s = open_sink(path, &status);
    if (s == NULL) return status;
    gltf_text(&w, ground, water);
    snprintf(line, sizeof line, ",\"buffers\":[{\"byteLength\":%llu}]}", (unsigned long long)binary);
    say(&w, line);
    while (w.length % 4 != 0) say(&w, " ");
    put_word(s, 0x46546c67u); /* "glTF" */
    put_word(s, 2);
    put_word(s, (uint32_t)(12 + 8 + w.length + 8 + binary));
    put_word(s, (uint32_t)w.length);
    put_word(s, 0x4e4f534au); /* "JSON" */
    text(s, json);
    put_word(s, (uint32_t)binary);
    put_word(s, 0x004e4942u); /* "BIN" */
    put_mesh(s, ground);
    put_mesh(s, water);
    return close_sink(s);
}

/* --- the formats --- */

io_mesh_writer *io_mesh_writer_of(const char *path) {
    static const struct {
        const char *end;
        io_mesh_writer *write;
    } formats[] = {{".obj", write_obj}, {".ply", write_ply}, {".gltf", write_gltf}, {".glb", write_glb}};
    const char *const dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof formats / sizeof *formats; i++) {
        size_t k = 0;
        while (formats[i].end[k] != '\0' && (dot[k] | 0x20) == (formats[i].end[k] | 0x20)) k++;
        if (formats[i].end[k] == '\0' && dot[k] == '\0') return formats[i].write;
    }
    return NULL;
}
