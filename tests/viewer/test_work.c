/* The work behind the window. It can go to any place of its history, undo, redo, save and open. `wadi run` repeats it.
 * All of these give the same bits. */
/* scene.h has a function of the name of a type here. */
#define run run_scene
#include "unit/scene.h"
#undef run
#include "run/folder.h"
#include "viewer/work/change.h"
#include "viewer/work/checkpoints.h"
#include "viewer/work/go.h"
#include "viewer/work/history.h"
#include "viewer/work/levels.h"
#include "viewer/work/open.h"
#include "viewer/work/save.h"

#include "platform/platform.h"

#include "run/checkpoint.h"
#include "run/run_carry.h"
#include "run/run_start.h"
#include "run/user_preset.h"

static wadi_mass run_figures(work *work) {
    wadi_mass mass;
    OK(work_mass(work, &mass));
    return mass;
}

static run_options plain_options(void) {
    run_options options = run_options_default;
    options.on.backend = BACKEND_CPU;
    return options;
}

static void made(const char *text, const char *path) {
    FILE *file = platform_open(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static work *opened(const char *model) {
    char text[400];
    work *work;
    snprintf(text, sizeof text,
             "generate: {kind: diamond-square, size: 48x40, seed: 4, relief: 12}\nmodel: %s\nboundary: open\n", model);
    const run_options options = plain_options();
    assert_int_equal(work_open_text(text, &options, &work), WADI_OK);
    return work;
}

/* A look has 512 cells a side, or as many as --size says. A new terrain has those of its dialog. */
static void terrains_have_their_sizes(void **state) {
    (void)state;
    run_options options = plain_options();
    for (int given = 0; given < 2; given++) {
        work *work;
        if (given) options.read.size[0] = 40, options.read.size[1] = 30;
        assert_int_equal(work_open_look("hills", &options, &work), WADI_OK);
        assert_int_equal(work_run(work)->raster->width, given ? 40 : 512);
        assert_int_equal(work_run(work)->raster->height, given ? 30 : 512);
        work_close(work);
        assert_int_equal(work_open_text("generate: {kind: noise, size: 48x20}\nmodel: jako2011\n", &options, &work),
                         WADI_OK);
        assert_int_equal(work_run(work)->raster->width, 48);
        work_close(work);
    }
}

/* A hash of the whole state. */
static uint64_t state_of(const work *work) {
    static const char *const names[] = {"height", "water", "sediment", "hardness", "mask", "rain", "change", "flow"};
    const wadi_sim *sim = work_sim(work);
    const size_t cells = cells_of(wadi_sim_def(sim));
    float *values = malloc(cells * sizeof *values);
    uint64_t hash = 1469598103934665603u ^ (uint64_t)wadi_sim_steps(sim);
    for (int n = 0; n < COUNT(names); n++) {
        if (wadi_sim_get(sim, names[n], values, cells) != WADI_OK) continue;
        for (size_t i = 0; i < cells; i++) hash = (hash ^ bits_of(values[i])) * 1099511628211u;
    }
    size_t count;
    const wadi_source *sources = wadi_sim_sources(sim, &count);
    for (size_t i = 0; i < count; i++) hash = (hash ^ (uint64_t)(sources[i].x * 64)) * 1099511628211u;
    const wadi_def *def = wadi_sim_def(sim);
    for (int i = 0; i < 8; i++) hash = (hash ^ (uint64_t)(def->values[i] * 1e6)) * 1099511628211u;
    hash = (hash ^ (uint64_t)(def->drops.count * 8)) * 1099511628211u;
    const settings_now now = work_settings(work);
    for (int i = 0; i < WADI_MAX_KNOBS; i++) hash = (hash ^ (uint64_t)(now.def.knobs[i] * 64)) * 1099511628211u;
    hash = (hash ^ (uint64_t)(uintptr_t)now.preset) * 1099511628211u;
    free(values);
    return hash;
}

/* --- changes by the user --- */

static event paint_event(wadi_brush brush, double x, double y, double strength) {
    event event = {.kind = EVENT_PAINT, .dab_count = 2, .dabs = malloc(2 * sizeof *event.dabs)};
    for (int i = 0; i < 2; i++) event.dabs[i] = (wadi_dab){brush, x + i, y, 5 * 1.0, strength, 0.5, 6};
    return event;
}

/* The name of one of the model's knobs; NULL: it has none. */
static const char *a_knob(const wadi_model *model, uint32_t *seed) {
    size_t count;
    const wadi_knob *knobs = wadi_model_knobs(model, &count);
    return count ? knobs[draw_below(seed, (int)count)].name : NULL;
}

static event area_event(wadi_brush brush, double x, double y) {
    event event = {.kind = EVENT_AREA, .dab_count = 3, .dabs = malloc(3 * sizeof *event.dabs)};
    for (int i = 0; i < 3; i++) event.dabs[i] = (wadi_dab){brush, x + 9 * (i % 2), y - 7 * (i / 2), 4, 0.7, 0.5, 6};
    return event;
}

/* A map of values from 0 to 1. */
static void write_map(const char *path, int width, int height) {
    wadi_raster *map;
    OK(wadi_raster_create(width, height, &map));
    for (int i = 0; i < width * height; i++) map->values[i] = (float)(i * 37 % 101 + 1) / 102;
    wadi_write_options plain = {0};
    OK(wadi_raster_write(path, map, &plain));
    wadi_raster_destroy(map);
}

static void act(work *work, uint32_t *seed) {
    static const wadi_brush brushes[] = {WADI_BRUSH_RAISE,   WADI_BRUSH_WATER, WADI_BRUSH_FLATTEN,
                                         WADI_BRUSH_PROTECT, WADI_BRUSH_RAIN,  WADI_BRUSH_LOWER};
    const double x = draw_below(seed, 48) + 0.25, y = draw_below(seed, 40) + 0.5;
    const wadi_def *def = wadi_sim_def(work_sim(work));
    event event = {.kind = EVENT_SET};
    wadi_def next;
    switch (draw_below(seed, 12)) {
    case 0:
    case 1:
        OK(work_step(work, 1 + draw_below(seed, 9)));
        break;
    case 2:
    case 3: {
        const wadi_brush brush = brushes[draw_below(seed, COUNT(brushes))];
        OK(work_do(work, paint_event(brush, x, y, brush == WADI_BRUSH_RAIN ? 0.003 : 0.4), "paint",
                   (uint64_t)draw_below(seed, 2)));
        break;
    }
    case 4:
        event = run_event_set(def->model, "dt", def->values[0] * (draw_below(seed, 2) ? 0.9 : 1.05));
        if (work_do(work, event, "dt", 7) != WADI_OK) assert_non_null(strstr(wadi_error_message(), "outside"));
        break;
    case 5:
        event.kind = EVENT_SOURCES;
        event.source_count = 1;
        event.sources = malloc(sizeof *event.sources);
        *event.sources = (wadi_source){x, y, 2, 0.5, 0, INFINITY};
        OK(work_do(work, event, "source", 0));
        break;
    case 6:
        if (a_knob(def->model, seed)) {
            const uint64_t group = (uint64_t)draw_below(seed, 2);
            OK(work_do(work, run_event_knob(def->model, a_knob(def->model, seed), draw_below(seed, 5) / 4.0), "knob",
                       group));
        }
        break;
    case 7: {
        size_t count;
        const wadi_preset *presets = wadi_model_presets(def->model, &count);
        OK(work_do(work, run_event_preset(presets[draw_below(seed, (int)count)].name), "preset", 0));
        break;
    }
    case 8:
        OK(work_do(work, area_event(brushes[draw_below(seed, 4)], x, y), "area", (uint64_t)draw_below(seed, 2)));
        break;
    case 9:
        OK(work_import(work, draw_below(seed, 2) ? "mask" : "water", "act.npy"));
        break;
    case 10:
        event.kind = EVENT_DROPS;
        event.drops = (wadi_drops){draw_below(seed, 3), 2, 0.01};
        OK(work_do(work, event, "drops", 0));
        break;
    default:
        next = wadi_default_def(wadi_model_at((size_t)draw_below(seed, MODELS)), def->width, def->height, def->lx,
                                def->ly);
        next.boundary = (wadi_boundary)draw_below(seed, 3);
        /* painted rain may be more than the next model takes */
        if (work_switch(work, &next, NULL, "model") != WADI_OK)
            assert_non_null(strstr(wadi_error_message(), "outside"));
        break;
    }
}

enum { ACTS = SANITIZED ? 25 : 60 };
typedef struct past {
    work_place place;
    uint64_t state;
} past;

/* Makes changes and records each result. A change that merges with the previous one has no place of its own. */
static int live(work *work, uint32_t *seed, past *past) {
    int count = 0;
    for (int i = 0; i < ACTS; i++) {
        act(work, seed);
        const struct past now = {work_now(work), state_of(work)};
        while (count > 0 && work_compare(past[count - 1].place, now.place) >= 0) count--;
        past[count++] = now;
    }
    return count;
}

static void any_place_can_be_gone_to(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 4; seed++) {
        uint32_t draws = seed;
        past past[ACTS];
        work *work = opened(model_id((int)seed % MODELS));
        if (seed == 2) work_set_budget(work, 1); /* as few checkpoints as possible */
        const int count = live(work, &draws, past);
        for (int i = 0; i < 12; i++) {
            const int at = draw_below(&draws, count);
            OK(work_go(work, past[at].place, NULL, NULL));
            assert_int_equal(work_compare(work_now(work), past[at].place), 0);
            if (state_of(work) != past[at].state) fail_msg("seed %u: place %d of %d differs", seed, at, count);
            if (i % 4 == 0) OK(work_checkpoint(work));
        }
        OK(work_go(work, work_end(work), NULL, NULL));
        assert_true(state_of(work) == past[count - 1].state);
        work_close(work);
    }
}

static void undone_and_redone(void **state) {
    (void)state;
    uint32_t seed = 9;
    past past[ACTS];
    work *work = opened("jako2011");
    const uint64_t first = state_of(work);
    const int count = live(work, &seed, past);
    work_place place;
    const char *label;
    int undone = 0;
    for (; work_undo_place(work, &place, &label); undone++) {
        assert_true(work_compare(place, work_now(work)) < 0 && strlen(label) > 0);
        OK(work_go(work, place, NULL, NULL));
    }
    assert_true(undone > 10 && state_of(work) == first);
    for (; work_redo_place(work, &place, &label); undone--) {
        assert_true(work_compare(place, work_now(work)) > 0 && strlen(label) > 0);
        OK(work_go(work, place, NULL, NULL));
    }
    assert_true(state_of(work) == past[count - 1].state);
    /* A change after an undo drops the undone actions. */
    assert_true(work_undo_place(work, &place, &label));
    OK(work_go(work, place, NULL, NULL));
    OK(work_do(work, paint_event(WADI_BRUSH_RAISE, 9, 9, 1), "raise", 0));
    assert_false(work_redo_place(work, &place, &label));
    const uint64_t after = state_of(work);
    assert_true(work_undo_place(work, &place, &label));
    assert_string_equal(label, "raise");
    OK(work_go(work, place, NULL, NULL));
    OK(work_go(work, work_end(work), NULL, NULL));
    assert_true(state_of(work) == after);
    work_close(work);
}

/* A stroke, or a slider that is dragged, is one action and few events. */
static void what_goes_together_is_one(void **state) {
    (void)state;
    work *work = opened("jako2011");
    for (int i = 0; i < 20; i++) OK(work_do(work, paint_event(WADI_BRUSH_WATER, 5 + i, 9, 0.1), "water", 5));
    for (int i = 0; i < 20; i++) {
        const event event = run_event_set(wadi_model_find("jako2011"), "Kc", 0.1 + 0.01 * i);
        OK(work_do(work, event, "Kc", 6));
    }
    size_t count;
    work_marks(work, &count);
    assert_int_equal(count, 2);
    assert_int_equal(work_end(work).event, 2);
    assert_int_equal(work_run(work)->stages[0].events.items[0].dab_count, 40);
    const uint64_t before = state_of(work);
    OK(work_go(work, (work_place){0}, NULL, NULL));
    OK(work_go(work, work_end(work), NULL, NULL));
    assert_true(state_of(work) == before);
    work_close(work);
}

/* --- files --- */

static void run_again(const work *work, const char *name) {
    const wadi_sim *sim = work_sim(work);
    const size_t cells = cells_of(wadi_sim_def(sim));
    float *values = malloc(cells * sizeof *values);
    char command[600], recipe[64], path[96], found[65], expected[65];
    snprintf(recipe, sizeof recipe, "%s.yaml", name);
    OK(work_write_recipe(work, recipe));
    snprintf(command, sizeof command, "%s run --recipe %s -o %s --maps all --format npy --quiet --force",
             getenv("WADI"), recipe, name);
    assert_int_equal(system(command), 0);
    static const char *const fields[] = {"height", "water", "erosion"};
    for (int f = 0; f < COUNT(fields); f++) {
        wadi_raster *raster;
        const wadi_read_options plain = {.plain_values = true};
        snprintf(path, sizeof path, "%s/%s.npy", name, fields[f]);
        OK(wadi_raster_read(path, &plain, &raster));
        OK(wadi_sim_get(sim, fields[f], values, cells));
        wadi_field_sha256(values, cells, expected);
        wadi_field_sha256(raster->values, cells, found);
        if (strcmp(found, expected) != 0) fail_msg("%s: %s differs", name, fields[f]);
        wadi_raster_destroy(raster);
    }
    free(values);
}

/* --- knobs --- */

static double value_of(const work *work, const char *name) {
    const wadi_def *def = wadi_sim_def(work_sim(work));
    return def->values[wadi_model_parameter_index(def->model, name)];
}

static void move_knob(work *work, const char *name, double position) {
    OK(work_do(work, run_event_knob(wadi_sim_def(work_sim(work))->model, name, position), name, 8));
}

/* As with the options of wadi run: the preset, then the knobs, then what was set by hand. */
static void a_knob_leaves_what_was_set_by_hand(void **state) {
    (void)state;
    work *work = opened("jako2011");
    const wadi_model *model = wadi_model_find("jako2011");
    const double Ks = value_of(work, "Ks"), Ka = value_of(work, "Ka");
    OK(work_do(work, run_event_set(model, "Ka", 0.9 * Ka), "Ka", 0));
    move_knob(work, "rock", 1);
    wadi_def wanted = *wadi_sim_def(work_sim(work));
    OK(wadi_def_preset(&wanted, wadi_preset_find("valleys", &model)));
    OK(wadi_def_knob(&wanted, "rock", 1));
    assert_true(value_of(work, "Ks") == wanted.values[wadi_model_parameter_index(model, "Ks")]);
    assert_true(value_of(work, "Ks") < Ks && value_of(work, "Ka") == 0.9 * Ka);
    assert_true(work_settings(work).def.knobs[wadi_model_knob_index(model, "rock")] == 1);
    move_knob(work, "rock", 0.5); /* the preset again, bit for bit */
    assert_true(value_of(work, "Ks") == Ks && value_of(work, "Ka") == 0.9 * Ka);
    OK(work_do(work, run_event_set(model, "Ka", Ka), "Ka", 0)); /* back to the preset: the knob moves it again */
    move_knob(work, "rock", 0.75);
    assert_true(value_of(work, "Ka") > Ka);
    OK(work_do(work, run_event_preset("alpine"), "preset", 0)); /* all knobs in the middle, nothing set by hand */
    OK(wadi_def_preset(&wanted, wadi_preset_find("alpine", &model)));
    assert_memory_equal(wadi_sim_def(work_sim(work))->values, wanted.values, sizeof wanted.values);
    assert_true(work_settings(work).def.knobs[wadi_model_knob_index(model, "rock")] == 0.5);
    assert_string_equal(work_settings(work).preset->name, "alpine");
    work_close(work);
}

/* A map of a parameter was made by hand, too. */
static void a_knob_leaves_a_map(void **state) {
    (void)state;
    work *work = opened("jako2011");
    const double rain = value_of(work, "rain");
    OK(work_do(work, paint_event(WADI_BRUSH_RAIN, 9, 9, 0.003), "rain", 0));
    assert_true(wadi_sim_has_map(work_sim(work), "rain"));
    move_knob(work, "rain", 1);
    assert_true(wadi_sim_has_map(work_sim(work), "rain") && value_of(work, "rain") == rain);
    OK(work_step(work, 3));
    run_again(work, "map");
    work_close(work);
}

/* A hand-written recipe moves knobs by the same rule. */
static void a_recipe_moves_knobs(void **state) {
    (void)state;
    made("generate: {kind: diamond-square, size: 48x40, seed: 4, relief: 12}\nmodel: jako2011\nboundary: open\n"
         "set: {Ka: 0.7}\nsteps: 20\nevents:\n  - {at: 10, knobs: {rock: 0.9, rain: 0.2}, set: {Kd: 0.3}}\n",
         "knobs.yaml");
    const run_options options = plain_options();
    work *recipe, *hand = opened("jako2011");
    assert_int_equal(work_open("knobs.yaml", &options, &recipe), WADI_OK);
    OK(work_go(recipe, work_end(recipe), NULL, NULL));
    const wadi_model *model = wadi_model_find("jako2011");
    OK(work_do(hand, run_event_set(model, "Ka", 0.7), "Ka", 0));
    OK(work_step(hand, 10));
    move_knob(hand, "rain", 0.2);
    move_knob(hand, "rock", 0.9);
    OK(work_do(hand, run_event_set(model, "Kd", 0.3), "Kd", 0));
    OK(work_step(hand, 10));
    assert_true(state_of(hand) == state_of(recipe));
    run_again(recipe, "knobs");
    work_close(recipe);
    work_close(hand);
}

/* A preset of the user is a base, its knobs, and what was set by hand. */
static void a_preset_is_saved_and_chosen(void **state) {
    (void)state;
    char path[PRESET_PATH];
    work *work = opened("jako2011"), *other = opened("jako2011");
    const wadi_model *model = wadi_model_find("jako2011");
    OK(work_do(work, run_event_preset("alpine"), "preset", 0));
    move_knob(work, "scree", 0.8);
    OK(work_do(work, run_event_set(model, "Kd", 1.25), "Kd", 0));
    const settings_now now = work_settings(work);
    assert_int_equal(run_user_preset_write("valleys", &now), WADI_ERROR_ARGUMENT); /* the model's own */
    assert_int_equal(run_user_preset_write("a/b", &now), WADI_ERROR_ARGUMENT);
    OK(run_user_preset_write("tried", &now));
    assert_true(run_user_preset_path("tried", path));
    user_preset preset;
    OK(run_user_preset_read(path, &preset));
    move_knob(other, "rain", 0.1);
    OK(work_do(other, run_event_adjust(preset.adjustment), "preset", 0));
    const wadi_def *wanted = wadi_sim_def(work_sim(work)), *found = wadi_sim_def(work_sim(other));
    assert_memory_equal(found->values, wanted->values, sizeof wanted->values);
    assert_memory_equal(work_settings(other).def.knobs, now.def.knobs, sizeof now.def.knobs);
    wadi_def made = *found;
    OK(run_user_preset_apply(&preset, &made));
    assert_memory_equal(made.values, wanted->values, sizeof wanted->values);
    OK(work_step(other, 5));
    run_again(other, "tried");
    run_user_preset_free(&preset);
    work_close(work);
    work_close(other);
}

/* --- work and recipes --- */

static void the_recipe_gives_it_again(void **state) {
    (void)state;
    char name[32];
    for (uint32_t seed = 11; seed < 15; seed++) {
        uint32_t draws = seed;
        past past[ACTS];
        work *work = opened(model_id((int)seed % MODELS));
        const int count = live(work, &draws, past);
        snprintf(name, sizeof name, "end%u", seed);
        run_again(work, name);
        OK(work_go(work, past[count / 2].place, NULL, NULL)); /* undone actions are no part of it */
        snprintf(name, sizeof name, "half%u", seed);
        run_again(work, name);
        work_close(work);
    }
}

/* A saved file continues with the same bits, and writes the same recipe. */
static void saved_and_opened(void **state) {
    (void)state;
    const run_options options = plain_options();
    for (uint32_t seed = 21; seed < 25; seed++) {
        uint32_t draws = seed, again;
        past past[ACTS], other[ACTS];
        work *work = opened(model_id((int)seed % MODELS)), *same;
        live(work, &draws, past);
        const work_place here = work_now(work);
        OK(work_save(work, "kept.wadi"));
        assert_int_equal(work_open("kept.wadi", &options, &same), WADI_OK);
        assert_int_equal(work_compare(work_now(same), here), 0);
        assert_true(state_of(same) == state_of(work));
        again = draws;
        const int count = live(work, &draws, past), count2 = live(same, &again, other);
        assert_int_equal(count, count2);
        for (int i = 0; i < count; i++) assert_true(past[i].state == other[i].state);
        run_again(same, "kept");
        work_place place;
        const char *label;
        while (work_undo_place(same, &place, &label)) OK(work_go(same, place, NULL, NULL));
        work_close(work);
        work_close(same);
    }
}

/* A run folder opens as the run ended: what was painted and done is there, and goes on. */
static void a_finished_run_has_its_past(void **state) {
    (void)state;
    run_options options = plain_options();
    work *work = opened("jako2011"), *same;
    for (int i = 0; i < 2; i++) {
        const wadi_dab dab = {.brush = WADI_BRUSH_PROTECT, .x = 9 + 20 * i, .y = 12, .radius_m = 6, .strength = 0.7};
        wadi_dab *dabs = malloc(sizeof dab);
        assert_non_null(dabs);
        *dabs = dab;
        OK(work_do(work, (event){.kind = EVENT_PAINT, .dab_count = 1, .dabs = dabs}, "mask", 0));
        OK(work_step(work, 6));
    }
    run_again(work, "ended");
    assert_int_equal(work_open("ended", &options, &same), WADI_OK);
    assert_true(state_of(same) == state_of(work));
    assert_int_equal(work_compare(work_now(same), work_now(work)), 0);
    for (size_t i = 0; i < work_run(work)->stage_count; i++)
        assert_int_equal(work_run(same)->stages[i].events.count, work_run(work)->stages[i].events.count);
    OK(work_step(same, 3));
    run_again(same, "more");
    work_close(same);
    options.preset = "rivers"; /* of other settings, its height alone */
    assert_int_equal(work_open("ended", &options, &same), WADI_OK);
    assert_int_equal(work_run(same)->stages[0].events.count, 0);
    work_close(same);
    options = plain_options();
    made("damaged", "ended/checkpoint.wadi");
    assert_int_equal(work_open("ended", &options, &same), WADI_OK);
    assert_int_equal(wadi_sim_steps(work_sim(same)), 0);
    work_close(same);
    work_close(work);
}

/* What a file holds is the work's from then on: the file may go. A bad one changes nothing. */
static void a_map_is_imported(void **state) {
    (void)state;
    const run_options options = plain_options();
    work *work = opened("jako2011"), *same;
    work_place place;
    const char *label;
    write_map("rock.npy", 48, 40);
    write_map("small.npy", 8, 9);
    OK(work_step(work, 3));
    const uint64_t before = state_of(work);
    REFUSED(work_import(work, "hardness", "small.npy"), WADI_ERROR_ARGUMENT, "hardness: small.npy has 8 x 9 cells");
    REFUSED(work_import(work, "hardness", "none.npy"), WADI_ERROR_ARGUMENT, "none.npy");
    REFUSED(work_import(work, "dt", "rock.npy"), WADI_ERROR_ARGUMENT, "takes maps of mask, water, hardness");
    assert_true(state_of(work) == before && work_run(work)->stages[0].events.count == 0);
    OK(work_import(work, "hardness", "rock.npy"));
    OK(work_import(work, "sediment-capacity", "rock.npy"));
    assert_true(work_settings(work).is_map[wadi_model_parameter_index(wadi_model_find("jako2011"), "Kc")]);
    OK(work_step(work, 3));
    const uint64_t after = state_of(work);
    run_again(work, "imported");
    OK(work_undo_place(work, &place, &label) ? WADI_OK : WADI_ERROR_ARGUMENT);
    assert_string_equal(label, "map of Kc");
    OK(work_go(work, place, NULL, NULL));
    OK(work_undo_place(work, &place, &label) ? WADI_OK : WADI_ERROR_ARGUMENT);
    OK(work_go(work, place, NULL, NULL));
    assert_true(state_of(work) == before);
    OK(work_save(work, "imported.wadi")); /* with what is undone */
    platform_remove_file("rock.npy");
    OK(work_go(work, work_end(work), NULL, NULL));
    assert_true(state_of(work) == after);
    assert_int_equal(work_open("imported.wadi", &options, &same), WADI_OK);
    assert_true(state_of(same) == before);
    OK(work_go(same, work_end(same), NULL, NULL));
    assert_true(state_of(same) == after);
    const map_event *map = work_run(same)->stages[0].events.items[0].map;
    assert_string_equal(map->name, "hardness");
    assert_true(strlen(map->sha256) == 64);
    work_close(same);
    work_close(work);
}

/* The window shows the sea of a later stage from the beginning. */
static void a_sea_ahead_is_known(void **state) {
    (void)state;
    made("generate: {kind: noise, size: 32x32, seed: 2, relief: 9}\nboundary: open\nstages:\n"
         "  - {model: schott2023, steps: 3}\n  - {model: jako2011, steps: 3, sea-level: 4.5}\n"
         "  - {model: jako2011, steps: 3}\n",
         "sea.yaml");
    const run_options options = plain_options();
    work *work;
    double level_m = 0;
    assert_int_equal(work_open("sea.yaml", &options, &work), WADI_OK);
    assert_true(work_sea_ahead(work, &level_m));
    assert_true(level_m == 4.5);
    OK(work_step(work, 4)); /* into the stage with the sea */
    assert_false(work_sea_ahead(work, &level_m));
    work_close(work);
}

/* A recipe opens at its beginning. Its steps lie ahead, and give the bits of wadi run. */
static void a_recipe_is_followed(void **state) {
    (void)state;
    made("generate: {kind: noise, size: 40x30, seed: 2, relief: 9}\nground: dry\nstages:\n"
         "  - {model: jako2011, steps: 30, events: [{at: 12, set: {Kc: 0.2}}]}\n"
         "  - {model: olsen2004, steps: 5, rain: previous}\n"
         "  - {model: mei2007, steps: 20, sources: [{x: 20, y: 10, radius_m: 2, rate_m3s: 3}], pixel: true}\n",
         "three.yaml");
    const run_options options = plain_options();
    work *work;
    assert_int_equal(work_open("three.yaml", &options, &work), WADI_OK);
    assert_int_equal(work_run(work)->plan.ground, WADI_GROUND_DRY);
    assert_int_equal(work_steps_at(work, work_now(work)), 0);
    assert_int_equal(work_steps_at(work, work_end(work)), 55);
    OK(work_go(work, work_end(work), NULL, NULL));
    run_again(work, "followed");
    wadi_mass mass = run_figures(work);
    assert_true(fabs(mass.solid.residual) <= 1e-6 * (mass.moved + 1));
    work_close(work);
    made("generate: {kind: noise, size: 40x30}\nstages: [{repeat: 3, stages: [{steps: 2}]}]\n", "turns.yaml");
    assert_int_equal(work_open("turns.yaml", &options, &work), WADI_ERROR_ARGUMENT);
    assert_int_equal(work_open("nothing.tif", &options, &work), WADI_ERROR_ARGUMENT);
    made("not a checkpoint", "bad.wadi");
    assert_int_equal(work_open("bad.wadi", &options, &work), WADI_ERROR_FORMAT);
    assert_null(work);
}

static bool halfway(void *context, double share) {
    *(double *)context = share;
    return share < 0.5;
}

static void going_can_be_stopped(void **state) {
    (void)state;
    work *work = opened("jako2011");
    OK(work_step(work, 100)); /* quickly: no checkpoint is made on the way */
    OK(work_do(work, paint_event(WADI_BRUSH_RAISE, 9, 9, 1), "raise", 0));
    const uint64_t end = state_of(work);
    OK(work_go(work, (work_place){0}, NULL, NULL));
    double share = 0;
    OK(work_go(work, work_end(work), halfway, &share));
    assert_true(share >= 0.5 && work_compare(work_now(work), work_end(work)) < 0);
    OK(work_go(work, work_end(work), NULL, NULL));
    assert_true(state_of(work) == end);
    work_close(work);
}

/* An error in the content of a file is found when it is opened, not when it is replayed. */
static void hostile_work_is_refused(void **state) {
    (void)state;
    const run_options options = plain_options();
    for (int wrong = 0; wrong < 7; wrong++) {
        work *work = opened("jako2011"), *again = NULL;
        OK(work_step(work, 5));
        const int capacity = wadi_model_parameter_index(wadi_model_find("jako2011"), "capacity");
        OK(work_do(work, run_event_preset("alpine"), "preset", 0));
        OK(work_step(work, 5));
        run_stage *stage = &((run *)(uintptr_t)work_run(work))->stages[0];
        struct event *kept = &stage->events.items[0];
        if (wrong == 1) kept->at = -1;
        if (wrong == 2) kept->adjustment->values[capacity] = 1e6;
        if (wrong == 3) kept->adjustment->knobs[0] = 1.5;
        if (wrong == 4) kept->adjustment->preset[0] = '!';
        if (wrong == 5) stage->rounds = INT64_MAX;
        if (wrong == 6) kept->at = 11;
        OK(work_save(work, "hostile.wadi"));
        assert_int_equal(work_open("hostile.wadi", &options, &again), wrong ? WADI_ERROR_FORMAT : WADI_OK);
        work_close(again);
        work_close(work);
    }
}

/* A repeat of one round is saved as plain stages. */
static void one_round_is_none(void **state) {
    (void)state;
    const run_options options = plain_options();
    work *work, *again;
    made("generate: {kind: noise, size: 40x30}\nstages: [{repeat: 1, stages: [{model: jako2011, steps: 2}, "
         "{model: mei2007, steps: 3}]}]\n",
         "once.yaml");
    assert_int_equal(work_open("once.yaml", &options, &work), WADI_OK);
    for (int i = 0; i < 2; i++) {
        OK(work_save(work, "once.wadi"));
        assert_int_equal(work_open("once.wadi", &options, &again), WADI_OK);
        assert_true(state_of(work) == state_of(again));
        work_close(again);
        OK(work_go(work, work_end(work), NULL, NULL));
    }
    work_close(work);
}

/* A window's file has only the last simulation. A run cannot continue from it, and says so. */
static void a_run_does_not_go_on_with_work(void **state) {
    (void)state;
    work *work = opened("jako2011");
    OK(work_step(work, 5));
    wadi_def def = *wadi_sim_def(work_sim(work));
    wadi_def next = wadi_default_def(wadi_model_find("mei2007"), def.width, def.height, def.lx, def.ly);
    OK(work_switch(work, &next, NULL, "mei2007"));
    OK(work_step(work, 5));
    platform_make_folder("work");
    OK(work_save(work, "work/checkpoint.wadi"));
    run run = {0};
    assert_int_equal(run_checkpoint_read("work", &def, &run), WADI_ERROR_ARGUMENT);
    run_free(&run);
    folder_hold *hold; /* a running command locks the folder, so its checkpoint is not replaced */
    OK(run_folder_hold_take("work", "work", false, &hold));
    assert_int_equal(work_save(work, "work/checkpoint.wadi"), WADI_ERROR_ARGUMENT);
    assert_non_null(strstr(wadi_error_message(), "another wadi"));
    run_folder_leave(hold);
    OK(work_save(work, "work/checkpoint.wadi"));
    assert_false(platform_exists("work/.wadi-lock"));
    work_close(work);
}

static void figures_go_back_too(void **state) {
    (void)state;
    work *work = opened("jako2011");
    OK(work_step(work, 20));
    assert_true(work_stage(work)->wall_s > 0 && work_stage(work)->wall_s <= work_run(work)->plan.wall_s);
    const work_place first = work_now(work);
    const wadi_mass before = run_figures(work);
    for (int i = 0; i < 2; i++) {
        const wadi_def *def = wadi_sim_def(work_sim(work));
        wadi_def next =
            wadi_default_def(wadi_model_find(i ? "jako2011" : "mei2007"), def->width, def->height, def->lx, def->ly);
        OK(work_switch(work, &next, NULL, "another"));
        OK(work_step(work, 20));
    }
    assert_true(run_figures(work).rained > 1.5 * before.rained);
    OK(work_go(work, first, NULL, NULL));
    const wadi_mass after = run_figures(work);
    assert_true(fabs(after.rained - before.rained) <= 1e-9 * before.rained);
    assert_true(fabs(after.water.in - before.water.in) <= 1e-9 * before.water.in);
    work_close(work);
}

/* --- levels --- */

/* The height on the finest grid. */
static float *shown(const work *work) {
    float *values = malloc(work_cells(work) * sizeof *values);
    OK(run_get(work_run(work), "height", values));
    return values;
}

static double greatest_difference(float *a, float *b, size_t cells) {
    double most = 0;
    for (size_t i = 0; i < cells; i++) most = fmax(most, fabs((double)a[i] - (double)b[i]));
    free(a);
    free(b);
    return most;
}

static void to_the_finest(work *work) {
    while (work_in_levels(work)) OK(work_step(work, 7));
}

static void refused_in_levels(work *work) {
    assert_int_equal(work_do(work, run_event_set(wadi_sim_def(work_sim(work))->model, "dt", 0.1), "dt", 0),
                     WADI_ERROR_ARGUMENT);
    assert_int_equal(work_do(work, paint_event(WADI_BRUSH_RAISE, 9, 9, 1), "raise", 0), WADI_ERROR_ARGUMENT);
    assert_int_equal(work_switch(work, wadi_sim_def(work_sim(work)), NULL, "another"), WADI_ERROR_ARGUMENT);
    assert_int_equal(work_save(work, "early.wadi"), WADI_ERROR_ARGUMENT);
    assert_int_equal(work_write_recipe(work, "early.yaml"), WADI_ERROR_ARGUMENT);
}

/* With what was set before, on coarse grids first. What follows is a stage of its own. wadi run gives the same bits. */
static void it_begins_from_coarse_to_fine(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        work *work = opened(model_id(m)), *again;
        const run_options options = plain_options();
        const wadi_model *model = wadi_sim_def(work_sim(work))->model;
        uint32_t seed = 3;
        const char *knob = a_knob(model, &seed);
        if (knob) move_knob(work, knob, 0.7);
        assert_true(work_can_begin_levels(work));
        OK(work_begin_levels(work, true));
        assert_true(work_in_levels(work) && run_level(work_run(work)) > 0);
        assert_true(!knob || work_settings(work).def.knobs[wadi_model_knob_index(model, knob)] == 0.7);
        float *first = shown(work), *start = shown(work);
        assert_true(greatest_difference(start, first, work_cells(work)) == 0);
        first = shown(work);
        refused_in_levels(work);
        OK(work_step(work, 3));
        assert_false(work_can_begin_levels(work));
        to_the_finest(work);
        assert_int_equal(run_level(work_run(work)), 0);
        assert_true(greatest_difference(shown(work), first, work_cells(work)) > 0);
        run_again(work, "levels");
        OK(work_step(work, 4));
        OK(work_do(work, paint_event(WADI_BRUSH_RAISE, 9, 9, 1), "raise", 0));
        OK(work_step(work, 3));
        run_again(work, "after");
        const uint64_t end = state_of(work);
        OK(work_go(work, (work_place){0, 1, 0}, NULL, NULL));
        assert_true(work_in_levels(work));
        OK(work_go(work, work_end(work), NULL, NULL));
        assert_true(state_of(work) == end);
        OK(work_save(work, "levels.wadi"));
        OK(work_open("levels.wadi", &options, &again));
        assert_true(state_of(again) == end);
        OK(work_step(work, 2));
        OK(work_step(again, 2));
        assert_true(state_of(again) == state_of(work));
        work_close(again);
        work_close(work);
    }
}

