/* checkpoint.c: the whole simulation as a stream of little-endian values. A SHA-256 follows the definition, and another
 * one ends the stream. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/checks.h"
#include "core/def.h"
#include "core/ground.h"
#include "core/inside.h"
#include "core/mirror.h"
#include "core/need.h"
#include "core/prepare.h"
#include "core/stream.h"
#include "platform/platform.h"
#include "wadi/analysis.h"

/* Each version begins with these and a digit. 2 had no scale: values scaled with the cell. 2 and 3 had no sum of what
 * infiltrated. 2 to 4 had rows without bands, 2 to 5 no tiles, and 2 to 6 fixed sub-steps alone. */
#define MAGIC "WADICKP"
enum { VERSION_SCALE = 3, VERSION_INFILTRATED = 4, VERSION_BANDS = 5, VERSION_TILE = 6, VERSION = 7 };
#define LONGEST_NAME 64
#define LARGEST_NOTE (256u << 20)

/* What is known of a file while it passes. */
typedef struct file {
    wadi_stream stream;
    uint32_t parameters;                /* in the file */
    int parameter[WADI_MAX_PARAMETERS]; /* the model's, in the file's order */
    uint64_t maps;                      /* that passed */
} file;

static void pass_name(wadi_stream *stream, char name[LONGEST_NAME]) { wadi_stream_bytes(stream, name, LONGEST_NAME); }

static void copy_name(char to[LONGEST_NAME], const char *from) {
    memset(to, 0, LONGEST_NAME);
    strncpy(to, from, LONGEST_NAME - 1);
}

/* --- the definition --- */

/* One parameter's name and value. */
static void pass_value(wadi_stream *stream, wadi_def *def, int *parameter) {
    char name[LONGEST_NAME] = "";
    double value = 0;
    if (stream->write != NULL) {
        copy_name(name, def->model->parameters[*parameter].name);
        value = def->values[*parameter];
    }
    pass_name(stream, name);
    wadi_stream_numbers(stream, &value, sizeof value, 1);
    name[LONGEST_NAME - 1] = '\0';
    if (stream->status != WADI_OK || stream->read == NULL) return;
    *parameter = wadi_model_parameter_index(def->model, name);
    if (*parameter >= 0) def->values[*parameter] = value;
}

/* A file of an earlier version may lack parameters. They keep their standard values, with which a model does what it
 * did before it had them. */
static void pass_values(file *file, wadi_def *def) {
    wadi_stream *stream = &file->stream;
    const uint32_t all = (uint32_t)def->model->parameter_count;
    bool seen[WADI_MAX_PARAMETERS] = {false};
    file->parameters = all;
    wadi_stream_numbers(stream, &file->parameters, sizeof file->parameters, 1);
    if (file->parameters > all) wadi_stream_damaged(stream, "the number of parameters");
    if (stream->read != NULL && stream->status == WADI_OK) wadi_standard_values(def);
    for (uint32_t i = 0; stream->status == WADI_OK && i < file->parameters; i++) {
        file->parameter[i] = (int)i;
        pass_value(stream, def, &file->parameter[i]);
        if (stream->status != WADI_OK) return;
        if (file->parameter[i] < 0 || seen[file->parameter[i]]) {
            wadi_stream_damaged(stream, "a parameter");
            return;
        }
        seen[file->parameter[i]] = true;
    }
}

static void pass_model(wadi_stream *stream, wadi_def *def) {
    char magic[] = MAGIC "7", id[LONGEST_NAME] = "";
    wadi_stream_bytes(stream, magic, sizeof magic - 1);
    stream->version = magic[sizeof magic - 2] - '0';
    const bool known = stream->version >= VERSION_SCALE - 1 && stream->version <= VERSION;
    if (!known || memcmp(magic, MAGIC, sizeof magic - 2) != 0) wadi_stream_damaged(stream, "its beginning");
    if (stream->write != NULL) copy_name(id, def->model->id);
    pass_name(stream, id);
    id[LONGEST_NAME - 1] = '\0';
    if (stream->status == WADI_OK && stream->read != NULL) def->model = wadi_model_find(id);
    if (def->model == NULL) wadi_stream_damaged(stream, "the model");
}

