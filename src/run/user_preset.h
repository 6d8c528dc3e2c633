/* user_preset.h: presets of the user, as small YAML files: a preset of a model, knobs that are moved, and parameters.
 */
#ifndef WADI_RUN_USER_PRESET_H
#define WADI_RUN_USER_PRESET_H

#include "adjust.h"
#include "run_options.h"

typedef struct user_preset {
    char *name, *path;
    const wadi_model *model;
    const wadi_preset *base;
    int boundary;           /* -1: the base's */
    adjustment *adjustment; /* from the base; its texts are those of the file */
} user_preset;

enum { PRESET_PATH = 4096, PRESET_SUMMARY = 256 };

/* The user's folder, and the file of a preset in it. false: there is no such folder, or the name is no file's. */
bool run_user_preset_path(const char *name, char path[PRESET_PATH]);
/* Free it in any case. */
wadi_status run_user_preset_read(const char *path, user_preset *preset);
void run_user_preset_free(user_preset *preset);
/* By a file's name, or by name from the user's folder. *found: whether it is either. */
wadi_status run_user_preset_find(const char *name, bool *found, user_preset *preset);
/* Those of the folder, by name. A file that is no preset is left out, with a warning. */
wadi_status run_user_presets_list(user_preset **presets, size_t *count);
void run_user_presets_free(user_preset *presets, size_t count);

/* "alpine, rock 0.2, Kd 1", into `text`, which is returned. */
const char *run_user_preset_summary(const user_preset *preset, char text[PRESET_SUMMARY]);
/* The base at its own scale, for the definition's grid, then the knobs and the parameters. */
wadi_status run_user_preset_apply(const user_preset *preset, wadi_def *def);
/* Writes where the parameters stand to the user's folder. A preset of this name is replaced. */
wadi_status run_user_preset_write(const char *name, const settings_now *now);

/* If the options name a preset of the user: its base in its place, with its knobs and parameters before those of the
 * options. A knob of the options replaces the preset's. `texts` owns what is added. */
wadi_status run_user_preset_expand(run_options *options, run_places *places, text_list *texts);

#endif
