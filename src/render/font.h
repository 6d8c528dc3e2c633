/* font.h: a small stroke font of our own: ASCII and a few signs that units need. */
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

/* The glyph of the next character of UTF-8 text, which is moved past it. Ill-formed bytes count as a character each. */
void render_font_next(const char **text, render_glyph *glyph);

#endif
