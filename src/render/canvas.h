/* canvas.h: rectangles and lettering on a picture. */
#ifndef RENDER_CANVAS_H
#define RENDER_CANVAS_H

#include "wadi/render.h"

wadi_picture *render_picture_create(int width, int height); /* not cleared; NULL: not enough memory */

/* Draws only within the picture. Colours are 0xRRGGBB, positions pixels from the top left. */
void render_fill(wadi_picture *picture, int x, int y, int width, int height, uint32_t srgb);
void render_frame(wadi_picture *picture, int x, int y, int width, int height,
                  uint32_t srgb); /* one pixel, just outside */

/* A line with round ends. */
void render_line(wadi_picture *picture, double x0, double y0, double x1, double y1, double width, uint32_t srgb);

/* Text (UTF-8; unknown characters become a box) with its baseline at y; `size` is the height of a capital.
 * Returns the width. */
double render_text(wadi_picture *picture, double x, double y, double size, uint32_t srgb, const char *text);
double render_text_width(double size, const char *text);

#endif
