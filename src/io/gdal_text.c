/* gdal_text.c: counts the numbers of an ASCII grid (of ESRI or GRASS). */
#include "gdal_text.h"

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 64, ROOM_BYTES = 1 << 16 };

typedef struct text_grid {
    char word[WORD_BYTES]; /* as far as it was read */
    size_t length;
    bool is_value; /* the next word belongs to a word of the header */
    uint64_t numbers;
    bool bad; /* `word` is no number */
} text_grid;

static const char *after_digits(const char *text) { return text + strspn(text, "0123456789"); }

/* With a point or a comma, in any locale; also the ways to write no number: nan, -1.#IND, and * of GRASS. */
static bool is_number(const text_grid *text) {
    static const char *const words[] = {"nan", "inf", "infinity", "null", "*"};
    const char *start = text->word + strspn(text->word, "+-"), *c = after_digits(start);
    if (text->length >= WORD_BYTES || start > text->word + 1) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (EQUAL(start, words[i])) return true;
    size_t digits = (size_t)(c - start);
    if (*c == '.' || *c == ',') {
        start = c + 1;
        c = after_digits(start);
        digits += (size_t)(c - start);
    }
    if (digits == 0) return false;
    if (*c == 'e' || *c == 'E') {
        start = c + 1 + (c[1] == '+' || c[1] == '-');
        c = after_digits(start);
        if (c == start) return false;
    }
    return *c == '\0' || *c == '#';
}

/* The key of a header's line, as "ncols" or "north:": a word of letters. GDAL skips those that it does not know. */
static bool is_key(const text_grid *text) {
    size_t letters = 0;
    while (isalpha((unsigned char)text->word[letters]) || text->word[letters] == '_') letters++;
    const char *rest = text->word + letters;
    return letters > 1 && (*rest == '\0' || strcmp(rest, ":") == 0);
}

static void end_word(text_grid *text) {
    if (text->length == 0) return;
    text->word[text->length < WORD_BYTES ? text->length : WORD_BYTES - 1] = '\0';
    if (text->is_value)
        text->is_value = false;
    else if (is_number(text))
        text->numbers++;
    else if (text->numbers == 0 && is_key(text))
        text->is_value = true;
    else
        text->bad = true;
    if (!text->bad) text->length = 0;
}

static void take_text(text_grid *text, const char *bytes, size_t count) {
    for (size_t i = 0; i < count && !text->bad; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if (isspace(c) || c == '\0' || c == 0x1a) {
            end_word(text);
            continue;
        }
        if (text->length < WORD_BYTES) text->word[text->length] = (char)c;
        text->length += text->length < WORD_BYTES;
    }
}

static wadi_status check_numbers(const io_input *input, const text_grid *text, int width, int height) {
    const uint64_t wanted = (uint64_t)width * (uint64_t)height;
    if (text->bad)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: '%.40s', after %llu values, is no number; mend it", input->name,
                         text->word, (unsigned long long)text->numbers);
    if (text->numbers != wanted)
        return wadi_fail(WADI_ERROR_FORMAT,
                         "%s: has %llu values, and %d x %d cells want %llu; it is damaged: get it again", input->name,
                         (unsigned long long)text->numbers, width, height, (unsigned long long)wanted);
    return WADI_OK;
}

wadi_status io_gdal_check_text(const io_input *input, GDALDatasetH from) {
    const char *driver = GDALGetDriverShortName(GDALGetDatasetDriver(from));
    if (strcmp(driver, "AAIGrid") != 0 && strcmp(driver, "GRASSASCIIGrid") != 0) return WADI_OK;
    VSILFILE *file = VSIFOpenL(GDALGetDescription(from), "rb");
    char *room = malloc(ROOM_BYTES);
    text_grid text = {0};
    for (size_t got = 1; file != NULL && room != NULL && got > 0 && !text.bad;) {
        got = VSIFReadL(room, 1, ROOM_BYTES, file);
        take_text(&text, room, got);
    }
    if (!text.bad) end_word(&text);
    const bool whole = file != NULL && room != NULL; /* else GDAL says what is wrong */
    free(room);
    if (file != NULL) VSIFCloseL(file);
    if (!whole) return WADI_OK;
    return check_numbers(input, &text, GDALGetRasterXSize(from), GDALGetRasterYSize(from));
}

#endif
