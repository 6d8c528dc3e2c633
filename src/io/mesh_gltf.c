/* mesh_gltf.c: writes meshes as glTF 2.0: y up, z south, v down. A vertex has position and normal; that of the ground
 * texture coordinates, too. That of water has two colours: COLOR_0, which multiplies the material, is white and less
 * opaque where the water is shallow, and COLOR_1 is the flow. */
#include "mesh_parts.h"
#include "mesh_sink.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct accessor {
    const char *name; /* of the attribute */
    int bytes, type;
    const char *shape, *more;
} accessor;
enum { MOST_ATTRIBUTES = 4 };
static const accessor position = {"POSITION", 12, 5126, "VEC3", ""}, normal = {"NORMAL", 12, 5126, "VEC3", ""},
                      place = {"TEXCOORD_0", 8, 5126, "VEC2", ""},
                      colour_0 = {"COLOR_0", 4, 5121, "VEC4", ",\"normalized\":true"},
                      colour_1 = {"COLOR_1", 4, 5121, "VEC4", ",\"normalized\":true"};

static int attributes_of(const io_part *part, const accessor *list[MOST_ATTRIBUTES]) {
    int count = 0;
    list[count++] = &position;
    list[count++] = &normal;
    if (part->material == IO_GROUND) list[count++] = &place;
    if (part->material == IO_WATER) list[count++] = &colour_0;
    if (part->material == IO_WATER) list[count++] = &colour_1;
    return count;
}

static uint64_t stride(const io_part *part) {
    const accessor *list[MOST_ATTRIBUTES];
    uint64_t bytes = 0;
    for (int k = attributes_of(part, list); k-- > 0;) bytes += (uint64_t)list[k]->bytes;
    return bytes;
}

static uint64_t corner_bytes(const io_part *part) { return part->corner_count * stride(part); }
static uint64_t part_bytes(const io_part *part) { return corner_bytes(part) + (uint64_t)part->triangle_count * 12; }

static uint64_t mesh_bytes(const io_scene *scene) {
    uint64_t sum = 0;
    for (size_t i = 0; i < scene->count; i++) sum += part_bytes(&scene->parts[i]);
    return sum;
}

/* The picture is filled up to whole words. */
static uint64_t binary_bytes(const io_scene *scene) {
    return mesh_bytes(scene) + (scene->texture != NULL ? ((uint64_t)scene->texture_bytes + 3) / 4 * 4 : 0);
}

/* --- the buffer --- */

static uint8_t level(float share) {
    const double v = (double)share;
    return (uint8_t)(v > 0 ? (v < 1 ? v : 1) * 255 + 0.5 : 0);
}

static void put_water(io_sink *s, const float *values) {
    const uint8_t colours[8] = {255, 255, 255, level(values[3]), level(values[0]), level(values[1]), level(values[2]),
                                255};
    io_sink_binary(s, colours, sizeof colours);
}

static void put_part(io_sink *s, const io_part *part) {
    for (size_t i = 0; i < part->corner_count; i++) {
        const io_corner *c = &part->corners[i];
        const float values[] = {c->at[0],     c->at[2],     c->at[1], c->normal[0],
                                c->normal[2], c->normal[1], c->uv[0], c->uv[1]};
        for (int k = 0; k < (part->material == IO_GROUND ? 8 : 6); k++) io_sink_float(s, values[k]);
        if (part->material == IO_WATER) put_water(s, &part->water[IO_WATER_VALUES * i]);
    }
    for (size_t i = 0; i < 3 * part->triangle_count; i++) io_sink_word(s, part->triangles[i]);
}

static void put_binary(io_sink *s, const io_scene *scene) {
    static const uint8_t none[3] = {0};
    for (size_t i = 0; i < scene->count; i++) put_part(s, &scene->parts[i]);
    if (scene->texture == NULL) return;
    io_sink_binary(s, scene->texture, scene->texture_bytes);
    io_sink_binary(s, none, (4 - scene->texture_bytes % 4) % 4);
}

/* --- the text --- */

typedef struct words {
    char *text; /* owned */
    size_t length, room;
    bool failed;
} words;

