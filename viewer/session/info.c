/* info.c: reads what the window shows from the work. */
#include "viewer/session/info.h"

#include "viewer/work/checkpoints.h"
#include "viewer/work/history.h"
#include "viewer/work/levels.h"

#include "run/escape.h"
#include "run/run_carry.h"
#include "wadi/map.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

void info_tell(session_info *info, bool is_error, const char *text) {
    info->message_serial++;
    info->message_is_error = is_error;
    run_escape_into(info->message, sizeof info->message, text);
}

void info_check(session_info *info, wadi_status status) {
    if (status != WADI_OK) info_tell(info, true, wadi_error_message());
}

bool info_get_field(session_info *info, const work *work, const char *field, float *map, size_t cells) {
    const wadi_sim *sim = work_sim(work);
    if (!wadi_sim_has(sim, field)) return false;
    if (cells != work_cells(work)) return false;
    const wadi_status status = run_get(work_run(work), field, map);
    info_check(info, status);
    return status == WADI_OK;
}

static void add_point(session_info *info) {
    while (info->points > 0 && info->step[info->points - 1] >= (double)info->steps) info->points--;
    if (info->points == SESSION_POINTS) { /* drops every second point */
        for (size_t i = 0; i < SESSION_POINTS / 2; i++) {
            info->step[i] = info->step[2 * i], info->residual[i] = info->residual[2 * i];
            info->scores[i] = info->scores[2 * i], info->rates[i] = info->rates[2 * i];
            info->water[i] = info->water[2 * i];
        }
        info->points = SESSION_POINTS / 2;
    }
    const size_t i = info->points++;
    info->step[i] = (double)info->steps;
    info->residual[i] = info->mass.solid.residual;
    info->scores[i] = info->score;
    info->rates[i] = info->cell_steps_per_s;
    info->water[i] = info->mass.water.after;
}

void info_measure_heights(session_info *info, const work *work) {
    const wadi_raster *raster = work_run(work)->raster;
    const size_t cells = work_cells(work);
    if (!info_get_field(info, work, "height", raster->values, cells)) return; /* they are scratch memory */
    const wadi_range range = wadi_range_of(raster->values, cells);
    info->low_m = (double)range.minimum, info->high_m = (double)range.maximum;
    const bool wrap = wadi_sim_def(work_sim(work))->boundary == WADI_WRAP;
    info->score = wadi_erosion_score(raster->values, raster->width, raster->height, wrap);
}

/* An error of the sums is ignored here: the next step reports it. */
void info_measure(session_info *info, work *work) {
    work_mass(work, &info->mass);
    info_measure_heights(info, work);
    info->steps = work_steps_at(work, work_now(work));
    add_point(info);
}

static void list_marks(session_info *info, const work *work) {
    size_t count;
    const work_mark *marks = work_marks(work, &count);
    info->mark_count = 0;
    const size_t saved = work_checkpoints(work);
    for (size_t i = 0; i < saved && info->mark_count < SESSION_MARKS / 2; i++) {
        session_mark *mark = &info->marks[info->mark_count++];
        mark->place = work_checkpoint_at(work, i);
        mark->at = (double)work_steps_at(work, mark->place);
        mark->action = false;
        g_snprintf(mark->label, sizeof mark->label, "checkpoint at step %.0f", mark->at);
    }
    const size_t room = SESSION_MARKS - info->mark_count, first = count > room ? count - room : 0;
    for (size_t i = first; i < count; i++) {
        session_mark *mark = &info->marks[info->mark_count++];
        mark->place = marks[i].place;
        mark->at = (double)work_steps_at(work, mark->place);
        mark->action = true;
        g_strlcpy(mark->label, marks[i].label, sizeof mark->label);
    }
}

static void list_sources(session_info *info, const work *work) {
    size_t count;
    const wadi_source *sources = wadi_sim_sources(work_sim(work), &count);
    info->source_count = count < SESSION_SOURCES ? count : SESSION_SOURCES;
    info->sources_cut = count > SESSION_SOURCES;
    for (size_t i = 0; i < info->source_count; i++) info->sources[i] = sources[i];
}

void info_describe(session_info *info, const work *work, uint64_t terrain) {
    work_place place;
    const char *label;
    info->terrain = terrain;
    const settings_now now = work_settings(work);
    info->ground = work_run(work)->plan.ground;
    info->def = now.def;
    info->rises = run_rises(work_run(work));
    info->level = run_level(work_run(work));
    if (info->level > 0) info->def = work_fine_stage(work)->def; /* as it is shown */
    info->levels = work_run(work)->plan.levels;
    info->may_change_levels = work_can_begin_levels(work);
    memcpy(info->is_map, now.is_map, sizeof info->is_map);
    g_strlcpy(info->preset, now.preset ? now.preset->name : "", sizeof info->preset);
    g_strlcpy(info->device, wadi_sim_device(work_sim(work)), sizeof info->device);
    info->steps = work_steps_at(work, work_now(work));
    info->steps_end = work_steps_at(work, work_end(work));
    info->simulated_s = work_simulated_s(work);
    g_strlcpy(info->undo, work_undo_place(work, &place, &label) ? label : "", sizeof info->undo);
    g_strlcpy(info->redo, work_redo_place(work, &place, &label) ? label : "", sizeof info->redo);
    info->edits = work_edits(work);
    list_marks(info, work);
    list_sources(info, work);
}

/* Reads all fields of the inspected cell. */
void info_read_cell(session_info *info, const work *work, int x, int y) {
    const wadi_raster *raster = work_run(work)->raster;
    float *map = raster->values;
    info->cell_x = x, info->cell_y = y;
    info->cell_values = 0;
    if (x < 0 || y < 0 || x >= raster->width || y >= raster->height) return;
    const wadi_map_facts *facts;
    for (size_t i = 0; (facts = wadi_map_facts_at(i)) != NULL && info->cell_values < SESSION_FIELDS; i++) {
        if (!info_get_field(info, work, facts->name, map, work_cells(work))) continue;
        session_value *value = &info->cell[info->cell_values++];
        *value = (session_value){0};
        g_strlcpy(value->name, facts->name, sizeof value->name);
        if (strcmp(facts->unit, "1") != 0) g_strlcpy(value->unit, facts->unit, sizeof value->unit);
        value->value = (double)map[(size_t)y * (size_t)raster->width + (size_t)x];
    }
}