static void pass_scale(wadi_stream *stream, wadi_def *def) {
    const bool before = stream->version < VERSION_SCALE;
    int32_t scale = before ? WADI_SCALE_CELL : (int32_t)def->scale;
    if (!before) {
        wadi_stream_numbers(stream, &scale, sizeof scale, 1);
        wadi_stream_numbers(stream, &def->world_m, sizeof def->world_m, 1);
    }
    if (scale < WADI_SCALE_WORLD || scale > WADI_SCALE_CELL) wadi_stream_damaged(stream, "the scale");
    def->scale = (wadi_scale)scale;
}

static void pass_tile(wadi_stream *stream, wadi_def *def) {
    wadi_tile *tile = &def->tile;
    if (stream->version < VERSION_TILE) return;
    int32_t whole[4] = {tile->x, tile->y, tile->width, tile->height};
    wadi_stream_numbers(stream, whole, sizeof *whole, 4);
    wadi_stream_numbers(stream, &tile->low_m, sizeof tile->low_m, 1);
    wadi_stream_numbers(stream, &tile->high_m, sizeof tile->high_m, 1);
    tile->x = whole[0], tile->y = whole[1], tile->width = whole[2], tile->height = whole[3];
}

static void pass_def(file *file, wadi_def *def) {
    wadi_stream *stream = &file->stream;
    pass_model(stream, def);
    if (stream->status != WADI_OK) return;
    int32_t whole[4] = {def->width, def->height, (int32_t)def->boundary, def->check_every};
    double real[5] = {def->lx, def->ly, def->drops.count, def->drops.radius_m, def->drops.rate_m_s};
    wadi_stream_numbers(stream, whole, sizeof *whole, 4);
    wadi_stream_numbers(stream, real, sizeof *real, 5);
    wadi_stream_numbers(stream, &def->seed, sizeof def->seed, 1);
    wadi_stream_flag(stream, &def->allow_out_of_range);
    wadi_stream_flag(stream, &def->keep_good_state);
    def->width = whole[0], def->height = whole[1], def->check_every = whole[3];
    if (whole[2] < WADI_CLOSED || whole[2] > WADI_WRAP) wadi_stream_damaged(stream, "the boundary");
    def->boundary = (wadi_boundary)whole[2];
    def->lx = real[0], def->ly = real[1];
    def->drops = (wadi_drops){real[2], real[3], real[4]};
    pass_scale(stream, def);
    pass_tile(stream, def);
    pass_values(file, def);
    wadi_stream_checksum(stream); /* before memory is allocated for the size that it gives */
}

/* --- the simulation --- */

static void pass_rows(wadi_stream *stream, float *first, ptrdiff_t pitch, const wadi_domain *domain) {
    const wadi_rows rows = {first, pitch, domain->def.width, domain->def.height, domain->threads};
    if (stream->version < VERSION_BANDS)
        wadi_stream_plain_rows(stream, &rows);
    else
        wadi_stream_bands(stream, &rows);
}

static void pass_brought(wadi_stream *stream, wadi_sim *sim, int f) {
    const bool elsewhere = sim->domain->where[f] == WADI_THERE;
    const wadi_status status =
        stream->write != NULL ? wadi_domain_bring(sim->domain, f) : wadi_domain_bring_to_change(sim->domain, f);
    if (stream->status == WADI_OK) stream->status = status;
    if (stream->status != WADI_OK) return;
    pass_rows(stream, sim->domain->block.field[f], sim->domain->block.pitch, sim->domain);
    if (stream->read != NULL) wadi_domain_close_rows(sim->domain, f);
    if (elsewhere) wadi_domain_let_go(sim->domain, f); /* only one field is in host memory at a time */
}

/* A file that says little may ask for much: equal rows take no space there. `maps`: of this simulation so far. */
static bool has_memory(const wadi_domain *domain, uint64_t maps) {
    const uint64_t cells = (uint64_t)domain->def.width * (uint64_t)domain->def.height;
    if (domain->block.folder != NULL) return true; /* the files say whether there is room */
    return wadi_def_memory(&domain->def) + maps * 2 * sizeof(float) * cells <=
           platform_memory_bytes(); /* and the engine's copy */
}

static void pass_map(file *file, wadi_sim *sim, float **map) {
    wadi_stream *stream = &file->stream;
    const size_t cells = (size_t)sim->domain->def.width * (size_t)sim->domain->def.height;
    bool given = *map != NULL;
    wadi_stream_flag(stream, &given);
    if (!given || stream->status != WADI_OK) return;
    file->maps++;
    if (*map == NULL && has_memory(sim->domain, file->maps))
        *map = wadi_domain_reserve(sim->domain, cells * sizeof **map);
    if (*map == NULL)
        stream->status = wadi_domain_no_map(sim->domain);
    else
        pass_rows(stream, *map, sim->domain->def.width, sim->domain);
}

