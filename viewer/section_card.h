/* section_card.h: the cross-section below the terrain, along the line that the look stores. */
#ifndef WADI_VIEWER_SECTION_CARD_H
#define WADI_VIEWER_SECTION_CARD_H

#include "viewer/workbench.h"

typedef struct section_card section_card;
section_card *section_card_new(workbench *bench); /* freed with g_free, after its widget is gone */
GtkWidget *section_card_widget(const section_card *card);
void section_card_show(section_card *card); /* with the current line and terrain */

#endif
