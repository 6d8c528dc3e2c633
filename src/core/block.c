/* block.c: memory of fields and their halo. */
#include "core/block.h"

#include <string.h>

#include "platform/platform.h"

#define STAGGER 80 /* floats: keeps the same cell of different fields out of one cache set */

void wadi_block_shape(wadi_block *block, int width, int height, int threads) {
    block->threads = threads;
    block->width = width;
    block->height = height;
    block->folder = NULL;
    block->pitch = ((ptrdiff_t)width + 15) / 16 * 16 + 2 * WADI_PAD;
}

static size_t floats(const wadi_block *block) {
    return (size_t)block->pitch * ((size_t)block->height + 2) + STAGGER * (WADI_MAX_FIELDS + WADI_MAX_MAPS);
}

uint64_t wadi_block_field_bytes(int width, int height) {
    wadi_block block;
    wadi_block_shape(&block, width, height, 1);
    return floats(&block) * sizeof(float);
}

static float *origin(const wadi_block *block, int which, float *pages) {
    return pages + block->pitch + WADI_PAD + STAGGER * which;
}

static float *allocate(const wadi_block *block) {
    const size_t bytes = floats(block) * sizeof(float);
    return block->folder != NULL ? platform_scratch(block->folder, bytes) : platform_pages(bytes);
}

float *wadi_block_allocate(const wadi_block *block, int which, float value) {
    float *pages = allocate(block);
    if (pages == NULL) return NULL;
    float *field = origin(block, which, pages);
    if (value == 0) return field;
#pragma omp parallel for schedule(static) num_threads(block->threads)
    for (int y = -1; y <= block->height; y++)
        for (int x = -1; x <= block->width; x++) wadi_block_row(block, field, y)[x] = value;
    return field;
}

static float *pages_of(const wadi_block *block, int which, float *field) {
    return field - (origin(block, which, field) - field);
}

void wadi_block_free(const wadi_block *block, int which, float *field) {
    if (field == NULL) return;
    float *pages = pages_of(block, which, field);
    if (block->folder == NULL || !platform_scratch_free(pages))
        platform_pages_free(pages, floats(block) * sizeof(float));
}

void wadi_block_drop(const wadi_block *block, int which, float *field) {
    if (field != NULL) platform_pages_drop(pages_of(block, which, field), floats(block) * sizeof(float));
}

/* First touch places a page near its thread. So each row's ends are written by the thread whose partition has the row.
 */
void wadi_block_surround(const wadi_block *block, float *field, float value) {
#pragma omp parallel for schedule(static) num_threads(block->threads)
    for (int y = -1; y <= block->height; y++) {
        float *row = wadi_block_row(block, field, y);
        row[-1] = row[block->width] = value;
        if (y < 0 || y == block->height)
            for (int x = 0; x < block->width; x++) row[x] = value;
    }
}

void wadi_block_pass(const wadi_block *block, float *field, int y, int rows) {
    if (block->folder != NULL)
        platform_scratch_pass(wadi_block_row(block, field, y) - WADI_PAD,
                              (size_t)rows * (size_t)block->pitch * sizeof *field);
}
