/* described.h: drop-downs whose list has a sentence below each name. */
#ifndef WADI_WIDGETS_DESCRIBED_H
#define WADI_WIDGETS_DESCRIBED_H

#include <gtk/gtk.h>

/* The sentence of a line of the list; NULL: it has none. */
typedef const char *described_sentence(void *user, guint position);

/* For a drop-down of a GtkStringList. `user` outlives it. */
void described_rows(GtkDropDown *drop_down, described_sentence *sentence, void *user);

#endif
