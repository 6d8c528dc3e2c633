/* formats.h: what the files of src/io share: bytes in, bytes out, samples, and each format's reader and writer.
 *
 * A reader fills raster->values with the file's own sample values (NaN where it has no data) and says what they are;
 * scaling to metres, turning south-up rows and the checks for empty or infinite rasters are io_finish's. */
#ifndef WADI_IO_FORMATS_H
#define WADI_IO_FORMATS_H

#include <stdio.h>

#include "core/byte_order.h"
#include "platform/platform.h"
#include "wadi/io.h"

/* --- bytes in: a file, or memory ------------------------------------------------------------------------------- */

typedef struct io_input {
    const char *name; /* for messages; the path where it is a file */
    FILE *file;       /* or NULL, and then */
    const uint8_t *bytes;
    uint64_t size;
    uint64_t at;                      /* where the file stands; unknown after a failure */
    const wadi_read_options *options; /* never NULL */
    uint64_t memory_limit;            /* bytes; never 0 */
    int error;                        /* an errno: some of it could not be read, whatever a library made of that */
    bool by_gdal;                     /* GDAL reads it, and the files beside it but for .msk */
} io_input;

wadi_status io_input_open(io_input *input, const char *path); /* fills name, file, size */
void io_input_close(io_input *input);
/* How many bytes were there: fewer than count at the end of the file or on an error. */
size_t io_input_read(io_input *input, uint64_t offset, void *buffer, size_t count);

/* --- bytes out: a temporary file beside the path, which takes its name when all is safely written -------------- */

typedef struct io_output {
    const char *path;
    platform_new_file made;
    FILE *file; /* made's */
    uint64_t at, size;
    int error; /* errno of the first failure, 0 if none */
} io_output;

wadi_status io_output_open(io_output *output, const char *path);
bool io_output_write(io_output *output, uint64_t offset, const void *bytes, size_t count); /* false: error is set */
size_t io_output_read(io_output *output, uint64_t offset, void *bytes, size_t count);
/* status: how the writing went. OK: sync and rename; else, or where that fails, the temporary file goes. */
wadi_status io_output_close(io_output *output, wadi_status status);

/* --- rasters being read ---------------------------------------------------------------------------------------- */

/* Checks the declared size against 2 x 2, int and the memory limit, then allocates. */
wadi_status io_begin(const io_input *input, uint64_t width, uint64_t height, wadi_raster **raster);
/* Refuses a size that the file's bytes cannot hold: `ratio` is the most that the format's compression can give. */
wadi_status io_check_held(const io_input *input, uint64_t width, uint64_t height, double bytes_a_cell, double ratio);
wadi_status io_no_memory(const char *name, uint64_t bytes, uint64_t limit);
wadi_status io_truncated(const io_input *input,
                         const char *detail); /* detail: the library's words, "" or NULL if none */

/* What the file says of its samples' meaning. */
typedef struct io_meaning {
    double unit_m; /* metres in the file's vertical unit; 0: it says nothing */
    bool scaled;   /* vertical units = scale * sample + offset */
    double scale, offset;
    bool ranged; /* integers: 0 stands for low metres, full scale for high */
    double low, high;
    double lx, ly;        /* m; 0: it says nothing, or raster->lx, ly have it */
    char unit_name[32];   /* a vertical unit that is not known here; "" if none */
    double ground_unit_m; /* metres in the unit of a projected CRS; 0: none */
    bool has_nodata;      /* a value that the reader has not looked for itself */
    double nodata;
    bool mixed; /* the values are metres that were mixed from colours */
} io_meaning;
wadi_status io_finish(const io_input *input, wadi_raster *raster,
                      const io_meaning *meaning); /* meaning: NULL if none */

/* Adds a line to raster->remarks, if there is room. */
void io_remark(wadi_raster *raster, const char *format, ...) WADI_PRINTF(2, 3);
/* Georeference, meaning and masks from files beside the file, where the file itself has none. */
wadi_status io_read_beside(const io_input *input, wadi_raster *raster, io_meaning *meaning);

