/* def.c: a simulation's definition: defaults, presets, ranges, scaling to the grid, the safe step. */
#include "core/def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/inside.h"
#include "core/need.h"
#include "core/strict.h"
#include "platform/platform.h"
#include "wadi/levels.h"
#include "wadi/team.h"

const char *wadi_engine_name(wadi_engine engine) {
#define NAME(constant, name) #name,
    static const char *const names[] = {WADI_EACH_ENGINE(NAME, NAME) "auto"};
    return (unsigned)engine <= WADI_ENGINE_AUTO ? names[engine] : NULL;
}

bool wadi_engine_is_gpu(wadi_engine engine) {
#define NO(constant, name) false,
#define YES(constant, name) true,
    static const bool gpu[] = {WADI_EACH_ENGINE(NO, YES) false};
    return (unsigned)engine <= WADI_ENGINE_AUTO && gpu[engine];
}

static bool usable(double l) { return l > 0 && l < 1e7; }

static double times_power(double factor, double base, int power) {
    for (int i = 0; i < abs(power); i++) factor = power > 0 ? factor * base : factor / base;
    return factor;
}

/* The k and c of wadi_scale. */
typedef struct ratios {
    double size, cell;
} ratios;

static ratios ratios_of(const wadi_def *def) {
    const double cell_m = sqrt(def->lx * def->ly);
    if (def->scale == WADI_SCALE_CELL) return (ratios){cell_m, 1};
    const double longer_m = fmax(wadi_whole_width(def) * def->lx, wadi_whole_height(def) * def->ly);
    const double size = (def->world_m > 0 ? def->world_m : longer_m) / WADI_WORLD_M;
    return (ratios){size, cell_m / size};
}

static bool has_grid(const wadi_def *def) {
    return usable(def->lx) && usable(def->ly) && def->width > 0 && def->height > 0;
}

/* Products and one square root, so that ratios of 4^n scale exactly. */
static double scaled_by(ratios ratio, const wadi_parameter *parameter, double value) {
    double factor = times_power(1, ratio.size, parameter->length_power);
    factor = times_power(factor, sqrt(ratio.size), parameter->time_power);
    return value * times_power(factor, ratio.cell, parameter->cell_power);
}

static double scaled(const wadi_def *def, const wadi_parameter *parameter, double value) {
    return has_grid(def) ? scaled_by(ratios_of(def), parameter, value) : value;
}

/* The same for 512 cells along the terrain. */
static double scaled_to_size(const wadi_def *def, const wadi_parameter *parameter, double value) {
    return has_grid(def) ? scaled_by((ratios){ratios_of(def).size, 1}, parameter, value) : value;
}

#define MIDDLE 0.5

static void middle_knobs(wadi_def *def) {
    for (int i = 0; i < WADI_MAX_KNOBS; i++) def->knobs[i] = MIDDLE;
}

static bool in_middle(double position) { return !(position < MIDDLE) && !(position > MIDDLE); }

static double factor_at(const wadi_knob_move *move, double position) {
    return in_middle(position) ? 1 : pow(move->factor, 2 * position - 1);
}

static double knob_duration(const wadi_def *def) {
    double factor = 1;
    for (size_t i = 0; i < def->model->knob_count; i++)
        for (const wadi_knob_move *move = def->model->knobs[i].moves; move->parameter != NULL; move++)
            if (strcmp(move->parameter, WADI_KNOB_DURATION) == 0) factor *= factor_at(move, def->knobs[i]);
    return factor;
}

wadi_def wadi_default_def(const wadi_model *model, int width, int height, double lx, double ly) {
    WADI_IEEE_MODE;
    wadi_def def = {.model = model,
                    .width = width,
                    .height = height,
                    .lx = lx,
                    .ly = ly,
                    .device = -1,
                    .tune = true,
                    .keep_good_state = true,
                    .check_every = 64};
    middle_knobs(&def);
    if (model == NULL) return def;
    wadi_def_preset(&def, &model->presets[0]);
    return def;
}

void wadi_standard_values(wadi_def *def) {
    for (size_t i = 0; i < def->model->parameter_count; i++)
        def->values[i] = scaled(def, &def->model->parameters[i], def->model->parameters[i].standard);
}

