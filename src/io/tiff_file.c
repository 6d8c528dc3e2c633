/* tiff_file.c: connects libtiff to our own input, output and error messages. */
#include "tiff_file.h"

#ifdef WADI_WITH_TIFF

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

/* --- libtiff on our own input ---------------------------------------------------------------------------------- */

/* Each thread has its own libtiff handle. All of them share the file. */
static tmsize_t tiff_read(thandle_t handle, void *to, tmsize_t count) {
    tiff_state *state = handle;
    platform_lock();
    const size_t got = state->input != NULL    ? io_input_read(state->input, state->at, to, (size_t)count)
                       : state->output != NULL ? io_output_read(state->output, state->at, to, (size_t)count)
                                               : 0;
    platform_unlock();
    state->at += got;
    return (tmsize_t)got;
}

static bool keep_strip(tiff_state *state, const void *from, size_t count) {
    if (state->at < TIFF_STRIP_AT) return true;
    const size_t at = (size_t)(state->at - TIFF_STRIP_AT), end = at + count;
    if (end > state->strip_room) {
        uint8_t *grown = realloc(state->strip, 2 * end);
        if (grown == NULL) return false;
        state->strip = grown;
        state->strip_room = 2 * end;
    }
    memcpy(state->strip + at, from, count);
    if (end > state->strip_bytes) state->strip_bytes = end;
    return true;
}

static tmsize_t tiff_write(thandle_t handle, void *from, tmsize_t count) {
    tiff_state *state = handle;
    const bool good = state->input != NULL    ? false
                      : state->output != NULL ? io_output_write(state->output, state->at, from, (size_t)count)
                                              : keep_strip(state, from, (size_t)count);
    if (!good) return -1;
    state->at += (uint64_t)count;
    return count;
}

static toff_t tiff_size(thandle_t handle) {
    const tiff_state *state = handle;
    return state->input != NULL ? state->input->size : state->output != NULL ? state->output->size : TIFF_STRIP_AT;
}

static toff_t tiff_seek(thandle_t handle, toff_t offset, int whence) {
    tiff_state *state = handle;
    state->at = whence == SEEK_SET ? offset : whence == SEEK_CUR ? state->at + offset : tiff_size(handle) + offset;
    return state->at;
}

static int tiff_close(thandle_t handle) {
    (void)handle;
    return 0;
}

/* libtiff goes on without a tag for which there is no memory. So the file remembers. */
static void no_memory(tiff_state *state) {
    state->no_memory = true;
    if (state->input == NULL && state->output == NULL) return;
    platform_lock();
    *(state->input != NULL ? &state->input->error : &state->output->error) = ENOMEM;
    platform_unlock();
}

WADI_PRINTF(4, 0)
static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)module;
    tiff_state *state = user;
    if (errno == ENOMEM) no_memory(state);
    if (state->message[0] == '\0') vsnprintf(state->message, sizeof state->message, format, arguments);
    return 1;
}

WADI_PRINTF(4, 0)
static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)user;
    (void)module;
    (void)format;
    (void)arguments;
    return 1;
}

TIFF *io_tiff_open(tiff_state *state, const char *name, const char *mode, uint64_t memory_limit) {
    errno = 0;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) {
        no_memory(state);
        return NULL;
    }
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, state);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, state);
    if (memory_limit < PTRDIFF_MAX) TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)memory_limit);
    TIFF *tiff = TIFFClientOpenExt(name, mode, state, tiff_read, tiff_write, tiff_seek, tiff_close, tiff_size, NULL,
                                   NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

wadi_status io_tiff_not_opened(const tiff_state *state, const char *name, wadi_status otherwise) {
    if (otherwise == WADI_ERROR_FORMAT)
        return io_input_status(state->input, io_truncated(state->input, state->message));
    return wadi_fail(otherwise, "%s: cannot be written as TIFF: %s", name, state->message);
}

/* --- tags ------------------------------------------------------------------------------------------------------ */

/* libtiff knows these tags only if the program has registered them (GDAL does), and then returns them in another form.
 * They belong to libtiff until the file is closed. NULL: the tag is missing or has another type. */
const void *io_tiff_tag(TIFF *tiff, uint32_t tag, TIFFDataType type, size_t *count) {
    const TIFFField *field = TIFFFindField(tiff, tag, TIFF_ANY);
    void *values = NULL;
    uint32_t many = 0;
    uint16_t few = 0;
    *count = 0;
    if (field == NULL || TIFFFieldDataType(field) != type) return NULL;
    if (!TIFFFieldPassCount(field)) {
        if (type != TIFF_ASCII || TIFFGetField(tiff, tag, &values) == 0 || values == NULL) return NULL;
        *count = strlen(values) + 1;
    } else if (TIFFFieldReadCount(field) == TIFF_VARIABLE2) {
        if (TIFFGetField(tiff, tag, &many, &values) == 0 || values == NULL) return NULL;
        *count = many;
    } else {
        if (TIFFGetField(tiff, tag, &few, &values) == 0 || values == NULL) return NULL;
        *count = few;
    }
    return values;
}

char *io_tiff_text(TIFF *tiff, uint32_t tag) {
    size_t count;
    const char *found = io_tiff_tag(tiff, tag, TIFF_ASCII, &count);
    char *text = calloc(1, (found != NULL ? count : 0) + 1);
    if (text != NULL && found != NULL) memcpy(text, found, count);
    return text;
}

/* GDAL's names of TIFF's own texts. */
void io_tiff_metadata(TIFF *tiff, wadi_raster *raster) {
    static const struct {
        uint32_t tag;
        const char *name;
    } texts[] = {{TIFFTAG_DOCUMENTNAME, "TIFFTAG_DOCUMENTNAME"},
                 {TIFFTAG_IMAGEDESCRIPTION, "TIFFTAG_IMAGEDESCRIPTION"},
                 {TIFFTAG_ARTIST, "TIFFTAG_ARTIST"},
                 {TIFFTAG_COPYRIGHT, "TIFFTAG_COPYRIGHT"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = NULL;
        if (TIFFGetField(tiff, texts[i].tag, &text) == 1 && text != NULL) io_metadata_add(raster, texts[i].name, text);
    }
}

#endif
