/* tiff_write.c: writes one band, deflated, with the tags of GeoTIFF and GDAL. Files that could exceed 4 GB are BigTIFF.
 */
#include "platform/openmp.h"
#include "tiff_file.h"

#ifdef WADI_WITH_TIFF

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void define_tags(TIFF *tiff) {
    static char scale[] = "ModelPixelScale", ties[] = "ModelTiepoint", keys[] = "GeoKeyDirectory",
                numbers[] = "GeoDoubleParams", text[] = "GeoAsciiParams", metadata[] = "GDAL_METADATA",
                nodata[] = "GDAL_NODATA";
    const TIFFFieldInfo fields[] = {
        {TAG_SCALE, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, scale},
        {TAG_TIES, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, ties},
        {TAG_KEYS, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, keys},
        {TAG_NUMBERS, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, numbers},
        {TAG_TEXT, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, text},
        {TAG_METADATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, metadata},
        {TAG_NODATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, nodata},
    };
    TIFFMergeFieldInfo(tiff, fields, sizeof fields / sizeof *fields);
}

typedef struct tiff_out {
    TIFF *tiff;
    const wadi_raster *raster;
    wadi_write_options *options;
    io_quantiser quantiser; /* for integers */
    bool has_nodata;
    double nodata;
    size_t bytes; /* of a sample */
    int strip_rows;
} tiff_out;

static bool has_missing(const wadi_raster *raster) {
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    bool missing = false;
#pragma omp parallel for schedule(static) reduction(|| : missing)
    for (size_t i = 0; i < count; i++) missing = missing || isnan(raster->values[i]);
    return missing;
}

/* A strip has about 256 KiB. */
static int rows_a_strip(const tiff_out *out) {
    const size_t row_bytes = (size_t)out->raster->width * out->bytes, rows = 262144 / row_bytes;
    return rows < 1 ? 1 : rows < (size_t)out->raster->height ? (int)rows : out->raster->height;
}

static size_t bytes_of(wadi_sample sample) {
    return sample == WADI_SAMPLE_UINT8 || sample == WADI_SAMPLE_INT8     ? 1
           : sample == WADI_SAMPLE_UINT16 || sample == WADI_SAMPLE_INT16 ? 2
                                                                         : 4;
}

static wadi_status choose_samples(tiff_out *out) {
    if (out->options->sample == WADI_SAMPLE_FLOAT32) {
        const double nodata = io_free_nodata(out->raster);
        out->bytes = 4;
        out->nodata = nodata;
        out->has_nodata = has_missing(out->raster) || (out->raster->has_nodata && nodata == out->raster->nodata);
        return WADI_OK;
    }
    const wadi_status status = io_quantiser_make(out->raster, out->options, true, &out->quantiser);
    out->bytes = bytes_of(out->options->sample);
    out->has_nodata = out->quantiser.has_nodata;
    out->nodata = (double)out->quantiser.nodata;
    return status;
}

static bool set_layout(const tiff_out *out, TIFF *tiff) {
    const bool floats = out->options->sample == WADI_SAMPLE_FLOAT32;
    const int format = floats ? SAMPLEFORMAT_IEEEFP : out->quantiser.lowest < 0 ? SAMPLEFORMAT_INT : SAMPLEFORMAT_UINT;
    bool good = TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)out->raster->width) &&
                TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)out->raster->height) &&
                TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, (int)(8 * out->bytes)) &&
                TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format) && TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) &&
                TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
                TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
                TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)out->strip_rows);
    if (good && TIFFIsCODECConfigured(COMPRESSION_ADOBE_DEFLATE))
        good = TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
               TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 1) && /* a third of the time of level 6 for 2 % more bytes */
               TIFFSetField(tiff, TIFFTAG_PREDICTOR, floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    return good;
}

/* "<Item name=...>" with a text; "": no item. */
static char *item_of(const char *head, const char *text) {
    char *escaped = io_xml_escaped(text);
    const size_t size = escaped != NULL ? strlen(head) + strlen(escaped) + 20 : 0;
    char *item = escaped != NULL ? calloc(1, size) : NULL;
    if (item != NULL && *text != '\0') snprintf(item, size, "  <Item %s>%s</Item>\n", head, escaped);
    free(escaped);
    return item;
}

/* Of samples in another unit than the file's. */
static void scale_items(const tiff_out *out, double unit_m, char *text, size_t size) {
    const double scale = out->options->used_scale / unit_m, offset = out->options->used_offset / unit_m;
    char scale_text[40], offset_text[40];
    io_format_number(scale, scale_text, sizeof scale_text);
    io_format_number(offset, offset_text, sizeof offset_text);
    if (scale != 1 || offset != 0)
        snprintf(text, size,
                 "  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">%s</Item>\n"
                 "  <Item name=\"SCALE\" sample=\"0\" role=\"scale\">%s</Item>\n",
                 offset_text, scale_text);
}

