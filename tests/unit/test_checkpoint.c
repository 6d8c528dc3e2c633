/* A checkpoint has the same bytes on every machine, whatever its byte order, and continues with the same bits. So one
 * machine can read what another has written. labels: bits */
#include "scene.h"

#include <limits.h>

/* The hash changes with the format, and with jako2011's parameters and golden hashes. */
#define CHECKPOINT "0c5e60e188dea2202e0038e941ec6d66376285de4aa277fc186a5fa1982d39d5"

static scene everything(void) {
    scene made = scene_of("jako2011", 13, 9, 1);
    made.def.boundary = WADI_WRAP;
    made.def.seed = 0x0123456789abcdef;
    made.def.drops = (wadi_drops){1.5, 2.5, 0.4};
    make_hills(&made, 6, 11);
    scene_field(&made, "height")[40] = NAN;
    fill(scene_field(&made, "mask"), &made.def, 1.0f);
    scene_field(&made, "mask")[17] = 0.25f;
    fill_random(scene_field(&made, "Kc"), &made.def, 0.1f, 0.3f, 7);
    draw_hardness(&made, 0.1f, 0.9f, 3);
    add_source(&made, 4.5, 3.5, 2, 0.5);
    return made;
}

/* Steps both to the same bits, and destroys them. */
static void assert_goes_on_alike(wadi_sim *sim, wadi_sim *other, const char *what) {
    OK(wadi_sim_step(sim, 5));
    OK(wadi_sim_step(other, 5));
    assert_same_state(sim, other, what);
    wadi_sim_destroy(sim);
    wadi_sim_destroy(other);
}

static void checkpoint_bytes_are_the_same_on_every_machine(void **state) {
    (void)state;
    scene scene = everything();
    wadi_sim *sim = run(&scene, 20), *other = NULL;
    tape tape = {0};
    OK(wadi_sim_save(sim, "a note", 6, record, &tape));
    wadi_sha256 hash;
    char hex[65];
    wadi_sha256_begin(&hash);
    wadi_sha256_add(&hash, tape.bytes, tape.size);
    wadi_sha256_end(&hash, hex);
    if (strcmp(hex, CHECKPOINT) != 0) fail_msg("%zu bytes: %s, not %s", tape.size, hex, CHECKPOINT);

    void *note = NULL;
    size_t note_bytes = 0;
    OK(wadi_sim_restore(play, &tape, NULL, &other, &note, &note_bytes));
    assert_int_equal(note_bytes, 6);
    assert_memory_equal(note, "a note", 6);
    assert_true(wadi_sim_def(other)->seed == scene.def.seed);
    assert_goes_on_alike(sim, other, "taken up again");
    free(note);
    free(tape.bytes);
    scene_free(&scene);
}

/* Where things are in a file. First the number of parameters, then name and value of each, then a checksum. At the end
 * a flag and a number for each parameter's map, the number of sources, and another checksum. */
enum { VERSION_AT = 7, SCALE_AT = 138, SCALE = 12, TILE = 32, COUNT_AT = SCALE_AT + SCALE + TILE };
enum { ENTRY = 72, CHECKSUM = 65, MAP = 9 };

static void cut(tape *tape, size_t from, size_t bytes) {
    assert_true(from + bytes <= tape->size);
    memmove(tape->bytes + from, tape->bytes + from + bytes, tape->size - from - bytes);
    tape->size -= bytes;
}

static void widen(tape *tape, size_t at, size_t bytes) {
    uint8_t none[4096] = {0};
    const size_t behind = tape->size - at;
    assert_true(bytes <= sizeof none);
    OK(record(tape, none, bytes));
    memmove(tape->bytes + at + bytes, tape->bytes + at, behind);
}

static void sign(tape *tape, size_t at) {
    wadi_sha256 hash;
    wadi_sha256_begin(&hash);
    wadi_sha256_add(&hash, tape->bytes, at);
    wadi_sha256_end(&hash, (char *)tape->bytes + at);
}

/* As a version without the parameter wrote it. */
static void leave_out(tape *tape, const char *parameter) {
    uint8_t *count = tape->bytes + COUNT_AT;
    size_t entry = COUNT_AT + 4;
    while (strcmp((const char *)tape->bytes + entry, parameter) != 0) entry += ENTRY;
    assert_true(entry < COUNT_AT + 4 + (size_t)count[0] * ENTRY);
    cut(tape, entry, ENTRY);
    count[0]--;
    cut(tape, tape->size - CHECKSUM - 8 - MAP, MAP);
    sign(tape, COUNT_AT + 4 + (size_t)count[0] * ENTRY);
    sign(tape, tape->size - CHECKSUM);
}

/* As an earlier version wrote it, which had no tiles either. */
static void leave_out_the_scale(tape *tape) {
    const size_t count = tape->bytes[COUNT_AT];
    tape->bytes[VERSION_AT] = '2';
    cut(tape, SCALE_AT, SCALE + TILE);
    sign(tape, SCALE_AT + 4 + count * ENTRY);
    sign(tape, tape->size - CHECKSUM);
}

/* The sum of what infiltrated has 8 bytes a row. Behind it are 16 numbers, the last two of the deepest water, two
 * flags, the flags of the maps and the number of sources. */
