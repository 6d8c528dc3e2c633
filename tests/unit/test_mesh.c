/* Meshes in files: corners, holes, water. Triangles are oriented correctly and cover the ground once. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wadi/mesh.h"

enum { WIDTH = 23, HEIGHT = 17, CELLS = WIDTH * HEIGHT };

static float heights[CELLS], water[CELLS];

static wadi_mesh mesh_of(int every) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double r2 = (x - 11.0) * (x - 11) + (y - 8.0) * (y - 8);
            heights[y * WIDTH + x] = (float)(0.05 * r2);
            water[y * WIDTH + x] = r2 < 20 ? (float)(1 - 0.05 * r2) : 0; /* its surface is at 1 */
        }
    return (wadi_mesh){.width = WIDTH,
                       .height = HEIGHT,
                       .lx = 2,
                       .ly = 3,
                       .heights = heights,
                       .every = every,
                       .water_threshold_m = 0.05};
}

#define OK(call) \
    do { \
        if ((call) != WADI_OK) fail_msg("%s", wadi_error_message()); \
    } while (0)

static char *bytes_of(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *count = (size_t)ftell(file);
    char *bytes = calloc(1, *count + 1);
    assert_non_null(bytes);
    rewind(file);
    assert_int_equal(fread(bytes, 1, *count, file), *count);
    fclose(file);
    return bytes;
}

/* A .ply file that was read back. */
typedef struct read_back {
    unsigned corners, triangles;
    float *at; /* 8 values a corner */
    uint32_t *three;
} read_back;

static read_back read_ply(const char *path) {
    size_t size;
    char *bytes = bytes_of(path, &size);
    read_back r = {0};
    assert_int_equal(sscanf(strstr(bytes, "element vertex"), "element vertex %u", &r.corners), 1);
    assert_int_equal(sscanf(strstr(bytes, "element face"), "element face %u", &r.triangles), 1);
    const char *at = strstr(bytes, "end_header\n") + 11;
    assert_int_equal(size, (size_t)(at - bytes) + r.corners * 32 + r.triangles * 13);
    r.at = malloc(r.corners * 32);
    r.three = malloc(r.triangles * 12);
    memcpy(r.at, at, r.corners * 32);
    at += r.corners * 32;
    for (unsigned i = 0; i < r.triangles; i++, at += 13) {
        assert_int_equal(*at, 3);
        memcpy(&r.three[3 * i], at + 1, 12);
    }
    free(bytes);
    return r;
}

/* Area seen from above, z up: positive if counterclockwise. */
static double area_of(const read_back *r, unsigned i) {
    const float *p[3];
    for (unsigned k = 0; k < 3; k++) {
        assert_true(r->three[3 * i + k] < r->corners);
        p[k] = &r->at[8 * r->three[3 * i + k]];
    }
    return 0.5 * (((double)p[1][0] - (double)p[0][0]) * ((double)p[2][1] - (double)p[0][1]) -
                  ((double)p[2][0] - (double)p[0][0]) * ((double)p[1][1] - (double)p[0][1]));
}

static void assert_covers(const wadi_mesh *mesh, unsigned corners, double area) {
    OK(wadi_mesh_write("mesh.ply", mesh));
    read_back r = read_ply("mesh.ply");
    assert_int_equal(r.corners, corners);
    double sum = 0;
    for (unsigned i = 0; i < r.triangles; i++) {
        assert_true(area_of(&r, i) > 0);
        sum += area_of(&r, i);
    }
    assert_true(fabs(sum - area) < 1e-6 * area);
    for (unsigned i = 0; i < corners; i++) {
        const float *c = &r.at[8 * i], *n = &c[3];
        const double x = (double)c[0] / 2, y = -(double)c[1] / 3; /* in cells from the middle of the bowl */
        assert_true(fabs((double)c[2] - 0.05 * (x * x + y * y)) < 1e-4);
        assert_true(fabs((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) - 1) < 1e-5 && n[2] > 0);
        if (x > 1 && x < 11) assert_true(n[0] < 0); /* it rises to the east */
        assert_true(c[6] > 0 && c[6] < 1 && c[7] > 0 && c[7] < 1);
    }
    free(r.at);
    free(r.three);
}

