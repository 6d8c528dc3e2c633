/* gdal.c: reads all other rasters through GDAL: the only band, the one that is asked for, or colours that encode a
 * height (colours.c). Nothing is fetched from a network. */
#include "gdal_calls.h"
#include "gdal_local.h"
#include "gdal_place.h"
#include "gdal_text.h"

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF
#define WITH_GDAL

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- samples --------------------------------------------------------------------------------------------------- */

static double nodata_of(GDALRasterBandH band, int *there) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 5, 0)
    const GDALDataType type = GDALGetRasterDataType(band);
    if (type == GDT_Int64) return (double)GDALGetRasterNoDataValueAsInt64(band, there);
    if (type == GDT_UInt64) return (double)GDALGetRasterNoDataValueAsUInt64(band, there);
#endif
    return GDALGetRasterNoDataValue(band, there);
}

/* Other types have GDAL's numbers 12 to 14 since 3.5 and 3.7: UInt64, Int64, Int8. */
static wadi_sample sample_of(GDALDataType type) {
    static const wadi_sample samples[] = {
        [GDT_Byte] = WADI_SAMPLE_UINT8,
        [GDT_UInt16] = WADI_SAMPLE_UINT16,
        [GDT_Int16] = WADI_SAMPLE_INT16,
        [GDT_UInt32] = WADI_SAMPLE_UINT32,
        [GDT_Int32] = WADI_SAMPLE_INT32,
        [GDT_Float32] = WADI_SAMPLE_FLOAT32,
        [GDT_Float64] = WADI_SAMPLE_FLOAT64,
        [12] = WADI_SAMPLE_UINT64,
        [13] = WADI_SAMPLE_INT64,
        [14] = WADI_SAMPLE_INT8,
    };
    return (size_t)type < sizeof samples / sizeof *samples ? samples[type] : WADI_SAMPLE_FLOAT32;
}

static wadi_status describe(const io_input *input, GDALRasterBandH band, io_samples *samples, wadi_raster *raster) {
    const GDALDataType type = GDALGetRasterDataType(band);
    if (GDALDataTypeIsComplex(type))
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: has complex samples; save it as float32", input->name);
    int there = 0;
    samples->nodata = nodata_of(band, &there);
    samples->has_nodata = there != 0;
    const char *pixels = GDALGetMetadataItem(band, "PIXELTYPE", "IMAGE_STRUCTURE"); /* before GDAL 3.7 */
    const bool is_signed = type == GDT_Byte && pixels != NULL && strcmp(pixels, "SIGNEDBYTE") == 0;
    samples->near_nodata = type == GDT_Float64;
    samples->type = type == GDT_Float32 ? IO_F32 : is_signed ? IO_I8 : IO_F64; /* the types used for reading */
    samples->step = io_type_bytes(samples->type);
    samples->big_endian = wadi_big_endian();
    samples->options = input->options;
    raster->has_nodata = samples->has_nodata;
    raster->nodata = samples->nodata;
    raster->sample = is_signed ? WADI_SAMPLE_INT8 : sample_of(type);
    return WADI_OK;
}

static void read_scale(GDALRasterBandH band, io_meaning *meaning, wadi_raster *raster) {
    int has_scale = 0, has_offset = 0;
    meaning->scale = GDALGetRasterScale(band, &has_scale);
    meaning->offset = GDALGetRasterOffset(band, &has_offset);
    if (!has_scale || meaning->scale == 0) meaning->scale = 1;
    if (!has_offset) meaning->offset = 0;
    meaning->scaled = meaning->scale != 1 || meaning->offset != 0;
    meaning->scaled = meaning->scaled && io_is_finite(meaning->scale) && io_is_finite(meaning->offset);
    const char *bits = GDALGetMetadataItem(band, "NBITS", "IMAGE_STRUCTURE");
    const int count = bits != NULL ? atoi(bits) : 0;
    if (count > 0 && count < 16) meaning->full = (1 << count) - 1;
    io_set_unit(raster, meaning, GDALGetRasterUnitType(band));
}

