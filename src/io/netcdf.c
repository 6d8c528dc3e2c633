/* netcdf.c: checks the header of a classic netCDF file before GDAL reads it. Releases of the netCDF library crash on
 * some damaged headers. The format: https://docs.unidata.ucar.edu/nug/current/file_format_specifications.html */
#include "formats.h"

#include <string.h>

enum { TAG_DIMENSIONS = 10, TAG_VARIABLES = 11, TAG_ATTRIBUTES = 12, MOST_DIMENSIONS = 1024 };

typedef struct header {
    io_input *input;
    uint64_t at;
    int version; /* 1, 2: wide offsets, 5: wide counts too */
    bool bad;    /* it claims more than the file holds, or what the format does not have */
} header;

static uint64_t take_number(header *h, size_t bytes) {
    uint8_t big[8];
    uint64_t number = 0;
    h->bad = h->bad || io_input_read(h->input, h->at, big, bytes) != bytes;
    h->at += bytes;
    for (size_t i = 0; i < bytes && !h->bad; i++) number = number << 8 | big[i];
    return number;
}

static uint64_t take_size(header *h) { return take_number(h, h->version == 5 ? 8 : 4); }

/* Of items that each take a byte of the file or more. */
static uint64_t take_count(header *h) {
    const uint64_t count = take_size(h);
    h->bad = h->bad || count > h->input->size;
    return h->bad ? 0 : count;
}

/* Values are padded to 4 bytes. */
static void skip(header *h, uint64_t count, uint64_t bytes) {
    if (bytes > 0 && count > h->input->size / bytes) h->bad = true;
    if (h->bad) return;
    h->at += (count * bytes + 3) / 4 * 4;
    h->bad = h->at > h->input->size;
}

static uint64_t take_list(header *h, uint64_t tag) {
    const uint64_t found = take_number(h, 4), count = take_count(h);
    h->bad = h->bad || (found != tag && (found != 0 || count != 0));
    return h->bad ? 0 : count;
}

static void skip_name(header *h) {
    const uint64_t length = take_count(h);
    h->bad = h->bad || length == 0 || length > 256; /* the library's limit */
    skip(h, length, 1);
}

static uint64_t take_type_bytes(header *h) {
    static const uint8_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    const uint64_t type = take_number(h, 4);
    h->bad = h->bad || type < 1 || type >= sizeof bytes || (h->version < 5 && type > 6);
    return h->bad ? 0 : bytes[type];
}

static void skip_attributes(header *h) {
    for (uint64_t left = take_list(h, TAG_ATTRIBUTES); left > 0 && !h->bad; left--) {
        skip_name(h);
        const uint64_t bytes = take_type_bytes(h);
        skip(h, take_count(h), bytes);
    }
}

static void skip_variable(header *h, uint64_t dimensions) {
    skip_name(h);
    const uint64_t used = take_count(h);
    h->bad = h->bad || used > MOST_DIMENSIONS; /* the library's limit */
    for (uint64_t left = used; left > 0 && !h->bad; left--) h->bad = take_size(h) >= dimensions || h->bad;
    skip_attributes(h);
    take_type_bytes(h);
    take_size(h);
    take_number(h, h->version == 1 ? 4 : 8);
}

static void check(header *h) {
    take_size(h); /* records */
    const uint64_t dimensions = take_list(h, TAG_DIMENSIONS);
    for (uint64_t left = dimensions; left > 0 && !h->bad; left--) {
        skip_name(h);
        take_size(h);
    }
    skip_attributes(h);
    for (uint64_t left = take_list(h, TAG_VARIABLES); left > 0 && !h->bad; left--) skip_variable(h, dimensions);
}

bool io_netcdf_is_sound(io_input *input) {
    uint8_t mark[4] = {0};
    io_input_read(input, 0, mark, sizeof mark);
    if (memcmp(mark, "CDF", 3) != 0 || (mark[3] != 1 && mark[3] != 2 && mark[3] != 5)) return true;
    header h = {.input = input, .at = sizeof mark, .version = mark[3]};
    check(&h);
    return !h.bad;
}
