/* io.h: reads and writes raster files (library wadi_io). Files may be hostile: a truncated or malformed file, or a size
 * that the file cannot hold, gives an error with a message and never a crash. */
#ifndef WADI_IO_H
#define WADI_IO_H

#include "wadi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The formats to read and write, one per line: FORMAT(name, word for options, suffix of new files).
 *     PNG    8 or 16 bit grey; reads colours too, see wadi_encoding
 *     TIFF   8/16-bit integer or float32; GeoTIFF with a georeference
 *     EXR    float32, one channel "Y"; reads colours too
 *     R16    raw little-endian uint16
 *     R32    raw little-endian float32
 *     NPY    float32, shape (height, width)
 *     COG    GeoTIFF of float32 in tiles, with overviews; read as TIFF */
#define WADI_EACH_FORMAT(FORMAT) \
    FORMAT(PNG, "png", "png") \
    FORMAT(TIFF, "tif", "tif") \
    FORMAT(EXR, "exr", "exr") \
    FORMAT(R16, "r16", "r16") \
    FORMAT(R32, "r32", "r32") \
    FORMAT(NPY, "npy", "npy") \
    FORMAT(COG, "cog", "cog.tif")
/* " .png .tif ...", a string. */
#define WADI_FORMAT_ENDING(name, word, ending) " ." ending
#define WADI_FORMAT_ENDINGS WADI_EACH_FORMAT(WADI_FORMAT_ENDING)

typedef enum wadi_format {
    WADI_FORMAT_UNKNOWN,
#define WADI_FORMAT_CONSTANT(name, word, ending) WADI_FORMAT_##name,
    WADI_EACH_FORMAT(WADI_FORMAT_CONSTANT)
#undef WADI_FORMAT_CONSTANT
        WADI_FORMAT_GDAL, /* any other format, read through GDAL; never written */
} wadi_format;

/* The types of samples, one per line: SAMPLE(constant, name). */
#define WADI_EACH_SAMPLE(SAMPLE) \
    SAMPLE(FLOAT32, "float32") \
    SAMPLE(UINT8, "uint8") \
    SAMPLE(UINT16, "uint16") \
    SAMPLE(INT16, "int16") \
    SAMPLE(INT8, "int8") \
    SAMPLE(UINT32, "uint32") \
    SAMPLE(INT32, "int32") \
    SAMPLE(UINT64, "uint64") \
    SAMPLE(INT64, "int64") \
    SAMPLE(FLOAT16, "float16") \
    SAMPLE(FLOAT64, "float64")

typedef enum wadi_sample {
#define WADI_SAMPLE_CONSTANT(constant, name) WADI_SAMPLE_##constant,
    WADI_EACH_SAMPLE(WADI_SAMPLE_CONSTANT)
#undef WADI_SAMPLE_CONSTANT
} wadi_sample;

/* How the colours of a picture encode a height. */
typedef enum wadi_encoding {
    WADI_ENCODING_NONE,      /* none: a picture must be grey (red = green = blue in every cell) */
    WADI_ENCODING_LUMINANCE, /* 0.2126 red + 0.7152 green + 0.0722 blue */
    WADI_ENCODING_RED,       /* only one channel */
    WADI_ENCODING_GREEN,
    WADI_ENCODING_BLUE,
    WADI_ENCODING_TERRARIUM,  /* 8 bits: red * 256 + green + blue / 256 - 32768 m */
    WADI_ENCODING_MAPBOX_RGB, /* 8 bits: (red * 65536 + green * 256 + blue) / 10 - 10000 m */
} wadi_encoding;

/* The position of a raster. Opaque bytes hold the CRS of the input file, so that it can be written unchanged. */
typedef struct wadi_georef {
    double transform[6];    /* as GDAL: x0, dx, 0, y0, 0, dy of the top left corner, in CRS units; dy < 0 is north-up */
    bool geographic;        /* units are degrees */
    char name[128];         /* readable name of the CRS; "" if unknown */
    char vertical_unit[32]; /* "metre", "foot", ...; "" if unknown */
    void *crs;              /* serialised GeoKeys or WKT, owned by the raster */
    size_t crs_bytes;
} wadi_georef;

