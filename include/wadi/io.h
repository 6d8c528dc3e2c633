/* io.h: rasters from and to files (library wadi_io). Files are taken for hostile: a size that the file cannot hold, a
 * truncated or malformed file is an error with a message, never a crash. */
#ifndef WADI_IO_H
#define WADI_IO_H

#include "wadi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The formats that are read and written, a line each: FORMAT(name, ending of new files).
 *     PNG    8 or 16 bit grey; read also in colours, see wadi_encoding
 *     TIFF   8/16-bit integer or float32; GeoTIFF where there is a georeference
 *     EXR    float32, one channel "Y"; read also in colours
 *     R16    raw little-endian uint16
 *     R32    raw little-endian float32
 *     NPY    float32, shape (height, width) */
#define WADI_EACH_FORMAT(FORMAT) \
    FORMAT(PNG, "png") \
    FORMAT(TIFF, "tif") \
    FORMAT(EXR, "exr") \
    FORMAT(R16, "r16") \
    FORMAT(R32, "r32") \
    FORMAT(NPY, "npy")
/* " .png .tif ...", a string. */
#define WADI_FORMAT_ENDING(name, ending) " ." ending
#define WADI_FORMAT_ENDINGS WADI_EACH_FORMAT(WADI_FORMAT_ENDING)

typedef enum wadi_format {
    WADI_FORMAT_UNKNOWN,
#define WADI_FORMAT_CONSTANT(name, ending) WADI_FORMAT_##name,
    WADI_EACH_FORMAT(WADI_FORMAT_CONSTANT)
#undef WADI_FORMAT_CONSTANT
        WADI_FORMAT_GDAL, /* any other, read through GDAL; never written */
} wadi_format;

typedef enum wadi_sample { WADI_SAMPLE_FLOAT32, WADI_SAMPLE_UINT8, WADI_SAMPLE_UINT16, WADI_SAMPLE_INT16 } wadi_sample;

/* How the colours of a picture hold a height. */
typedef enum wadi_encoding {
    WADI_ENCODING_NONE,      /* not said: a picture must be grey (red = green = blue in every cell) */
    WADI_ENCODING_LUMINANCE, /* 0.2126 red + 0.7152 green + 0.0722 blue */
    WADI_ENCODING_RED,       /* one channel alone */
    WADI_ENCODING_GREEN,
    WADI_ENCODING_BLUE,
    WADI_ENCODING_TERRARIUM,  /* 8 bits: red * 256 + green + blue / 256 - 32768 m */
    WADI_ENCODING_MAPBOX_RGB, /* 8 bits: (red * 65536 + green * 256 + blue) / 10 - 10000 m */
} wadi_encoding;

/* Where a raster lies. Opaque bytes hold the CRS as the file had it, so that it goes out as it came in. */
typedef struct wadi_georef {
    double transform[6];    /* as GDAL: x0, dx, 0, y0, 0, dy of the top left corner, in CRS units; dy < 0 is north-up */
    bool geographic;        /* units are degrees */
    char name[128];         /* of the CRS, for people; "" if unknown */
    char vertical_unit[32]; /* "metre", "foot", ...; "" if unknown */
    void *crs;              /* serialised GeoKeys or WKT, owned by the raster */
    size_t crs_bytes;
} wadi_georef;

typedef struct wadi_raster {
    int width, height;
    float *values;        /* row-major, first row at the top, metres where scaled; NaN: no data */
    wadi_format format;   /* what the file was */
    wadi_sample sample;   /* what its samples were */
    double scale, offset; /* metres = scale * sample + offset, as applied */
    bool scale_assumed;   /* neither a range nor a georeference: full scale was taken as 0.2 of the longer side */
    double lx, ly;        /* m */
    bool cell_assumed;    /* nothing says lx and ly: they are 1 m */
    double lx_variation;  /* geographic CRS: (largest - smallest lx) / lx at the centre; else 0 */
    bool has_nodata;      /* the file names a nodata value */
    double nodata;
    bool has_georef;
    bool looks_swapped; /* RAW: noise as it was read, land in the other byte order */
    bool flipped;       /* the file was south-up; rows were reversed to put north first */
    wadi_georef georef;
    char map_unit[8];   /* "m3/s", "m/s" or "1", where the file says so: a map, no heights; else "" */
    char remarks[1024]; /* what the reader doubts or leaves out: sentences without the file's name, a line each */
} wadi_raster;

