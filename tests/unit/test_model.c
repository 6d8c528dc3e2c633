/* The tables of the models; and what definitions and simulations refuse, with helpful messages. */
#include "scene.h"

#include <limits.h>

#include "core/inside.h"
#include "core/rasters.h"

/* --- tables --- */

static void every_row_is_sound(void **state) {
    (void)state;
    assert_true(wadi_model_count() >= 2);
    assert_null(wadi_model_at(wadi_model_count()));
    for (size_t m = 0; m < wadi_model_count(); m++) {
        const wadi_model *model = wadi_model_at(m);
        size_t count;
        const wadi_parameter *row = wadi_model_parameters(model, &count);
        assert_ptr_equal(wadi_model_find(wadi_model_id(model)), model);
        assert_true(strlen(wadi_model_title(model)) > 10 && strlen(wadi_model_citation(model)) > 20);
        assert_true(count <= WADI_MAX_PARAMETERS);
        assert_string_equal(row[0].name, "dt");
        for (size_t i = 0; i < count; i++) {
            if (!(row[i].minimum <= row[i].standard && row[i].standard <= row[i].maximum &&
                  row[i].minimum < row[i].maximum))
                fail_msg("%s: %g <= %g <= %g?", row[i].name, row[i].minimum, row[i].standard, row[i].maximum);
            assert_true(strlen(row[i].meaning) > 5 && strchr(row[i].meaning, '\n') == NULL);
            assert_true(row[i].source[0] != '\0' && row[i].alias[0] != '\0' && row[i].unit != NULL);
            assert_int_equal(wadi_model_parameter_index(model, row[i].name), i);
            assert_int_equal(wadi_model_parameter_index(model, row[i].alias), i);
            for (size_t j = 0; j < i; j++) {
                assert_string_not_equal(row[i].name, row[j].name);
                assert_string_not_equal(row[i].alias, row[j].alias);
                assert_string_not_equal(row[i].name, row[j].alias);
                assert_string_not_equal(row[i].alias, row[j].name);
            }
            if (row[i].choices == NULL) continue;
            size_t choices = 0;
            while (row[i].choices[choices] != NULL) choices++;
            assert_true(row[i].minimum <= 0 && row[i].maximum >= (double)choices - 1 &&
                        row[i].maximum < (double)choices);
            assert_false(row[i].per_cell);
        }
    }
}

/* Scaling fits the unit: the powers of metre and second in a row are those in its unit's text. Manning's n is measured,
 * and is not scaled. */
static void scaling_powers_agree_with_units(void **state) {
    (void)state;
    static const struct {
        const char *unit;
        int length, time;
    } units[] = {{"", 0, 0},          {"1", 0, 0},     {"s", 0, 1},         {"1/s", 0, -1},
                 {"m", 1, 0},         {"m2", 2, 0},    {"1/m", -1, 0},      {"s/m", -1, 1},
                 {"m/s", 1, -1},      {"m/s2", 1, -2}, {"m3/s", 3, -1},     {"a", 0, 1},
                 {"m/a", 1, -1},      {"mm/a", 1, -1}, {"m2/a", 2, -1},     {"m^(1-2m)/a", 0, -1},
                 {"s/m^(1/3)", 0, 0}, {"1/a", 0, -1},  {"1/(m a)", -1, -1}, {"1/(m3 a)", -3, -1}};
    for (size_t m = 0; m < wadi_model_count(); m++) {
        size_t count;
        const wadi_parameter *row = wadi_model_parameters(wadi_model_at(m), &count);
        for (size_t i = 0; i < count; i++) {
            int found = 0;
            for (int u = 0; u < COUNT(units); u++)
                if (strcmp(row[i].unit, units[u].unit) == 0)
                    found += row[i].length_power == units[u].length && row[i].time_power == units[u].time;
            if (found != 1)
                fail_msg("%s in '%s': powers %d, %d", row[i].name, row[i].unit, row[i].length_power, row[i].time_power);
        }
    }
}