/* Where the reader found what it knows of a raster. */
typedef enum wadi_origin {
    WADI_ORIGIN_NONE,    /* nowhere */
    WADI_ORIGIN_FILE,    /* in the file */
    WADI_ORIGIN_BESIDE,  /* in a file beside it: .aux.xml, .msk, .prj, a world file */
    WADI_ORIGIN_CRS,     /* from its CRS */
    WADI_ORIGIN_OPTION,  /* in the options of the call */
    WADI_ORIGIN_ASSUMED, /* it is a guess */
} wadi_origin;

typedef struct wadi_raster {
    int width, height;
    float *values;        /* row-major, first row at the top, heights in metres; NaN: no data */
    wadi_format format;   /* of the file */
    wadi_sample sample;   /* of the file */
    double scale, offset; /* metres = scale * sample + offset, as applied */
    bool scale_assumed;   /* neither a range nor a georeference: full scale is 0.2 of the longer side */
    double lx, ly;        /* m */
    bool cell_assumed;    /* lx and ly are unknown and set to 1 m */
    double lx_variation;  /* geographic CRS: (largest - smallest lx) / lx at the centre; else 0 */
    bool has_nodata;      /* the file names a nodata value */
    double nodata;
    bool asks_nodata; /* samples of `asked_nodata` look like no data, and neither the file nor the options say so */
    double asked_nodata;
    bool has_georef;
    bool looks_swapped; /* RAW: looks like noise, and like land in the other byte order */
    bool flipped;       /* the file was south-up; rows were reversed to put north first */
    wadi_georef georef;
    int band, bands;        /* the band that was read, from 1, of so many; 0: several, as colours */
    char band_name[256];    /* "" if it has none */
    char driver[32];        /* GDAL's name of the format, if GDAL read it; else "" */
    char vertical_crs[128]; /* "NAVD88 height (ftUS) (EPSG:6360)"; "" if unknown */
    double unit_m;          /* metres per unit of the file's heights, as applied */
    double rounded_by;      /* the most that a sample was rounded to be a float32, as metres; 0: none was */
    struct {
        wadi_origin crs, cell, unit, scale, nodata, mask; /* mask: alpha and transparency too */
    } from;
    char map_unit[8]; /* "m3/s", "degrees", "1" ... if the file has it: a map, not heights; else "" */
    char *metadata;   /* of the file, "NAME=VALUE" each ended by a 0; owned by the raster; NULL: none */
    size_t metadata_bytes;
    char remarks[1024]; /* doubts and omissions of the reader: sentences without the file's name, one per line */
} wadi_raster;

typedef struct wadi_read_options {
    int width, height; /* RAW only: 0, 0 means a square */
    bool big_endian;   /* RAW only: --byte-order */
    /* --height-range: sample 0 is low (m), and full scale of integers or 1 of floats is high. No float may be outside
     */
    bool has_range;
    double low, high;
    double lx, ly; /* --cell-size: 0 means that of the file */
    /* --nodata: unscaled samples that mean no data, besides those in the file */
    int nodata_count; /* 0 to 2 */
    double nodata[2];
    const char *band;       /* --band: the number, from 1, or the name of the band to read; NULL: the only one */
    const char *z_unit;     /* --z-unit: NULL means that of the CRS; "m", "ft", "us-ft", "cm", "km" ... */
    wadi_encoding encoding; /* --encoding: pictures in colours */
    bool plain_values;      /* a map, not heights: integers are scaled to 0..1 (R16 too), floats stay unchanged */
    uint64_t memory_limit;  /* largest raster in bytes of its values; 0: 3/4 of the machine's memory, or any in files */
} wadi_read_options;

typedef struct wadi_write_options {
    wadi_format format; /* UNKNOWN: from the suffix of the name */
    wadi_sample sample; /* for PNG UINT8/UINT16, TIFF integers of up to 32 bits and FLOAT32; others ignore it */
    /* integers: sample = (metres - offset) / scale, rounded, clamped; scale 0: from the range of the values */
    double scale, offset;
    const char *unit; /* NULL: heights in metres; else the unit of a map ("m", "m3/s", "m/s", "1"). TIFF stores it,
                         without the vertical part of the CRS, which is for heights */
    const char *description;        /* of a map: one line, which TIFF stores; NULL: none */
    double used_scale, used_offset; /* out */
    uint64_t clamped;               /* out: samples that did not fit */
} wadi_write_options;