/* GDAL's metadata: the description of a map, or the input's own words of heights; scale and unit. */
static wadi_status set_metadata(tiff_out *out, double unit_m) {
    const char *unit = out->options->unit, *description = out->options->description;
    char scaled[200] = "",
         *words[] = {description != NULL ? calloc(1, 1) : io_metadata_xml(out->raster),
                     item_of("name=\"DESCRIPTION\" sample=\"0\" role=\"description\"",
                             description != NULL ? description : out->raster->band_name),
                     item_of("name=\"UNITTYPE\" sample=\"0\" role=\"unittype\"", unit == NULL             ? ""
                                                                                 : strcmp(unit, "m") == 0 ? "metre"
                                                                                                          : unit)};
    scale_items(out, unit_m, scaled, sizeof scaled);
    const bool made = words[0] != NULL && words[1] != NULL && words[2] != NULL;
    const size_t size = made ? strlen(words[0]) + strlen(words[1]) + strlen(scaled) + strlen(words[2]) : 0;
    char *xml = made ? malloc(size + 40) : NULL;
    if (xml != NULL)
        snprintf(xml, size + 40, "<GDALMetadata>\n%s%s%s%s</GDALMetadata>\n", words[0], words[1], scaled, words[2]);
    const wadi_status status = xml == NULL ? io_no_memory("a TIFF's metadata", size + 40, 0)
                               : size == 0 || TIFFSetField(out->tiff, TAG_METADATA, xml) != 0 ? WADI_OK
                                                                                              : WADI_ERROR_IO;
    for (int i = 0; i < 3; i++) free(words[i]);
    free(xml);
    return status;
}

static bool set_georef(TIFF *tiff, const io_geotag_block *block) {
    bool good = TIFFSetField(tiff, TAG_SCALE, 3, block->scale) && TIFFSetField(tiff, TAG_TIES, 6, block->ties);
    if (block->key_count > 0) good = good && TIFFSetField(tiff, TAG_KEYS, (int)block->key_count, block->keys);
    if (block->number_count > 0)
        good = good && TIFFSetField(tiff, TAG_NUMBERS, (int)block->number_count, block->numbers);
    if (block->text_count > 0) good = good && TIFFSetField(tiff, TAG_TEXT, block->text);
    return good;
}

/* A cell size alone is a georeference without a CRS: TIFF has no other place for it. */
static wadi_raster placed(const wadi_raster *raster) {
    wadi_raster copy = *raster;
    if (raster->has_georef || (raster->lx == 1 && raster->ly == 1)) return copy;
    copy.has_georef = true;
    copy.georef = (wadi_georef){.transform = {0, raster->lx, 0, 0, 0, -raster->ly}};
    return copy;
}

/* Integers may keep the unit of their input file. Floats, and samples with another scale, are metres. */
static wadi_status set_tags(tiff_out *out) {
    const wadi_raster copy = placed(out->raster), *raster = &copy;
    double unit = 1;
    wadi_status status = raster->has_georef ? io_georef_unit(raster, &unit) : WADI_OK;
    if (status != WADI_OK) return status;
    const bool in_unit = out->options->sample != WADI_SAMPLE_FLOAT32 && out->options->used_scale == unit &&
                         out->options->used_offset == 0;
    define_tags(out->tiff);
    status = set_metadata(out, in_unit ? unit : 1);
    if (status != WADI_OK) return status;
    bool good = set_layout(out, out->tiff);
    if (good && out->has_nodata) {
        char text[40];
        io_format_number(out->nodata, text, sizeof text);
        good = TIFFSetField(out->tiff, TAG_NODATA, text) != 0;
    }
    if (good && raster->has_georef) {
        io_geotag_block block;
        status = io_georef_to_tags(raster, !in_unit, &block);
        if (status == WADI_OK && out->options->unit != NULL) io_geotags_drop_vertical(&block);
        good = status != WADI_OK || set_georef(out->tiff, &block);
        io_geotag_block_free(&block);
    }
    return good ? status : WADI_ERROR_IO;
}

/* The encoder of a thread: its own TIFF in memory. The encoded strips are copied to the file. */
typedef struct tiff_encoder {
    tiff_state state;
    TIFF *tiff;
    int64_t *integers; /* of a row */
    uint8_t *rows;     /* of a strip */
} tiff_encoder;

static bool encoder_open(const tiff_out *out, tiff_encoder *encoder) {
    const size_t width = (size_t)out->raster->width;
    encoder->integers = malloc(width * sizeof *encoder->integers);
    encoder->rows = malloc(width * out->bytes * (size_t)out->strip_rows);
    encoder->tiff = io_tiff_open(&encoder->state, "memory", "w", UINT64_MAX);
    return encoder->integers != NULL && encoder->rows != NULL && encoder->tiff != NULL &&
           set_layout(out, encoder->tiff);
}

static void encoder_close(tiff_encoder *encoder) {
    if (encoder->tiff != NULL) TIFFClose(encoder->tiff);
    free(encoder->state.strip);
    free(encoder->integers);
    free(encoder->rows);
}