/* The switch back gives the work without levels. */
static void it_begins_on_one_level_again(void **state) {
    (void)state;
    work *work = opened("jako2011"), *plain = opened("jako2011");
    move_knob(work, "rain", 0.8);
    move_knob(plain, "rain", 0.8);
    OK(work_begin_levels(work, true));
    OK(work_step(work, 2));
    OK(work_go(work, (work_place){0, 0, 0}, NULL, NULL));
    OK(work_begin_levels(work, false));
    assert_int_equal(work_run(work)->stage_count, 1);
    OK(work_step(work, 9));
    OK(work_step(plain, 9));
    assert_true(state_of(work) == state_of(plain));
    assert_int_equal(work_begin_levels(work, true), WADI_ERROR_ARGUMENT);
    OK(work_go(work, (work_place){0, 0, 0}, NULL, NULL));
    OK(work_do(work, paint_event(WADI_BRUSH_WATER, 9, 9, 1), "water", 0));
    assert_int_equal(work_begin_levels(work, true), WADI_ERROR_ARGUMENT);
    work_close(plain);
    work_close(work);
}

/* A recipe's own levels and stages, some at the finest grids alone; hardness outlasts a stage without it. */
static void levels_of_a_recipe_are_followed(void **state) {
    (void)state;
    made("generate: {kind: noise, size: 41x33, seed: 2, relief: 9}\nhardness: height\nlevels: 3\nstages:\n"
         "  - {model: jako2011, steps: 12}\n  - {model: olsen2004, steps: 3}\n"
         "  - {model: jako2011, steps: 9, levels: 2}\n",
         "levels.yaml");
    const run_options options = plain_options();
    work *work;
    assert_int_equal(work_open("levels.yaml", &options, &work), WADI_OK);
    assert_false(work_can_begin_levels(work)); /* stages are not put together */
    OK(work_go(work, work_levels_end(work), NULL, NULL));
    assert_int_equal(work_compare(work_now(work), work_end(work)), 0);
    run_again(work, "level_recipe");
    OK(work_step(work, 5));
    run_again(work, "level_more");
    work_close(work);
}

