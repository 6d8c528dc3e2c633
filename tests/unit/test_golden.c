/* Golden hashes: every compiler, -O level, engine and vector width gives these bits. labels: bits threads
 *
 * They change when the order of operations in a model's formulas changes, or a parameter's standard value, and with
 * nothing else. Where such a change is meant, the failing test prints the new hash. */
#include "scene.h"

/* The table's standard values rather than a preset's, which are tuned by eye now and then. */
static void set_standard(wadi_def *def) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def->model, &count);
    for (size_t p = 0; p < count; p++) def->values[p] = parameters[p].standard;
}

/* The literal formulas of the papers, and transport as they have it: each choice's last. */
static void choose_last(wadi_def *def) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def->model, &count);
    for (size_t p = 0; p < count; p++)
        if (parameters[p].choices != NULL) def->values[p] = parameters[p].maximum;
}

static scene golden_scene(const char *model, wadi_boundary boundary) {
    scene made = scene_of(model, 61, 47, 1);
    set_standard(&made.def);
    made.def.boundary = boundary;
    made.def.threads = 0;
    made.def.seed = 5;
    made.def.drops = (wadi_drops){1.5, 2.5, 0.4};
    set_rain(&made, 0.01);
    make_hills(&made, 20, 11);
    float *height = scene_field(&made, "height");
    for (int i = 0; i < 30; i++) height[61 * (20 + i / 6) + 40 + i % 6] = NAN;
    add_source(&made, 20.5, 10.5, 2, 0.5);
    if (is_jako(&made)) fill_random(scene_field(&made, "hardness"), &made.def, 0.1f, 0.9f, 3);
    return made;
}

/* Of all the state, field after field. */
static void hash_state(const wadi_sim *sim, char hex[65]) {
    const char *names[STATE_FIELDS];
    const int count = state_fields(sim, names);
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

static void check_scene(scene *given, const char *golden) {
    scene scene = *given;
    for (int engine = 0; engine < COUNT(scene_engines); engine++) {
        char hex[65];
        scene.def.engine = scene_engines[engine];
        wadi_sim *sim = run(&scene, 100);
        hash_state(sim, hex);
        wadi_sim_destroy(sim);
        assert_string_equal(hex, golden);
    }
    scene_free(&scene);
}

static void check(const char *model, wadi_boundary boundary, bool literal, const char *golden) {
    scene scene = golden_scene(model, boundary);
    if (literal) choose_last(&scene.def);
    check_scene(&scene, golden);
}

static void check_method(int method, wadi_boundary boundary, const char *golden) {
    scene scene = golden_scene("olsen2004", boundary);
    choose_method(&scene, method);
    check_scene(&scene, golden);
}

static void mei2007_standard(void **state) {
    (void)state;
    check("mei2007", WADI_CLOSED, false, "7fa773753b455670466d7075a07e8fbef7d07b14ebdfee7cac8ea3475a7c3184");
}

static void mei2007_literal(void **state) {
    (void)state;
    check("mei2007", WADI_WRAP, true, "f2a17e34cb3b5093d65fadbda01f01fb289f29bb3e0f6a223c5f24c02eaea9d2");
}

static void jako2011_standard(void **state) {
    (void)state;
    check("jako2011", WADI_CLOSED, false, "1f1a44347f011efe9be349697202f796f508f4bbc278ceee5544106f310d0974");
}

static void jako2011_literal(void **state) {
    (void)state;
    check("jako2011", WADI_OPEN, true, "14c8fe2662b458a3748c8743de1ef3eda687e1fc9412ef9ab4a26cd553d3082d");
}

static void olsen2004_thermal(void **state) {
    (void)state;
    check_method(0, WADI_WRAP, "504f3ee57ecf2d8e88eada7779dbabf9a45393ad3e94f9178c16a487b6eba7d6");
}

static void olsen2004_thermal_optimised(void **state) {
    (void)state;
    check_method(1, WADI_CLOSED, "cc9db7798e2986aa507adb8bc6980b48cd389962200ab61650dd311781f433ee");
}

static void olsen2004_hydraulic(void **state) {
    (void)state;
    check_method(2, WADI_OPEN, "2e396385fc0c63512a97baf4b9dec3904672b9785c15a5a01ee77604a9851955");
}

static void olsen2004_hydraulic_optimised(void **state) {
    (void)state;
    check_method(3, WADI_WRAP, "7748a63cb7939309ba88f9260d62fb2b409c592659861f35e2dada5d49cd798a");
}

static void olsen2004_fast(void **state) {
    (void)state;
    check_method(4, WADI_CLOSED, "f138c7c7f2bc088bb2429dc45bb9b79cf5326fe05b89144fc783c19ea06d4d9b");
}

static void olsen2004_thermal_musgrave(void **state) {
    (void)state;
    check_method(5, WADI_OPEN, "f1608c595da5cdad9fe64147728daa7f92393bcbcac2501d117830e06238401b");
}

static void olsen2004_hydraulic_musgrave(void **state) {
    (void)state;
    check_method(6, WADI_WRAP, "4106057c6f9afac8016bcbb45a1b380d9b3715850816f9e1db2703737dda020a");
}

static void swenson2018_standard(void **state) {
    (void)state;
    check("swenson2018", WADI_CLOSED, false, "c95b3caca42df13c07cb517072a973aed2f8542a2d6b9bd503b92da7480eb4e4");
}

static void swenson2018_literal(void **state) {
    (void)state;
    check("swenson2018", WADI_OPEN, true, "31130fe8a5c04e5e7143b490c11e3b53edf0650e6e263778fc36c663d93335a9");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mei2007_standard),
        cmocka_unit_test(mei2007_literal),
        cmocka_unit_test(jako2011_standard),
        cmocka_unit_test(jako2011_literal),
        cmocka_unit_test(olsen2004_thermal),
        cmocka_unit_test(olsen2004_thermal_optimised),
        cmocka_unit_test(olsen2004_hydraulic),
        cmocka_unit_test(olsen2004_hydraulic_optimised),
        cmocka_unit_test(olsen2004_fast),
        cmocka_unit_test(olsen2004_thermal_musgrave),
        cmocka_unit_test(olsen2004_hydraulic_musgrave),
        cmocka_unit_test(swenson2018_standard),
        cmocka_unit_test(swenson2018_literal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
