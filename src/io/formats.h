/* formats.h: the interfaces that the files of src/io share: input, output, samples, and each format's reader and
 * writer.
 *
 * A reader fills raster->values with the file's own sample values (NaN: no data) and describes them. io_finish then
 * scales them to metres, reverses south-up rows, and refuses empty or infinite rasters. */
#ifndef WADI_IO_FORMATS_H
#define WADI_IO_FORMATS_H

#include <stdio.h>

#include "core/byte_order.h"
#include "core/strict.h"
#include "platform/platform.h"
#include "wadi/io.h"

/* --- input: a file or memory ----------------------------------------------------------------------------------- */

typedef struct io_input {
    const char *name; /* for messages; of a file its path */
    FILE *file;       /* NULL: the input is `bytes` */
    const uint8_t *bytes;
    uint64_t size;
    uint64_t at;                      /* the file's position; unknown after a failure */
    const wadi_read_options *options; /* never NULL */
    uint64_t memory_limit;            /* bytes; never 0 */
    int error;                        /* errno of a failed read or allocation that a library may have hidden; 0: none */
    bool by_gdal;                     /* GDAL reads the file and its side files except .msk */
} io_input;

wadi_status io_input_open(io_input *input, const char *path); /* fills name, file, size */
void io_input_close(io_input *input);
/* The status of reading. A failed read or allocation is the cause, whatever the format's library made of it. */
wadi_status io_input_status(const io_input *input, wadi_status status);
/* Returns the number of bytes read: fewer than count at the end of the file or on an error. */
size_t io_input_read(io_input *input, uint64_t offset, void *buffer, size_t count);

/* --- output: a temporary file in the same folder, renamed when complete ---------------------------------------- */

typedef struct io_output {
    const char *path;
    platform_new_file made;
    FILE *file;     /* of `made`; NULL: the output goes to `bytes` */
    uint8_t *bytes; /* malloc'ed; without a file */
    size_t room;
    uint64_t at, size;
    int error; /* errno of the first failure, of an allocation too; 0 if none */
} io_output;

wadi_status io_output_open(io_output *output, const char *path);
/* In memory: the caller frees `bytes`, of which `size` are used, and does not close it but asks for its status. */
io_output io_output_memory(const char *name);
/* status: the result of writing; a failure of the output itself, as for want of memory, is the cause of any error. */
wadi_status io_output_status(const io_output *output, wadi_status status);
bool io_output_write(io_output *output, uint64_t offset, const void *bytes, size_t count); /* false: error is set */
size_t io_output_read(io_output *output, uint64_t offset, void *bytes, size_t count);
/* status: the result of writing. If OK: sync and rename. Otherwise, or if that fails, the temporary file is removed. */
wadi_status io_output_close(io_output *output, wadi_status status);

/* --- reading a raster ------------------------------------------------------------------------------------------ */

/* Checks the declared size against 2 x 2, int and the memory limit, then allocates. */
wadi_status io_begin(const io_input *input, uint64_t width, uint64_t height, wadi_raster **raster);
/* Refuses a size that the file's bytes cannot hold. `ratio` is the best ratio of the format's compression. */
wadi_status io_check_held(const io_input *input, uint64_t width, uint64_t height, double bytes_a_cell, double ratio);
/* Whether the values of a raster of so many bytes lie in a file (wadi_raster_scratch). */
bool io_in_scratch(uint64_t bytes);
wadi_status io_no_memory(const char *name, uint64_t bytes, uint64_t limit);
wadi_status io_truncated(const io_input *input,
                         const char *detail); /* detail: the library's message, "" or NULL if none */

/* The meaning of the samples, from the file. */
typedef struct io_meaning {
    double unit_m; /* metres per vertical unit of the file; 0: unknown */
    bool scaled;   /* vertical units = scale * sample + offset */
    double scale, offset;
    bool ranged; /* integers: 0 is low (m), full scale is high (m) */
    double low, high;
    double full;          /* the largest integer, where it has fewer bits than its type; 0: that of the type */
    double lx, ly;        /* m; 0: unknown, or already in raster->lx, ly */
    char unit_name[32];   /* an unknown vertical unit; "" if none */
    double ground_unit_m; /* metres per unit of a projected CRS; 0: none */
    bool has_nodata;      /* a nodata value that the reader has not replaced by NaN */
    double nodata;
    bool mixed; /* the values are metres, computed from colours */
} io_meaning;
wadi_status io_finish(const io_input *input, wadi_raster *raster,
                      const io_meaning *meaning); /* meaning: NULL if none */

/* Adds a line to raster->remarks, if there is room. */
void io_remark(wadi_raster *raster, const char *format, ...) WADI_PRINTF(2, 3);
/* Reads georeference, meaning and masks from side files, if the file itself has none. */
wadi_status io_read_beside(const io_input *input, wadi_raster *raster, io_meaning *meaning);

/* --- bands ------------------------------------------------------------------------------------------------------ */

