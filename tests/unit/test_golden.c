/* Golden hashes: every compiler, -O level, engine and vector width gives these bits. labels: bits threads.
 * test_golden_turned is the same program with reversed lists in the models (tests/reorder.awk). The core knows parts of
 * a model by their roles, so the bits are equal. The hashes change only with the order of operations in a model's
 * formulas, or with a standard value. After an intended change, copy the new hash from the failing test to
 * tests/scenes. */
#include "scene.h"

#include "wadi/device.h"

#ifdef WADI_TURNED
enum { TURNED = 1 };
#else
enum { TURNED = 0 };
#endif
#ifdef WADI_EMULATED
enum { SLOW = 1 };
#else
enum { SLOW = SANITIZED };
#endif

/* The last value of each choice: the papers' literal formulas and transport. */
static void choose_last(wadi_def *def) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def->model, &count);
    for (size_t p = 0; p < count; p++)
        if (parameters[p].choices != NULL) def->values[p] = parameters[p].maximum;
}

static scene golden_scene(const char *model, wadi_boundary boundary) {
    scene made = scene_of(model, 61, 47, 1);
    made.def.boundary = boundary;
    made.def.seed = 5;
    made.def.drops = (wadi_drops){1.5, 2.5, 0.4};
    set_rain(&made, 0.01);
    make_hills(&made, 20, 11);
    float *height = scene_field(&made, "height");
    for (int i = 0; i < 30; i++) height[61 * (20 + i / 6) + 40 + i % 6] = NAN;
    add_source(&made, 20.5, 10.5, 2, 0.5);
    draw_hardness(&made, 0.1f, 0.9f, 3);
    return made;
}

/* Sorts the names, because the table may be reversed. */
static void order_names(const wadi_sim *sim, const char **names) {
    const wadi_model *model = wadi_sim_def(sim)->model;
    int tabled = 0;
    for (int f = 0; f < model->field_count; f++) tabled += lasts(sim, f);
    for (int i = 0; TURNED && i < tabled / 2; i++) {
        const char *name = names[i];
        names[i] = names[tabled - 1 - i];
        names[tabled - 1 - i] = name;
    }
}

/* The hash of all state fields, in order. */
static void hash_state(const wadi_sim *sim, char hex[65]) {
    const char *names[STATE_FIELDS];
    const int count = state_fields(sim, names);
    order_names(sim, names);
    wadi_sha256 hash;
    wadi_sha256_begin(&hash);
    for (int f = 0; f < count; f++) {
        char field_hex[65];
        float *values = field_of(sim, names[f]);
        wadi_field_sha256(values, cells_of(wadi_sim_def(sim)), field_hex);
        wadi_sha256_add(&hash, field_hex, 64);
        free(values);
    }
    wadi_sha256_end(&hash, hex);
}

static int wrong; /* all are printed, for a model that is new or was changed on purpose */

static void check_engine(scene *scene, const scene_hash *golden, wadi_engine engine) {
    char hex[65];
    scene->def.engine = engine;
    wadi_sim *sim = run(scene, 100);
    hash_state(sim, hex);
    wadi_sim_destroy(sim);
    if (strcmp(hex, golden->sha256) == 0) return;
    wrong++;
    print_message("%s, %s, engine %s: %s, not %s\n", scene->def.model->id, golden->name, wadi_engine_name(engine), hex,
                  golden->sha256);
}

/* `way`: number of threads and sub-steps per pass of the CPU engine. */
static void check(const char *model, const scene_hash *golden, int way, bool opencl) {
    static const int ways[][2] = {{0, 0}, {2, 1}, {2, 3}};
    scene scene = golden_scene(model, golden->boundary);
    if (golden->last) choose_last(&scene.def);
    apply(&scene, golden->settings);
    scene.def.threads = ways[way % COUNT(ways)][0];
    scene.def.substeps_per_pass = ways[way % COUNT(ways)][1];
    for (int i = 0; i < COUNT(scene_engines); i++) /* if it takes minutes: each second hash, by one engine */
        if (!SLOW || way % 4 == 2 * i) check_engine(&scene, golden, scene_engines[i]);
    if (opencl) check_engine(&scene, golden, WADI_ENGINE_OPENCL);
    scene_free(&scene);
}

/* false in the reversed test: test_gpu compares the engines. */
static bool runs_opencl(void) {
    wadi_device device;
    const char *missing = NULL;
    const bool there = TURNED && wadi_devices(WADI_ENGINE_OPENCL, &device, 1, &missing) > 0;
    if (TURNED && !there && getenv("WADI_NEED_OPENCL") != NULL) fail_msg("no OpenCL: %s", missing);
    return there;
}

static void every_models_hashes(void **state) {
    (void)state;
    const bool opencl = runs_opencl();
    for (int m = 0; m < MODELS; m++) {
        const scene_hash *hashes = scene_kind_of(wadi_model_at((size_t)m))->hashes;
        assert_non_null(hashes[0].name);
        for (int i = 0; i < SCENE_HASHES && hashes[i].name != NULL; i++)
            check(model_id(m), &hashes[i], m + i, opencl && i == 0);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_models_hashes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