/* --- colours --------------------------------------------------------------------------------------------------- */

/* One sample a cell in each. green and blue: NULL of a grey picture; alpha: NULL where there is none. */
typedef struct io_planes {
    const float *red, *green, *blue, *alpha;
    bool has_nodata; /* a cell has no data where all its colours are this */
    double nodata;
} io_planes;
/* Values from samples, as options->encoding says; NaN where alpha is 0. False: it says nothing, and a cell is no grey.
 */
bool io_mix(const io_input *input, const io_planes *planes, size_t count, float *values);
wadi_status io_refuse_colours(const io_input *input); /* what then is to be done */
/* Colours that samples stand for by number. */
typedef struct io_palette {
    size_t count;
    const float *red, *green, *blue, *alpha; /* alpha: NULL where there is none */
} io_palette;
/* As io_mix; a number beyond the palette is black. `room`: 4 * count floats. */
bool io_mix_palette(const io_input *input, const io_palette *palette, const float *numbers, size_t count, float *room,
                    float *values);
/* Before colours are mixed, once raster->sample is known: whether they can be; what the values then are. */
wadi_status io_begin_colours(const io_input *input, wadi_raster *raster, io_meaning *meaning);
/* Refuses an encoding of colours for what has none. */
wadi_status io_check_mixed(const io_input *input, const io_meaning *meaning);
extern const char *const io_encoding_names[]; /* as wadi_encoding */

/* --- samples --------------------------------------------------------------------------------------------------- */

typedef enum io_type { IO_U8, IO_I8, IO_U16, IO_I16, IO_U32, IO_I32, IO_U64, IO_I64, IO_F32, IO_F64, IO_F16 } io_type;
size_t io_type_bytes(io_type type);
wadi_sample io_type_sample(io_type type); /* FLOAT32 for those that wadi_sample does not have */

typedef struct io_samples {
    io_type type;
    bool big_endian;
    size_t step; /* bytes from one sample to the next */
    bool has_nodata;
    double nodata;
} io_samples;
/* Writes count values, value_step floats apart. */
void io_decode(const io_samples *samples, const void *bytes, size_t count, float *values, size_t value_step);

float io_narrow(double value); /* infinite where float32 has no such value */

/* From metres to integer samples. */
typedef struct io_quantiser {
    double scale, offset;
    int lowest, highest;
    bool has_nodata; /* NaN becomes nodata; else 0, counted as clamped */
    int nodata;
} io_quantiser;
/* Chooses scale and nodata value (where the format can have one) as io.h says, and fills options->used_... */
wadi_status io_quantiser_make(const wadi_raster *raster, wadi_write_options *options, bool with_nodata,
                              io_quantiser *quantiser);
uint64_t io_quantise(const io_quantiser *quantiser, const float *values, size_t count,
                     int *samples); /* returns clamped */
/* A nodata value that none of the raster's finite values has: its own, or the next best. */
double io_free_nodata(const wadi_raster *raster);

/* --- numbers and units ----------------------------------------------------------------------------------------- */

/* math.h's macros for doubles make mingw's compiler warn of float conversions. */
static inline bool io_is_nan(double number) { return number != number; }
static inline bool io_is_finite(double number) { return number - number == 0; }

/* In the C locale whatever the program has set. */
void io_format_number(double number, char *text, size_t size);
bool io_parse_number(const char *text, double *number); /* text may go on after the number */
/* The whole text, but for blanks around it; a comma may stand for the point, and NaN is written in GDAL's ways too. */
bool io_parse_whole(const char *text, double *number);

typedef struct io_unit {
    int code;         /* EPSG */
    const char *name; /* as in wadi_georef.vertical_unit */
    double metres;
} io_unit;
const io_unit *io_unit_of_name(const char *name); /* "m", "foot", "ftUS", ...; NULL if unknown */
const io_unit *io_unit_of_code(int code);
/* A unit by name, where none is known yet: of heights, or of a map. Another is kept for a remark. "": none. */
void io_set_unit(wadi_raster *raster, io_meaning *meaning, const char *name);