int main(void) {
    write_map("act.npy", 48, 40);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terrains_have_their_sizes),
        cmocka_unit_test(it_begins_from_coarse_to_fine),
        cmocka_unit_test(it_begins_on_one_level_again),
        cmocka_unit_test(levels_of_a_recipe_are_followed),
        cmocka_unit_test(any_place_can_be_gone_to),
        cmocka_unit_test(undone_and_redone),
        cmocka_unit_test(what_goes_together_is_one),
        cmocka_unit_test(the_recipe_gives_it_again),
        cmocka_unit_test(saved_and_opened),
        cmocka_unit_test(a_finished_run_has_its_past),
        cmocka_unit_test(a_map_is_imported),
        cmocka_unit_test(a_sea_ahead_is_known),
        cmocka_unit_test(a_recipe_is_followed),
        cmocka_unit_test(going_can_be_stopped),
        cmocka_unit_test(hostile_work_is_refused),
        cmocka_unit_test(one_round_is_none),
        cmocka_unit_test(a_run_does_not_go_on_with_work),
        cmocka_unit_test(figures_go_back_too),
        cmocka_unit_test(a_knob_leaves_what_was_set_by_hand),
        cmocka_unit_test(a_knob_leaves_a_map),
        cmocka_unit_test(a_preset_is_saved_and_chosen),
        cmocka_unit_test(a_recipe_moves_knobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
