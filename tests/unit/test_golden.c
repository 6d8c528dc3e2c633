/* Golden hashes: every compiler, -O level, engine and vector width gives these bits. labels: bits threads
 *
 * test_golden_turned is this program with models whose lists have their rows in the opposite order (tests/reorder.awk):
 * the core knows parts of a model by their roles, so the bits are the same.
 *
 * They change when the order of operations in a model's formulas changes, or a parameter's standard value, and with
 * nothing else. Where such a change is meant, the failing test prints the new hash, for tests/scenes. */
#include "scene.h"

#include "wadi/device.h"

#ifdef WADI_TURNED
enum { TURNED = 1 };
#else
enum { TURNED = 0 };
#endif

/* The literal formulas of the papers, and transport as they have it: each choice's last. */
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

/* The first names are the table's, which may be turned. */
static void order_names(const wadi_model *model, const char **names) {
    int tabled = 0;
    for (int f = 0; f < model->field_count; f++) tabled += model->fields[f].kind != WADI_SCRATCH;
    for (int i = 0; TURNED && i < tabled / 2; i++) {
        const char *name = names[i];
        names[i] = names[tabled - 1 - i];
        names[tabled - 1 - i] = name;
    }
}

/* Of all the state, field after field. */
static void hash_state(const wadi_sim *sim, char hex[65]) {
    const char *names[STATE_FIELDS];
    const int count = state_fields(sim, names);
    order_names(wadi_sim_def(sim)->model, names);
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

static void check_engine(scene *scene, const scene_hash *golden, wadi_engine engine) {
    char hex[65];
    scene->def.engine = engine;
    wadi_sim *sim = run(scene, 100);
    hash_state(sim, hex);
    wadi_sim_destroy(sim);
    if (strcmp(hex, golden->sha256) != 0)
        fail_msg("%s, %s, engine %d: %s, not %s", scene->def.model->id, golden->name, (int)engine, hex, golden->sha256);
}

/* `way`: the CPU engine's number of threads and of sub-steps per pass. */
static void check(const char *model, const scene_hash *golden, int way, bool opencl) {
    static const int ways[][2] = {{0, 0}, {2, 1}, {2, 3}};
    scene scene = golden_scene(model, golden->boundary);
    if (golden->last) choose_last(&scene.def);
    apply(&scene, golden->settings);
    scene.def.threads = ways[way % COUNT(ways)][0];
    scene.def.steps_per_pass = ways[way % COUNT(ways)][1];
    for (int i = 0; i < COUNT(scene_engines); i++) check_engine(&scene, golden, scene_engines[i]);
    if (opencl) check_engine(&scene, golden, WADI_ENGINE_OPENCL);
    scene_free(&scene);
}

/* test_gpu compares the engines of models whose lists are as they are. */
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
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_models_hashes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