static void triangles_cover_the_ground_once(void **state) {
    (void)state;
    const double whole = 2.0 * (WIDTH - 1) * 3 * (HEIGHT - 1);
    wadi_mesh mesh = mesh_of(1);
    assert_covers(&mesh, CELLS, whole);
    mesh = mesh_of(4); /* columns 0, 4, ... 20, 22 */
    assert_covers(&mesh, 7 * 5, whole);
    mesh = mesh_of(1000);
    assert_covers(&mesh, 4, whole);
    mesh = mesh_of(1);
    heights[5 * WIDTH + 5] = NAN; /* four half quads are gone, an area of two cells */
    assert_covers(&mesh, CELLS - 1, whole - 2 * 6);
}

/* One mesh: the ground whole, and the sides. */
static void a_ply_has_all_parts(void **state) {
    (void)state;
    wadi_mesh mesh = mesh_of(1);
    mesh.chunk = 8;
    assert_covers(&mesh, CELLS, 2.0 * (WIDTH - 1) * 3 * (HEIGHT - 1));
    mesh.sides = true;
    OK(wadi_mesh_write("mesh.ply", &mesh));
    read_back r = read_ply("mesh.ply");
    const unsigned edges = 2 * (WIDTH + HEIGHT - 2);
    assert_int_equal(r.corners, CELLS + 4 * edges);
    assert_int_equal(r.triangles, 2 * (WIDTH - 1) * (HEIGHT - 1) + 2 * edges);
    unsigned below = 0;
    for (unsigned i = 0; i < r.corners; i++) below += r.at[8 * i + 2] < 0;
    assert_int_equal(below, 2 * edges);
    for (unsigned i = 2 * (WIDTH - 1) * (HEIGHT - 1); i < r.triangles; i++) {
        assert_true(r.three[3 * i] >= CELLS);
        assert_true(fabs(area_of(&r, i)) < 1e-3); /* upright */
    }
    free(r.at);
    free(r.three);
}

/* The bounds of a glTF are those of its floats: small, large and negative ones. */
static void bounds_are_those_of_the_floats(void **state) {
    (void)state;
    static const float lows[] = {1.23456789e-7f, -3.3333333e-5f, 1.5e10f, 0.1f, -1e12f};
    for (size_t k = 0; k < sizeof lows / sizeof *lows; k++) {
        wadi_mesh mesh = mesh_of(1);
        for (int i = 0; i < CELLS; i++) heights[i] = lows[k] + fabsf(lows[k]) * (float)(i % 7) / 9;
        OK(wadi_mesh_write("mesh.gltf", &mesh));
        size_t size;
        float low[3], high[3];
        char *text = bytes_of("mesh.gltf", &size);
        assert_int_equal(sscanf(strstr(text, "\"min\":["), "\"min\":[%f,%f,%f]", &low[0], &low[1], &low[2]), 3);
        assert_int_equal(sscanf(strstr(text, "\"max\":["), "\"max\":[%f,%f,%f]", &high[0], &high[1], &high[2]), 3);
        if (low[1] != lows[k] || high[1] != heights[6]) fail_msg("%.9g is %.9g", (double)lows[k], (double)low[1]);
        free(text);
    }
}

static unsigned lines_of(const char *text, const char *begin) {
    unsigned count = 0;
    for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        count += strncmp(at, begin, strlen(begin)) == 0;
        if (*at == '\0') break;
    }
    return count;
}

