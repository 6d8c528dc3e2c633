/* raster.c: rasters in memory, and the choice of a format's reader or writer. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/need.h"
#include "formats.h"
#include "platform/platform.h"

/* --- the formats ----------------------------------------------------------------------------------------------- */

static const io_format *const formats[] = {
#define ROW(name, word, ending) [WADI_FORMAT_##name] = &io_format_##name,
    WADI_EACH_FORMAT(ROW)
#undef ROW
        [WADI_FORMAT_GDAL] = &io_format_GDAL,
};

static const char *const new_endings[] = {
#define ROW(name, word, ending) [WADI_FORMAT_##name] = ending,
    WADI_EACH_FORMAT(ROW)
#undef ROW
        [WADI_FORMAT_GDAL] = "",
};

/* NULL: none. */
static const io_format *format_at(wadi_format format) {
    return format > WADI_FORMAT_UNKNOWN && format <= WADI_FORMAT_GDAL ? formats[format] : NULL;
}

static bool same_letters(const char *a, const char *b) {
    for (; *a != '\0' && *b != '\0'; a++, b++)
        if ((*a >= 'A' && *a <= 'Z' ? *a - 'A' + 'a' : *a) != *b) return false;
    return *a == *b;
}

/* The length of the longest word in `endings` that the path ends with, after a dot; 0: none. */
static size_t length_of_ending(const char *endings, const char *path) {
    char word[16];
    size_t longest = 0;
    for (size_t length; *endings != '\0'; endings += length + (endings[length] == ' ')) {
        const size_t all = strlen(path);
        length = strcspn(endings, " ");
        snprintf(word, sizeof word, ".%.*s", (int)length, endings);
        if (length > longest && all > length && same_letters(path + all - length - 1, word)) longest = length;
    }
    return longest;
}

/* "dem.cog.tif" is of the format with the longer ending. */
wadi_format wadi_format_of_name(const char *path) {
    wadi_format found = WADI_FORMAT_UNKNOWN;
    size_t longest = 0;
    for (wadi_format format = WADI_FORMAT_UNKNOWN + 1; path != NULL && format <= WADI_FORMAT_GDAL; format++) {
        const size_t length = length_of_ending(formats[format]->facts.endings, path);
        if (length > longest) longest = length, found = format;
    }
    return found;
}

const wadi_format_facts *wadi_format_facts_of(wadi_format format) {
    const io_format *found = format_at(format);
    return found == NULL ? NULL : &found->facts;
}

const char *wadi_format_extension(wadi_format format) { return format_at(format) == NULL ? "" : new_endings[format]; }

bool wadi_format_available(wadi_format format, const char **missing) {
    const io_format *found = format_at(format);
    const bool available = found != NULL && (found->read != NULL || found->write != NULL);
    if (missing != NULL) *missing = available || found == NULL ? "" : found->facts.package;
    return available;
}

static wadi_status not_built(const char *path, wadi_format wanted) {
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: %s not built: install %s and build again", path,
                     wanted == WADI_FORMAT_GDAL ? "reading through GDAL" : new_endings[wanted],
                     formats[wanted]->facts.package);
}

static bool has_mark(const io_format *format, const uint8_t *head) {
    const size_t most = sizeof format->marks / sizeof *format->marks;
    for (size_t i = 0; i < most && format->marks[i].bytes != NULL; i++)
        if (memcmp(head, format->marks[i].bytes, format->marks[i].count) == 0) return true;
    return false;
}

/* Finds the format by the first bytes. RAW has no mark and is found by the name. */
static wadi_format format_of_content(io_input *input) {
    uint8_t head[IO_LONGEST_MARK] = {0};
    io_input_read(input, 0, head, sizeof head);
    for (wadi_format format = WADI_FORMAT_UNKNOWN + 1; format < WADI_FORMAT_GDAL; format++)
        if (has_mark(formats[format], head)) return format;
    const wadi_format named = wadi_format_of_name(input->name);
    return named != WADI_FORMAT_UNKNOWN && formats[named]->facts.bare ? named : WADI_FORMAT_GDAL;
}