typedef struct wadi_read_options {
    int width, height; /* RAW only: 0, 0 means a square */
    bool big_endian;   /* RAW only: --byte-order */
    /* --height-range: 0 stands for low metres, and for high: full scale of integers, 1 of floats (none may lie outside)
     */
    bool has_range;
    double low, high;
    double lx, ly; /* --cell-size: 0 means as the file says */
    /* --nodata: samples (before they are scaled) that mean no data, besides those that the file names */
    int nodata_count; /* 0 to 2 */
    double nodata[2];
    const char *z_unit;     /* --z-unit: NULL means as the CRS says; "m", "ft", "us-ft", "cm", "km" ... */
    wadi_encoding encoding; /* --encoding: pictures in colours */
    bool plain_values; /* a map, not a height: integers are scaled to 0..1 (R16 too), floats are taken as they are */
    uint64_t memory_limit; /* refuse a raster whose values need more bytes than this; 0: 3/4 of the machine's memory */
} wadi_read_options;

typedef struct wadi_write_options {
    wadi_format format; /* UNKNOWN: by the name's extension */
    wadi_sample sample; /* for PNG UINT8/UINT16 (FLOAT32 is refused), TIFF any, others ignore it */
    /* integers: sample = (metres - offset) / scale, rounded, clamped; scale 0: fits the values' range */
    double scale, offset;
    const char *unit; /* NULL: heights in metres; else what a map's values are in ("m", "m3/s", "m/s", "1"): TIFF says
                         it, and leaves out the vertical part of the CRS, which is for heights */
    double used_scale, used_offset; /* out */
    uint64_t clamped;               /* out: samples that did not fit */
} wadi_write_options;

/* `path` "-" is not special. Errors name the path. *raster is destroyed by the caller. */
WADI_API wadi_status wadi_raster_read(const char *path, const wadi_read_options *options, wadi_raster **raster);
/* The same from memory: `name` stands in messages. For tests and fuzzers; formats read by GDAL are refused. */
WADI_API wadi_status wadi_raster_read_memory(const void *bytes, size_t count, const char *name,
                                             const wadi_read_options *options, wadi_raster **raster);
/* Appears whole or not at all: a temporary name beside it, fsync, rename. nodata and georeference are kept where the
 * format can. options NULL: the format of the name, with its defaults. */
WADI_API wadi_status wadi_raster_write(const char *path, const wadi_raster *raster, wadi_write_options *options);
WADI_API wadi_status wadi_raster_create(int width, int height, wadi_raster **raster); /* values 0 */
WADI_API void wadi_raster_destroy(wadi_raster *raster);                               /* takes NULL */
/* Copies size, cell size, nodata and georeference, not values (which are 0). */
WADI_API wadi_status wadi_raster_like(const wadi_raster *raster, wadi_raster **copy);

/* The georeference and sample description as bytes (malloc'ed) and back, for checkpoints. Bytes that describe a raster
 * of another size than width x height are refused as damaged, before anything of that size is allocated. */
WADI_API wadi_status wadi_raster_pack(const wadi_raster *raster, void **bytes, size_t *count);
WADI_API wadi_status wadi_raster_unpack(const void *bytes, size_t count, int width, int height,
                                        wadi_raster **raster); /* values 0 */

typedef struct wadi_format_facts {
    const char *name;    /* "PNG", for people */
    const char *endings; /* of file names, without dots and with a blank between two: "tif tiff gtiff" */
    const char *package; /* Debian's, that this format needs; "" if none */
    bool integers;       /* written, samples are whole: 8 or 16 bits */
    bool bare;           /* the file holds samples alone; the reader must be told their type, and the grid's size */
} wadi_format_facts;
/* NULL where there is no such format. */
WADI_API const wadi_format_facts *wadi_format_facts_of(wadi_format format);
WADI_API wadi_format wadi_format_of_name(const char *path);     /* by its ending; UNKNOWN if none knows it */
WADI_API const char *wadi_format_extension(wadi_format format); /* "tif" */
/* Whether this build has it; *missing says what to install where it has not. */
WADI_API bool wadi_format_available(wadi_format format, const char **missing);

/* 8-bit RGB to PNG, atomically. */
WADI_API wadi_status wadi_picture_write(const char *path, const uint8_t *rgb, int width, int height);

#ifdef __cplusplus
}
#endif
#endif