static wadi_status apply_preset(wadi_def *def, const wadi_preset *preset, wadi_scale scale) {
    def->scale = scale;
    wadi_standard_values(def);
    middle_knobs(def);
    def->boundary = preset->boundary;
    for (const wadi_setting *setting = preset->settings; setting->name != NULL; setting++) {
        const int index = wadi_model_parameter_index(def->model, setting->name);
        if (index < 0) return WADI_ERROR_ARGUMENT;
        const wadi_parameter *parameter = &def->model->parameters[index];
        if (parameter->choices != NULL) {
            const wadi_status status = wadi_def_set_text(def, setting->name, setting->value);
            if (status != WADI_OK) return status;
        } else {
            def->values[index] = scaled(def, parameter, strtod(setting->value, NULL));
        }
    }
    return WADI_OK;
}

wadi_status wadi_def_preset(wadi_def *def, const wadi_preset *preset) {
    WADI_NEED(preset);
    return wadi_def_preset_scaled(def, preset, preset->scale);
}

/* A preset of another model changes nothing. */
wadi_status wadi_def_preset_scaled(wadi_def *def, const wadi_preset *preset, wadi_scale scale) {
    WADI_IEEE_MODE;
    WADI_NEED(def);
    WADI_NEED(preset);
    WADI_NEED(def->model);
    if ((unsigned)scale > WADI_SCALE_CELL) return wadi_fail(WADI_ERROR_ARGUMENT, "there is no scale %d", (int)scale);
    wadi_def changed = *def;
    const wadi_status status = apply_preset(&changed, preset, scale);
    if (status == WADI_OK) *def = changed;
    return status;
}

int64_t wadi_def_preset_steps(const wadi_def *def, const wadi_preset *preset) {
    WADI_IEEE_MODE;
    if (def == NULL || def->model == NULL || preset == NULL) return 0;
    static const wadi_parameter time = {.time_power = 1};
    const double steps = nearbyint(scaled(def, &time, preset->duration_s) * knob_duration(def) / wadi_dt_s(def));
    return steps >= 1 && steps < (double)WADI_MOST_STEPS ? (int64_t)steps : 1;
}

void wadi_def_bounds(const wadi_def *def, int parameter, double *minimum, double *maximum) {
    WADI_IEEE_MODE;
    const bool known =
        def != NULL && def->model != NULL && parameter >= 0 && parameter < (int)def->model->parameter_count;
    const wadi_parameter *row = known ? &def->model->parameters[parameter] : NULL;
    if (minimum != NULL)
        *minimum = known ? fmin(scaled(def, row, row->minimum), scaled_to_size(def, row, row->minimum)) : 0;
    if (maximum != NULL)
        *maximum = known ? fmax(scaled(def, row, row->maximum), scaled_to_size(def, row, row->maximum)) : 0;
}

wadi_status wadi_check_value(const wadi_def *def, int index, double value) {
    WADI_IEEE_MODE;
    const wadi_parameter *parameter = &def->model->parameters[index];
    double low = 0, high = 0;
    wadi_def_bounds(def, index, &low, &high);
    if (!isfinite(value)) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: not a finite number", parameter->name);
    if (parameter->choices != NULL && (value < low || value > high || value != floor(value)))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %g is not the number of a choice (%g to %g)", parameter->name, value,
                         low, high);
    const double slack = 1e-9 * (fabs(low) + fabs(high)); /* for the rounding of the scaling */
    if (def->allow_out_of_range || (value >= low - slack && value <= high + slack)) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "%s = %g is outside %g to %g %s%s: choose a value inside, or allow it (--allow-out-of-range)",
                     parameter->name, value, low, high, strcmp(parameter->unit, "1") == 0 ? "" : parameter->unit,
                     low != parameter->minimum || high != parameter->maximum ? " (at this scale)" : "");
}

wadi_status wadi_def_set(wadi_def *def, const char *name, double value) {
    WADI_IEEE_MODE;
    WADI_NEED(def);
    WADI_NEED(name);
    WADI_NEED(def->model);
    const int index = wadi_model_parameter_index(def->model, name);
    if (index < 0) return WADI_ERROR_ARGUMENT;
    const wadi_status status = wadi_check_value(def, index, value);
    if (status == WADI_OK) def->values[index] = value;
    return status;
}

/* Towards `low` or `high`. A preset's value that lies beyond that end stays. */
static double blended(double value, double low, double high, double position) {
    const double end = position > MIDDLE ? high : low;
    const bool onwards = (end - value) * (high - low) * (position - MIDDLE) > 0;
    return onwards ? value + (end - value) * fabs(2 * position - 1) : value;
}

static double moved(const wadi_def *def, int index, const wadi_knob_move *move, double position) {
    const wadi_parameter *parameter = &def->model->parameters[index];
    const double value = def->values[index];
    double low, high;
    wadi_def_bounds(def, index, &low, &high);
    const double to = move->factor > 0 ? value * factor_at(move, position)
                                       : blended(value, scaled(def, parameter, move->low),
                                                 scaled(def, parameter, move->high), position);
    if (value < low || value > high) return value; /* out of its range on purpose */
    return fmin(fmax(to, low), high);
}