/* In the host's byte order: libtiff swaps them if needed. Returns the number of clamped samples. */
static uint64_t fill_row(const tiff_out *out, size_t y, int64_t *integers, void *row) {
    const size_t width = (size_t)out->raster->width;
    const float *values = out->raster->values + y * width;
    if (out->options->sample == WADI_SAMPLE_FLOAT32) {
        float *samples = row;
        for (size_t x = 0; x < width; x++) samples[x] = isnan(values[x]) ? (float)out->nodata : values[x];
        return 0;
    }
    const uint64_t clamped = io_quantise(&out->quantiser, values, width, integers);
    for (size_t x = 0; x < width; x++) {
        if (out->bytes == 1)
            ((uint8_t *)row)[x] = (uint8_t)integers[x];
        else if (out->bytes == 2)
            ((uint16_t *)row)[x] = (uint16_t)integers[x];
        else
            ((uint32_t *)row)[x] = (uint32_t)integers[x];
    }
    return clamped;
}

static bool encode_strip(const tiff_out *out, uint32_t strip, tiff_encoder *encoder, uint64_t *clamped) {
    const int first = (int)strip * out->strip_rows, left = out->raster->height - first;
    const int rows = left < out->strip_rows ? left : out->strip_rows;
    const size_t row_bytes = (size_t)out->raster->width * out->bytes;
    *clamped = 0;
    for (int y = 0; y < rows; y++)
        *clamped += fill_row(out, (size_t)first + (size_t)y, encoder->integers, encoder->rows + (size_t)y * row_bytes);
    encoder->state.strip_bytes = 0;
    return TIFFWriteEncodedStrip(encoder->tiff, strip, encoder->rows, (tmsize_t)((size_t)rows * row_bytes)) >= 0;
}

/* In order, so that the file is the same for any number of threads. Stops after a failure. */
static bool write_strips(tiff_out *out, tiff_encoder *encoders, int threads, tiff_state *state) {
    const int strips = (out->raster->height + out->strip_rows - 1) / out->strip_rows;
    int failed = 0;
#pragma omp parallel num_threads(threads)
    {
        WADI_IEEE_MODE;
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < strips; i++) {
            tiff_encoder *encoder = &encoders[omp_get_thread_num()];
            uint64_t clamped = 0;
            int stopped;
#pragma omp atomic read
            stopped = failed;
            const bool encoded = !stopped && encode_strip(out, (uint32_t)i, encoder, &clamped);
#pragma omp ordered
            if (!failed) {
                const bool written = encoded && TIFFWriteRawStrip(out->tiff, (uint32_t)i, encoder->state.strip,
                                                                  (tmsize_t)encoder->state.strip_bytes) >= 0;
                out->options->clamped += clamped;
                if (!encoded) memcpy(state->message, encoder->state.message, sizeof state->message);
                if (encoder->state.no_memory) state->no_memory = true;
                if (!written) {
#pragma omp atomic write
                    failed = 1;
                }
            }
        }
    }
    return !failed && TIFFFlush(out->tiff) == 1;
}

/* Encodes with as many encoders as could be created. */
static wadi_status write_image(tiff_out *out, const char *path, tiff_state *state) {
    wadi_status status = choose_samples(out);
    out->strip_rows = rows_a_strip(out);
    if (status == WADI_OK) status = set_tags(out);
    if (status != WADI_OK) return status;
    const int strips = (out->raster->height - 1) / out->strip_rows + 1, threads = omp_get_max_threads();
    const int wanted = strips < threads ? strips : threads;
    tiff_encoder *encoders = calloc((size_t)wanted, sizeof *encoders);
    int open = 0;
    while (encoders != NULL && open < wanted && encoder_open(out, &encoders[open])) open++;
    if (open == 0)
        status = io_no_memory(path, (uint64_t)out->raster->width * out->bytes * (uint64_t)out->strip_rows, 0);
    else if (!write_strips(out, encoders, open, state))
        status = WADI_ERROR_IO;
    for (int i = 0; encoders != NULL && i < wanted; i++) encoder_close(&encoders[i]);
    free(encoders);
    return status;
}

wadi_status io_tiff_write(io_output *output, const wadi_raster *raster, wadi_write_options *options) {
    tiff_state state = {.output = output};
    const double bytes = (double)raster->width * raster->height * 4; /* deflate can enlarge random bytes a little */
    TIFF *tiff = io_tiff_open(&state, output->path, bytes > 3.5e9 ? "w8" : "w", 0);
    if (tiff == NULL) return io_tiff_not_opened(&state, output->path, WADI_ERROR_IO);
    tiff_out out = {.tiff = tiff, .raster = raster, .options = options};
    wadi_status status = write_image(&out, output->path, &state);
    TIFFClose(tiff);
    if (state.no_memory) output->error = ENOMEM;
    if (status == WADI_ERROR_IO)
        status = wadi_fail(WADI_ERROR_IO, "%s: cannot be written as TIFF: %s", output->path, state.message);
    return status;
}

#endif