/* --- reading --------------------------------------------------------------------------------------------------- */

static const wadi_read_options standard_options;

static wadi_status check_options(const wadi_read_options *options) {
    if (!(options->lx >= 0 && options->lx < 1e9 && options->ly >= 0 && options->ly < 1e9))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a cell size of %g x %g m cannot be; give metres above 0", options->lx,
                         options->ly);
    if (options->width < 0 || options->height < 0 || (options->width == 0) != (options->height == 0))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a size of %d x %d cannot be; give both, or neither for a square",
                         options->width, options->height);
    const double range = options->high - options->low;
    if (options->has_range && !(range > 0 && range < 1e30))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a height range of %g to %g m cannot be; give the lower height first",
                         options->low, options->high);
    if (options->z_unit != NULL && io_unit_of_name(options->z_unit) == NULL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "'%s' is no unit of height; take m, dm, cm, mm, km, ft or us-ft",
                         options->z_unit);
    return WADI_OK;
}

static void set_memory_limit(io_input *input) {
    input->memory_limit = input->options->memory_limit;
    if (input->memory_limit == 0) input->memory_limit = platform_memory_bytes() / 4 * 3;
}

/* "PNG, TIFF, OpenEXR or NPY", which are known by their content; or ".r16 or .r32", which are not. */
static void list_formats(bool bare, char *text, size_t size) {
    size_t used = 0;
    wadi_format last = WADI_FORMAT_UNKNOWN;
    text[0] = '\0';
    for (wadi_format f = WADI_FORMAT_UNKNOWN + 1; f < WADI_FORMAT_GDAL; f++)
        if (formats[f]->facts.bare == bare) last = f;
    for (wadi_format f = WADI_FORMAT_UNKNOWN + 1; f < WADI_FORMAT_GDAL && used < size; f++)
        if (formats[f]->facts.bare == bare)
            used += (size_t)snprintf(text + used, size - used, "%s%s%s",
                                     used == 0   ? ""
                                     : f == last ? " or "
                                                 : ", ",
                                     bare ? "." : "", bare ? new_endings[f] : formats[f]->facts.name);
}

static wadi_status not_known(const char *name, bool in_memory) {
    char known[256], bare[256];
    list_formats(false, known, sizeof known);
    list_formats(true, bare, sizeof bare);
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: is no %s file%s; convert it, or name a RAW file %s", name, known,
                     in_memory ? "" : ", and reading others (libgdal-dev, libgeotiff-dev) is not built", bare);
}

static wadi_status read_input(io_input *input, wadi_raster **raster) {
    set_memory_limit(input);
    if (input->size == 0) return wadi_fail(WADI_ERROR_FORMAT, "%s: is empty; give a raster", input->name);
    const wadi_format format = format_of_content(input);
    const io_format *found = formats[format];
    if (input->error != 0) return WADI_ERROR_IO; /* given by the caller */
    const bool in_memory = input->file == NULL;
    if (format == WADI_FORMAT_GDAL && (found->read == NULL || in_memory)) return not_known(input->name, in_memory);
    if (found->read == NULL) return not_built(input->name, format);
    const wadi_status status = found->read(input, raster);
    if (status == WADI_OK) (*raster)->format = format;
    return status;
}

/* A raster inside a file. Only GDAL can open it. */
static wadi_status read_inside(io_input *input, wadi_raster **raster) {
    set_memory_limit(input);
    if (io_format_GDAL.read == NULL) return not_built(input->name, WADI_FORMAT_GDAL);
    const wadi_status status = io_format_GDAL.read(input, raster);
    if (status == WADI_OK) (*raster)->format = WADI_FORMAT_GDAL;
    return status;
}