static void obj_has_ground_and_water(void **state) {
    (void)state;
    wadi_mesh mesh = mesh_of(1);
    mesh.water = water;
    OK(wadi_mesh_write("mesh.obj", &mesh));
    size_t size;
    char *text = bytes_of("mesh.obj", &size);
    const char *wet = strstr(text, "o water_0\n");
    assert_non_null(wet);
    const unsigned corners = lines_of(text, "v "), of_water = lines_of(wet, "v ");
    assert_int_equal(corners, CELLS + of_water);
    assert_int_equal(lines_of(text, "vn "), corners);
    assert_int_equal(lines_of(text, "vt "), corners);
    assert_int_equal(lines_of(text, "f ") - lines_of(wet, "f "), 2 * (WIDTH - 1) * (HEIGHT - 1));
    /* the surface is flat, and ends where the bank is as high */
    for (const char *at = wet; (at = strstr(at, "\nv ")) != NULL; at++) {
        double x, y, z;
        assert_int_equal(sscanf(at + 3, "%lf %lf %lf", &x, &y, &z), 3);
        assert_true(y > 0.949 && y < 1.001); /* the threshold is 0.05 m here */
        const double r2 = x * x / 4 + z * z / 9;
        assert_true(r2 < 22); /* the bowl is as high as the water at 20 */
    }
    for (const char *at = wet; (at = strstr(at, "\nf ")) != NULL; at++) {
        unsigned a, b, c;
        assert_int_equal(sscanf(at + 3, "%u/%*u/%*u %u/%*u/%*u %u", &a, &b, &c), 3);
        assert_true(a > CELLS && a <= corners && b > CELLS && b <= corners && c > CELLS && c <= corners);
    }
    free(text);
}

/* A film counts as land. Water on level ground ends between its cells and the film. */
static void thin_films_have_no_surface_and_water_has_a_shore(void **state) {
    (void)state;
    wadi_mesh mesh = mesh_of(1);
    mesh.water = water;
    for (int i = 0; i < CELLS; i++) heights[i] = 10, water[i] = 0.04f; /* the threshold is 0.05 */
    size_t size;
    OK(wadi_mesh_write("film.obj", &mesh));
    char *text = bytes_of("film.obj", &size);
    assert_null(strstr(text, "o water"));
    free(text);
    for (int k = 0; k < 4; k++) water[(5 + k / 2) * WIDTH + 5 + k % 2] = 1;
    OK(wadi_mesh_write("shore.obj", &mesh));
    text = bytes_of("shore.obj", &size);
    const char *at = strstr(text, "o water_0\n");
    int above = 0, shore = 0;
    assert_non_null(at);
    while ((at = strstr(at, "\nv ")) != NULL) {
        double x, y, z;
        assert_int_equal(sscanf(++at, "v %lf %lf %lf", &x, &y, &z), 3);
        above += fabs(y - 11) < 1e-4;
        shore += fabs(y - 10) < 1e-4;
    }
    assert_int_equal(above, 4);
    assert_int_equal(shore, 8);
    free(text);
}

static unsigned objects_of(const wadi_mesh *mesh, const char *begin) {
    size_t size;
    OK(wadi_mesh_write("objects.obj", mesh));
    char *text = bytes_of("objects.obj", &size);
    const unsigned count = lines_of(text, begin);
    free(text);
    return count;
}

static void fill(int x0, int y0, int x1, int y1, float depth) {
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) water[y * WIDTH + x] = depth;
}

static void bodies_that_do_not_touch_are_objects(void **state) {
    (void)state;
    wadi_mesh mesh = mesh_of(1);
    mesh.water = water;
    for (int i = 0; i < CELLS; i++) heights[i] = 10, water[i] = 0;
    fill(2, 2, 5, 5, 1);
    fill(8, 2, 12, 5, 1);
    fill(16, 12, 16, 13, 1); /* two cells are too few */
    assert_int_equal(objects_of(&mesh, "o water_"), 2);
    fill(5, 3, 8, 3, 1);
    assert_int_equal(objects_of(&mesh, "o water_"), 1);
    for (int i = 0; i < CELLS; i++) water[i] = i % WIDTH % 3 < 2 && i / WIDTH % 3 < 2 ? 1 : 0; /* 8 x 6 ponds */
    assert_int_equal(objects_of(&mesh, "o water_"), 33);
    assert_int_equal(objects_of(&mesh, "o water_others"), 1);
}

