/* export_texts.h: fills in the texts in src/run/targets: @name@ stands for a value of the export. */
#ifndef WADI_RUN_EXPORT_TEXTS_H
#define WADI_RUN_EXPORT_TEXTS_H

#include "export_set.h"

/* Writes the target's texts. */
wadi_status run_export_texts(export_set *set);

#endif