static wadi_status move_parameters(wadi_def *def, const wadi_knob *knob, double position) {
    for (const wadi_knob_move *move = knob->moves; move->parameter != NULL; move++) {
        if (strcmp(move->parameter, WADI_KNOB_DURATION) == 0) continue;
        const int index = wadi_model_parameter_index(def->model, move->parameter);
        if (index < 0) return WADI_ERROR_ARGUMENT;
        def->values[index] = moved(def, index, move, position);
    }
    return WADI_OK;
}

wadi_status wadi_def_knob(wadi_def *def, const char *name, double position) {
    WADI_IEEE_MODE;
    WADI_NEED(def);
    WADI_NEED(name);
    WADI_NEED(def->model);
    const int index = wadi_model_knob_index(def->model, name);
    if (index < 0) return WADI_ERROR_ARGUMENT;
    if (!(position >= 0 && position <= 1))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a position from 0 to 1 is wanted; 0.5 is the preset", name);
    if (!in_middle(def->knobs[index]))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: this knob was moved already; begin with the preset", name);
    if (in_middle(position)) return WADI_OK;
    wadi_def changed = *def;
    changed.knobs[index] = position;
    const wadi_status status = move_parameters(&changed, &def->model->knobs[index], position);
    if (status != WADI_OK) return status;
    if (def->model->limit != NULL) def->model->limit(changed.values);
    *def = changed;
    return WADI_OK;
}

wadi_status wadi_def_knobs(wadi_def *def, const wadi_preset *preset, const double positions[WADI_MAX_KNOBS]) {
    WADI_NEED(def);
    WADI_NEED(positions);
    wadi_def changed = *def;
    wadi_status status = wadi_def_preset_scaled(&changed, preset, def->scale);
    for (size_t i = 0; status == WADI_OK && i < def->model->knob_count; i++)
        status = wadi_def_knob(&changed, def->model->knobs[i].name, positions[i]);
    if (status == WADI_OK) *def = changed;
    return status;
}

static wadi_status set_choice(wadi_def *def, int index, const char *text) {
    const wadi_parameter *parameter = &def->model->parameters[index];
    char list[256] = "";
    size_t count = 0;
    for (; parameter->choices[count] != NULL; count++) {
        if (strcmp(text, parameter->choices[count]) == 0) {
            def->values[index] = (double)count;
            return WADI_OK;
        }
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", count > 0 ? ", " : "", parameter->choices[count]);
    }
    const char *nearest = wadi_nearest_name(text, parameter->choices, count);
    if (nearest != NULL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: no choice '%s': did you mean '%s'?", parameter->name, text, nearest);
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: no choice '%s': one of %s", parameter->name, text, list);
}

wadi_status wadi_def_set_text(wadi_def *def, const char *name, const char *text) {
    WADI_IEEE_MODE;
    WADI_NEED(def);
    WADI_NEED(name);
    WADI_NEED(text);
    WADI_NEED(def->model);
    const int index = wadi_model_parameter_index(def->model, name);
    if (index < 0) return WADI_ERROR_ARGUMENT;
    if (def->model->parameters[index].choices != NULL) return set_choice(def, index, text);
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0')
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: '%s' is not a number", def->model->parameters[index].name, text);
    return wadi_def_set(def, name, value);
}

/* A drop's area: of its disc, or of the one cell that it then covers. */
static double area_of_drop(const wadi_def *def, double radius_m) {
    return fmax(3.14159265358979 * radius_m * radius_m, def->lx * def->ly);
}

static void scale_drops(const wadi_def *fine, wadi_def *coarse) {
    wadi_drops *drops = &coarse->drops;
    drops->count *= wadi_dt_s(coarse) / wadi_dt_s(fine);
    drops->rate_m_s *= area_of_drop(fine, drops->radius_m) / area_of_drop(coarse, drops->radius_m);
    const double cells = (double)coarse->width * coarse->height;
    if (drops->count <= cells) return;
    drops->rate_m_s *= drops->count / cells;
    drops->count = cells;
}

wadi_def wadi_def_level(const wadi_def *def, int level) {
    WADI_IEEE_MODE;
    wadi_def coarse = def != NULL ? *def : (wadi_def){0};
    if (coarse.model == NULL || !has_grid(def) || level < 1) return coarse;
    coarse.width = wadi_level_cells(def->width, level);
    coarse.height = wadi_level_cells(def->height, level);
    coarse.lx = def->lx * def->width / coarse.width;
    coarse.ly = def->ly * def->height / coarse.height;
    for (size_t i = 0; i < def->model->parameter_count; i++) {
        const wadi_parameter *parameter = &def->model->parameters[i];
        if (parameter->choices == NULL) coarse.values[i] *= scaled(&coarse, parameter, 1) / scaled(def, parameter, 1);
    }
    scale_drops(def, &coarse);
    return coarse;
}

int64_t wadi_level_steps(const wadi_def *def, int64_t steps, int level) {
    WADI_IEEE_MODE;
    if (def == NULL || def->model == NULL || def->model->sediment_passes) return steps;
    const wadi_def coarse = wadi_def_level(def, level);
    return (int64_t)ceil((double)steps * wadi_dt_s(def) / wadi_dt_s(&coarse) - 1e-9);
}

static wadi_status check_size(const wadi_def *def) {
    if (def->model == NULL) return wadi_fail(WADI_ERROR_ARGUMENT, "no model given");
    if (def->width < 2 || def->height < 2)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a grid of %d x %d cells: 2 x 2 is the least", def->width, def->height);
    if ((int64_t)def->width * def->height > (int64_t)1 << 40)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a grid of %d x %d cells: at most 2^40 in all", def->width, def->height);
    if (!usable(def->lx) || !usable(def->ly))
        return wadi_fail(WADI_ERROR_ARGUMENT, "cells of %g x %g m: both must be above 0", def->lx, def->ly);
    return WADI_OK;
}

wadi_status wadi_check_team(const wadi_team *team) {
    const bool good = team->processes >= 1 && team->me >= 0 && team->me < team->processes && team->on_host >= 1 &&
                      team->on_host <= team->processes && team->me_there >= 0 && team->me_there < team->on_host &&
                      team->share > 0 && team->share <= 1;
    const bool calls = team->processes == 1 || (team->send != NULL && team->receive != NULL && team->exchange != NULL);
    if (good && calls) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "a team of %d processes, this one number %d, on its machine number %d of %d, a share of %g: the "
                     "numbers do not fit, or a call is missing",
                     team->processes, team->me, team->me_there, team->on_host, team->share);
}