/* The bands that give a cell's value. */
typedef struct gdal_cells {
    GDALRasterBandH bands[3]; /* the first band, or red, green and blue */
    GDALRasterBandH mask;     /* NULL: only the nodata value */
    bool colours;
    bool named;         /* by the caller: its samples are read as they are */
    io_palette palette; /* count 0: none */
    float *shades;      /* of the palette */
    io_samples samples;
} gdal_cells;

/* Masks that are more than the nodata value. */
static GDALRasterBandH find_mask(GDALRasterBandH band) {
    const int flags = GDALGetMaskFlags(band);
    return (flags & GMF_ALL_VALID) != 0 || flags == GMF_NODATA ? NULL : GDALGetMaskBand(band);
}

static const char *band_name(void *from, int band) { return GDALGetDescription(GDALGetRasterBand(from, band)); }

static bool is_alpha(GDALDatasetH from, int band) {
    return GDALGetRasterColorInterpretation(GDALGetRasterBand(from, band)) == GCI_AlphaBand;
}

/* Red, green and blue, if the first band is one of them and all exist. */
static void find_colours(GDALDatasetH from, gdal_cells *cells) {
    const int first = (int)GDALGetRasterColorInterpretation(cells->bands[0]) - GCI_RedBand;
    GDALRasterBandH found[3] = {NULL};
    if (first < 0 || first > 2) return;
    for (int i = GDALGetRasterCount(from); i > 0; i--) {
        GDALRasterBandH band = GDALGetRasterBand(from, i);
        const int colour = (int)GDALGetRasterColorInterpretation(band) - GCI_RedBand;
        if (colour >= 0 && colour < 3) found[colour] = band;
    }
    cells->colours = found[0] != NULL && found[1] != NULL && found[2] != NULL;
    if (cells->colours) memcpy(cells->bands, found, sizeof found);
}

/* The band that the caller names; else the only one without alpha, or the colours. */
static wadi_status find_bands(const io_input *input, GDALDatasetH from, gdal_cells *cells) {
    const io_bands bands = {GDALGetRasterCount(from), band_name, from};
    int band = 0, others = 0;
    const wadi_status status = io_choose_band(input, &bands, &band);
    if (status != WADI_OK) return status;
    cells->bands[0] = GDALGetRasterBand(from, band > 0 ? band : 1);
    cells->named = band > 0;
    if (cells->named) return WADI_OK;
    for (int i = bands.count; i > 0; i--) {
        if (is_alpha(from, i)) continue;
        cells->bands[0] = GDALGetRasterBand(from, i);
        others++;
    }
    find_colours(from, cells);
    return others > 1 && !cells->colours ? io_refuse_bands(input, &bands) : WADI_OK;
}

/* GDAL gives a palette of black and white to rasters of one bit, and a grey one to those whose 0 is white. */
static bool is_plain_grey(GDALRasterBandH band) {
    const char *bits = GDALGetMetadataItem(band, "NBITS", "IMAGE_STRUCTURE");
    const char *white = GDALGetMetadataItem(GDALGetBandDataset(band), "MINISWHITE", "IMAGE_STRUCTURE");
    const GDALColorTableH table = GDALGetRasterColorTable(band);
    bool grey = (bits != NULL && strcmp(bits, "1") == 0) || white != NULL;
    for (int i = 0; i < GDALGetColorEntryCount(table) && grey; i++) {
        const GDALColorEntry *entry = GDALGetColorEntry(table, i);
        grey = entry->c1 == entry->c2 && entry->c2 == entry->c3 && entry->c4 == 255;
    }
    return grey;
}

