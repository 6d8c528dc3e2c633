/* A forked child steps with threads and gets the same bits. It does not wait for threads of its parent. */
#include "scene.h"

#include <sys/wait.h>
#include <unistd.h>

#include "wadi/terrain.h"

enum { SIZE = 160 };
static float heights[SIZE * SIZE];

static void hash_of(const wadi_sim *sim, char hex[65]) {
    OK(wadi_sim_get(sim, "height", heights, SIZE * SIZE));
    wadi_field_sha256(heights, SIZE * SIZE, hex);
}

/* What the child does with the parent's simulation, and with its own. */
static void go_on(wadi_sim *sim, char hex[2][65]) {
    wadi_terrain terrain = wadi_default_terrain("noise", SIZE, SIZE);
    terrain.threads = 2;
    OK(wadi_sim_step(sim, 5));
    hash_of(sim, hex[0]);
    OK(wadi_terrain_generate(&terrain, heights));
    wadi_field_sha256(heights, SIZE * SIZE, hex[1]);
}

static void a_forked_child_has_its_own_threads(void **state) {
    (void)state;
    char mine[2][65], theirs[2][65] = {{0}};
    int ends[2], status = -1;
    scene scene = scene_of("jako2011", SIZE, SIZE, 1);
    scene.def.threads = 2;
    make_hills(&scene, 20, 3);
    wadi_sim *sim = run(&scene, 5);
    assert_int_equal(wadi_sim_threads(sim), 2);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        go_on(sim, theirs);
        _exit(write(ends[1], theirs, sizeof theirs) == (ssize_t)sizeof theirs ? 0 : 1);
    }
    close(ends[1]);
    go_on(sim, mine); /* the parent's threads work again */
    assert_int_equal(read(ends[0], theirs, sizeof theirs), sizeof theirs);
    close(ends[0]);
    assert_true(waitpid(child, &status, 0) == child && status == 0);
    assert_memory_equal(mine, theirs, sizeof mine);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_forked_child_has_its_own_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