static wadi_status check_crew(const wadi_def *def) {
    const wadi_crew *crew = def->crew;
    if (crew == NULL) return WADI_OK;
    if (crew->run == NULL || crew->count < 1 || crew->count > WADI_MOST_THREADS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a crew of %d: must be 1 to %d, with a call that runs them", crew->count,
                         WADI_MOST_THREADS);
    if (def->parts > 1 || def->team != NULL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a crew with parts or a team: leave out one of them");
    return WADI_OK;
}

static wadi_status check_parts(const wadi_def *def) {
    const wadi_status good = def->team != NULL ? wadi_check_team(def->team) : WADI_OK;
    if (good != WADI_OK) return good;
    const int most = WADI_MOST_PARTS * (def->team != NULL ? def->team->processes : 1);
    if (def->parts < 0 || def->parts > most)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%d parts: must be 1 to %d, or 0", def->parts, most);
    for (int i = 0; i < WADI_MOST_PARTS; i++)
        if ((unsigned)def->part[i].engine > WADI_ENGINE_AUTO || def->part[i].device < -1)
            return wadi_fail(WADI_ERROR_ARGUMENT, "part %d: there is no engine %d with a device %d", i + 1,
                             (int)def->part[i].engine, def->part[i].device);
    if (def->team != NULL && def->team->processes > 1 && def->memory_limit > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a team of %d processes with a memory limit: leave out one of them",
                         def->team->processes);
    if (def->parts > 1 && def->memory_limit > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%d parts with a memory limit: leave out one of them", def->parts);
    if (def->slab_rows < 0) return wadi_fail(WADI_ERROR_ARGUMENT, "slab_rows: %d, must be 0 or more", def->slab_rows);
    if (def->substeps_per_exchange < 0 || def->substeps_per_exchange > 16)
        return wadi_fail(WADI_ERROR_ARGUMENT, "substeps_per_exchange: %d, must be 1 to 16, or 0",
                         def->substeps_per_exchange);
    return WADI_OK;
}

/* Checks the settings that say how to compute: engine, device, threads, parts. */
static wadi_status check_work(const wadi_def *def) {
    if ((unsigned)def->scale > WADI_SCALE_CELL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "there is no scale %d", (int)def->scale);
    if (!(def->world_m >= 0 && def->world_m < 1e12))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a world of %g m: must be above 0, or 0 for the grid's own size",
                         def->world_m);
    if ((unsigned)def->boundary > WADI_WRAP)
        return wadi_fail(WADI_ERROR_ARGUMENT, "there is no boundary %d", (int)def->boundary);
    if ((unsigned)def->engine > WADI_ENGINE_AUTO)
        return wadi_fail(WADI_ERROR_ARGUMENT, "there is no engine %d", (int)def->engine);
    if ((unsigned)def->arithmetic > WADI_RELAXED)
        return wadi_fail(WADI_ERROR_ARGUMENT, "there is no arithmetic %d", (int)def->arithmetic);
    if (def->threads < 0 || def->threads > WADI_MOST_THREADS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%d threads: must be 1 to %d, or 0", def->threads, WADI_MOST_THREADS);
    if (check_crew(def) != WADI_OK) return WADI_ERROR_ARGUMENT;
    if (def->device < -1) return wadi_fail(WADI_ERROR_ARGUMENT, "device %d: must be -1 or more", def->device);
    if (def->check_every < 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "check_every: %d, must be 1 or more", def->check_every);
    if (def->substeps_per_pass < 0 || def->substeps_per_pass > 16)
        return wadi_fail(WADI_ERROR_ARGUMENT, "substeps_per_pass: %d, must be 1 to 16, or 0", def->substeps_per_pass);
    if (def->tile_columns < 0 || def->tile_columns % 16 != 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "tile_columns: %d, must be a multiple of 16, or 0", def->tile_columns);
    return check_parts(def);
}

static wadi_status check_tile(const wadi_def *def) {
    const wadi_tile *tile = &def->tile;
    if (!wadi_is_tile(def) && tile->width == 0 && tile->height == 0 && tile->x == 0 && tile->y == 0) return WADI_OK;
    if (tile->x < 0 || tile->y < 0 || tile->width < 2 || tile->height < 2 || tile->width - tile->x < def->width ||
        tile->height - tile->y < def->height)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a tile of %d x %d cells at (%d, %d): the whole has %d x %d", def->width,
                         def->height, tile->x, tile->y, tile->width, tile->height);
    if (wadi_def_substeps_follow(def))
        return wadi_fail(WADI_ERROR_ARGUMENT, "substeps: a tile does not know the deepest water of the whole terrain; "
                                              "set substeps = fixed");
    if ((int64_t)tile->width * tile->height > (int64_t)1 << 40)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a tile of %d x %d cells: at most 2^40 in all", tile->width,
                         tile->height);
    if (!(isfinite(tile->high_m - tile->low_m) && tile->low_m <= tile->high_m))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a tile of a terrain from %g to %g m", tile->low_m, tile->high_m);
    return def->boundary != WADI_WRAP ? WADI_OK
                                      : wadi_fail(WADI_ERROR_ARGUMENT, "a tile of a periodic grid: not supported");
}

