/* gpu_scenes.h: scenes that a GPU engine and the CPU engine run, and the comparison of their results. Include scene.h
 * before it. */
#ifndef WADI_TESTS_GPU_SCENES_H
#define WADI_TESTS_GPU_SCENES_H

static wadi_device about;
static bool brief; /* only jako2011, in one form */

SCENE_FUNCTION int model_count(void) { return brief ? 1 : MODELS; }
SCENE_FUNCTION const char *model_name(int m) { return brief ? "jako2011" : model_id(m); }
SCENE_FUNCTION int model_of(const char *id) {
    int m = 0;
    while (strcmp(model_name(m), id) != 0) m++;
    return m;
}
SCENE_FUNCTION int jako2011(void) { return model_of("jako2011"); }

/* --- scenes --- */

SCENE_FUNCTION void on_gpu(scene *scene) {
    scene->def.engine = about.engine;
    scene->def.device = about.number;
    scene->def.tune = false;
}

SCENE_FUNCTION void on_cpu(scene *scene) {
    scene->def.engine = WADI_ENGINE_CPU;
    scene->def.device = -1;
    scene->def.threads = 2;
}

/* Drops, a spring and some of all other inputs, in one of the model's forms. */
SCENE_FUNCTION scene rainy_scene(int m, int form, int border, int width, int height, int holes) {
    scene made = scene_of(model_name(m), width, height, 2);
    uint32_t seed = (uint32_t)(1000 * m + 100 * form + 10 * border + holes);
    made.def.boundary = (wadi_boundary)border;
    made.def.ly *= 1.5;
    made.def.seed = seed;
    choose_form(&made, form);
    set_substeps(&made, 2);
    make_hills(&made, 20, seed);
    drop_cells(&made, holes, &seed);
    made.def.drops = (wadi_drops){1.5, 3, 0.2};
    const float *heights = scene_field(&made, "height");
    for (size_t i = 0; i < cells_of(&made.def) && made.sources < 2; i++) {
        const size_t at = (i + 7 * (size_t)width / 2) % cells_of(&made.def);
        const double x = (double)(at % (size_t)width), y = (double)(at / (size_t)width);
        if (!isnan(heights[at])) add_source(&made, x + 0.5, y + 0.3, 5.5 * (double)made.sources, 3);
    }
    made.source[0].end_s = 4.5 * *time_step(&made.def);
    float *water = scene_field(&made, "water");
    fill_random(water, &made.def, -0.5f, 1, seed);
    for (size_t i = 0; i < cells_of(&made.def); i++) water[i] = water[i] > 0 ? water[i] : 0;
    fill_random(scene_field(&made, "sediment"), &made.def, 0, 0.01f, seed + 1);
    return made;
}

SCENE_FUNCTION void draw_rasters(scene *scene, uint32_t seed) {
    for (size_t p = 0; p < scene->def.model->parameter_count; p++) {
        const wadi_parameter *parameter = &scene->def.model->parameters[p];
        const double given = scene->def.values[p]; /* a map around 0 would have no effect */
        const float value = (float)(given != 0 ? given : fmin(parameter->maximum, 0.4));
        if (!parameter->per_cell || scene->fields == SCENE_FIELDS - 2) continue;
        fill_random(scene_field(scene, parameter->name), &scene->def, 0.5f * value, value, seed++);
    }
}

/* A map for each parameter that may have one. */
SCENE_FUNCTION scene map_scene(int m, int border, int width, int height) {
    scene made = rainy_scene(m, 0, border, width, height, border);
    draw_rasters(&made, 5);
    float *mask = scene_field(&made, "mask");
    fill_random(mask, &made.def, -0.5f, 1, 6);
    for (size_t i = 0; i < cells_of(&made.def); i++) mask[i] = mask[i] > 0 ? mask[i] : 0;
    draw_hardness(&made, 0, 1, 7);
    return made;
}

SCENE_FUNCTION scene even_scene(int m, int border, int width, int height) {
    scene made = scene_of(model_name(m), width, height, 1);
    uint32_t seed = (uint32_t)(500 + 10 * m + border);
    made.def.boundary = (wadi_boundary)border;
    make_hills(&made, 20, seed);
    drop_cells(&made, 1, &seed);
    fill_random(scene_field(&made, "sediment"), &made.def, 0, 0.01f, seed);
    return made;
}

/* --- comparison --- */

