/* tables.c: the library's tables as JSON: kinds of terrain, models with parameters, presets and knobs, maps. The page
 * makes its lists and sliders from them. */
#include "web/page.h"

static void add_kinds(json *out) {
    size_t count;
    const wadi_terrain_kind *kinds = wadi_terrain_kinds(&count);
    run_json_array(out, "kinds");
    for (size_t i = 0; i < count; i++) {
        if (kinds[i].rain) continue;
        run_json_object(out, NULL);
        run_json_text(out, "name", kinds[i].name);
        run_json_text(out, "summary", kinds[i].summary);
        run_json_end(out);
    }
    run_json_end(out);
}

static void add_maps(json *out) {
    run_json_array(out, "maps");
    for (size_t i = 0; wadi_map_facts_at(i) != NULL; i++) {
        const wadi_map_facts *map = wadi_map_facts_at(i);
        run_json_object(out, NULL);
        run_json_text(out, "name", map->name);
        run_json_text(out, "title", map->title);
        run_json_text(out, "meaning", map->meaning);
        run_json_end(out);
    }
    run_json_end(out);
}

static void add_parameters(json *out, const wadi_model *model) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    run_json_array(out, "parameters");
    for (size_t i = 0; i < count; i++) {
        run_json_object(out, NULL);
        run_json_text(out, "name", parameters[i].name);
        run_json_text(out, "alias", parameters[i].alias);
        run_json_text(out, "unit", parameters[i].unit);
        run_json_text(out, "meaning", parameters[i].meaning);
        run_json_array(out, "choices");
        for (const char *const *choice = parameters[i].choices; choice != NULL && *choice != NULL; choice++)
            run_json_text(out, NULL, *choice);
        run_json_end(out);
        run_json_end(out);
    }
    run_json_end(out);
}

static void add_presets(json *out, const wadi_model *model) {
    size_t count;
    const wadi_preset *presets = wadi_model_presets(model, &count);
    run_json_array(out, "presets");
    for (size_t i = 0; i < count; i++) {
        run_json_object(out, NULL);
        run_json_text(out, "name", presets[i].name);
        run_json_text(out, "summary", presets[i].summary);
        run_json_bool(out, "georeferenced", presets[i].georeferenced);
        run_json_end(out);
    }
    run_json_end(out);
}

static void add_knobs(json *out, const wadi_model *model) {
    size_t count;
    const wadi_knob *knobs = wadi_model_knobs(model, &count);
    run_json_array(out, "knobs");
    for (size_t i = 0; i < count; i++) {
        run_json_object(out, NULL);
        run_json_text(out, "name", knobs[i].name);
        run_json_text(out, "meaning", knobs[i].meaning);
        run_json_end(out);
    }
    run_json_end(out);
}

static void add_model(json *out, const wadi_model *model) {
    run_json_object(out, NULL);
    run_json_text(out, "id", wadi_model_id(model));
    run_json_text(out, "title", wadi_model_title(model));
    run_json_text(out, "citation", wadi_model_citation(model));
    run_json_bool(out, "hardness", wadi_model_has_hardness(model));
    run_json_bool(out, "uplift", wadi_model_has_uplift(model));
    run_json_bool(out, "rain", wadi_model_parameter_index(model, "rain") >= 0);
    add_presets(out, model);
    add_knobs(out, model);
    add_parameters(out, model);
    run_json_end(out);
}

PAGE_CALL const char *page_tables(void) {
    json out = page_json_begin();
    run_json_object(&out, NULL);
    add_kinds(&out);
    add_maps(&out);
    run_json_array(&out, "models");
    for (size_t i = 0; i < wadi_model_count(); i++) add_model(&out, wadi_model_at(i));
    run_json_end(&out);
    run_json_array(&out, "brushes");
    for (int i = 0; i < WADI_BRUSHES; i++) run_json_text(&out, NULL, wadi_brush_name((wadi_brush)i));
    run_json_end(&out);
    run_json_end(&out);
    return page_json_end();
}
