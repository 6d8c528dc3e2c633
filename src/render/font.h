/* font.h: a small stroke font: ASCII and a few signs for units. */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#define RENDER_FONT_CAPITAL 14.0 /* units: height of a capital */
#define RENDER_FONT_SPACING 4.0  /* between two glyphs */
#define RENDER_FONT_SEGMENTS 160

typedef struct render_segment {
    double x0, y0, x1, y1; /* y upwards from the baseline */
} render_segment;

typedef struct render_glyph {
    double width;
    int segments;
    render_segment segment[RENDER_FONT_SEGMENTS];
} render_glyph;

/* The glyph of the next character of UTF-8 text. Moves *text past it. An ill-formed byte counts as a character. */
void render_font_next(const char **text, render_glyph *glyph);

#endif
