/* draw.h (internal): the state of drawing a picture. */
#ifndef RENDER_LANDSCAPE_DRAW_H
#define RENDER_LANDSCAPE_DRAW_H

#include "render/landscape/landscape.h"

typedef struct drawing {
    wadi_landscape *l;
    const wadi_look *look;
    eye eye;
    double exaggeration, threshold, deep, base, relief;
    double low, high; /* of the heights' colours, m */
    double land;      /* the lowest land, m */
    double firn;      /* m, exaggerated: the lowest firn, where there is ice */
    bool overlaid, wet, icy;
    render_layer overlay;
    int width, height; /* pixels */
    int shading;       /* which of the SHADINGS */
    frame *frame;
} drawing;

/* Uses a program and sets the uniforms of common.glsl. */
void landscape_use(const drawing *drawing, GLuint program);
/* The largest deposition or erosion, m. */
double landscape_most_change(const wadi_landscape *l);
/* Creates the programs and the frame for the look's quality, if needed. */
wadi_status landscape_choose_shading(drawing *drawing);
/* Draws each pixel's colour into a framebuffer. */
void landscape_colour(const drawing *drawing, GLuint framebuffer);
/* What the look has on the ground, with a program that is told all else already. */
void landscape_draw_marks(const drawing *drawing, GLuint program);

#endif
