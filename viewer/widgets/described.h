/* described.h: drop-downs whose list has a sentence below each name, and a picture beside it. */
#ifndef WADI_WIDGETS_DESCRIBED_H
#define WADI_WIDGETS_DESCRIBED_H

#include <gtk/gtk.h>

#include "wadi/sim.h"

/* The sentence of a line of the list; NULL: it has none. */
typedef const char *described_sentence(void *user, guint position);

/* The preset whose picture a line has; NULL: it has none. */
typedef const wadi_preset *described_preset(void *user, guint position);

/* For a drop-down of a GtkStringList. `user` outlives it. */
void described_rows(GtkDropDown *drop_down, described_sentence *sentence, described_preset *preset, void *user);

#endif
