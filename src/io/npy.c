/* npy.c: NumPy's .npy: a mark, a version, a header that is a Python dictionary, and samples. Files are written as
 * version 1, '<f4', C order, with NaN for no data. NumPy allows no other keys in the header, but it allows more arrays
 * in a file: each numpy.load reads one. So a second array of two float64 stores the size of a cell in metres, if it is
 * not 1 m. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

#define MOST_HEADER 65536 /* bytes: a hundred times the header of a plain array */

typedef struct npy_header {
    io_samples samples;
    bool fortran;                 /* columns one after the other */
    uint64_t width, height, data; /* data: offset of the first sample */
} npy_header;

static const struct {
    const char *descr; /* after the byte order */
    io_type type;
} types[] = {{"u1", IO_U8},  {"b1", IO_I8},  {"i1", IO_I8},  {"u2", IO_U16}, {"i2", IO_I16}, {"u4", IO_U32},
             {"i4", IO_I32}, {"u8", IO_U64}, {"i8", IO_I64}, {"f2", IO_F16}, {"f4", IO_F32}, {"f8", IO_F64}};

/* The text after a key's colon, or NULL. Keys are quoted with ' or ". */
static const char *value_of(const char *header, const char *key) {
    const size_t length = strlen(key);
    for (const char *at = header; (at = strstr(at, key)) != NULL; at++) {
        const char *after = at + length;
        if (at == header || (at[-1] != '\'' && at[-1] != '"') || *after != at[-1]) continue;
        after++;
        while (isspace((unsigned char)*after)) after++;
        if (*after != ':') continue;
        after++;
        while (isspace((unsigned char)*after)) after++;
        return after;
    }
    return NULL;
}

static bool parse_descr(const char *text, io_samples *samples) {
    if (text == NULL || (text[0] != '\'' && text[0] != '"')) return false;
    const char order = text[1];
    if (order == '\0' || strchr("<>|=", order) == NULL) return false;
    samples->big_endian = order == '>' || (order == '=' && wadi_big_endian());
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strncmp(text + 2, types[i].descr, 2) != 0 || text[4] != text[0]) continue;
        samples->type = types[i].type;
        samples->step = io_type_bytes(types[i].type);
        return true;
    }
    return false;
}

/* "(rows, columns)" with any blanks that Python allows. */
static bool parse_shape(const char *text, uint64_t *rows, uint64_t *columns) {
    if (text == NULL || *text != '(') return false;
    uint64_t *const sizes[2] = {rows, columns};
    const char *at = text + 1;
    for (int i = 0; i < 2; i++) {
        while (isspace((unsigned char)*at)) at++;
        if (!isdigit((unsigned char)*at)) return false;
        for (*sizes[i] = 0; isdigit((unsigned char)*at); at++) {
            *sizes[i] = *sizes[i] * 10 + (uint64_t)(*at - '0');
            if (*sizes[i] > UINT32_MAX) return false;
        }
        if (*at == 'L') at++; /* Python 2 */
        while (isspace((unsigned char)*at)) at++;
        if (*at == ',')
            at++;
        else if (i == 0)
            return false;
    }
    while (isspace((unsigned char)*at)) at++;
    return *at == ')';
}

static wadi_status parse_header(const io_input *input, const char *text, npy_header *header) {
    if (!parse_descr(value_of(text, "descr"), &header->samples))
        return wadi_fail(WADI_ERROR_FORMAT, "%s: holds samples of a type that is no height; save it as float32",
                         input->name);
    if (!parse_shape(value_of(text, "shape"), &header->height, &header->width))
        return wadi_fail(WADI_ERROR_FORMAT, "%s: is no two-dimensional array; save one of shape (height, width)",
                         input->name);
    const char *order = value_of(text, "fortran_order");
    header->fortran = order != NULL && strncmp(order, "True", 4) == 0;
    return WADI_OK;
}

static wadi_status read_header(io_input *input, npy_header *header) {
    uint8_t head[12] = {0};
    const size_t got = io_input_read(input, 0, head, sizeof head);
    const int version = head[6];
    if (got < sizeof head) return io_truncated(input, NULL);
    if (version < 1 || version > 3)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: is an NPY file of version %d; save it as 1.0, 2.0 or 3.0", input->name,
                         version);
    uint32_t length = (uint32_t)head[8] | (uint32_t)head[9] << 8;
    if (version > 1) length |= (uint32_t)head[10] << 16 | (uint32_t)head[11] << 24;
    const uint64_t start = version > 1 ? 12 : 10;
    header->data = start + length;
    if (length > MOST_HEADER || header->data > input->size) return io_truncated(input, "its header is too long");
    char *text = malloc(length + 1);
    if (text == NULL) return io_no_memory(input->name, length, input->memory_limit);
    wadi_status status = WADI_OK;
    if (io_input_read(input, start, text, length) != length) status = io_truncated(input, NULL);
    text[length] = '\0';
    if (status == WADI_OK) status = parse_header(input, text, header);
    free(text);
    return status;
}

/* A line is a row, or a column in Fortran order. */
static wadi_status read_lines(io_input *input, const npy_header *header, wadi_raster *raster) {
    const size_t width = (size_t)raster->width, height = (size_t)raster->height;
    const size_t lines = header->fortran ? width : height, length = header->fortran ? height : width;
    const size_t bytes = length * header->samples.step;
    void *line = malloc(bytes);
    if (line == NULL) return io_no_memory(input->name, bytes, input->memory_limit);
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < lines && status == WADI_OK; i++) {
        float *to = raster->values + (header->fortran ? i : i * width);
        if (io_input_read(input, header->data + i * bytes, line, bytes) != bytes)
            status = io_truncated(input, NULL);
        else
            raster->rounded_by =
                fmax(raster->rounded_by, io_decode(&header->samples, line, length, to, header->fortran ? width : 1));
    }
    free(line);
    return status;
}