static void pass_maps(file *file, wadi_sim *sim) {
    wadi_stream *stream = &file->stream;
    pass_map(file, sim, &sim->mask);
    pass_map(file, sim, &sim->taken);
    for (uint32_t i = 0; i < file->parameters; i++) {
        const int parameter = file->parameter[i];
        pass_map(file, sim, &sim->raster[parameter]);
        wadi_stream_numbers(stream, &sim->raster_largest[parameter], sizeof(double), 1);
    }
}

enum { TOTALS = 12, TOTALS_BEFORE = 10 }; /* before sub-steps could follow the water */

/* Whether the counts are in range, and times and volumes are finite. */
static bool sound(const int64_t counts[4], const double totals[TOTALS]) {
    double sum = 0;
    for (int i = 0; i < TOTALS; i++) sum += totals[i];
    bool all = isfinite(sum) && counts[3] <= counts[0] && totals[0] >= 0 && totals[10] >= 0;
    for (int i = 0; i < 4; i++) all = all && counts[i] >= 0 && counts[i] <= INT64_C(1) << 53;
    return all;
}

static void pass_fields(wadi_stream *stream, wadi_sim *sim) {
    for (int f = 0; f < sim->domain->model->field_count; f++)
        if (wadi_kind(sim->domain, f) != WADI_SCRATCH) pass_brought(stream, sim, f);
    for (int i = 0; i < (stream->version < VERSION_INFILTRATED ? WADI_SUM_infiltrated : WADI_SUMS); i++)
        wadi_stream_numbers(stream, sim->domain->sums[i], sizeof(double), (size_t)sim->domain->def.height);
    int64_t counts[4] = {sim->domain->steps, sim->domain->substeps_done, sim->flow_samples, sim->domain->base_step};
    double totals[TOTALS] = {sim->domain->base_time_s, sim->solid_before, sim->water_before,
                             sim->solid_placed,        sim->water_placed, sim->moved_before,
                             sim->change_before,       sim->solid_handed, sim->water_handed,
                             sim->ground_placed,       sim->deepest_m,    sim->look_again ? 1.0 : 0.0};
    wadi_stream_numbers(stream, counts, sizeof *counts, sizeof counts / sizeof *counts);
    wadi_stream_numbers(stream, totals, sizeof *totals, stream->version < VERSION ? TOTALS_BEFORE : TOTALS);
    if (!sound(counts, totals)) wadi_stream_damaged(stream, "the steps or the totals");
    if (stream->read == NULL || stream->status != WADI_OK) return;
    sim->domain->steps = counts[0], sim->domain->substeps_done = counts[1], sim->flow_samples = counts[2],
    sim->domain->base_step = counts[3];
    sim->domain->base_time_s = totals[0], sim->solid_before = totals[1], sim->water_before = totals[2];
    sim->solid_placed = totals[3], sim->water_placed = totals[4];
    sim->moved_before = totals[5], sim->change_before = totals[6];
    sim->solid_handed = totals[7], sim->water_handed = totals[8], sim->ground_placed = totals[9];
    sim->deepest_m = totals[10], sim->look_again = totals[11] > 0;
}

enum { SOURCE_NUMBERS = 6 };
_Static_assert(sizeof(wadi_source) == SOURCE_NUMBERS * sizeof(double), "a source is six doubles and nothing else");

static wadi_status pass_sources(wadi_stream *stream, wadi_sim *sim) {
    uint64_t count = sim->domain->supply.source_count;
    wadi_stream_numbers(stream, &count, sizeof count, 1);
    if (count > WADI_MOST_SOURCES) wadi_stream_damaged(stream, "the sources");
    const size_t held = (size_t)count;
    if (stream->write != NULL) wadi_stream_numbers(stream, sim->domain->supply.sources, 8, held * SOURCE_NUMBERS);
    if (stream->write != NULL || stream->status != WADI_OK || held == 0) return stream->status;
    wadi_source *sources = malloc(held * sizeof *sources);
    if (sources == NULL) return stream->status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the sources");
    wadi_stream_numbers(stream, sources, 8, held * SOURCE_NUMBERS);
    if (stream->status == WADI_OK) stream->status = wadi_sim_set_sources(sim, sources, held);
    free(sources);
    return stream->status;
}

