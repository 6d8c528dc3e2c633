/* Maps in OpenGL buffers: they are drawn like maps that are set. Another thread's context fills them, or a GPU fills
 * them with the values of wadi_sim_get, or the call is refused. Without OpenGL the test skips, unless WADI_NEED_OPENGL
 * is set. */
#include <epoxy/gl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "screen.h"
#include "wadi/device.h"
#include "wadi/landscape.h"
#include "wadi/wadi.h"

enum { WIDE = 599, HIGH = 437, CELLS = WIDE * HIGH, SIZE = 400 }; /* smaller copies of it are not just halves */

#define OK(call) \
    do { \
        if ((call) != WADI_OK) fail_msg("%s", wadi_error_message()); \
    } while (0)

static float *map_of(double (*value)(int x, int y)) {
    float *map = malloc(CELLS * sizeof *map);
    assert_non_null(map);
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) map[y * WIDE + x] = (float)value(x, y);
    return map;
}

static double flat(int x, int y) { return (void)x, (void)y, 5; }
static double none(int x, int y) { return (void)x, (void)y, 0; }
static double ranges(int x, int y) {
    const bool hole = x >= 280 && x < 300 && y > 90 && y < 130;
    return hole ? (double)NAN : 30 + 19 * sin(0.05 * x) + 17 * cos(0.04 * y) + (x * 7 + y * 13) % 5;
}
static double puddles(int x, int y) { return 4 * sin(0.11 * x) * cos(0.07 * y); } /* negative in places */
static double laid(int x, int y) { return x == 3 ? (double)INFINITY : sin(0.02 * x + 0.01 * y); }

static double (*const values[])(int x, int y) = {ranges, puddles, none, laid};
static const wadi_layer layers[] = {WADI_LAYER_HEIGHT, WADI_LAYER_WATER, WADI_LAYER_SEDIMENT, WADI_LAYER_CHANGE};
enum { LAYERS = 4 };

static GLuint buffer_of(const float *map) {
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, CELLS * sizeof *map, map, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return buffer;
}

static wadi_landscape *landscape_of(double (*const value[LAYERS])(int x, int y)) {
    wadi_landscape *l;
    OK(wadi_landscape_create(WIDE, HIGH, 1, 1, &l));
    for (int i = 0; i < LAYERS; i++) {
        float *map = map_of(value[i]);
        OK(wadi_landscape_set(l, layers[i], 0, 0, WIDE, HIGH, map));
        free(map);
    }
    return l;
}

/* All scales are given, and there is no light map: the pixels depend on the textures only. */
static wadi_picture *draw(wadi_landscape *l, const wadi_camera *camera) {
    wadi_picture *picture;
    wadi_look look = wadi_default_look();
    look.shadows = look.sides = false;
    look.deep_m = 2, look.height_low = 0, look.height_high = 70, look.change_m = 1;
    OK(wadi_landscape_draw(l, camera, &look, SIZE, SIZE));
    OK(wadi_offscreen_read(screen, &picture));
    return picture;
}

static int differing(const wadi_picture *a, const wadi_picture *b, int by) {
    int count = 0;
    for (int i = 0; i < SIZE * SIZE * 3; i++) count += abs(a->rgb[i] - b->rgb[i]) > by;
    return count;
}

static void compare(wadi_landscape *a, wadi_landscape *b, int most) {
    const wadi_camera cameras[] = {
        {.x = 300, .y = 200, .z = 30, .azimuth = 20, .elevation = 35, .distance = 700, .view = 45},
        {.x = 290, .y = 110, .z = 30, .elevation = 60, .distance = 90, .view = 45},
        {.x = 300, .y = 218, .elevation = 90, .distance = 2500, .view = 0}};
    for (size_t i = 0; i < sizeof cameras / sizeof *cameras; i++) {
        wadi_picture *p = draw(a, &cameras[i]), *q = draw(b, &cameras[i]);
        const int count = differing(p, q, 3);
        if (count > most) fail_msg("camera %zu: %d of %d colours differ", i, count, SIZE * SIZE * 3);
        wadi_picture_destroy(p);
        wadi_picture_destroy(q);
    }
}

/* The extents of the mesh and the wet parts depend on the maps that were set. So these get the same values, but are not
 * sent. */