/* --- georeference ---------------------------------------------------------------------------------------------- */

/* A GeoTIFF's tags, as they stand in the file. */
typedef struct io_geotags {
    size_t scale_count, tie_count, matrix_count, key_count, number_count, text_count;
    const double *scale, *ties, *matrix, *numbers;
    const uint16_t *keys;
    const char *text; /* text_count counts the last 0, if there is one */
} io_geotags;
wadi_status io_georef_from_tags(const char *name, const io_geotags *tags, wadi_raster *raster, io_meaning *meaning);
wadi_status io_refuse_warped(const char *name, const char *what);
void io_turn_north_up(wadi_raster *raster); /* its transform; io_finish turns the rows */

/* Reads the georeference of a TIFF in memory into a raster of any size: GDAL's way to say where its files lie. */
wadi_status io_tiff_georef(io_input *input, wadi_raster *raster, io_meaning *meaning);

/* Cells that are 0 in a mask's TIFF have no data. */
wadi_status io_tiff_mask(io_input *input, wadi_raster *raster);
/* Through GDAL: georeference, nodata, scale and unit, as far as the raster has none. What GDAL cannot open is left. */
wadi_status io_gdal_describe(const io_input *input, wadi_raster *raster, io_meaning *meaning);

/* The tags to write. plain_metres: say that heights are in metres, whatever the file said that the CRS came from. */
typedef struct io_geotag_block {
    double scale[3], ties[6];
    size_t key_count, number_count, text_count;
    uint16_t *keys; /* malloc'ed, as the next two */
    double *numbers;
    char *text;
} io_geotag_block;
wadi_status io_georef_to_tags(const wadi_raster *raster, bool plain_metres, io_geotag_block *block);
/* Leaves out the vertical CRS and its unit: the values are no heights. */
void io_geotags_drop_vertical(io_geotag_block *block);
void io_geotag_block_free(io_geotag_block *block);
/* Metres in the vertical unit that the raster's GeoKeys state; 1 where they state none. */
double io_georef_unit(const wadi_raster *raster);

/* --- the formats ----------------------------------------------------------------------------------------------- */

typedef wadi_status io_read_fn(io_input *input, wadi_raster **raster);
typedef wadi_status io_write_fn(io_output *output, const wadi_raster *raster, wadi_write_options *options);

/* A format, as the file that reads and writes it tells. raster.c takes them from WADI_EACH_FORMAT by their names. */
typedef struct io_format {
    wadi_format_facts facts;
    io_read_fn *read;   /* NULL: not built */
    io_write_fn *write; /* NULL: not built, or never written */
    struct {
        const char *bytes; /* NULL: no more of them */
        size_t count;
    } marks[4]; /* what its files begin with, any of these */
} io_format;
enum { IO_LONGEST_MARK = 8 };
#define IO_MARK(text) \
    { text, sizeof text - 1 }

#define IO_FORMAT(name, ending) extern const io_format io_format_##name;
WADI_EACH_FORMAT(IO_FORMAT)
#undef IO_FORMAT
/* For a format that goes on after such samples, and for one whose writer has a file of its own. */
io_write_fn io_r32_write, io_tiff_write;
extern const io_format io_format_GDAL; /* the rest: what no other format's mark or ending fits */

/* Whether a name is that of a raster inside a local file, as GDAL writes it: /vsizip/a.zip/b.tif, NETCDF:"f.nc":v. */
bool io_gdal_is_inside(const char *name);

/* PNG rows: channels 1 or 3, depth 8 or 16 (big-endian). `row` gives each, valid until the next. */
typedef struct io_png_head {
    int width, height, channels, depth;
    bool has_nodata; /* grey alone */
    int nodata;
    const wadi_raster *raster; /* whose cell size is kept; NULL: none */
    double low, high;          /* what 0 and full scale stand for; kept where there is a raster */
} io_png_head;
typedef const uint8_t *io_row_fn(void *context, int y);
wadi_status io_png_encode(io_output *output, const io_png_head *head, io_row_fn *row, void *context);

#endif
