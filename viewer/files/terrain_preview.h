/* terrain_preview.h: a small shaded picture of a terrain that a recipe generates. */
#ifndef WADI_VIEWER_FILES_TERRAIN_PREVIEW_H
#define WADI_VIEWER_FILES_TERRAIN_PREVIEW_H

#include <gtk/gtk.h>

enum { TERRAIN_PREVIEW = 256 }; /* pixels, and at most as many cells */

GtkWidget *terrain_preview_new(void);
/* Draws the terrain of the text of a recipe. If it cannot be made, the reason is shown in place of the picture. */
void terrain_preview_show(GtkWidget *preview, const char *recipe);

#endif
