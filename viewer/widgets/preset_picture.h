/* preset_picture.h: the small picture of a preset: what it makes of the same hills. */
#ifndef WADI_WIDGETS_PRESET_PICTURE_H
#define WADI_WIDGETS_PRESET_PICTURE_H

#include <gtk/gtk.h>

#include "wadi/sim.h"

enum { PRESET_PICTURE_WIDTH = 144, PRESET_PICTURE_HEIGHT = 96 };

/* NULL: there is none yet. The caller releases it. */
GdkTexture *preset_picture_new(const wadi_preset *preset);

#endif