static void write_note(wadi_stream *stream, const void *note, uint64_t bytes) {
    wadi_stream_numbers(stream, &bytes, sizeof bytes, 1);
    wadi_stream_write(stream, note, (size_t)bytes);
}

static void read_note(wadi_stream *stream, void **note, uint64_t *bytes) {
    wadi_stream_numbers(stream, bytes, sizeof *bytes, 1);
    if (*bytes > LARGEST_NOTE) wadi_stream_damaged(stream, "the note");
    if (stream->status != WADI_OK) return;
    *note = calloc(1, (size_t)*bytes + 1);
    if (*note == NULL)
        stream->status =
            wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a note of %llu bytes", (unsigned long long)*bytes);
    wadi_stream_bytes(stream, *note, (size_t)*bytes);
}

wadi_status wadi_sim_save(const wadi_sim *sim, const void *note, size_t note_bytes, wadi_write_fn *write,
                          void *context) {
    WADI_NEED(sim);
    WADI_NEED(write);
    if (note_bytes > 0) WADI_NEED(note);
    if (note_bytes > LARGEST_NOTE)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a checkpoint's note of %zu bytes: at most 256 MiB", note_bytes);
    file file = {.stream = {.write = write, .context = context}};
    wadi_stream *stream = &file.stream;
    wadi_sha256_begin(&stream->hash);
    wadi_def def = sim->domain->def;
    wadi_sim copy = *sim; /* of the members: the same functions read a simulation */
    pass_def(&file, &def);
    write_note(stream, note, note_bytes);
    pass_fields(stream, &copy);
    pass_maps(&file, &copy);
    pass_sources(stream, &copy);
    wadi_stream_checksum(stream);
    return stream->status;
}

static void read_sim(file *file, const wadi_def *how, wadi_sim **result) {
    wadi_stream *stream = &file->stream;
    wadi_def def = wadi_default_def(NULL, 0, 0, 0, 0);
    pass_def(file, &def);
    if (stream->status != WADI_OK) return;
    if (how != NULL) {
        def.engine = how->engine;
        def.device = how->device;
        def.arithmetic = how->arithmetic;
        def.tune = how->tune;
        def.expected_steps = how->expected_steps;
        def.expected_sims = how->expected_sims;
        def.threads = how->threads;
        def.crew = how->crew;
        def.isa = how->isa;
        def.substeps_per_pass = how->substeps_per_pass;
        def.tile_columns = how->tile_columns;
        def.parts = how->parts;
        def.team = how->team;
        memcpy(def.part, how->part, sizeof def.part);
        def.substeps_per_exchange = how->substeps_per_exchange;
        def.memory_limit = how->memory_limit;
        def.scratch = how->scratch;
        def.slab_rows = how->slab_rows;
    }
    stream->status = wadi_check_def(&def);
    if (stream->status == WADI_OK && wadi_def_memory(&def) > platform_memory_bytes())
        stream->status =
            wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the checkpoint's %d x %d cells: %.1f GB are needed",
                      def.width, def.height, (double)wadi_def_memory(&def) * 1e-9);
    if (stream->status == WADI_OK) stream->status = wadi_sim_create(&def, result);
}

wadi_status wadi_sim_restore(wadi_read_fn *read, void *context, const wadi_def *how, wadi_sim **result, void **note,
                             size_t *note_bytes) {
    WADI_NEED(read);
    WADI_NEED(result);
    WADI_NEED(note);
    WADI_NEED(note_bytes);
    file file = {.stream = {.read = read, .context = context}};
    wadi_stream *stream = &file.stream;
    uint64_t bytes = 0;
    void *own_note = NULL;
    wadi_sim *sim = NULL;
    *result = NULL, *note = NULL, *note_bytes = 0;
    wadi_sha256_begin(&stream->hash);
    read_sim(&file, how, &sim);
    if (stream->status == WADI_OK) {
        read_note(stream, &own_note, &bytes);
        pass_fields(stream, sim);
        if (stream->status == WADI_OK) wadi_sim_find_outside(sim);
        pass_maps(&file, sim);
        pass_sources(stream, sim);
        wadi_stream_checksum(stream);
    }
    if (stream->status == WADI_OK) stream->status = wadi_sim_check(sim);
    if (stream->status == WADI_OK) stream->status = wadi_sim_refresh(sim);
    if (stream->status != WADI_OK) {
        wadi_sim_destroy(sim);
        free(own_note);
        return stream->status;
    }
    *result = sim, *note = own_note, *note_bytes = (size_t)bytes;
    return WADI_OK;
}