static wadi_status find_palette(const io_input *input, gdal_cells *cells) {
    const GDALColorTableH table = cells->named ? NULL : GDALGetRasterColorTable(cells->bands[0]);
    if (table != NULL && is_plain_grey(cells->bands[0])) return WADI_OK;
    const int count = table != NULL ? GDALGetColorEntryCount(table) : 0;
    if (count == 0) return WADI_OK;
    const GDALPaletteInterp kind = GDALGetPaletteInterpretation(table);
    if (kind != GPI_RGB && kind != GPI_Gray)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: its colour table is of kind %s; save it as RGB, or in grey",
                         input->name, GDALGetPaletteInterpretationName(kind));
    const size_t size = (size_t)count;
    cells->shades = calloc(4 * size, sizeof *cells->shades);
    if (cells->shades == NULL) return io_no_memory(input->name, 4 * size * sizeof(float), input->memory_limit);
    for (size_t i = 0; i < size; i++) {
        const GDALColorEntry *entry = GDALGetColorEntry(table, (int)i);
        const short of[4] = {entry->c1, entry->c2, entry->c3, entry->c4};
        for (size_t c = 0; c < 4; c++) cells->shades[c * size + i] = kind == GPI_Gray && c < 3 ? of[0] : of[c];
    }
    cells->palette = (io_palette){size, cells->shades, cells->shades + size, cells->shades + 2 * size, NULL};
    if (kind == GPI_RGB) cells->palette.alpha = cells->shades + 3 * size;
    return WADI_OK;
}

static wadi_status find_cells(const io_input *input, gdal_cells *cells, wadi_raster *raster, io_meaning *meaning) {
    cells->mask = find_mask(cells->bands[0]);
    const wadi_status status = cells->colours ? WADI_OK : find_palette(input, cells);
    if (cells->palette.count > 0) raster->sample = WADI_SAMPLE_UINT8, meaning->full = 0;
    if (status != WADI_OK || (!cells->colours && cells->palette.count == 0)) return status;
    return io_begin_colours(input, raster, meaning);
}

static bool read_band(GDALRasterBandH band, int y, int width, GDALDataType type, void *row) {
    return GDALRasterIO(band, GF_Read, 0, y, width, 1, row, width, 1, type, 0, 0) == CE_None;
}

/* room: four rows of floats, and one of samples. *grey: false if the colours need an encoding. */
static bool read_row(const io_input *input, const gdal_cells *cells, int y, float *room, wadi_raster *raster,
                     bool *grey) {
    const io_type kind = cells->samples.type;
    const GDALDataType type = kind == IO_F32 ? GDT_Float32 : kind == IO_I8 ? GDT_Byte : GDT_Float64;
    const size_t width = (size_t)raster->width;
    float *values = raster->values + (size_t)y * width;
    if (!read_band(cells->bands[0], y, raster->width, type, room + 4 * width)) return false;
    raster->rounded_by = fmax(raster->rounded_by, io_decode(&cells->samples, room + 4 * width, width, values, 1));
    if (cells->palette.count > 0) *grey = io_mix_palette(input, &cells->palette, values, width, room, values);
    return true;
}

static bool mix_row(const io_input *input, const gdal_cells *cells, int y, float *room, wadi_raster *raster,
                    bool *grey) {
    const size_t width = (size_t)raster->width;
    for (size_t c = 0; c < 3; c++)
        if (!read_band(cells->bands[c], y, raster->width, GDT_Float32, room + c * width)) return false;
    io_planes planes = {.red = room, .green = room + width, .blue = room + 2 * width};
    planes.has_nodata = cells->samples.has_nodata;
    planes.nodata = cells->samples.nodata;
    if (cells->mask != NULL) {
        planes.alpha = room + 3 * width;
        if (!read_band(cells->mask, y, raster->width, GDT_Float32, room + 3 * width)) return false;
    }
    *grey = io_mix(input, &planes, width, raster->values + (size_t)y * width);
    return true;
}

static bool mask_row(GDALRasterBandH mask, int y, float *row, wadi_raster *raster) {
    float *values = raster->values + (size_t)y * (size_t)raster->width;
    if (!read_band(mask, y, raster->width, GDT_Float32, row)) return false;
    for (int x = 0; x < raster->width; x++)
        if (row[x] == 0) values[x] = (float)NAN;
    return true;
}