static void every_preset_is_inside_the_ranges(void **state) {
    (void)state;
    for (size_t m = 0; m < wadi_model_count(); m++) {
        size_t count;
        const wadi_preset *presets = wadi_model_presets(wadi_model_at(m), &count);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++) {
            wadi_def def = wadi_default_def(wadi_model_at(m), 4, 4, 1, 1);
            const wadi_model *found = NULL;
            assert_ptr_equal(wadi_preset_find(presets[i].name, &found), &presets[i]);
            assert_ptr_equal(found, wadi_model_at(m));
            OK(wadi_def_preset(&def, &presets[i]));
            for (size_t p = 0; p < def.model->parameter_count; p++)
                OK(wadi_def_set(&def, def.model->parameters[p].name, def.values[p]));
            assert_int_equal(def.boundary, presets[i].boundary);
            if (wadi_def_safety(&def).warning != NULL && strcmp(presets[i].name, "paper") != 0)
                fail_msg("%s: %s", presets[i].name, wadi_def_safety(&def).warning);
            assert_true(presets[i].duration_s > 0 && strlen(presets[i].summary) > 5);
            assert_true(wadi_def_preset_steps(&def, &presets[i]) > 0);
            assert_true(presets[i].hardness == NULL || wadi_model_has_hardness(wadi_model_at(m)));
        }
        assert_non_null(wadi_preset_georeferenced(wadi_model_at(m)));
    }
}

static void similar_names_are_suggested(void **state) {
    (void)state;
    const wadi_model *model = wadi_model_find("jako2011"), *any = NULL;
    assert_null(wadi_model_find("jako2012"));
    assert_non_null(strstr(wadi_error_message(), "did you mean 'jako2011'?"));
    assert_null(wadi_model_find("penguin"));
    assert_null(strstr(wadi_error_message(), "did you mean"));
    assert_int_equal(wadi_model_parameter_index(model, "sediment-capacty"), -1);
    assert_non_null(strstr(wadi_error_message(), "did you mean 'sediment-capacity'?"));
    assert_null(wadi_preset_find("valey", &any));
    assert_non_null(strstr(wadi_error_message(), "did you mean 'valleys'?"));
    static const char *const names[] = {"alpha", "beta", "Gamma"};
    assert_string_equal(wadi_nearest_name("gama", names, 3), "Gamma");
    assert_string_equal(wadi_nearest_name("bet", names, 3), "beta");
    assert_null(wadi_nearest_name("zzzzzz", names, 3));
    assert_null(wadi_nearest_name("alpha", names, 0));
}

/* --- definitions --- */

static void invalid_definitions_are_refused(void **state) {
    (void)state;
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), 512, 8, 1, 1);
    const double Kc = def.values[wadi_model_parameter_index(def.model, "Kc")];
    REFUSED(wadi_def_set(&def, "Kc", 12.1), WADI_ERROR_ARGUMENT, "0.01 to 12 s: choose");
    REFUSED(wadi_def_set(&def, "Kc", NAN), WADI_ERROR_ARGUMENT, "not a finite number");
    REFUSED(wadi_def_set(&def, "Kc", INFINITY), WADI_ERROR_ARGUMENT, "not a finite number");
    REFUSED(wadi_def_set(&def, "KC2", 1), WADI_ERROR_ARGUMENT, "did you mean");
    REFUSED(wadi_def_set_text(&def, "Kc", "many"), WADI_ERROR_ARGUMENT, "not a number");
    REFUSED(wadi_def_set_text(&def, "Kc", "1x"), WADI_ERROR_ARGUMENT, "not a number");
    REFUSED(wadi_def_set_text(&def, "Kc", ""), WADI_ERROR_ARGUMENT, "not a number");
    REFUSED(wadi_def_set_text(&def, "Kc", "nan"), WADI_ERROR_ARGUMENT, "not a finite number");
    REFUSED(wadi_def_set_text(&def, "capacity", "colision"), WADI_ERROR_ARGUMENT, "did you mean 'collision'?");
    REFUSED(wadi_def_set_text(&def, "capacity", "9"), WADI_ERROR_ARGUMENT, "one of tilt, collision");
    REFUSED(wadi_def_set(&def, "capacity", 0.5), WADI_ERROR_ARGUMENT, "choice");
    assert_true(def.values[wadi_model_parameter_index(def.model, "Kc")] <= Kc);
    OK(wadi_def_set_text(&def, "sediment-capacity", "0.5"));
    def.allow_out_of_range = true;
    OK(wadi_def_set(&def, "Kc", 31));
    REFUSED(wadi_def_set(&def, "capacity", 2), WADI_ERROR_ARGUMENT, "choice");
    REFUSED(wadi_def_set(&def, "Kc", -INFINITY), WADI_ERROR_ARGUMENT, "not a finite number");
}

