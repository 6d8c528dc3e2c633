/* random_scene.h: random scenes, for tests that two ways to compute a scene give the same bits. */
#ifndef WADI_TESTS_RANDOM_SCENE_H
#define WADI_TESTS_RANDOM_SCENE_H

#include "scene.h"

/* Rasters of up to three parameters, around the uniform values. */
SCENE_FUNCTION void draw_rasters(scene *scene, uint32_t *seed) {
    for (int i = 0; i < 3; i++) {
        const int p = draw_below(seed, (int)scene->def.model->parameter_count);
        const wadi_parameter *parameter = &scene->def.model->parameters[p];
        if (!parameter->per_cell) continue;
        const float value = (float)scene->def.values[p];
        fill_random(scene_field(scene, parameter->name), &scene->def, 0.5f * value, value, draw(seed));
    }
}

SCENE_FUNCTION void draw_water(scene *scene, uint32_t *seed) {
    const int w = scene->def.width, h = scene->def.height;
    if (draw_below(seed, 2)) scene->def.drops = (wadi_drops){0.7 + draw_below(seed, 3), 0.8 + draw_below(seed, 4), 0.5};
    if (draw_below(seed, 2)) fill_random(scene_field(scene, "water"), &scene->def, -0.5f, 1.0f, draw(seed));
    float *water = scene_field(scene, "water");
    for (size_t i = 0; i < cells_of(&scene->def); i++) water[i] = water[i] > 0 ? water[i] : 0;
    if (draw_below(seed, 2)) fill_random(scene_field(scene, "sediment"), &scene->def, 0, 0.01f, draw(seed));
    const float *height = scene_field(scene, "height");
    for (int i = 0; i < 2; i++) {
        const int x = draw_below(seed, w), y = draw_below(seed, h);
        if (draw_below(seed, 2) && !isnan(height[y * w + x])) add_source(scene, x + 0.5, y + 0.3, 2.2 * i, 1);
    }
}

/* Half of the scenes are plain, because the kernels for the sets of switches need tests too. */
SCENE_FUNCTION scene draw_scene(const char *model, wadi_boundary boundary, int width, int height, int holes,
                                uint32_t seed) {
    scene made = scene_of(model, width, height, 1 + draw_below(&seed, 3));
    made.def.boundary = boundary;
    made.def.ly *= draw_below(&seed, 2) ? 1.7 : 1;
    made.def.seed = draw(&seed);
    OK(wadi_def_preset(&made.def, &made.def.model->presets[0])); /* of the model, for these cells */
    made.def.boundary = boundary;
    make_hills(&made, 20, draw(&seed));
    drop_cells(&made, holes, &seed);
    if (draw_below(&seed, 2)) choose_form(&made, draw_below(&seed, SCENE_FORMS));
    if (draw_below(&seed, 2)) draw_choices(&made, &seed);
    set_substeps(&made, 3);
    if (draw_below(&seed, 3) == 0) set_long_step(&made);
    if (draw_below(&seed, 2)) draw_water(&made, &seed);
    if (draw_below(&seed, 2)) draw_rasters(&made, &seed);
    if (draw_below(&seed, 4) == 0) {
        float *mask = scene_field(&made, "mask");
        for (size_t i = 0; i < cells_of(&made.def); i++) mask[i] = draw_below(&seed, 3) > 0 ? draw_unit(&seed) : 0;
    }
    if (draw_below(&seed, 2)) draw_hardness(&made, 0, 1, draw(&seed));
    return made;
}

#endif
