/* The table of maps: each has all that its users need, and a simulation gives it. */
#include "scene.h"

#include "render/palette.h"
#include "wadi/derive.h"
#include "wadi/map.h"

static void each_map_is_complete(void **state) {
    (void)state;
    const wadi_map_facts *map;
    size_t count = 0;
    for (; (map = wadi_map_facts_at(count)) != NULL; count++) {
        assert_ptr_equal(wadi_map_facts_of(map->name), map); /* no two of one name */
        assert_true(map->title[0] >= 'A' && map->title[0] <= 'Z');
        assert_true(map->unit[0] != '\0' && map->meaning[0] != '\0');
        if (render_palette_named(map->palette) == NULL) fail_msg("%s: no palette '%s'", map->name, map->palette);
        assert_ptr_equal(render_palette_of_map(map->name), render_palette_named(map->palette));
    }
    assert_true(count > 0 && count <= 31); /* a run keeps a set of them as bits */
    assert_null(wadi_map_facts_of("watr"));
    assert_null(wadi_map_facts_of(NULL));
}

/* A height below the sea is no other kind of height, and a change is one where all of it is a gain. Amounts begin at 0.
 */
static void each_map_has_the_scale_of_its_kind(void **state) {
    (void)state;
    enum { TABLES = 2, N = 100 };
    static const wadi_map_facts *(*const tables[TABLES])(size_t) = {wadi_map_facts_at, wadi_derived_facts_at};
    float both[N], above[N];
    for (int i = 0; i < N; i++) both[i] = (float)(i - 20), above[i] = (float)(i + 5);
    const wadi_map_facts *map;
    for (int t = 0; t < TABLES; t++)
        for (size_t i = 0; (map = tables[t](i)) != NULL; i++) {
            const render_palette *palette = render_palette_of_map(map->name);
            const bool change = strcmp(palette->name, "change") == 0;
            render_scale scale;
            assert_int_equal(render_scale_choose(above, N, N, palette->kind, &scale), WADI_OK);
            assert_int_equal(scale.diverging, change);
            if (change) assert_true(scale.low == -scale.high);
            if (!change && !scale.logarithmic) assert_int_equal(scale.low > 0, !render_scale_is_amount(palette->kind));
            assert_int_equal(render_scale_choose(both, N, N, palette->kind, &scale), WADI_OK);
            if (scale.diverging != (change || render_scale_is_amount(palette->kind))) fail_msg("%s", map->name);
        }
    render_scale scale;
    for (int i = 0; i < N; i++) above[i] = 1; /* a mask that hides nothing is full, not empty */
    assert_int_equal(render_scale_choose(above, N, N, render_palette_of_map("mask")->kind, &scale), WADI_OK);
    assert_true(scale.low == 0 && scale.high == 1);
    assert_int_equal(render_scale_choose(both, N, N, render_palette_of_map("my own")->kind, &scale), WADI_OK);
    assert_true(scale.diverging);
}

/* Some model has each map, with its values; and what a model says it has can be read. */
static void each_map_can_be_read(void **state) {
    (void)state;
    const wadi_map_facts *map;
    for (size_t i = 0; (map = wadi_map_facts_at(i)) != NULL; i++) {
        int had = 0;
        for (int m = 0; m < MODELS; m++) {
            scene scene = scene_of(model_id(m), 16, 12, 1);
            if (has(&scene, "infiltration")) choose(&scene, "infiltration", "constant");
            if (has(&scene, "track_sliding")) choose(&scene, "track_sliding", "on");
            make_hills(&scene, 5, 3);
            wadi_sim *sim = run(&scene, 2);
            if (wadi_sim_has(sim, map->name)) {
                float *values = field_of(sim, map->name);
                for (size_t c = 0; c < cells_of(&scene.def); c++) assert_true(isfinite(values[c]));
                free(values);
                had++;
            }
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
        if (had == 0) fail_msg("no model has %s", map->name);
    }
}

/* A map is made from a field. A model without that field does not have the map, and nothing else is read for it. */
static void a_map_without_its_field_is_refused(void **state) {
    (void)state;
    scene scene = scene_of("mei2007", 16, 12, 1);
    wadi_model without = *scene.def.model;
    without.roles.field[WADI_FIELD_DISCHARGE] = without.roles.field[WADI_FIELD_SPEED] = 0;
    make_hills(&scene, 5, 3);
    scene.def.model = &without;
    wadi_sim *sim = start(&scene);
    float *values = malloc(cells_of(&scene.def) * sizeof *values);
    static const char *const names[] = {"flow", "velocity"};
    for (int i = 0; i < COUNT(names); i++) {
        assert_false(wadi_sim_has(sim, names[i]));
        assert_int_equal(wadi_sim_get(sim, names[i], values, cells_of(&scene.def)), WADI_ERROR_ARGUMENT);
    }
    assert_true(wadi_sim_has(sim, "erosion"));
    free(values);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_map_is_complete), cmocka_unit_test(each_map_can_be_read),
                                       cmocka_unit_test(each_map_has_the_scale_of_its_kind),
                                       cmocka_unit_test(a_map_without_its_field_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