static void ranges_scale_with_the_cells(void **state) {
    (void)state;
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), 8, 8, 16, 16);
    double low, high;
    def.scale = WADI_SCALE_CELL;
    wadi_def_bounds(&def, wadi_model_parameter_index(def.model, "Kdmax"), &low, &high);
    assert_true(fabs(high - 640) < 1e-9);
    wadi_def_bounds(&def, wadi_model_parameter_index(def.model, "Kc"), &low, &high);
    assert_true(fabs(high - 48) < 1e-9 && fabs(low - 0.04) < 1e-12);
    OK(wadi_def_set(&def, "Kc", 47));
    REFUSED(wadi_def_set(&def, "Kc", 48.5), WADI_ERROR_ARGUMENT, "at this scale");
}

static double value_of(const wadi_def *def, const char *name) {
    return def->values[wadi_model_parameter_index(def->model, name)];
}

/* A preset for a world of 512 m, on `cells` x `cells` of `side_m`. */
static wadi_def valleys_on(int cells, double side_m, double world_m) {
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), cells, cells, side_m / cells, side_m / cells);
    const wadi_model *model = def.model;
    def.world_m = world_m;
    OK(wadi_def_preset(&def, wadi_preset_find("valleys", &model)));
    return def;
}

static void a_world_is_the_same_in_cells_of_any_size(void **state) {
    (void)state;
    const wadi_model *model = wadi_model_find("jako2011");
    const wadi_preset *valleys = wadi_preset_find("valleys", &model);
    const wadi_def one = valleys_on(512, 512, 0), fine = valleys_on(2048, 512, 0), large = valleys_on(512, 2048, 0),
                   part = valleys_on(128, 512, 2048);
    assert_true(one.scale == WADI_SCALE_WORLD && value_of(&one, "Kc") == 3 && value_of(&one, "dt") == 0.1);
    for (size_t p = 0; p < model->parameter_count; p++) {
        const char *name = model->parameters[p].name;
        const double c = pow(0.25, model->parameters[p].cell_power);
        const bool follows = strcmp(name, "dt") == 0 || strcmp(name, "A") == 0 || strcmp(name, "Kt") == 0;
        assert_true((c != 1) == follows);
        assert_true(fabs(fine.values[p] - one.values[p] * c) <= 1e-12 * fabs(one.values[p]));
        assert_true(part.values[p] == large.values[p]); /* of a quarter's width, in the same cells */
    }
    assert_true(value_of(&large, "Kc") == 6 && value_of(&large, "d_floor") == 0.4 && value_of(&large, "dt") == 0.2);
    assert_int_equal(wadi_def_preset_steps(&one, valleys), 1500);
    assert_int_equal(wadi_def_preset_steps(&fine, valleys), 6000);
    assert_int_equal(wadi_def_preset_steps(&large, valleys), 1500);
    assert_int_equal(wadi_def_safety(&one).substeps, 1);
    assert_int_equal(wadi_def_safety(&part).substeps, 1);
    assert_true(0.9 / value_of(&fine, "Kt") > wadi_def_safety(&fine).dt_s / wadi_def_safety(&fine).substeps);
}

static void an_old_name_of_a_preset_is_known(void **state) {
    (void)state;
    const wadi_model *any = NULL, *mei2007 = wadi_model_find("mei2007");
    assert_string_equal(wadi_preset_find("dem30", &any)->name, "dem");
    assert_string_equal(wadi_model_id(any), "jako2011");
    any = NULL;
    assert_string_equal(wadi_preset_find("dem", &any)->name, "dem"); /* a name counts before an alias */
    assert_string_equal(wadi_model_id(any), "jako2011");
    assert_string_equal(wadi_preset_find("dem", &mei2007)->name, "channels");
}

#define CREATE_REFUSED(change, expected, words) \
    do { \
        wadi_def def = wadi_default_def(wadi_model_find("mei2007"), 8, 8, 1, 1); \
        wadi_sim *sim = NULL; \
        change; \
        REFUSED(wadi_sim_create(&def, &sim), expected, words); \
        assert_null(sim); \
    } while (0)

