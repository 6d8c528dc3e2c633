/* sheet.c: many small pictures with a line below each, in rows. */
#include <math.h>

#include "canvas.h"
#include "core/need.h"
#include "core/strict.h"

#define PAPER 0xfaf9f6
#define INK 0x2b2e31

enum { GAP = 16, BELOW = 30, TEXT_SIZE = 11, TEXT_DOWN = 20, MOST_SIDE = 65535, MOST_PICTURES = 4096 };

typedef struct grid {
    int columns, rows, width, height; /* width and height of a place, with what is around the picture */
} grid;

/* The sheet is about a third wider than high. */
static grid grid_of(const wadi_picture *picture, int count) {
    const int width = picture->width + GAP, height = picture->height + BELOW + GAP;
    const int columns = (int)ceil(sqrt(1.3 * count * height / width));
    const int used = columns < count ? columns : count;
    return (grid){used, (count + used - 1) / used, width, height};
}

static wadi_status check(const wadi_picture *const *pictures, int count) {
    if (count < 1 || count > MOST_PICTURES)
        return wadi_fail(WADI_ERROR_ARGUMENT, "render: %d pictures; a sheet holds 1 to %d", count, MOST_PICTURES);
    for (int i = 0; i < count; i++) {
        WADI_NEED(pictures[i]);
        if (pictures[i]->width != pictures[0]->width || pictures[i]->height != pictures[0]->height)
            return wadi_fail(WADI_ERROR_ARGUMENT, "render: picture %d has another size than the first", i + 1);
    }
    return WADI_OK;
}

static void copy(const wadi_picture *from, wadi_picture *to, int left, int top) {
    for (int y = 0; y < from->height; y++) {
        const uint8_t *row = from->rgb + (size_t)y * (size_t)from->width * 3;
        uint8_t *at = to->rgb + ((size_t)(top + y) * (size_t)to->width + (size_t)left) * 3;
        for (int i = 0; i < from->width * 3; i++) at[i] = row[i];
    }
}

wadi_status wadi_render_sheet(const wadi_picture *const *pictures, const char *const *labels, int count,
                              wadi_picture **sheet) {
    WADI_IEEE_MODE;
    WADI_NEED(sheet);
    *sheet = NULL;
    WADI_NEED(pictures);
    const wadi_status status = check(pictures, count);
    if (status != WADI_OK) return status;
    const grid grid = grid_of(pictures[0], count);
    const double width = GAP + (double)grid.columns * grid.width, height = GAP + (double)grid.rows * grid.height;
    if (width > MOST_SIDE || height > MOST_SIDE)
        return wadi_fail(WADI_ERROR_ARGUMENT, "render: a sheet of %.0fx%.0f pixels is too large", width, height);
    *sheet = render_picture_create((int)width, (int)height);
    if (*sheet == NULL) return wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory for %d pictures", count);
    render_fill(*sheet, 0, 0, (*sheet)->width, (*sheet)->height, PAPER);
    for (int i = 0; i < count; i++) {
        const int left = GAP + i % grid.columns * grid.width, top = GAP + i / grid.columns * grid.height;
        copy(pictures[i], *sheet, left, top);
        const char *label = labels != NULL && labels[i] != NULL ? labels[i] : "";
        render_text(*sheet, left, top + pictures[i]->height + TEXT_DOWN, TEXT_SIZE, INK, label);
    }
    return WADI_OK;
}