WADI_PRINTF(2, 3) static void say(words *w, const char *format, ...) {
    char line[512];
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    w->failed |= length < 0 || length >= (int)sizeof line;
    if (!w->failed && w->length + (size_t)length + 1 > w->room) {
        const size_t room = 2 * w->room + (size_t)length + 4096;
        char *longer = realloc(w->text, room);
        w->failed = longer == NULL;
        if (longer != NULL) w->text = longer, w->room = room;
    }
    if (w->failed || w->text == NULL) return;
    memcpy(w->text + w->length, line, (size_t)length + 1);
    w->length += (size_t)length;
}

static void say_bounds(words *w, const io_part *part) {
    static const int order[] = {0, 2, 1};
    for (int upper = 0; upper < 2; upper++) {
        say(w, upper ? ",\"max\":[" : ",\"min\":[");
        for (int k = 0; k < 3; k++) {
            float v = part->corners[0].at[order[k]];
            for (size_t i = 1; i < part->corner_count; i++) {
                const float u = part->corners[i].at[order[k]];
                v = upper ? fmaxf(v, u) : fminf(v, u);
            }
            char digits[32];
            io_sink_float_text(digits, v);
            say(w, "%s%s", k > 0 ? "," : "", digits);
        }
        say(w, "]");
    }
}

/* Each part has two views: its corners, and its triangles. The picture comes last. */
static void say_views(words *w, const io_scene *scene) {
    uint64_t at = 0;
    say(w, "\"bufferViews\":[");
    for (size_t i = 0; i < scene->count; i++) {
        const io_part *part = &scene->parts[i];
        const unsigned long long corners = corner_bytes(part), begin = at;
        say(w, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"byteStride\":%u,\"target\":34962},",
            i > 0 ? "," : "", begin, corners, (unsigned)stride(part));
        say(w, "{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":34963}", begin + corners,
            (unsigned long long)part->triangle_count * 12);
        at += part_bytes(part);
    }
    if (scene->texture != NULL)
        say(w, ",{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%zu}", (unsigned long long)at, scene->texture_bytes);
    say(w, "]");
}

static void say_accessors(words *w, const io_scene *scene) {
    say(w, ",\"accessors\":[");
    for (size_t i = 0; i < scene->count; i++) {
        const io_part *part = &scene->parts[i];
        const accessor *list[MOST_ATTRIBUTES];
        int offset = 0;
        for (int k = 0, count = attributes_of(part, list); k < count; k++) {
            const accessor *a = list[k];
            say(w, "%s{\"bufferView\":%zu,\"byteOffset\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"%s",
                i + (size_t)k > 0 ? "," : "", 2 * i, offset, a->type, part->corner_count, a->shape, a->more);
            if (k == 0) say_bounds(w, part);
            say(w, "}");
            offset += a->bytes;
        }
        say(w, ",{\"bufferView\":%zu,\"componentType\":5125,\"count\":%zu,\"type\":\"SCALAR\"}", 2 * i + 1,
            part->triangle_count * 3);
    }
    say(w, "]");
}

/* Those that a part has, in the order of io_material. */
static int material_number(const io_scene *scene, io_material wanted) {
    int number = 0;
    for (int m = 0; m < (int)wanted; m++)
        for (size_t i = 0; i < scene->count; i++)
            if (scene->parts[i].material == (io_material)m) {
                number++;
                break;
            }
    return number;
}

static bool is_used(const io_scene *scene, io_material material) {
    for (size_t i = 0; i < scene->count; i++)
        if (scene->parts[i].material == material) return true;
    return false;
}

static void say_materials(words *w, const io_scene *scene) {
    static const char *const texts[IO_MATERIALS] = {
        [IO_GROUND] = "{\"name\":\"ground\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.42,0.38,0.3,1],"
                      "\"metallicFactor\":0,\"roughnessFactor\":0.95}}",
        [IO_SIDES] = "{\"name\":\"sides\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.24,0.2,0.165,1],"
                     "\"metallicFactor\":0,\"roughnessFactor\":1}}",
        [IO_WATER] = "{\"name\":\"water\",\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.015,"
                     "0.06,0.13,0.95],\"metallicFactor\":0,\"roughnessFactor\":0.05}}"};
    static const char coloured[] =
        "{\"name\":\"ground\",\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0},\"metallicFactor\":0,"
        "\"roughnessFactor\":0.95}}";
    bool first = true;
    say(w, ",\"materials\":[");
    for (int m = 0; m < IO_MATERIALS; m++) {
        if (!is_used(scene, (io_material)m)) continue;
        say(w, "%s%s", first ? "" : ",", m == IO_GROUND && scene->texture != NULL ? coloured : texts[m]);
        first = false;
    }
    say(w, "]");
    if (scene->texture == NULL) return;
    say(w, ",\"textures\":[{\"sampler\":0,\"source\":0}],\"samplers\":[{\"magFilter\":9729,\"minFilter\":9987,");
    say(w, "\"wrapS\":33071,\"wrapT\":33071}],\"images\":[{\"name\":\"colour\",\"mimeType\":\"image/png\",");
    say(w, "\"bufferView\":%zu}]", 2 * scene->count);
}