static void create_refuses_invalid_definitions(void **state) {
    (void)state;
    CREATE_REFUSED(def.model = NULL, WADI_ERROR_ARGUMENT, "no model");
    CREATE_REFUSED(def.width = 1, WADI_ERROR_ARGUMENT, "2 x 2");
    CREATE_REFUSED(def.lx = 0, WADI_ERROR_ARGUMENT, "above 0");
    CREATE_REFUSED(def.ly = -3, WADI_ERROR_ARGUMENT, "above 0");
    CREATE_REFUSED(def.lx = NAN, WADI_ERROR_ARGUMENT, "above 0");
    CREATE_REFUSED(def.ly = INFINITY, WADI_ERROR_ARGUMENT, "above 0");
    CREATE_REFUSED(*time_step(&def) = NAN, WADI_ERROR_ARGUMENT, "dt");
    CREATE_REFUSED((def.allow_out_of_range = true, *time_step(&def) = 0), WADI_ERROR_ARGUMENT, "dt");
    CREATE_REFUSED((def.allow_out_of_range = true, *time_step(&def) = -0.1), WADI_ERROR_ARGUMENT, "dt");
    CREATE_REFUSED((def.allow_out_of_range = true, *time_step(&def) = 1e6), WADI_ERROR_ARGUMENT, "lower dt");
    CREATE_REFUSED(def.values[1] = 1, WADI_ERROR_ARGUMENT, "outside");
    CREATE_REFUSED(def.drops.count = -1, WADI_ERROR_ARGUMENT, "drops");
    CREATE_REFUSED(def.drops.count = def.width * def.height + 1, WADI_ERROR_ARGUMENT, "drops");
    CREATE_REFUSED(def.drops.count = INFINITY, WADI_ERROR_ARGUMENT, "drops");
    CREATE_REFUSED(def.drops.count = NAN, WADI_ERROR_ARGUMENT, "drops");
    CREATE_REFUSED(def.drops.rate_m_s = NAN, WADI_ERROR_ARGUMENT, "drops");
    CREATE_REFUSED(def.check_every = 0, WADI_ERROR_ARGUMENT, "check_every");
    CREATE_REFUSED(def.isa = "sse9", WADI_ERROR_UNSUPPORTED, "sse9");
    wadi_sim_destroy(NULL);
}

/* --- fields, sources, parameters of a simulation --- */

static void invalid_fields_are_refused(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 6, 5, 1);
    make_hills(&scene, 5, 1);
    wadi_sim *sim = start(&scene);
    float values[30];
    fill(values, &scene.def, 0.5f);
    REFUSED(wadi_sim_set(sim, "height", values, 29), WADI_ERROR_ARGUMENT, "29 values");
    REFUSED(wadi_sim_set(sim, "watr", values, 30), WADI_ERROR_ARGUMENT, "watr");
    REFUSED(wadi_sim_set(sim, "dt", values, 30), WADI_ERROR_ARGUMENT, "one value");
    REFUSED(wadi_sim_set(sim, "g", values, 30), WADI_ERROR_ARGUMENT, "one value");
    REFUSED(wadi_sim_get(sim, "height", values, 31), WADI_ERROR_ARGUMENT, "31 values");
    REFUSED(wadi_sim_get(sim, "nonsense", values, 30), WADI_ERROR_ARGUMENT, "nonsense");
    static const struct {
        const char *field;
        float wrong;
    } wrong[] = {{"height", INFINITY}, {"height", 1e8f},   {"water", -1},     {"water", NAN},   {"water", INFINITY},
                 {"sediment", -1e-9f}, {"hardness", 1.1f}, {"hardness", NAN}, {"mask", -0.1f},  {"mask", 2},
                 {"mask", NAN},        {"Kc", 13},         {"Kc", NAN},       {"rain", -0.01f}, {"Ka", INFINITY}};
    wadi_sim *untouched = start(&scene);
    for (int i = 0; i < COUNT(wrong); i++) {
        fill(values, &scene.def, 0.02f);
        values[17] = wrong[i].wrong;
        if (wadi_sim_set(sim, wrong[i].field, values, 30) != WADI_ERROR_ARGUMENT)
            fail_msg("%s: %g was taken", wrong[i].field, (double)wrong[i].wrong);
        if (strstr(wadi_error_message(), "(5, 2)") == NULL)
            fail_msg("%s: no cell named: %s", wrong[i].field, wadi_error_message());
    }
    for (int i = 0; i < 30; i++) values[i] = NAN;
    REFUSED(wadi_sim_set(sim, "height", values, 30), WADI_ERROR_ARGUMENT, "no cell has data");
    OK(wadi_sim_step(sim, 10));
    OK(wadi_sim_step(untouched, 10));
    assert_same_state(sim, untouched, "after refusals");
    wadi_sim_destroy(sim);
    wadi_sim_destroy(untouched);
    scene_free(&scene);
    scene = scene_of("mei2007", 6, 5, 1);
    sim = start(&scene);
    fill(values, &scene.def, 0.5f);
    REFUSED(wadi_sim_set(sim, "hardness", values, 30), WADI_ERROR_ARGUMENT, "no hardness");
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* A scene with a map of the parameter, inside its range. */
static scene scene_with_map(const char *model, int parameter, uint32_t seed) {
    scene made = scene_of(model, 9, 7, 1);
    double low, high;
    wadi_def_bounds(&made.def, parameter, &low, &high);
    make_hills(&made, 5, 1);
    fill_random(scene_field(&made, made.def.model->parameters[parameter].name), &made.def, (float)(low + 0.1 * high),
                (float)(0.5 * high), seed);
    return made;
}