static void leave_out_the_sum(tape *tape, int rows) {
    const size_t flags = 2 + tape->bytes[COUNT_AT] * (size_t)MAP + 8 + CHECKSUM, behind = 14 * 8 + flags;
    cut(tape, tape->size - flags - 16, 16);
    cut(tape, tape->size - behind - 8 * (size_t)rows, 8 * (size_t)rows);
}

/* A small grid has one band for each of its fields. The flag before it says whether one value stands for all cells; a
 * checksum follows the rows of other fields. */
static void leave_out_the_bands(tape *tape, const wadi_sim *sim, size_t at) {
    const wadi_def *def = wadi_sim_def(sim);
    const size_t row = (size_t)def->width * sizeof(float), rows = row * (size_t)def->height;
    tape->bytes[VERSION_AT] = '4';
    for (int f = 0; f < def->model->field_count; f++) {
        if (!lasts(sim, f)) continue;
        const bool same = tape->bytes[at];
        cut(tape, at, 1);
        if (!same) cut(tape, at + rows, CHECKSUM);
        if (same) widen(tape, at + sizeof(float), rows - sizeof(float));
        for (size_t i = sizeof(float); same && i < rows; i++) tape->bytes[at + i] = tape->bytes[at + i - sizeof(float)];
        at += rows;
    }
}

/* Before the first step only the height differs from cell to cell. Any byte that is wrong is found. */
static void equal_rows_take_no_space(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 32, 150, 1);
    make_hills(&scene, 6, 11);
    wadi_sim *sim = run(&scene, 0), *other = NULL;
    tape tape = {0};
    OK(wadi_sim_save(sim, NULL, 0, record, &tape));
    assert_true(tape.size >= 32 * 150 * 4 && tape.size < 32 * 150 * 4 + 16000);
    for (size_t at = tape.size / 4; at < tape.size; at += tape.size / 7) {
        tape.bytes[at] ^= 1;
        void *note = NULL;
        size_t note_bytes = 0;
        tape.at = 0;
        assert_int_equal(wadi_sim_restore(play, &tape, NULL, &other, &note, &note_bytes), WADI_ERROR_FORMAT);
        tape.bytes[at] ^= 1;
    }
    free(tape.bytes);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

static void missing_parameter_of_an_older_file_gets_its_default(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 13, 9, 1);
    make_hills(&scene, 6, 11);
    wadi_sim *sim = run(&scene, 20), *other = NULL;
    tape tape = {0};
    OK(wadi_sim_save(sim, NULL, 0, record, &tape));
    leave_out(&tape, "Fr");
    leave_out(&tape, "pipes");
    leave_out_the_sum(&tape, scene.def.height);
    leave_out_the_bands(&tape, sim, COUNT_AT + 4 + tape.bytes[COUNT_AT] * (size_t)ENTRY + CHECKSUM + 8);
    leave_out_the_scale(&tape);
    void *note = NULL;
    size_t note_bytes = 0;
    OK(wadi_sim_restore(play, &tape, NULL, &other, &note, &note_bytes));
    for (size_t p = 0; p < scene.def.model->parameter_count; p++)
        assert_true(wadi_sim_def(other)->values[p] == wadi_sim_def(sim)->values[p]);
    assert_int_equal(wadi_sim_def(other)->scale, WADI_SCALE_CELL);
    const double time_s = wadi_sim_time(other);
    assert_goes_on_alike(sim, other, "an older file");
    free(note);

    /* No time is below 0. The time is the first of ten numbers before the flags. */
    uint8_t *time =
        tape.bytes + tape.size - (2 + tape.bytes[COUNT_AT - SCALE - TILE] * (size_t)MAP + 8 + CHECKSUM) - 10 * 8;
    for (int below = 0; below < 2; below++) {
        time[6] = 0xf0, time[7] = below ? 0xbf : 0x3f; /* 1 s, -1 s */
        sign(&tape, tape.size - CHECKSUM);
        tape.at = 0;
        assert_int_equal(wadi_sim_restore(play, &tape, NULL, &other, &note, &note_bytes),
                         below ? WADI_ERROR_FORMAT : WADI_OK);
        if (!below) assert_true(wadi_sim_time(other) == 1 + time_s);
        wadi_sim_destroy(other);
        free(note);
    }
    free(tape.bytes);
    scene_free(&scene);
}

/* A tile's place comes from a file: any numbers can be in it. */
static void a_wrong_tile_is_refused(void **state) {
    (void)state;
    static const wadi_tile wrong[] = {{1, 0, 0, 0, 0, 0},         {0, 0, 0, 9, 0, 0},   {0, 0, -1, 0, 0, 0},
                                      {0, 5, 13, INT_MIN, 0, 0},  {0, 0, 13, 8, 0, 1},  {0, 0, INT_MAX, 4096, 0, 1},
                                      {INT_MAX, 0, 26, 18, 0, 1}, {-1, 0, 26, 18, 0, 1}};
    scene scene = scene_of("jako2011", 13, 9, 1);
    int64_t cells = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scene.def.tile = wrong[i];
        assert_int_equal(wadi_def_reach(&scene.def, 1, &cells), WADI_ERROR_ARGUMENT);
    }
    scene.def.tile = (wadi_tile){13, 9, 26, 18, 0, 1};
    OK(wadi_def_reach(&scene.def, 1, &cells));
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checkpoint_bytes_are_the_same_on_every_machine),
        cmocka_unit_test(equal_rows_take_no_space),
        cmocka_unit_test(missing_parameter_of_an_older_file_gets_its_default),
        cmocka_unit_test(a_wrong_tile_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