typedef struct io_bands {
    int count;
    const char *(*name)(void *context, int band); /* of a band, from 1; NULL: they have no names */
    void *context;
} io_bands;
/* The band that options->band names, from 1; 0: it names none. */
wadi_status io_choose_band(const io_input *input, const io_bands *bands, int *band);
/* Refuses options->band if it is another than 1, for formats of one band. */
wadi_status io_only_band(const io_input *input);
/* The error for several bands that hold different things, when none is named. */
wadi_status io_refuse_bands(const io_input *input, const io_bands *bands);

/* --- colours --------------------------------------------------------------------------------------------------- */

/* One sample per cell in each. A grey picture has no green and blue (NULL). alpha may be NULL. */
typedef struct io_planes {
    const float *red, *green, *blue, *alpha;
    bool has_nodata; /* a cell whose colours all have this value has no data */
    double nodata;
} io_planes;
/* Computes values from samples by options->encoding; NaN where alpha is 0. False: there is no encoding, and a cell is
 * not grey. */
bool io_mix(const io_input *input, const io_planes *planes, size_t count, float *values);
wadi_status io_refuse_colours(const io_input *input); /* the error for that case */
/* Colours that samples refer to by number. */
typedef struct io_palette {
    size_t count;
    const float *red, *green, *blue, *alpha; /* alpha may be NULL */
} io_palette;
/* As io_mix; a number beyond the palette is black. `room`: 4 * count floats. */
bool io_mix_palette(const io_input *input, const io_palette *palette, const float *numbers, size_t count, float *room,
                    float *values);
/* To be called before io_mix, when raster->sample is known: checks the encoding, and sets the meaning of the values. */
wadi_status io_begin_colours(const io_input *input, wadi_raster *raster, io_meaning *meaning);
/* Refuses an encoding of colours for a raster without colours. */
wadi_status io_check_mixed(const io_input *input, const io_meaning *meaning);
extern const char *const io_encoding_names[]; /* in the order of wadi_encoding */

/* --- samples --------------------------------------------------------------------------------------------------- */

typedef enum io_type { IO_U8, IO_I8, IO_U16, IO_I16, IO_U32, IO_I32, IO_U64, IO_I64, IO_F32, IO_F64, IO_F16 } io_type;
size_t io_type_bytes(io_type type);
enum { IO_SAMPLES = WADI_SAMPLE_FLOAT64 + 1 }; /* the types of wadi_sample */
wadi_sample io_type_sample(io_type type);

typedef struct io_samples {
    io_type type;
    bool big_endian;
    size_t step; /* bytes from one sample to the next */
    bool has_nodata;
    double nodata;
    const wadi_read_options *options; /* NULL: no sample is cleared later, by --nodata */
    bool near_nodata; /* doubles: what equals nodata as float32 is no data, since writers print few digits */
} io_samples;
/* Writes count values, value_step floats apart. Returns the largest difference of one to its sample. */
double io_decode(const io_samples *samples, const void *bytes, size_t count, float *values, size_t value_step);

float io_narrow(double value); /* infinite outside the range of float32 */

/* From metres to integer samples. */
typedef struct io_quantiser {
    double scale, offset;
    int64_t lowest, highest;
    bool has_nodata; /* NaN becomes nodata; else 0, counted as clamped */
    int64_t nodata;
} io_quantiser;
/* Chooses the scale as described in io.h, and a nodata value if the format has one. Sets options->used_... */
wadi_status io_quantiser_make(const wadi_raster *raster, wadi_write_options *options, bool with_nodata,
                              io_quantiser *quantiser);
uint64_t io_quantise(const io_quantiser *quantiser, const float *values, size_t count,
                     int64_t *samples); /* returns clamped */
/* A nodata value that differs from all finite values: the raster's own, or the next best. */
double io_free_nodata(const wadi_raster *raster);

/* --- numbers and units ----------------------------------------------------------------------------------------- */

/* math.h's macros for doubles make mingw's compiler warn of float conversions. */
static inline bool io_is_nan(double number) { return number != number; }
static inline bool io_is_finite(double number) { return number - number == 0; }

/* In the C locale for any locale of the program. */
void io_format_number(double number, char *text, size_t size);
bool io_parse_number(const char *text, double *number); /* text may follow the number */
/* Parses the whole text, without blanks around it. Accepts a decimal comma, and GDAL's spellings of NaN. */
bool io_parse_whole(const char *text, double *number);

typedef struct io_unit {
    int code;         /* EPSG */
    const char *name; /* as in wadi_georef.vertical_unit */
    double metres;
} io_unit;
const io_unit *io_unit_of_name(const char *name); /* "m", "foot", "ftUS", ...; NULL if unknown */
const io_unit *io_unit_of_code(int code);
/* Sets the unit by name, if none is known yet: that of heights or of a map. An unknown one is kept for a remark. "":
 * none. */
void io_set_unit(wadi_raster *raster, io_meaning *meaning, const char *name);

/* --- georeference ---------------------------------------------------------------------------------------------- */