/* A single bad value anywhere, the smallest, the largest or neither, makes the map invalid. Nothing of the map stays.
 */
static void one_bad_value_refuses_a_map(void **state) {
    (void)state;
    static const int places[] = {0, 62, 31};
    for (int m = 0; m < MODELS; m++) {
        const wadi_model *model = wadi_model_at((size_t)m);
        for (int p = 0; p < (int)model->parameter_count; p++) {
            const char *name = model->parameters[p].name;
            if (!model->parameters[p].per_cell) continue;
            scene scene = scene_with_map(model_id(m), p, 7), other = scene_with_map(model_id(m), p, 8);
            double low, high;
            wadi_def_bounds(&scene.def, p, &low, &high);
            const float bad[] = {(float)(low - 0.01 * (high - low)), (float)(1.01 * high), NAN};
            wadi_sim *sim = run(&scene, 3), *untouched = run(&scene, 3);
            for (int i = 0; i < COUNT(places) * COUNT(bad); i++) {
                float *values = scene_field(&other, name);
                const float good = values[places[i % 3]];
                values[places[i % 3]] = bad[i / 3];
                if (wadi_sim_set(sim, name, values, 63) != WADI_ERROR_ARGUMENT)
                    fail_msg("%s: %g at cell %d was taken", name, (double)bad[i / 3], places[i % 3]);
                values[places[i % 3]] = good;
            }
            assert_int_equal(wadi_sim_safety(sim).substeps, wadi_sim_safety(untouched).substeps);
            OK(wadi_sim_step(sim, 5));
            OK(wadi_sim_step(untouched, 5));
            assert_same_state(sim, untouched, name);
            wadi_sim_destroy(sim);
            wadi_sim_destroy(untouched);
            scene_free(&scene);
            scene_free(&other);
        }
    }
}

/* --- several maps at once --- */

enum { MOST_GIVEN = WADI_MAX_PARAMETERS + 1, GIVEN_WIDTH = 9, GIVEN_CELLS = 63 };

/* Maps of the mask and of all parameters that may differ from cell to cell. */
typedef struct given_maps {
    const char *name[MOST_GIVEN];
    float values[MOST_GIVEN][GIVEN_CELLS];
    int count, next;
    wadi_status end; /* after the last one */
} given_maps;

static wadi_status next_given(void *context, const char **field, const float **values) {
    given_maps *maps = context;
    if (maps->next == maps->count) return maps->end;
    *field = maps->name[maps->next], *values = maps->values[maps->next];
    maps->next++;
    return WADI_OK;
}

static wadi_status set_together(wadi_sim *sim, given_maps *maps) {
    maps->next = 0;
    return wadi_sim_set_maps(sim, next_given, maps);
}

/* Values near those of the definition. */
static given_maps make_given(const wadi_def *def, uint32_t seed) {
    given_maps maps = {.name = {"mask"}, .count = 1};
    fill_random(maps.values[0], def, 0, 1, seed);
    for (int p = 0; p < (int)def->model->parameter_count; p++) {
        double low, high;
        if (!def->model->parameters[p].per_cell) continue;
        wadi_def_bounds(def, p, &low, &high);
        maps.name[maps.count] = def->model->parameters[p].name;
        fill_random(maps.values[maps.count++], def, (float)(0.99 * def->values[p] + 0.01 * low),
                    (float)(0.99 * def->values[p] + 0.01 * high), seed + (uint32_t)p + 1);
    }
    return maps;
}

static bool same_bytes(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }

/* The mask, the rasters, and what follows from them. */
static void assert_same_maps(const wadi_sim *a, const wadi_sim *b, const char *what) {
    const wadi_domain *one = a->domain, *two = b->domain;
    bool same = one->substeps == two->substeps && one->processes == two->processes &&
                same_bytes(&one->dt_s, &two->dt_s, sizeof one->dt_s) &&
                same_bytes(one->constants, two->constants, one->model->constants_bytes) &&
                same_bytes(a->raster_largest, b->raster_largest, sizeof a->raster_largest);
    for (int p = -1; p < WADI_MAX_PARAMETERS; p++) {
        const float *of_a = p < 0 ? a->mask : a->raster[p], *of_b = p < 0 ? b->mask : b->raster[p];
        same = same && (of_a == NULL) == (of_b == NULL);
        if (same && of_a != NULL) same = same_bytes(of_a, of_b, GIVEN_CELLS * sizeof *of_a);
    }
    for (int m = 0; m < one->model->map_count; m++) {
        same = same && (one->block.map[m] == NULL) == (two->block.map[m] == NULL);
        for (int y = 0; same && one->block.map[m] != NULL && y < one->def.height; y++)
            same = same_bytes(wadi_block_row(&one->block, one->block.map[m], y),
                              wadi_block_row(&two->block, two->block.map[m], y), GIVEN_WIDTH * sizeof(float));
    }
    if (!same) fail_msg("%s, %s: not the same maps", one->model->id, what);
}