static wadi_status read_rows(const io_input *input, const gdal_cells *cells, const char *message, wadi_raster *raster) {
    const size_t bytes = (size_t)raster->width * (4 * sizeof(float) + cells->samples.step);
    float *room = malloc(bytes);
    if (room == NULL) return io_no_memory(input->name, bytes, input->memory_limit);
    bool good = true, grey = true;
    for (int y = 0; y < raster->height && good && grey; y++)
        good = cells->colours ? mix_row(input, cells, y, room, raster, &grey)
                              : read_row(input, cells, y, room, raster, &grey) &&
                                    (cells->mask == NULL || mask_row(cells->mask, y, room, raster));
    free(room);
    return !good ? io_truncated(input, message) : grey ? WADI_OK : io_refuse_colours(input);
}

/* Names the rasters inside by what follows the last colon of GDAL's names: NETCDF:"f.nc":height. */
static wadi_status refuse_container(const io_input *input, GDALDatasetH from) {
    char **names = GDALGetMetadata(from, "SUBDATASETS"), list[256] = "";
    const char *first = CSLFetchNameValue(names, "SUBDATASET_1_NAME"), *name = first;
    if (first == NULL) return wadi_fail(WADI_ERROR_FORMAT, "%s: holds no raster of its own; convert it", input->name);
    for (int i = 2; i < 10 && name != NULL; i++) {
        name = CSLFetchNameValue(names, CPLSPrintf("SUBDATASET_%d_NAME", i));
        const char *colon = name != NULL ? strrchr(name, ':') : NULL;
        const size_t used = strlen(list);
        if (colon != NULL) snprintf(list + used, sizeof list - used, "%s%.40s", used > 0 ? ", " : "; also ", colon + 1);
    }
    return wadi_fail(WADI_ERROR_FORMAT, "%s: holds no raster of its own; name one of those inside, such as '%.300s'%s",
                     input->name, first, list);
}

static void name_format_and_band(const gdal_cells *cells, GDALDatasetH from, wadi_raster *raster) {
    snprintf(raster->driver, sizeof raster->driver, "%s", GDALGetDriverShortName(GDALGetDatasetDriver(from)));
    raster->bands = GDALGetRasterCount(from);
    raster->band = cells->colours ? 0 : GDALGetBandNumber(cells->bands[0]);
    if (!cells->colours)
        snprintf(raster->band_name, sizeof raster->band_name, "%s", GDALGetDescription(cells->bands[0]));
}

static void note_origins(io_told_beside told, wadi_raster *raster) {
    if (told.crs) raster->from.crs = WADI_ORIGIN_BESIDE;
    if (told.cell) raster->from.cell = WADI_ORIGIN_BESIDE;
    if (told.nodata) raster->from.nodata = WADI_ORIGIN_BESIDE;
    if (told.scale) raster->from.scale = WADI_ORIGIN_BESIDE;
    if (told.unit) raster->from.unit = WADI_ORIGIN_BESIDE;
}

static void take_metadata(GDALDatasetH from, wadi_raster *raster) {
    char **items = GDALGetMetadata(from, NULL);
    for (int i = 0; i < CSLCount(items); i++) {
        char *name = NULL;
        const char *value = CPLParseNameValue(items[i], &name);
        if (name != NULL && value != NULL) io_metadata_add(raster, name, value);
        CPLFree(name);
    }
}

