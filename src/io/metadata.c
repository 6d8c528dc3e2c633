/* metadata.c: what a raster's file says about it in free words. A list of "NAME=VALUE", each ended by a 0. */
#include <stdlib.h>
#include <string.h>

#include "formats.h"

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* What another file's values, or this program, would make wrong. */
static bool is_of_values(const char *name) {
    static const char *const starts[] = {"STATISTICS_",     "AREA_OR_POINT",   "TIFFTAG_SOFTWARE", "TIFFTAG_DATETIME",
                                         "TIFFTAG_MINSAMP", "TIFFTAG_MAXSAMP", "TIFFTAG_XRES",     "TIFFTAG_YRES",
                                         "TIFFTAG_RESOL",   "OVERVIEW_"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (begins_with(name, starts[i])) return true;
    return false;
}

static bool has_item(const wadi_raster *raster, const char *name) {
    const size_t length = strlen(name);
    for (const char *item = NULL; (item = wadi_raster_metadata(raster, item)) != NULL;)
        if (strncmp(item, name, length) == 0 && item[length] == '=') return true;
    return false;
}

/* Of items of one name the first is kept. */
void io_metadata_add(wadi_raster *raster, const char *name, const char *value) {
    if (*name == '\0' || strchr(name, '=') != NULL || is_of_values(name) || has_item(raster, name)) return;
    const size_t length = strlen(name) + strlen(value) + 2, before = raster->metadata_bytes;
    char *grown = length <= IO_METADATA_LONGEST - before ? realloc(raster->metadata, before + length) : NULL;
    if (grown == NULL) {
        io_remark(raster, "its metadata '%.40s' is too long to be kept", name);
        return;
    }
    snprintf(grown + before, length, "%s=%s", name, value);
    raster->metadata = grown;
    raster->metadata_bytes = before + length;
}

const char *wadi_raster_metadata(const wadi_raster *raster, const char *item) {
    if (raster == NULL || raster->metadata == NULL || item == NULL) return raster != NULL ? raster->metadata : NULL;
    const char *next = item + strlen(item) + 1;
    return next < raster->metadata + raster->metadata_bytes ? next : NULL;
}

wadi_status io_metadata_copy(const wadi_raster *from, wadi_raster *to) {
    free(to->metadata);
    to->metadata = NULL;
    to->metadata_bytes = 0;
    memcpy(to->band_name, from->band_name, sizeof to->band_name);
    if (from->metadata_bytes == 0) return WADI_OK;
    to->metadata = malloc(from->metadata_bytes);
    if (to->metadata == NULL) return io_no_memory("a raster's metadata", from->metadata_bytes, 0);
    memcpy(to->metadata, from->metadata, from->metadata_bytes);
    to->metadata_bytes = from->metadata_bytes;
    return WADI_OK;
}

/* --- as GDAL's XML ------------------------------------------------------------------------------------------------ */

static const struct {
    char letter;
    const char *word;
} escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}};
enum { ESCAPES = sizeof escapes / sizeof *escapes, TIMES = 2 }; /* GDAL escapes texts twice */

static size_t put(char *to, size_t at, const char *text) {
    if (to != NULL) memcpy(to + at, text, strlen(text));
    return at + strlen(text);
}

/* Adds a text, escaped so many times. Without `to` its bytes are only counted. Returns where the next one goes. */
static size_t put_escaped(char *to, size_t at, const char *text, size_t length, int times) {
    for (size_t i = 0; i < length; i++) {
        const char plain[2] = {text[i]}, *word = plain;
        for (int e = 0; e < ESCAPES; e++)
            if (text[i] == escapes[e].letter) word = escapes[e].word;
        at = times > 1 ? put_escaped(to, at, word, strlen(word), times - 1) : put(to, at, word);
    }
    return at;
}

static size_t put_items(const wadi_raster *raster, char *to) {
    size_t at = 0;
    for (const char *item = NULL; (item = wadi_raster_metadata(raster, item)) != NULL;) {
        const size_t name = strcspn(item, "=");
        at = put(to, at, "  <Item name=\"");
        at = put_escaped(to, at, item, name, 1);
        at = put(to, at, "\">");
        at = put_escaped(to, at, item + name + 1, strlen(item + name + 1), TIMES);
        at = put(to, at, "</Item>\n");
    }
    return at;
}

char *io_metadata_xml(const wadi_raster *raster) {
    char *text = calloc(1, put_items(raster, NULL) + 1);
    if (text != NULL) put_items(raster, text);
    return text;
}

char *io_xml_escaped(const char *text) {
    const size_t length = strlen(text);
    char *made = calloc(1, put_escaped(NULL, 0, text, length, TIMES) + 1);
    if (made != NULL) put_escaped(made, 0, text, length, TIMES);
    return made;
}

/* In place, up to `end`. Numbers of characters stay as they are. */
static void unescape(char *text, const char *end) {
    char *to = text;
    while (text < end) {
        int e = 0;
        while (e < ESCAPES && !begins_with(text, escapes[e].word)) e++;
        *to++ = e < ESCAPES ? escapes[e].letter : *text;
        text += e < ESCAPES ? strlen(escapes[e].word) : 1;
    }
    *to = '\0';
}

/* An item between its tag at `start`, the `close` of that tag, and its `end`. All three texts are changed. */
static void take_item(wadi_raster *raster, char *start, char *close, char *end) {
    *close = *end = '\0';
    char *name = strstr(start, "name=\""), *sample = strstr(start, "sample=\""), *domain = strstr(start, "domain=\"");
    char *quote = name != NULL ? strchr(name + 6, '"') : NULL;
    const bool described = strstr(start, "role=\"description\"") != NULL;
    const bool first = sample == NULL || begins_with(sample, "sample=\"0\"");
    if (quote == NULL) return;
    for (int i = 0; i < TIMES; i++) unescape(close + 1, close + 1 + strlen(close + 1));
    if (described && first) snprintf(raster->band_name, sizeof raster->band_name, "%s", close + 1);
    if (described || sample != NULL || domain != NULL || strstr(start, "role=\"") != NULL) return;
    unescape(name + 6, quote);
    io_metadata_add(raster, name + 6, close + 1);
}

void io_metadata_from_xml(char *xml, wadi_raster *raster) {
    for (char *item = strstr(xml, "<Item "), *end; item != NULL; item = strstr(end + 1, "<Item ")) {
        char *close = strchr(item, '>');
        end = close != NULL ? strstr(close, "</Item>") : NULL;
        if (end == NULL) return;
        take_item(raster, item, close, end);
    }
}