static void say_meshes(words *w, const io_scene *scene) {
    int number = 0;
    say(w, ",\"meshes\":[");
    for (size_t i = 0; i < scene->count; i++) {
        const io_part *part = &scene->parts[i];
        say(w, "%s{\"name\":\"%s\",\"primitives\":[{\"attributes\":{", i > 0 ? "," : "", part->name);
        const accessor *list[MOST_ATTRIBUTES];
        for (int k = 0, count = attributes_of(part, list); k < count; k++)
            say(w, "%s\"%s\":%d", k > 0 ? "," : "", list[k]->name, number++);
        say(w, "},\"indices\":%d,\"material\":%d}]}", number++, material_number(scene, part->material));
    }
    say(w, "],\"nodes\":[");
    for (size_t i = 0; i < scene->count; i++)
        say(w, "%s{\"mesh\":%zu,\"name\":\"%s\"}", i > 0 ? "," : "", i, scene->parts[i].name);
    say(w, "],\"scenes\":[{\"nodes\":[");
    for (size_t i = 0; i < scene->count; i++) say(w, "%s%zu", i > 0 ? "," : "", i);
    say(w, "]}],\"scene\":0");
}

/* The text before the buffer. In .gltf the buffer is between the two halves of the text. */
static words gltf_text(const io_scene *scene) {
    words w = {0};
    say(&w, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"wadi %s\"},", wadi_version());
    say_views(&w, scene);
    say_accessors(&w, scene);
    say_materials(&w, scene);
    say_meshes(&w, scene);
    return w;
}

static wadi_status no_memory(const char *path, words *w) {
    free(w->text);
    return wadi_fail(WADI_ERROR_MEMORY, "%s: not enough memory to write it", path);
}

wadi_status io_gltf_write(const char *path, const io_scene *scene) {
    words w = gltf_text(scene);
    say(&w, ",\"buffers\":[{\"byteLength\":%llu,\"uri\":\"data:application/octet-stream;base64,",
        (unsigned long long)binary_bytes(scene));
    if (w.failed) return no_memory(path, &w);
    wadi_status status;
    io_sink *s = io_sink_open(path, &status);
    if (s != NULL) {
        io_sink_text(s, w.text);
        s->base64 = true;
        put_binary(s, scene);
        io_sink_base64_end(s);
        io_sink_text(s, "\"}]}\n");
        status = io_sink_close(s);
    }
    free(w.text);
    return status;
}

wadi_status io_glb_write(const char *path, const io_scene *scene) {
    const uint64_t binary = binary_bytes(scene);
    words w = gltf_text(scene);
    say(&w, ",\"buffers\":[{\"byteLength\":%llu}]}", (unsigned long long)binary);
    while (!w.failed && w.length % 4 != 0) say(&w, " ");
    if (w.failed) return no_memory(path, &w);
    if (binary > UINT32_MAX - w.length - 64) {
        free(w.text);
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: a .glb has 4 GiB at most; take each n-th cell, or write .ply",
                         path);
    }
    wadi_status status;
    io_sink *s = io_sink_open(path, &status);
    if (s != NULL) {
        io_sink_word(s, 0x46546c67u); /* "glTF" */
        io_sink_word(s, 2);
        io_sink_word(s, (uint32_t)(12 + 8 + w.length + 8 + binary));
        io_sink_word(s, (uint32_t)w.length);
        io_sink_word(s, 0x4e4f534au); /* "JSON" */
        io_sink_text(s, w.text);
        io_sink_word(s, (uint32_t)binary);
        io_sink_word(s, 0x004e4942u); /* "BIN" */
        put_binary(s, scene);
        status = io_sink_close(s);
    }
    free(w.text);
    return status;
}