/* Lower than the sea and joined to the border; a hollow inland stays dry, and shallow sea has no holes. */
static void the_sea_is_whole_and_level(void **state) {
    (void)state;
    wadi_mesh mesh = mesh_of(1);
    mesh.water = water;
    mesh.has_sea = true;
    mesh.sea_m = 2;
    for (int i = 0; i < CELLS; i++) heights[i] = i % WIDTH < 10 ? 0.2f * (float)(i % WIDTH) : 5, water[i] = 0;
    heights[8 * WIDTH + 16] = -3;
    assert_int_equal(objects_of(&mesh, "o sea"), 1);
    assert_int_equal(objects_of(&mesh, "o water"), 0);
    size_t size;
    char *text = bytes_of("objects.obj", &size);
    const char *at = strstr(text, "o sea\n");
    double area = 0, east = -1e9;
    for (const char *v = at; (v = strstr(v, "\nv ")) != NULL; v++) {
        double x, y, z;
        assert_int_equal(sscanf(v + 3, "%lf %lf %lf", &x, &y, &z), 3);
        assert_true(fabs(y - 2) < 1e-4);
        east = fmax(east, x);
    }
    for (const char *f = at; (f = strstr(f, "\nf ")) != NULL; f++) area++;
    /* the shore: between the columns 9 (1.8 m) and 10 (5 m) */
    assert_true(fabs(east - (9 + 0.2 / 3.2 + 0.5 - 11.5) * 2) < 1e-3);
    assert_int_equal(area, 2 * 10 * (HEIGHT - 1));
    free(text);
}

static void sides_close_the_block(void **state) {
    (void)state;
    wadi_mesh mesh = mesh_of(1);
    for (int i = 0; i < CELLS; i++) heights[i] = 10, water[i] = 2;
    mesh.water = water;
    const unsigned whole = 2 * (WIDTH - 1) * (HEIGHT - 1), rim = 2 * 2 * (WIDTH - 1 + HEIGHT - 1);
    assert_int_equal(objects_of(&mesh, "f "), 2 * whole);
    mesh.sides = true;
    assert_int_equal(objects_of(&mesh, "f "), 2 * (whole + rim));
    assert_int_equal(objects_of(&mesh, "o sides"), 1);
}

static void the_ground_in_chunks(void **state) {
    (void)state;
    wadi_mesh mesh = mesh_of(1);
    mesh.chunk = 8; /* of 22 x 16 quads: 3 x 2 */
    assert_int_equal(objects_of(&mesh, "o ground_x"), 6);
    assert_int_equal(objects_of(&mesh, "f "), 2 * (WIDTH - 1) * (HEIGHT - 1));
    assert_int_equal(objects_of(&mesh, "v "), (9 + 9 + 7) * (9 + 9));
}

static uint32_t word_at(const char *bytes, size_t at) {
    const unsigned char *b = (const unsigned char *)bytes + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void flow_and_colours_are_in_the_file(void **state) {
    (void)state;
    static float east[CELLS], north[CELLS], speed[CELLS];
    static uint8_t picture[3 * CELLS];
    wadi_mesh mesh = mesh_of(1);
    for (int i = 0; i < CELLS; i++) east[i] = 1, north[i] = 0.5f, speed[i] = 0.25f;
    mesh.water = water;
    mesh.flow[0] = east, mesh.flow[1] = north, mesh.flow[2] = speed;
    mesh.colours = picture;
    size_t size;
    OK(wadi_mesh_write("flow.glb", &mesh));
    char *bytes = bytes_of("flow.glb", &size);
    static const char *const wanted[] = {"\"COLOR_1\"", "\"byteStride\":32", "\"baseColorTexture\""};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(bytes + 20, wanted[i])) fail_msg("no %s", wanted[i]);
    const size_t json = word_at(bytes, 12);
    const char *view = strstr(bytes + 20, "\"images\"");
    assert_non_null(view);
    size_t at = 28 + json;
    while (at + 8 < size && memcmp(bytes + at, "\x89PNG\r\n\x1a\n", 8) != 0) at += 4;
    assert_memory_equal(bytes + at + 12, "IHDR\0\0\0\x10\0\0\0\x10", 12); /* powers of two near 23 x 17 */
    const unsigned char colours[4] = {255, 128, 64, 255};
    unsigned char thinnest = 255, thickest = 0;
    size_t found = 0;
    for (size_t i = 28 + json; i + 8 < size; i += 4) {
        const unsigned char *before = (const unsigned char *)bytes + i - 4;
        if (memcmp(bytes + i, colours, 4) != 0 || before[0] != 255 || before[1] != 255) continue;
        found++;
        thinnest = before[3] < thinnest ? before[3] : thinnest;
        thickest = before[3] > thickest ? before[3] : thickest;
    }
    assert_true(found > 50 && thinnest < 50 && thickest > 150); /* the shore is clear, and deep water opaque */
    free(bytes);
}

