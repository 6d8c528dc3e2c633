/* A checkpoint has the same bytes on every machine, whatever its byte order, and continues with the same bits. So one
 * machine can read what another has written. labels: bits */
#include "scene.h"

/* The hash changes with the format, and with jako2011's parameters and golden hashes. Older files then cannot be read.
 */
#define CHECKPOINT "a0edea1a105889c476c9fa744b6673edae281316b725333082f1558c698465c6"

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

static void its_bytes_are_the_same_everywhere(void **state) {
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
    OK(wadi_sim_step(sim, 5));
    OK(wadi_sim_step(other, 5));
    assert_same_state(sim, other, "taken up again");
    free(note);
    free(tape.bytes);
    wadi_sim_destroy(sim);
    wadi_sim_destroy(other);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(its_bytes_are_the_same_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
