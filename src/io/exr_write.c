/* exr_write.c: OpenEXR files of float32 channels, ZIP, by OpenEXRCore. All threads compress. */
#include "exr.h"

#ifdef WADI_WITH_EXR

#include "platform/openmp.h"

#include <errno.h>
#include <openexr.h>
#include <stdint.h>
#include <string.h>

/* The library holds its lock while it writes. An error handler that calls the library, as on_error() does, would wait
 * for that lock forever. So the output keeps errors of writing, and other errors have no text. */
static void ignore_error(exr_const_context_t exr, exr_result_t code, const char *text) {
    (void)exr;
    (void)code;
    (void)text;
}

static int64_t write_bytes(exr_const_context_t exr, void *user, const void *from, uint64_t count, uint64_t offset,
                           exr_stream_error_func_ptr_t error) {
    (void)exr;
    (void)error;
    return io_output_write((io_output *)user, offset, from, (size_t)count) ? (int64_t)count : -1;
}

static bool adds_channels(exr_context_t exr, int part, const io_exr_image *image) {
    const exr_perceptual_treatment_t treatment =
        image->logarithmic ? EXR_PERCEPTUALLY_LOGARITHMIC : EXR_PERCEPTUALLY_LINEAR;
    bool good = true;
    for (int c = 0; c < image->channels && good; c++)
        good = exr_add_channel(exr, part, image->names[c], EXR_PIXEL_FLOAT, treatment, 1, 1) == EXR_ERR_SUCCESS;
    return good;
}

static bool declares(exr_context_t exr, const io_exr_image *image) {
    int part = 0;
    const exr_attr_v2d_t cell = {.x = image->lx, .y = image->ly};
    return exr_add_part(exr, image->part, EXR_STORAGE_SCANLINE, &part) == EXR_ERR_SUCCESS &&
           exr_initialize_required_attr_simple(exr, part, image->width, image->height, EXR_COMPRESSION_ZIP) ==
               EXR_ERR_SUCCESS &&
           (!(image->lx > 0) || exr_attr_set_v2d(exr, part, IO_EXR_CELL_SIZE, &cell) == EXR_ERR_SUCCESS) &&
           (image->unit == NULL || exr_attr_set_string(exr, part, IO_EXR_UNIT, image->unit) == EXR_ERR_SUCCESS) &&
           adds_channels(exr, part, image) && exr_write_header(exr) == EXR_ERR_SUCCESS;
}

/* The library keeps its channels in the order of their names. */
static const float *plane_of(const io_exr_image *image, const char *name) {
    int c = 0;
    while (c < image->channels - 1 && strcmp(image->names[c], name) != 0) c++;
    return image->planes[c];
}

/* Compresses the chunk that begins at line y. The pipeline then holds the bytes. */
static bool encodes(exr_context_t exr, exr_encode_pipeline_t *pipeline, const io_exr_image *image, int y) {
    exr_chunk_info_t chunk = {0};
    const bool first = pipeline->channels == NULL;
    if (exr_write_scanline_chunk_info(exr, 0, y, &chunk) != EXR_ERR_SUCCESS) return false;
    if (first ? exr_encoding_initialize(exr, 0, &chunk, pipeline) != EXR_ERR_SUCCESS
              : exr_encoding_update(exr, 0, &chunk, pipeline) != EXR_ERR_SUCCESS)
        return false;
    for (int c = 0; c < pipeline->channel_count; c++) {
        exr_coding_channel_info_t *from = &pipeline->channels[c];
        const float *plane = plane_of(image, from->channel_name);
        from->encode_from_ptr = (const uint8_t *)(plane + (size_t)y * (size_t)image->width);
        from->user_data_type = EXR_PIXEL_FLOAT;
        from->user_bytes_per_element = sizeof(float);
        from->user_pixel_stride = sizeof(float);
        from->user_line_stride = image->width * (int32_t)sizeof(float);
    }
    if (first && exr_encoding_choose_default_routines(exr, 0, pipeline) != EXR_ERR_SUCCESS) return false;
    pipeline->yield_until_ready_fn = NULL; /* the chunks are written in order below */
    pipeline->write_fn = NULL;
    return exr_encoding_run(exr, 0, pipeline) == EXR_ERR_SUCCESS;
}

static bool write_lines(exr_context_t exr, const io_exr_image *image, bool *no_memory) {
    int32_t step = 0;
    if (exr_get_scanlines_per_chunk(exr, 0, &step) != EXR_ERR_SUCCESS || step < 1) return false;
    bool good = true; /* only in the ordered section */
#pragma omp parallel
    {
        WADI_IEEE_MODE;
        exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
#pragma omp for ordered schedule(static, 1)
        for (int y = 0; y < image->height; y += step) {
            errno = 0;
            const bool encoded = encodes(exr, &pipeline, image, y);
#pragma omp ordered
            {
                const bool written = good && encoded &&
                                     exr_write_scanline_chunk(exr, 0, y, pipeline.compressed_buffer,
                                                              pipeline.compressed_bytes) == EXR_ERR_SUCCESS;
                if (good && !written) *no_memory = errno == ENOMEM;
                good = written;
            }
        }
        exr_encoding_destroy(exr, &pipeline);
    }
    return good;
}

wadi_status io_exr_encode(io_output *output, const io_exr_image *image) {
    if (image->width > INT32_MAX / (int)sizeof(float))
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: rows of %d cells are too long for EXR; write .tif", output->path,
                         image->width);
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = ignore_error;
    how.write_fn = write_bytes;
    how.user_data = output;
    exr_context_t exr = NULL;
    bool no_memory = false;
    errno = 0;
    bool good = exr_start_write(&exr, output->path, EXR_WRITE_FILE_DIRECTLY, &how) == EXR_ERR_SUCCESS;
    good = good && declares(exr, image);
    if (!good) no_memory = errno == ENOMEM;
    good = good && write_lines(exr, image, &no_memory);
    if (no_memory) output->error = ENOMEM;
    if (exr != NULL && exr_finish(&exr) != EXR_ERR_SUCCESS) good = false;
    if (good) return WADI_OK;
    return wadi_fail(WADI_ERROR_IO, "%s: cannot be written as EXR; write .tif instead", output->path);
}

#else

wadi_status io_exr_encode(io_output *output, const io_exr_image *image) {
    (void)image;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: EXR not built: install libopenexr-dev and build again", output->path);
}

#endif