/* Reads a file. `path` "-" is not special. Errors name the path. The caller destroys *raster. */
WADI_API wadi_status wadi_raster_read(const char *path, const wadi_read_options *options, wadi_raster **raster);
/* The same from memory, with `name` in messages. For tests and fuzzers; refuses formats that GDAL reads. */
WADI_API wadi_status wadi_raster_read_memory(const void *bytes, size_t count, const char *name,
                                             const wadi_read_options *options, wadi_raster **raster);
/* Writes a file atomically: a temporary file in the same folder, fsync, rename. Keeps nodata and georeference if the
 * format can. options NULL: the format of the name, with its defaults. */
WADI_API wadi_status wadi_raster_write(const char *path, const wadi_raster *raster, wadi_write_options *options);
WADI_API wadi_status wadi_raster_create(int width, int height, wadi_raster **raster); /* values 0 */
/* From now on, the values of a new raster of so many bytes or more lie in a nameless file of this folder.
 * NULL: in memory. For all threads; call it before they make rasters. */
WADI_API void wadi_raster_scratch(const char *folder, uint64_t from_bytes);
WADI_API void wadi_raster_destroy(wadi_raster *raster); /* takes NULL */
/* The "NAME=VALUE" after this one; after NULL, the first. NULL: there are no more. */
WADI_API const char *wadi_raster_metadata(const wadi_raster *raster, const char *item);
/* Copies size, cell size, nodata and georeference, not values (which are 0). */
WADI_API wadi_status wadi_raster_like(const wadi_raster *raster, wadi_raster **copy);

/* Converts the georeference and the sample description to bytes (freed by wadi_free) and back, for checkpoints. Bytes
 * for a raster of another size than width x height are refused as damaged, before that size is allocated. */
WADI_API wadi_status wadi_raster_pack(const wadi_raster *raster, void **bytes, size_t *count);
WADI_API wadi_status wadi_raster_unpack(const void *bytes, size_t count, int width, int height,
                                        wadi_raster **raster); /* values 0 */

typedef struct wadi_format_facts {
    const char *name;    /* "PNG", for messages */
    const char *endings; /* suffixes without dots, separated by blanks: "tif tiff gtiff" */
    const char *package; /* the Debian package that this format needs; "" if none */
    wadi_sample sample;  /* of new files, unless told otherwise: UINT16 where the format holds only integers */
    uint32_t samples;    /* of all files that are written: 1 << wadi_sample of each type */
    bool bare;           /* the file holds only samples; the caller must give their type and the grid's size */
} wadi_format_facts;
/* NULL for an unknown format. */
WADI_API const wadi_format_facts *wadi_format_facts_of(wadi_format format);
WADI_API wadi_format wadi_format_of_name(const char *path);     /* by the suffix; UNKNOWN if no format has it */
WADI_API const char *wadi_format_extension(wadi_format format); /* "tif" */
WADI_API const char *wadi_sample_name(wadi_sample sample);      /* "float32" */
/* The largest sample of types that --height-range scales: 255, 65535, 32767. 0: samples of others are heights. */
WADI_API double wadi_sample_full_scale(wadi_sample sample);
/* Whether this build has the format. If not, *missing says what to install. */
WADI_API bool wadi_format_available(wadi_format format, const char **missing);

/* Writes 8-bit RGB as PNG, atomically. */
WADI_API wadi_status wadi_picture_write(const char *path, const uint8_t *rgb, int width, int height);
/* A picture whose channels are maps: grey, grey and alpha, red green blue, or red green blue alpha. */
typedef struct wadi_image {
    int width, height, channels; /* channels: 1 to 4 */
    const float *planes[4];      /* width * height each, 0 to 1; what is outside is clamped, and NaN is 0 */
} wadi_image;
/* Writes it atomically, as PNG of 8 or 16 bits (sample UINT8, UINT16) or, for a name of EXR, as OpenEXR (FLOAT32). EXR
 * keeps values outside 0 to 1, and NaN. */
WADI_API wadi_status wadi_image_write(const char *path, const wadi_image *image, wadi_sample sample);

/* Writes 8-bit RGB as GeoTIFF (for a name of COG as COG), atomically, over the extent of a terrain and in its CRS. The
 * picture is transparent where the terrain has no data. Needs GDAL. */
WADI_API wadi_status wadi_picture_write_placed(const char *path, const uint8_t *rgb, int width, int height,
                                               const wadi_raster *terrain);

#ifdef __cplusplus
}
#endif
#endif