static wadi_status read_dataset(io_input *input, GDALDatasetH from, const char *message, wadi_raster **raster) {
    if (GDALGetRasterCount(from) == 0) return refuse_container(input, from);
    io_meaning meaning = {0};
    gdal_cells cells = {0};
    wadi_status status = find_bands(input, from, &cells);
    if (status == WADI_OK)
        status = io_begin(input, (uint64_t)GDALGetRasterXSize(from), (uint64_t)GDALGetRasterYSize(from), raster);
    if (status == WADI_OK) name_format_and_band(&cells, from, *raster);
    if (status == WADI_OK) take_metadata(from, *raster);
    if (status == WADI_OK) status = describe(input, cells.bands[0], &cells.samples, *raster);
    if (status == WADI_OK) status = io_gdal_georef(input, from, *raster, &meaning);
    if (status == WADI_OK) status = io_gdal_check_text(input, from);
    if (status != WADI_OK) return status;
    read_scale(cells.bands[0], &meaning, *raster);
    status = find_cells(input, &cells, *raster, &meaning);
    if (cells.mask != NULL) (*raster)->from.mask = WADI_ORIGIN_FILE;
    if (status == WADI_OK) status = read_rows(input, &cells, message, *raster);
    free(cells.shades);
    note_origins(io_gdal_read_beside(input->name), *raster);
    return status == WADI_OK ? io_finish(input, *raster, &meaning) : status;
}

/* What GDAL tells of a place that the reader of the file did not find is in a .prj or a world file. */
static wadi_status describe_place(const io_input *input, GDALDatasetH from, io_told_beside told, wadi_raster *raster,
                                  io_meaning *meaning) {
    const bool had_cell = raster->has_georef;
    io_meaning found = {0};
    free(raster->georef.crs);
    raster->georef = (wadi_georef){0};
    raster->flipped = raster->has_georef = false;
    const wadi_status status = io_gdal_georef(input, from, raster, &found);
    if (status != WADI_OK) return status;
    if (meaning->unit_m == 0) meaning->unit_m = found.unit_m;
    meaning->ground_unit_m = found.ground_unit_m;
    if (!raster->has_georef) return WADI_OK;
    const bool by_prj = GDALGetSpatialRef(from) == NULL && *raster->georef.name != '\0';
    if (told.crs || by_prj) raster->from.crs = WADI_ORIGIN_BESIDE;
    if (told.cell || !had_cell) raster->from.cell = WADI_ORIGIN_BESIDE;
    return WADI_OK;
}

/* Adds missing information; see io_gdal_describe. */
static wadi_status describe_more(const io_input *input, GDALDatasetH from, wadi_raster *raster, io_meaning *meaning) {
    GDALRasterBandH band = GDALGetRasterCount(from) > 0 ? GDALGetRasterBand(from, 1) : NULL;
    if (band == NULL || GDALGetRasterXSize(from) != raster->width || GDALGetRasterYSize(from) != raster->height)
        return WADI_OK;
    const io_told_beside told = io_gdal_read_beside(input->name);
    if (raster->metadata == NULL) take_metadata(from, raster);
    if (!raster->has_georef || raster->georef.crs_bytes == 0 || told.crs || told.cell) {
        const wadi_status status = describe_place(input, from, told, raster, meaning);
        if (status != WADI_OK) return status;
    }
    if (meaning->mixed) return WADI_OK; /* the rest is about the samples */
    int there = 0;
    const double nodata = nodata_of(band, &there);
    if (there && !raster->has_nodata) {
        raster->has_nodata = meaning->has_nodata = true;
        raster->nodata = meaning->nodata = nodata;
        if (told.nodata) raster->from.nodata = WADI_ORIGIN_BESIDE;
    }
    if (meaning->scaled || meaning->ranged) return WADI_OK;
    const bool had_unit = meaning->unit_m > 0;
    read_scale(band, meaning, raster);
    if (meaning->scaled && told.scale) raster->from.scale = WADI_ORIGIN_BESIDE;
    if (!had_unit && told.unit && meaning->unit_m > 0) raster->from.unit = WADI_ORIGIN_BESIDE;
    return WADI_OK;
}