/* A GPU adds in another order. So figures agree to about 11 digits of the terms that were added. */
SCENE_FUNCTION void assert_mass_near(const wadi_mass *a, const wadi_mass *b, const char *what) {
    const double solid = fabs(a->solid.after) + fabs(a->solid.before) + a->moved;
    const double water = a->water.before + a->water.in + a->water.after;
    const double pairs[][3] = {{a->solid.residual, b->solid.residual, solid},
                               {a->solid_over_border, b->solid_over_border, solid},
                               {a->advected, b->advected, solid},
                               {a->solid.before, b->solid.before, 0},
                               {a->solid.after, b->solid.after, 0},
                               {a->moved, b->moved, 0},
                               {a->solid_handed, b->solid_handed, 0},
                               {a->water.residual, b->water.residual, water},
                               {a->rained, b->rained, water},
                               {a->evaporated, b->evaporated, water},
                               {a->water_over_border, b->water_over_border, water},
                               {a->exchanged, b->exchanged, water},
                               {a->water.before, b->water.before, 0},
                               {a->water.after, b->water.after, 0},
                               {a->water_handed, b->water_handed, 0}};
    for (int i = 0; i < COUNT(pairs); i++)
        if (!(fabs(pairs[i][0] - pairs[i][1]) <= 1e-11 * pairs[i][2]))
            fail_msg("%s: mass %d: %.17g and %.17g of %g", what, i, pairs[i][0], pairs[i][1], pairs[i][2]);
}

SCENE_FUNCTION void assert_same_bits(const wadi_sim *a, const wadi_sim *b, const char *name, const char *what) {
    float *one = field_of(a, name), *two = field_of(b, name);
    for (size_t i = 0; i < cells_of(wadi_sim_def(a)); i++)
        if (bits_of(one[i]) != bits_of(two[i]))
            fail_msg("%s: %s, cell %zu: %.9g and %.9g", what, name, i, (double)one[i], (double)two[i]);
    free(one);
    free(two);
}

SCENE_FUNCTION void assert_same(const wadi_sim *cpu, const wadi_sim *gpu, const char *what) {
    char name[200];
    const wadi_def *def = wadi_sim_def(cpu);
    snprintf(name, sizeof name, "%s: %s, %s, %d x %d", what, wadi_model_id(def->model), scene_boundaries[def->boundary],
             def->width, def->height);
    assert_same_fields(cpu, gpu, name);
    if (wadi_field_of(def->model, WADI_FIELD_SPEED) >= 0) assert_same_bits(cpu, gpu, "velocity", name);
    if (wadi_field_of(def->model, WADI_FIELD_AREA) >= 0) assert_same_bits(cpu, gpu, "area", name);
    const wadi_mass mine = mass_of(cpu), theirs = mass_of(gpu);
    assert_mass_near(&mine, &theirs, name);
    assert_true(wadi_sim_time(cpu) <= wadi_sim_time(gpu) && wadi_sim_time(cpu) >= wadi_sim_time(gpu));
}

SCENE_FUNCTION void assert_engines_agree(scene *scene, int steps, const char *what) {
    on_cpu(scene);
    wadi_sim *cpu = run(scene, steps);
    on_gpu(scene);
    wadi_sim *gpu = run(scene, steps);
    assert_int_equal(wadi_sim_def(gpu)->engine, about.engine);
    assert_same(cpu, gpu, what);
    wadi_sim_destroy(cpu);
    wadi_sim_destroy(gpu);
    scene_free(scene);
}

/* Odd and even numbers of passes, with the discharge due anywhere in the first. `look` checks the chosen shape. */
SCENE_FUNCTION void assert_passes_agree(scene *scene, int first_steps, const char *shape,
                                        void (*look)(const wadi_sim *gpu, const char *shape)) {
    static const int steps[] = {2, 3, 7, 20};
    on_cpu(scene);
    wadi_sim *cpu = run(scene, first_steps);
    on_gpu(scene);
    put_environment("WADI_GPU_SHAPE", shape);
    wadi_sim *gpu = run(scene, first_steps);
    look(gpu, shape);
    for (int i = 0; i < COUNT(steps); i++) {
        OK(wadi_sim_step(cpu, steps[i]));
        OK(wadi_sim_step(gpu, steps[i]));
        assert_same(cpu, gpu, shape);
    }
    put_environment("WADI_GPU_SHAPE", NULL);
    wadi_sim_destroy(cpu);
    wadi_sim_destroy(gpu);
    scene_free(scene);
}

#endif