static wadi_sim *run_with_maps(const scene *scene, const given_maps *maps, bool steps) {
    wadi_sim *sim = start(scene);
    for (int i = 0; i < maps->count; i++) OK(wadi_sim_set(sim, maps->name[i], maps->values[i], GIVEN_CELLS));
    if (steps) OK(wadi_sim_step(sim, 3));
    return sim;
}

/* What follows from them is made once. Of a map given twice, the second one counts. */
static void maps_together_are_as_one_by_one(void **state) {
    (void)state;
    for (int i = 0; i < 2 * MODELS; i++) {
        scene scene = scene_of(model_id(i / 2), GIVEN_WIDTH, GIVEN_CELLS / GIVEN_WIDTH, 1);
        scene.def.boundary = i % 2 ? WADI_WRAP : WADI_OPEN;
        make_hills(&scene, 5, 1);
        if (i % 2 == 0) scene.field[0][5] = NAN;
        given_maps maps = make_given(&scene.def, 7);
        wadi_sim *singly = run_with_maps(&scene, &maps, false), *together = start(&scene);
        maps.name[maps.count] = maps.name[0];
        memcpy(maps.values[maps.count++], maps.values[0], sizeof maps.values[0]);
        fill(maps.values[0], &scene.def, 1);
        const uint64_t edits = together->domain->edits;
        OK(set_together(together, &maps));
        assert_true(together->domain->edits == edits + 1);
        assert_same_maps(singly, together, "together");
        OK(wadi_sim_step(singly, 5));
        OK(wadi_sim_step(together, 5));
        assert_same_state(singly, together, "together");
        wadi_sim_destroy(singly);
        wadi_sim_destroy(together);
        scene_free(&scene);
    }
}

/* Whichever of the maps is refused, or if the next one cannot be had. */
static void one_refused_map_refuses_all(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        scene scene = scene_of(model_id(m), GIVEN_WIDTH, GIVEN_CELLS / GIVEN_WIDTH, 1);
        make_hills(&scene, 5, 1);
        given_maps before = make_given(&scene.def, 7), after = make_given(&scene.def, 70);
        before.count -= before.count > 2; /* one of them has no map before */
        wadi_sim *sim = run_with_maps(&scene, &before, true), *untouched = run_with_maps(&scene, &before, true);
        for (int bad = 0; bad < after.count; bad++) {
            const float good = after.values[bad][31];
            after.values[bad][31] = NAN;
            REFUSED(set_together(sim, &after), WADI_ERROR_ARGUMENT, after.name[bad]);
            after.values[bad][31] = good;
            assert_int_equal(after.next, bad + 1); /* the next one was not asked for */
            assert_same_maps(sim, untouched, after.name[bad]);
        }
        after.end = WADI_ERROR_IO;
        assert_int_equal(set_together(sim, &after), WADI_ERROR_IO);
        after.name[after.count - 1] = "height";
        REFUSED(set_together(sim, &after), WADI_ERROR_ARGUMENT, "height is computed");
        after.name[after.count - 1] = "dt";
        REFUSED(set_together(sim, &after), WADI_ERROR_ARGUMENT, "dt cannot differ");
        assert_same_maps(sim, untouched, "refused");
        OK(wadi_sim_step(sim, 5));
        OK(wadi_sim_step(untouched, 5));
        assert_same_state(sim, untouched, "refused");
        wadi_sim_destroy(sim);
        wadi_sim_destroy(untouched);
        scene_free(&scene);
    }
}