static void shared_buffers_are_drawn_like_set_fields(void **state) {
    (void)state;
    double (*const before[])(int x, int y) = {flat, none, none, none};
    wadi_landscape *set = landscape_of(values), *shown = landscape_of(before);
    for (int i = 0; i < LAYERS; i++) {
        float *map = map_of(values[i]);
        const GLuint buffer = buffer_of(map);
        OK(wadi_landscape_set(shown, layers[i], 0, 0, WIDE, HIGH, map));
        OK(wadi_landscape_set_buffer(shown, layers[i], buffer));
        glDeleteBuffers(1, &buffer);
        free(map);
    }
    compare(set, shown, SIZE * SIZE * 3 / 200);
    wadi_landscape_destroy(set);
    wadi_landscape_destroy(shown);
}

static void set_fields_are_not_sent_while_a_buffer_is_shared(void **state) {
    (void)state;
    double (*const other[])(int x, int y) = {ranges, none, none, none};
    wadi_landscape *set = landscape_of(values), *shown = landscape_of(other), *dry = landscape_of(other);
    float *map = map_of(none);
    const GLuint buffer = buffer_of(map);
    OK(wadi_landscape_set_buffer(shown, WADI_LAYER_WATER, buffer));
    OK(wadi_landscape_set_buffer(shown, WADI_LAYER_CHANGE, buffer));
    free(map);
    for (int i = 0; i < LAYERS; i++) {
        map = map_of(values[i]);
        OK(wadi_landscape_set(shown, layers[i], 0, 0, WIDE, HIGH, map));
        free(map);
    }
    compare(dry, shown, 0);
    OK(wadi_landscape_set_buffer(shown, WADI_LAYER_WATER, 0));
    OK(wadi_landscape_set_buffer(shown, WADI_LAYER_CHANGE, 0));
    compare(set, shown, 0);
    glDeleteBuffers(1, &buffer);
    wadi_landscape_destroy(set);
    wadi_landscape_destroy(shown);
    wadi_landscape_destroy(dry);
}

static void layers_that_were_never_set_are_refused(void **state) {
    (void)state;
    wadi_landscape *l;
    OK(wadi_landscape_create(WIDE, HIGH, 1, 1, &l));
    assert_int_equal(wadi_landscape_set_buffer(l, WADI_LAYER_WATER, 1), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_landscape_set_buffer(l, WADI_LAYERS, 0), WADI_ERROR_ARGUMENT);
    wadi_landscape_destroy(l);
}

/* --- another thread's context --- */

typedef struct other {
    wadi_offscreen *context;
    wadi_sim *sim;
    const float *map;
    GLuint buffers[4];
    wadi_status status;
    char message[256];
} other;

static void *fill(void *context) {
    other *o = context;
    o->status = wadi_offscreen_use(o->context);
    if (o->status == WADI_OK) {
        o->buffers[0] = buffer_of(o->map);
        glFinish();
    }
    wadi_offscreen_close(o->context);
    return NULL;
}

static void another_thread_fills_buffers(void **state) {
    (void)state;
    float *map = map_of(ranges), *read = malloc(CELLS * sizeof *read);
    other o = {.map = map};
    pthread_t thread;
    OK(wadi_offscreen_share(&o.context));
    assert_int_equal(pthread_create(&thread, NULL, fill, &o), 0);
    pthread_join(thread, NULL);
    OK(o.status);
    glBindBuffer(GL_ARRAY_BUFFER, o.buffers[0]);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, CELLS * sizeof *read, read);
    assert_memory_equal(map, read, CELLS * sizeof *read);
    glDeleteBuffers(1, o.buffers);
    free(map);
    free(read);
}

/* --- from a simulation --- */

static wadi_sim *sim_on(wadi_engine engine) {
    wadi_sim *sim;
    float *heights = map_of(ranges), *water = map_of(puddles);
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), WIDE, HIGH, 2, 3);
    def.engine = engine;
    for (int i = 0; i < CELLS; i++) water[i] = fmaxf(water[i], 0);
    OK(wadi_sim_create(&def, &sim));
    OK(wadi_sim_set(sim, "height", heights, CELLS));
    OK(wadi_sim_set(sim, "water", water, CELLS));
    OK(wadi_sim_step(sim, 40));
    free(heights);
    free(water);
    return sim;
}