static wadi_status settle(const io_input *input, wadi_status status, wadi_raster **raster) {
    status = io_input_status(input, status);
    if (status != WADI_OK) {
        wadi_raster_destroy(*raster);
        *raster = NULL;
    }
    return status;
}

wadi_status wadi_raster_read(const char *path, const wadi_read_options *options, wadi_raster **raster) {
    WADI_IEEE_MODE;
    WADI_NEED(path);
    WADI_NEED(raster);
    *raster = NULL;
    io_input input = {.options = options != NULL ? options : &standard_options};
    wadi_status status = check_options(input.options);
    if (status != WADI_OK) return status;
    if (platform_is_folder(path)) return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is a folder; give a raster's file", path);
    if (io_gdal_is_inside(path)) {
        input.name = path;
        return settle(&input, read_inside(&input, raster), raster);
    }
    status = io_input_open(&input, path);
    if (status != WADI_OK) return status;
    status = settle(&input, read_input(&input, raster), raster);
    io_input_close(&input);
    return status;
}

wadi_status wadi_raster_read_memory(const void *bytes, size_t count, const char *name, const wadi_read_options *options,
                                    wadi_raster **raster) {
    WADI_IEEE_MODE;
    WADI_NEED(bytes);
    WADI_NEED(name);
    WADI_NEED(raster);
    *raster = NULL;
    io_input input = {.name = name, .bytes = bytes, .size = count};
    input.options = options != NULL ? options : &standard_options;
    const wadi_status status = check_options(input.options);
    return status == WADI_OK ? settle(&input, read_input(&input, raster), raster) : status;
}

/* --- writing --------------------------------------------------------------------------------------------------- */

static bool can_hold(const io_format *format, wadi_sample sample) {
    return (unsigned)sample < IO_SAMPLES && (format->facts.samples >> sample & 1) != 0;
}

static wadi_status choose_format(const char *path, wadi_write_options *options) {
    if (options->format == WADI_FORMAT_UNKNOWN) options->format = wadi_format_of_name(path);
    const io_format *chosen = format_at(options->format);
    if (chosen == NULL)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: its ending names no format; use" WADI_FORMAT_ENDINGS, path);
    if (options->format == WADI_FORMAT_GDAL)
        return wadi_fail(WADI_ERROR_UNSUPPORTED,
                         "%s: this format is read, not written; write .tif and use gdal_translate", path);
    if (chosen->write == NULL) return not_built(path, options->format);
    if (options->format == WADI_FORMAT_PNG && options->sample != WADI_SAMPLE_UINT8 &&
        options->sample != WADI_SAMPLE_UINT16)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: PNG holds 8 or 16 bits; choose one of them, or write .tif or .exr",
                         path);
    if (options->format == WADI_FORMAT_TIFF && !can_hold(chosen, options->sample))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: TIFFs of %s samples are not written; choose float32", path,
                         wadi_sample_name(options->sample));
    return WADI_OK;
}

wadi_status wadi_raster_write(const char *path, const wadi_raster *raster, wadi_write_options *options) {
    WADI_IEEE_MODE;
    WADI_NEED(path);
    WADI_NEED(raster);
    wadi_write_options standard = {.format = wadi_format_of_name(path)};
    if (standard.format != WADI_FORMAT_UNKNOWN) standard.sample = formats[standard.format]->facts.sample;
    if (options == NULL) options = &standard;
    wadi_write_options used = *options;
    wadi_status status = choose_format(path, &used);
    if (status != WADI_OK) return status;
    options->used_scale = used.used_scale = 1;
    options->used_offset = used.used_offset = 0;
    options->clamped = used.clamped = 0;
    io_output output;
    status = io_output_open(&output, path);
    if (status != WADI_OK) return status;
    status = io_output_close(&output, formats[used.format]->write(&output, raster, &used));
    options->used_scale = used.used_scale;
    options->used_offset = used.used_offset;
    options->clamped = used.clamped;
    return status;
}