/* Opens compressed files through GDAL's file systems. */
static char *name_for_gdal(io_input *input, const char **archive) {
    uint8_t head[4] = {0};
    io_input_read(input, 0, head, sizeof head);
    *archive = memcmp(head, "\x1f\x8b", 2) == 0 ? "/vsigzip/" : memcmp(head, "PK\3\4", 4) == 0 ? "/vsizip/" : "";
    char *name = CPLStrdup(CPLSPrintf("%s%s", *archive, input->name));
    char **files = strcmp(*archive, "/vsizip/") == 0 ? VSIReadDir(name) : NULL;
    if (files != NULL && CSLCount(files) == 1) { /* some formats tell the place by the name inside */
        char *only = CPLStrdup(CPLSPrintf("%s/%s", name, files[0]));
        CPLFree(name);
        name = only;
    }
    CSLDestroy(files);
    return name;
}

static wadi_status refuse_unknown(const io_input *input, const char *name, const char *archive, const char *message) {
    char **files = strcmp(archive, "/vsizip/") == 0 ? VSIReadDir(name) : NULL;
    const wadi_status status =
        files != NULL ? wadi_fail(WADI_ERROR_FORMAT, "%s: is an archive; name a raster in it, such as %s/%.200s",
                                  input->name, name, files[0])
                      : wadi_fail(WADI_ERROR_FORMAT, "%s: is no raster that is known here%s%s%s; convert it to GeoTIFF",
                                  input->name, message[0] != '\0' ? " (" : "", message, message[0] != '\0' ? ")" : "");
    CSLDestroy(files);
    return status;
}

/* Runs with GDAL's settings and its errors in `message`. meaning: NULL to read the raster, else to describe it. */
static wadi_status open_and_use(io_input *input, bool closed, const char *message, wadi_raster **raster,
                                io_meaning *meaning) {
    const char *archive;
    char *name = name_for_gdal(input, &archive);
    wadi_status status = io_gdal_check(input->name, name, closed);
    if (status == WADI_OK) {
        char **drivers = io_gdal_drivers(closed);
        const unsigned how = GDAL_OF_RASTER | GDAL_OF_READONLY;
        GDALDatasetH from = GDALOpenEx(name, how, (const char *const *)drivers, NULL, NULL);
        if (meaning != NULL)
            status = from != NULL ? describe_more(input, from, *raster, meaning) : WADI_OK;
        else
            status = from != NULL ? read_dataset(input, from, message, raster)
                                  : refuse_unknown(input, name, archive, message);
        if (from != NULL) GDALClose(from);
        CSLDestroy(drivers);
    }
    CPLFree(name);
    return status;
}

static wadi_status with_gdal(io_input *input, wadi_raster **raster, io_meaning *meaning) {
    char message[160];
    const bool closed = io_gdal_enter(message);
    const wadi_status status = open_and_use(input, closed, message, raster, meaning);
    io_gdal_leave(closed);
    return status;
}

static wadi_status io_gdal_read(io_input *input, wadi_raster **raster) {
    input->by_gdal = true;
    const wadi_status loaded = io_gdal_load();
    if (loaded != WADI_OK) return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: %s", input->name, wadi_error_message());
    return with_gdal(input, raster, NULL);
}

wadi_status io_gdal_describe(const io_input *input, wadi_raster *raster, io_meaning *meaning) {
    if (io_gdal_load() != WADI_OK) return WADI_OK; /* as without GDAL */
    io_input file = {.name = input->name, .options = input->options, .memory_limit = input->memory_limit};
    return with_gdal(&file, &raster, meaning);
}

#else

wadi_status io_gdal_describe(const io_input *input, wadi_raster *raster, io_meaning *meaning) {
    (void)input;
    (void)raster;
    (void)meaning;
    return WADI_OK;
}

#endif

const io_format io_format_GDAL = {
    .facts = {.name = "(read by GDAL)",
              .endings = "asc hgt dem vrt img bil flt grd adf dt0 dt1 dt2 ter xyz nc jp2",
              .package = "libgdal-dev libgeotiff-dev"},
#ifdef WITH_GDAL
    .read = io_gdal_read,
#endif
};