/* The tags of a GeoTIFF, as in the file. */
typedef struct io_geotags {
    size_t scale_count, tie_count, matrix_count, key_count, number_count, text_count;
    const double *scale, *ties, *matrix, *numbers;
    const uint16_t *keys;
    const char *text; /* text_count counts the last 0, if there is one */
} io_geotags;
wadi_status io_georef_from_tags(const char *name, const io_geotags *tags, wadi_raster *raster, io_meaning *meaning);
wadi_status io_refuse_warped(const char *name, const char *what);
void io_turn_north_up(wadi_raster *raster); /* changes the transform; io_finish reverses the rows */

/* Reads the georeference of a TIFF in memory into a raster of any size. GDAL gives the georeference of its files so. */
wadi_status io_tiff_georef(io_input *input, wadi_raster *raster, io_meaning *meaning);

/* Cells that are 0 in a mask's TIFF have no data. */
wadi_status io_tiff_mask(io_input *input, wadi_raster *raster);
/* Whether an .aux.xml beside the raster replaces its place, nodata, scale or unit. */
bool io_gdal_told_beside(const io_input *input);
/* Adds missing georeference, nodata, scale and unit through GDAL. Does nothing if GDAL cannot open the file. */
wadi_status io_gdal_describe(const io_input *input, wadi_raster *raster, io_meaning *meaning);

/* The tags to write. plain_metres: heights are in metres, for any unit in the file that the CRS came from. */
typedef struct io_geotag_block {
    double scale[3], ties[6];
    size_t key_count, number_count, text_count;
    uint16_t *keys; /* malloc'ed, like the next two */
    double *numbers;
    char *text;
} io_geotag_block;
wadi_status io_georef_to_tags(const wadi_raster *raster, bool plain_metres, io_geotag_block *block);
/* Removes the vertical CRS and its unit: the values are not heights. */
void io_geotags_drop_vertical(io_geotag_block *block);
void io_geotag_block_free(io_geotag_block *block);
/* Metres per vertical unit in the raster's GeoKeys; 1 if they have none. */
wadi_status io_georef_unit(const wadi_raster *raster, double *metres);
/* Sets the cell size in metres again, where it depends on the latitude: after the place has changed. */
wadi_status io_georef_cells(wadi_raster *raster);

/* --- metadata: wadi_raster.metadata, and the name of the band ----------------------------------------------------- */

enum { IO_METADATA_LONGEST = 1 << 20 }; /* bytes of the whole list */
/* Values of statistics, of the file or of its making are left out. Without room a remark says so. */
void io_metadata_add(wadi_raster *raster, const char *name, const char *value);
wadi_status io_metadata_copy(const wadi_raster *from, wadi_raster *to); /* replaces that of `to` */
/* GDAL's XML in a TIFF: items of the whole file, and the description of the first band. The text is changed. */
void io_metadata_from_xml(char *xml, wadi_raster *raster);
/* These items as elements of it; a text with its special characters. Free both; NULL: no memory. */
char *io_metadata_xml(const wadi_raster *raster);
char *io_xml_escaped(const char *text);

/* --- the formats ----------------------------------------------------------------------------------------------- */

typedef wadi_status io_read_fn(io_input *input, wadi_raster **raster);
typedef wadi_status io_write_fn(io_output *output, const wadi_raster *raster, wadi_write_options *options);

/* A format. The file that reads and writes it defines one. raster.c finds them by their names in WADI_EACH_FORMAT. */
typedef struct io_format {
    wadi_format_facts facts;
    io_read_fn *read;   /* NULL: not built, or read as another format */
    io_write_fn *write; /* NULL: not built, or never written */
    struct {
        const char *bytes; /* NULL: end of the list */
        size_t count;
    } marks[4]; /* possible first bytes of a file */
} io_format;
enum { IO_LONGEST_MARK = 8 };
#define IO_MARK(text) \
    { text, sizeof text - 1 }

#define IO_FORMAT(name, word, ending) extern const io_format io_format_##name;
WADI_EACH_FORMAT(IO_FORMAT)
#undef IO_FORMAT
/* For a format that appends to such samples, and for one whose writer is in another file. */
io_write_fn io_r32_write, io_tiff_write;
extern const io_format io_format_GDAL; /* all files without a known mark or suffix */

/* Whether a name is GDAL's name of a raster inside a local file: /vsizip/a.zip/b.tif, NETCDF:"f.nc":v. */
bool io_gdal_is_inside(const char *name);

/* False: it is a classic netCDF file whose header is damaged. */
bool io_netcdf_is_sound(io_input *input);

/* PNG rows: channels 1 to 4, depth 8 or 16 (big-endian). `row` returns each row, valid until the next call. */
typedef struct io_png_head {
    int width, height, channels, depth;
    bool picture;    /* to be looked at: it is written fast */
    bool has_nodata; /* only for grey */
    int nodata;
    const wadi_raster *raster; /* its cell size is stored; NULL: none */
    double low, high;          /* heights of 0 and full scale; stored if there is a raster */
    const char *unit;          /* of a map; stored then, too; NULL: heights in metres */
} io_png_head;
typedef const uint8_t *io_row_fn(void *context, int y);
wadi_status io_png_encode(io_output *output, const io_png_head *head, io_row_fn *row, void *context);

#endif