enum { FIELDS = 4 };
static const char *const fields[FIELDS] = {"height", "water", "sediment", "change"};

/* Works as a window's thread: repeatedly, in its own context. */
static void *show(void *context) {
    other *o = context;
    o->status = wadi_offscreen_use(o->context);
    for (int i = 0; i < 10 && o->status == WADI_OK; i++)
        o->status = wadi_sim_get_gl(o->sim, fields, o->buffers, FIELDS);
    strncpy(o->message, o->status == WADI_OK ? "" : wadi_error_message(), sizeof o->message - 1);
    wadi_offscreen_close(o->context);
    return NULL;
}

static void show_elsewhere(other *o) {
    pthread_t thread;
    OK(wadi_offscreen_share(&o->context));
    assert_int_equal(pthread_create(&thread, NULL, show, o), 0);
    pthread_join(thread, NULL);
}

static void compare_with_host(const wadi_sim *sim, const char *field, GLuint buffer) {
    float *wanted = malloc(CELLS * sizeof *wanted), *read = malloc(CELLS * sizeof *read);
    OK(wadi_sim_get(sim, field, wanted, CELLS));
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, CELLS * sizeof *read, read);
    for (int k = 0; k < CELLS; k++) assert_true(wanted[k] == read[k] || (isnan(wanted[k]) && isnan(read[k])));
    free(wanted);
    free(read);
}

/* Whether this device shares buffers with this OpenGL. NVIDIA's devices do with NVIDIA's OpenGL. */
static void check_sharing(wadi_engine engine) {
    static const char *const turned[FIELDS] = {"change", "sediment", "water", "height"}, *const wrong[] = {"speed"};
    wadi_sim *sim = sim_on(engine);
    float *zeros = calloc(CELLS, sizeof *zeros);
    other o = {.sim = sim};
    for (int i = 0; i < FIELDS; i++) o.buffers[i] = buffer_of(zeros);
    free(zeros);
    show_elsewhere(&o);
    if (o.status == WADI_OK) {
        print_message("%s shares with %s\n", wadi_sim_device(sim), wadi_offscreen_renderer(screen));
        for (int i = 0; i < FIELDS; i++) compare_with_host(sim, fields[i], o.buffers[i]);
        OK(wadi_sim_step(sim, 10));
        OK(wadi_sim_get_gl(sim, turned, o.buffers, FIELDS)); /* in this thread's context too */
        for (int i = 0; i < FIELDS; i++) compare_with_host(sim, turned[i], o.buffers[i]);
        OK(wadi_sim_get_gl(sim, fields, &o.buffers[2], 1));
        compare_with_host(sim, fields[0], o.buffers[2]);
    } else {
        print_message("%s\n", o.message);
        assert_int_equal(o.status, WADI_ERROR_UNSUPPORTED);
    }
    assert_int_equal(wadi_sim_get_gl(sim, wrong, o.buffers, 1), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_sim_get_gl(sim, fields, o.buffers, 0), WADI_ERROR_ARGUMENT);
    OK(wadi_sim_step(sim, 10)); /* the simulation still works */
    wadi_sim_destroy(sim);
    glDeleteBuffers(FIELDS, o.buffers);
}

static void devices_share_buffers_or_refuse(void **state) {
    (void)state;
    const wadi_engine engines[] = {WADI_ENGINE_CPU, WADI_ENGINE_OPENCL, WADI_ENGINE_CUDA};
    for (int i = 0; i < 3; i++) {
        wadi_device device;
        if (engines[i] == WADI_ENGINE_CPU || wadi_devices(engines[i], &device, 1, NULL) > 0) check_sharing(engines[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_buffers_are_drawn_like_set_fields),
        cmocka_unit_test(set_fields_are_not_sent_while_a_buffer_is_shared),
        cmocka_unit_test(layers_that_were_never_set_are_refused),
        cmocka_unit_test(another_thread_fills_buffers),
        cmocka_unit_test(devices_share_buffers_or_refuse),
    };
    int code;
    if (!open_screen(SIZE, &code)) return code;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wadi_offscreen_close(screen);
    return failed;
}