static wadi_status check_values(const wadi_def *def) {
    wadi_status status = check_size(def);
    if (status == WADI_OK) status = check_tile(def);
    for (size_t i = 0; status == WADI_OK && i < def->model->parameter_count; i++)
        status = wadi_check_value(def, (int)i, def->values[i]);
    if (status != WADI_OK) return status;
    if (!(wadi_dt_s(def) > 0)) return wadi_fail(WADI_ERROR_ARGUMENT, "dt = %g s: must be above 0", wadi_dt_s(def));
    const double cells = (double)wadi_whole_width(def) * wadi_whole_height(def);
    if (!(def->drops.count >= 0 && def->drops.count <= cells) || !(def->drops.radius_m >= 0) ||
        !(def->drops.rate_m_s >= 0) || !isfinite(def->drops.radius_m + def->drops.rate_m_s))
        return wadi_fail(
            WADI_ERROR_ARGUMENT,
            "drops: radius and rate must be numbers from 0 up, and the count at most the %.0f cells there are", cells);
    return check_work(def);
}

wadi_status wadi_check_def(const wadi_def *def) {
    WADI_IEEE_MODE;
    const wadi_status status = check_values(def);
    if (status != WADI_OK) return status;
    const wadi_safety safety = wadi_def_safety(def);
    if (!(safety.longest_dt_s > 0) || safety.substeps > WADI_MOST_SUBSTEPS)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "dt = %g s: the longest stable step is %.3g s, a step would take over %d sub-steps; lower dt",
                         safety.dt_s, safety.longest_dt_s, WADI_MOST_SUBSTEPS);
    return WADI_OK;
}