static void glb_lengths_are_exact(void **state) {
    (void)state;
    wadi_mesh mesh = mesh_of(2);
    mesh.water = water;
    mesh.exaggeration = 10;
    OK(wadi_mesh_write("mesh.GLB", &mesh));
    OK(wadi_mesh_write("mesh.gltf", &mesh));
    size_t size, text_size;
    char *bytes = bytes_of("mesh.GLB", &size), *text = bytes_of("mesh.gltf", &text_size);
    const size_t json = word_at(bytes, 12), binary = word_at(bytes, 20 + json);
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(word_at(bytes, 8), size);
    assert_int_equal(28 + json + binary, size);
    assert_int_equal(json % 4, 0);
    assert_memory_equal(text, bytes + 20, 200); /* the same words */
    char length[64];
    snprintf(length, sizeof length, "\"byteLength\":%zu,\"uri\"", binary);
    assert_non_null(strstr(text, length));
    const char *begin = strstr(text, "base64,") + 7;
    assert_int_equal(strchr(begin, '"') - begin, (binary + 2) / 3 * 4);
    assert_non_null(strstr(text, "\"max\":[22,")); /* 11 cells of 2 m */
    free(bytes);
    free(text);
}

static void invalid_meshes_are_refused(void **state) {
    (void)state;
    wadi_mesh mesh = mesh_of(1);
    assert_int_equal(wadi_mesh_write("mesh.stl", &mesh), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_mesh_write("mesh", &mesh), WADI_ERROR_ARGUMENT);
    mesh.every = -1;
    assert_int_equal(wadi_mesh_write("refused.obj", &mesh), WADI_ERROR_ARGUMENT);
    mesh = mesh_of(1);
    mesh.lx = NAN;
    assert_int_equal(wadi_mesh_write("refused.obj", &mesh), WADI_ERROR_ARGUMENT);
    mesh = mesh_of(1);
    for (int i = 0; i < CELLS; i++) heights[i] = i % 2 ? NAN : 1;
    assert_int_equal(wadi_mesh_write("refused.obj", &mesh), WADI_ERROR_ARGUMENT); /* no triangle */
    assert_null(fopen("refused.obj", "rb"));
    mesh = mesh_of(1);
    assert_int_equal(wadi_mesh_write("no/such/folder/x.obj", &mesh), WADI_ERROR_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_cover_the_ground_once),
        cmocka_unit_test(a_ply_has_all_parts),
        cmocka_unit_test(bounds_are_those_of_the_floats),
        cmocka_unit_test(obj_has_ground_and_water),
        cmocka_unit_test(thin_films_have_no_surface_and_water_has_a_shore),
        cmocka_unit_test(bodies_that_do_not_touch_are_objects),
        cmocka_unit_test(the_sea_is_whole_and_level),
        cmocka_unit_test(sides_close_the_block),
        cmocka_unit_test(the_ground_in_chunks),
        cmocka_unit_test(flow_and_colours_are_in_the_file),
        cmocka_unit_test(glb_lengths_are_exact),
        cmocka_unit_test(invalid_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