/* "{'descr': ..., }" in a header of 128 bytes. NumPy aligns samples to 64 bytes. */
enum { HEAD = 128 };
#define CELL_HEAD "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"

static void make_head(char head[HEAD], const char *dictionary) {
    memset(head, ' ', HEAD);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10); /* 0x76 = 128 - 10 */
    memcpy(head + 10, dictionary, strlen(dictionary));
    head[HEAD - 1] = '\n';
}

/* NumPy pads its headers to 64 bytes or to 128. */
static void read_cell_size(io_input *input, uint64_t at, io_meaning *meaning) {
    uint8_t head[HEAD] = {0}, cell[16];
    if (io_input_read(input, at, head, 10) != 10 || memcmp(head, "\x93NUMPY\x01", 7) != 0) return;
    const size_t length = (size_t)head[8] | (size_t)head[9] << 8;
    if (length > HEAD - 10 || io_input_read(input, at + 10, head + 10, length) != length) return;
    if (memcmp(head + 10, CELL_HEAD, sizeof CELL_HEAD - 1) != 0) return;
    if (io_input_read(input, at + 10 + length, cell, sizeof cell) != sizeof cell) return;
    double size[2];
    for (int i = 0; i < 2; i++) {
        uint64_t bits = 0;
        for (int k = 7; k >= 0; k--) bits = bits << 8 | cell[8 * i + k];
        memcpy(&size[i], &bits, sizeof size[i]);
    }
    if (!(size[0] > 1e-6 && size[0] < 1e9 && size[1] > 1e-6 && size[1] < 1e9)) return;
    meaning->lx = size[0];
    meaning->ly = size[1];
}

/* The array behind the cell size: a text of 8 bytes. */
#define UNIT_HEAD "{'descr': '|S8', 'fortran_order': False, 'shape': (), }"

static void read_unit(io_input *input, uint64_t at, wadi_raster *raster, io_meaning *meaning) {
    char head[HEAD] = {0}, unit[9] = {0};
    if (io_input_read(input, at, head, HEAD) != HEAD || memcmp(head, "\x93NUMPY\x01\x00\x76\x00", 10) != 0) return;
    if (memcmp(head + 10, UNIT_HEAD, sizeof UNIT_HEAD - 1) != 0) return;
    if (io_input_read(input, at + HEAD, unit, 8) == 8) io_set_unit(raster, meaning, unit);
}

static wadi_status io_npy_read(io_input *input, wadi_raster **raster) {
    npy_header header = {0};
    wadi_status status = read_header(input, &header);
    if (status == WADI_OK) status = io_only_band(input);
    if (status != WADI_OK) return status;
    io_input data = *input; /* only the bytes after the header can be samples */
    data.size -= header.data;
    status = io_check_held(&data, header.width, header.height, (double)header.samples.step, 1);
    if (status == WADI_OK) status = io_begin(input, header.width, header.height, raster);
    if (status == WADI_OK) status = read_lines(input, &header, *raster);
    if (status != WADI_OK) return status;
    (*raster)->sample = io_type_sample(header.samples.type);
    header.samples.options = input->options;
    io_meaning meaning = {0};
    const uint64_t end = header.data + header.width * header.height * header.samples.step;
    read_cell_size(input, end, &meaning);
    if (meaning.lx > 0) read_unit(input, end + HEAD + 16, *raster, &meaning);
    return io_finish(input, *raster, &meaning);
}

static bool write_cell_size(io_output *output, const wadi_raster *raster) {
    char head[HEAD];
    uint8_t cell[16];
    const double size[2] = {raster->lx, raster->ly};
    make_head(head, CELL_HEAD);
    for (int i = 0; i < 16; i++) {
        uint64_t bits;
        memcpy(&bits, &size[i / 8], sizeof bits);
        cell[i] = (uint8_t)(bits >> (8 * (i % 8)));
    }
    return io_output_write(output, output->size, head, sizeof head) &&
           io_output_write(output, output->size, cell, sizeof cell);
}

static bool write_unit(io_output *output, const char *unit) {
    char head[HEAD], text[9] = {0};
    snprintf(text, sizeof text, "%s", unit);
    make_head(head, UNIT_HEAD);
    return io_output_write(output, output->size, head, sizeof head) && io_output_write(output, output->size, text, 8);
}

static wadi_status io_npy_write(io_output *output, const wadi_raster *raster, wadi_write_options *options) {
    char head[HEAD], text[HEAD];
    snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", raster->height,
             raster->width);
    make_head(head, text);
    if (!io_output_write(output, 0, head, sizeof head)) return WADI_ERROR_IO;
    const wadi_status status = io_r32_write(output, raster, options); /* the samples are the same */
    if (status != WADI_OK || (raster->lx == 1 && raster->ly == 1 && options->unit == NULL)) return status;
    const bool good = write_cell_size(output, raster) && (options->unit == NULL || write_unit(output, options->unit));
    return good ? WADI_OK : WADI_ERROR_IO;
}

const io_format io_format_NPY = {
    .facts = {.name = "NPY", .endings = "npy", .package = "", .samples = 1 << WADI_SAMPLE_FLOAT32},
    .marks = {IO_MARK("\x93NUMPY")},
    .read = io_npy_read,
    .write = io_npy_write,
};