/* A map whose largest value does not go with the time step is refused before the next map is asked for. */
static void a_map_that_needs_too_many_substeps_refuses_all(void **state) {
    (void)state;
    scene scene = scene_of("mei2007", GIVEN_WIDTH, GIVEN_CELLS / GIVEN_WIDTH, 1);
    scene.def.allow_out_of_range = true;
    make_hills(&scene, 5, 1);
    given_maps before = make_given(&scene.def, 7), after = make_given(&scene.def, 70);
    wadi_sim *sim = run_with_maps(&scene, &before, true), *untouched = run_with_maps(&scene, &before, true);
    int at = 0;
    while (strcmp(after.name[at], "A") != 0) at++;
    after.values[at][31] = 1e30f;
    REFUSED(set_together(sim, &after), WADI_ERROR_ARGUMENT, "sub-steps; lower dt");
    assert_int_equal(after.next, at + 1);
    assert_same_maps(sim, untouched, "too many sub-steps");
    wadi_sim_destroy(sim);
    wadi_sim_destroy(untouched);
    scene_free(&scene);
}

static void a_maps_largest_value_decides_the_substeps(void **state) {
    (void)state;
    for (int m = 0; m < pipe_models(); m++)
        for (int place = 0; place < 63; place += 31) {
            scene scene = scene_of(pipe_model(m), 9, 7, 1);
            set(&scene, "dt", 0.05);
            set(&scene, "A", 1);
            float *map = scene_field(&scene, "A");
            fill(map, &scene.def, 2);
            map[place] = 59;
            wadi_sim *sim = start(&scene);
            assert_int_equal(wadi_def_safety(&scene.def).substeps, 1);
            set(&scene, "A", 59);
            const wadi_safety of_map = wadi_sim_safety(sim), of_value = wadi_def_safety(&scene.def);
            assert_true(of_value.substeps > 1);
            assert_int_equal(of_map.substeps, of_value.substeps);
            assert_true(of_map.longest_dt_s <= of_value.longest_dt_s && of_map.longest_dt_s >= of_value.longest_dt_s);
            assert_int_equal(sim->domain->substeps, of_value.substeps);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
}

static void invalid_sources_are_refused(void **state) {
    (void)state;
    scene scene = scene_of("mei2007", 6, 5, 1);
    scene.field[0][3] = NAN;
    wadi_sim *sim = start(&scene);
    const wadi_source good = {2.5, 2.5, 1, 1, 0, 10};
    wadi_source bad[] = {good, good, good, good, good, good, good};
    bad[0].x = NAN, bad[1].x = 6, bad[2].y = -0.1, bad[3].radius_m = -1, bad[4].rate_m3s = -1, bad[5].end_s = NAN;
    bad[6] = (wadi_source){3.5, 0.5, 0, 1, 0, 10}; /* on a cell without data */
    for (int i = 0; i < COUNT(bad); i++) {
        const wadi_source two[] = {good, bad[i]};
        REFUSED(wadi_sim_set_sources(sim, two, 2), WADI_ERROR_ARGUMENT, "source 2");
    }
    OK(wadi_sim_set_sources(sim, &good, 1));
    OK(wadi_sim_set_sources(sim, NULL, 0));
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

static void parameters_change_during_a_run(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        scene scene = scene_of(pipe_model(i), 15, 12, 1);
        scene.def.engine = scene_engines[i / 2];
        make_hills(&scene, 8, 2);
        wadi_sim *sim = run(&scene, 20), *same = run(&scene, 20);
        REFUSED(wadi_sim_set_parameter(sim, "Kc", 99), WADI_ERROR_ARGUMENT, "Kc");
        REFUSED(wadi_sim_set_parameter(sim, "nothing", 1), WADI_ERROR_ARGUMENT, "nothing");
        OK(wadi_sim_step(sim, 5));
        OK(wadi_sim_step(same, 5));
        assert_same_state(sim, same, "after refusals");
        OK(wadi_sim_set_parameter(sim, "rain", 0.03));
        OK(wadi_sim_set_parameter(sim, "dt", 0.01));
        OK(wadi_sim_step(sim, 10));
        OK(wadi_sim_step(same, 10));
        assert_true(fabs(wadi_sim_time(sim) - (25 * 0.02 + 10 * 0.01)) < 1e-12);
        const double rained = 15 * 12 * (25 * 0.02 * 0.012 + 10 * 0.01 * 0.03);
        assert_true(fabs(mass_of(sim).rained / rained - 1) < 1e-4);
        const wadi_mass mass = mass_of(sim);
        assert_true(fabs(mass.solid.residual) <= 1e-6 * mass.moved &&
                    fabs(mass.water.residual) <= 1e-6 * mass.water.in);
        wadi_sim_destroy(sim);
        wadi_sim_destroy(same);
        scene_free(&scene);
    }
}

/* --- values that stop being finite --- */

/* Absurd rates. The expected place is found by checking after every step. */
static void a_nan_error_names_field_cell_and_step(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        scene scene = scene_of("jako2011", 9, 8, 1);
        scene.def.engine = scene_engines[i % 2];
        scene.def.allow_out_of_range = true;
        scene.def.keep_good_state = i < 2;
        scene.def.check_every = 40;
        make_hills(&scene, 10, 6);
        scene.field[0][3 * 9 + 4] = 1000;
        set(&scene, "Ki", -1e20);
        choose(&scene, "hydraulic", "off");
        set(&scene, "Ka", 0);
        choose(&scene, "hardness", "as-printed");
        set(&scene, "R", 1e20);
        wadi_sim *sim = start(&scene);
        const wadi_status status = wadi_sim_step(sim, 1000);
        if (status != WADI_ERROR_NUMERIC) fail_msg("still finite after 1000 steps of absurd rates");
        int step = -1, x = -1, y = -1;
        char field[16] = "";
        if (sscanf(wadi_error_message(), "step %d: %15s is not a finite number at cell (%d, %d)", &step, field, &x,
                   &y) != 4)
            fail_msg("what is said: %s", wadi_error_message());
        assert_true(wadi_model_field(scene.def.model, field) >= 0 && x >= 0 && x < 9 && y >= 0 && y < 8);
        if (i < 2) {
            assert_true(wadi_sim_steps(sim) % 40 == 0 && wadi_sim_steps(sim) < step);
            float *height = field_of(sim, "height");
            for (int c = 0; c < 72; c++) assert_true(isfinite(height[c]));
            free(height);
            scene.def.check_every = 1; /* checking each step finds the same one */
            wadi_sim *careful = start(&scene);
            assert_int_equal(wadi_sim_step(careful, 1000), WADI_ERROR_NUMERIC);
            char words[16];
            snprintf(words, sizeof words, "step %d:", step);
            assert_non_null(strstr(wadi_error_message(), words));
            assert_true(wadi_sim_steps(careful) < step);
            wadi_sim_destroy(careful);
        }
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* --- memory --- */

static uint64_t allocated(const wadi_sim *sim) {
    uint64_t fields = 0;
    for (int f = 0; f < WADI_MAX_FIELDS; f++)
        fields += (sim->domain->block.field[f] != NULL ? 1u : 0u) + (sim->domain->good[f] != NULL ? 1u : 0u);
    return fields * wadi_block_field_bytes(sim->domain->def.width, sim->domain->def.height);
}

static void the_memory_estimate_covers_the_allocations(void **state) {
    (void)state;
    for (int i = 0; i < 4 * MODELS; i++) {
        scene scene = scene_of(model_id(i / 4), 200, 150, 1);
        scene.def.keep_good_state = i & 1;
        scene.def.engine = scene_engines[i / 2 % 2];
        wadi_sim *sim = start(&scene);
        const uint64_t said = wadi_def_memory(&scene.def), taken = allocated(sim);
        if (said < taken || said > 3 * taken + (2u << 20))
            fail_msg("%llu said, %llu taken", (unsigned long long)said, (unsigned long long)taken);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
    wadi_def def = wadi_default_def(wadi_model_find("mei2007"), 40000, 40000, 1, 1);
    assert_true(wadi_def_memory(&def) > 40000ull * 40000 * 4 * 10);
    def = wadi_default_def(wadi_model_find("mei2007"), 2, INT_MAX, 1, 1);
    assert_true(wadi_def_memory(&def) > 2ull * INT_MAX * 4 * 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_sound),
        cmocka_unit_test(scaling_powers_agree_with_units),
        cmocka_unit_test(every_preset_is_inside_the_ranges),
        cmocka_unit_test(similar_names_are_suggested),
        cmocka_unit_test(invalid_definitions_are_refused),
        cmocka_unit_test(ranges_scale_with_the_cells),
        cmocka_unit_test(a_world_is_the_same_in_cells_of_any_size),
        cmocka_unit_test(an_old_name_of_a_preset_is_known),
        cmocka_unit_test(create_refuses_invalid_definitions),
        cmocka_unit_test(invalid_fields_are_refused),
        cmocka_unit_test(one_bad_value_refuses_a_map),
        cmocka_unit_test(maps_together_are_as_one_by_one),
        cmocka_unit_test(one_refused_map_refuses_all),
        cmocka_unit_test(a_map_that_needs_too_many_substeps_refuses_all),
        cmocka_unit_test(a_maps_largest_value_decides_the_substeps),
        cmocka_unit_test(invalid_sources_are_refused),
        cmocka_unit_test(parameters_change_during_a_run),
        cmocka_unit_test(a_nan_error_names_field_cell_and_step),
        cmocka_unit_test(the_memory_estimate_covers_the_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
