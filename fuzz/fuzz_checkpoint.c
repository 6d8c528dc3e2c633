/* Checkpoints from bytes that anybody may have written. The first byte picks what happens, the rest is the file; its
 * checksums are made right on the way, or nothing would get past them. */
#include <math.h>

#include "platform/platform.h"
#include "tape.h"

static void restore(const uint8_t *bytes, size_t count, const wadi_def *how, bool as_given, wadi_sim **sim) {
    tape tape = tape_of(bytes, count, as_given);
    void *note;
    size_t note_bytes;
    const wadi_status status = wadi_sim_restore(play, &tape, how, sim, &note, &note_bytes);
    if ((status == WADI_OK) != (*sim != NULL) || (status == WADI_OK) != (note != NULL)) abort();
    if (status != WADI_OK && (wadi_error_message()[0] == '\0' || note_bytes != 0)) abort();
    free(note);
}

static void use(wadi_sim *sim) {
    static const char *const fields[] = {"height", "water", "sediment", "flow", "velocity", "mask", "erosion"};
    float values[MOST_CELLS];
    const size_t cells = (size_t)wadi_sim_def(sim)->width * (size_t)wadi_sim_def(sim)->height;
    if (cells > MOST_CELLS) abort();
    if (wadi_sim_safety(sim).substeps <= 4) wadi_sim_step(sim, 2); /* strange values may end in a refusal */
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        if (wadi_sim_get(sim, fields[f], values, cells) != WADI_OK && strcmp(fields[f], "velocity") != 0)
            abort(); /* not every model's water has a velocity */
    wadi_mass mass;
    wadi_sim_mass(sim, &mass);
    wadi_sim_time(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes_, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes_, size_t count) {
    static bytes again;
    if (count == 0 || too_large(bytes_ + 1, count - 1)) return 0;
    const unsigned choice = bytes_[0];
    const wadi_def how = {.threads = 1, .engine = (choice & 1) != 0 ? WADI_ENGINE_REFERENCE : WADI_ENGINE_CPU};
    wadi_sim *sim, *same;
    restore(bytes_ + 1, count - 1, &how, (choice & 2) != 0, &sim);
    if (sim == NULL) return 0;
    again.count = 0; /* what was taken is written again, and taken again */
    if (wadi_sim_save(sim, NULL, 0, record, &again) != WADI_OK) abort();
    restore(again.at, again.count, &how, true, &same);
    if (same == NULL || wadi_sim_steps(same) != wadi_sim_steps(sim)) abort();
    wadi_sim_destroy(same);
    use(sim);
    wadi_sim_destroy(sim);
    return 0;
}

/* --- seeds: small simulations of every model, into the first folder that the fuzzer was given ------------------ */

static void must(wadi_status status) {
    if (status == WADI_OK) return;
    fprintf(stderr, "%s\n", wadi_error_message());
    abort();
}

enum { SEED_WIDTH = 5, SEED_HEIGHT = 4, SEED_CELLS = SEED_WIDTH * SEED_HEIGHT };

static void set_all(wadi_sim *sim, const char *field, float value) {
    float values[SEED_CELLS];
    for (int i = 0; i < SEED_CELLS; i++) values[i] = value;
    must(wadi_sim_set(sim, field, values, SEED_CELLS));
}

static void save_seed(const char *folder, const wadi_model *model, wadi_boundary boundary) {
    static bytes seed;
    char path[4096];
    wadi_sim *sim;
    float heights[SEED_CELLS];
    for (int i = 0; i < SEED_CELLS; i++) heights[i] = i == 7 ? NAN : (float)(i * 37 % 11);
    wadi_def def = wadi_default_def(model, SEED_WIDTH, SEED_HEIGHT, 1, 1);
    def.boundary = boundary;
    def.threads = 1;
    if (boundary == WADI_OPEN) def.drops = (wadi_drops){1.5, 1, 0.1};
    must(wadi_sim_create(&def, &sim));
    must(wadi_sim_set(sim, "height", heights, SEED_CELLS));
    set_all(sim, "water", 0.1f);
    if (boundary == WADI_WRAP) set_all(sim, "mask", 0.5f);
    const wadi_source source = {2.5, 2.5, 1, 0.1, 0, 10};
    if (boundary == WADI_OPEN) must(wadi_sim_set_sources(sim, &source, 1));
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    for (size_t p = 0; boundary == WADI_WRAP && p < count; p++)
        if (parameters[p].per_cell) set_all(sim, parameters[p].name, (float)def.values[p]);
    must(wadi_sim_step(sim, 3));
    seed.count = 0;
    put(&seed, &(uint8_t){boundary == WADI_CLOSED}, 1);
    must(wadi_sim_save(sim, "note", boundary == WADI_OPEN ? 4 : 0, record, &seed));
    snprintf(path, sizeof path, "%s/seed-%s-%d", folder, wadi_model_id(model), (int)boundary);
    save(path, &seed);
    wadi_sim_destroy(sim);
}

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    const char *folder = NULL;
    for (int i = 1; i < *count && folder == NULL; i++)
        if ((*arguments)[i][0] != '-') folder = (*arguments)[i];
    if (folder == NULL || !platform_is_folder(folder)) return 0;
    for (size_t m = 0; m < wadi_model_count(); m++)
        for (int boundary = WADI_CLOSED; boundary <= WADI_WRAP; boundary++)
            save_seed(folder, wadi_model_at(m), (wadi_boundary)boundary);
    return 0;
}