/* --- rasters in memory ----------------------------------------------------------------------------------------- */

wadi_status io_no_memory(const char *name, uint64_t bytes, uint64_t limit) {
    return wadi_fail(WADI_ERROR_MEMORY, "%s: needs %.1f MiB and %.1f MiB are to be had; take a smaller raster", name,
                     (double)bytes / 1048576.0, (double)limit / 1048576.0);
}

static char scratch_folder[4097]; /* what is longer is no path */
static const char *scratch;       /* NULL: in memory */
static uint64_t scratch_from;

void wadi_raster_scratch(const char *folder, uint64_t from_bytes) {
    snprintf(scratch_folder, sizeof scratch_folder, "%s", folder != NULL ? folder : "");
    scratch = folder != NULL ? scratch_folder : NULL;
    scratch_from = from_bytes;
}

bool io_in_scratch(uint64_t bytes) { return scratch != NULL && bytes >= scratch_from; }

static float *allocate(uint64_t cells) {
    const uint64_t bytes = cells * sizeof(float);
    if (cells > SIZE_MAX / sizeof(float)) return NULL;
    return io_in_scratch(bytes) ? platform_scratch(scratch, (size_t)bytes) : calloc((size_t)cells, sizeof(float));
}

static wadi_status no_room(uint64_t cells) {
    const uint64_t bytes = cells * sizeof(float);
    if (io_in_scratch(bytes))
        return wadi_fail(WADI_ERROR_IO, "%s: no room for the scratch file of a raster, %.1f MiB: %s", scratch,
                         (double)bytes / 1048576.0, strerror(errno));
    return io_no_memory("a raster", bytes, platform_memory_bytes());
}

wadi_status wadi_raster_create(int width, int height, wadi_raster **raster) {
    WADI_NEED(raster);
    *raster = NULL;
    if (width < 1 || height < 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a raster of %d x %d cells cannot be; take 1 or more", width, height);
    const uint64_t cells = (uint64_t)width * (uint64_t)height;
    wadi_raster *made = calloc(1, sizeof *made);
    if (made != NULL) made->values = allocate(cells);
    if (made == NULL || made->values == NULL) {
        const wadi_status status = no_room(cells);
        wadi_raster_destroy(made);
        return status;
    }
    made->width = width;
    made->height = height;
    made->scale = made->lx = made->ly = 1;
    *raster = made;
    return WADI_OK;
}

void wadi_raster_destroy(wadi_raster *raster) {
    if (raster == NULL) return;
    free(raster->georef.crs);
    free(raster->metadata);
    if (!platform_scratch_free(raster->values)) free(raster->values);
    free(raster);
}

wadi_status wadi_raster_like(const wadi_raster *raster, wadi_raster **copy) {
    WADI_NEED(raster);
    WADI_NEED(copy);
    const wadi_status status = wadi_raster_create(raster->width, raster->height, copy);
    if (status != WADI_OK) return status;
    wadi_raster *made = *copy;
    made->lx = raster->lx;
    made->ly = raster->ly;
    made->lx_variation = raster->lx_variation;
    made->has_nodata = raster->has_nodata;
    made->nodata = raster->nodata;
    made->has_georef = raster->has_georef;
    made->georef = raster->georef;
    made->georef.crs = NULL;
    wadi_status copied = io_metadata_copy(raster, made);
    if (copied == WADI_OK && raster->georef.crs_bytes > 0) {
        made->georef.crs = malloc(raster->georef.crs_bytes);
        if (made->georef.crs == NULL) copied = io_no_memory("a georeference", raster->georef.crs_bytes, 0);
        if (made->georef.crs != NULL) memcpy(made->georef.crs, raster->georef.crs, raster->georef.crs_bytes);
    }
    if (copied == WADI_OK) return WADI_OK;
    wadi_raster_destroy(made);
    *copy = NULL;
    return copied;
}
