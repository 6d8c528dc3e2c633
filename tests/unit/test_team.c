/* A team of processes: what each order costs, errors of another process, a lost one, other versions. test_parts
 * compares the bits. labels: threads */
#include "random_scene.h"
#include "thread_team.h"

static scene hills(const wadi_team *team) {
    scene scene = scene_of("jako2011", 33, 60, 1);
    make_hills(&scene, 20, 5);
    fill_random(scene_field(&scene, "water"), &scene.def, 0, 1, 6);
    scene.def.team = team;
    return scene;
}

/* Orders and answers, and rows of margins, that a step of so many sub-steps sends. */
static void count_messages(int processes, int substeps, uint64_t *orders, uint64_t *rows) {
    thread_team *threads = team_start(processes);
    scene scene = hills(&threads->place[0].team);
    set_substeps(&scene, 1);
    scene.def.substeps_per_exchange = 1;
    wadi_sim *sim = run(&scene, 1);
    const uint64_t before = threads->sent[TEAM_ORDER], up = threads->sent[TEAM_UP], down = threads->sent[TEAM_DOWN];
    OK(wadi_sim_step(sim, substeps));
    *orders = threads->sent[TEAM_ORDER] - before;
    *rows = threads->sent[TEAM_UP] - up;
    assert_true(*rows == threads->sent[TEAM_DOWN] - down);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    team_end(threads, WADI_OK);
}

static void rows_go_from_neighbour_to_neighbour(void **state) {
    (void)state;
    for (int processes = 2; processes <= 4; processes++) {
        uint64_t orders[2], rows[2];
        count_messages(processes, 4, &orders[0], &rows[0]);
        count_messages(processes, 40, &orders[1], &rows[1]);
        assert_true(orders[0] == orders[1]); /* process 0 orders all sub-steps at once */
        assert_int_equal(rows[0], 4 * (processes - 1));
        assert_int_equal(rows[1], 40 * (processes - 1));
    }
}

static void simulations_come_and_go(void **state) {
    (void)state;
    thread_team *threads = team_start(3);
    scene scene = hills(&threads->place[0].team), alone = hills(NULL);
    wadi_sim *whole = run(&alone, 6), *sims[4];
    for (int i = 0; i < 4; i++) sims[i] = run(&scene, 2);
    wadi_sim_destroy(sims[1]);
    wadi_sim_destroy(sims[3]);
    sims[1] = run(&scene, 5);
    for (int i = 0; i < 3; i++) OK(wadi_sim_step(sims[i], i == 1 ? 1 : 4));
    for (int i = 0; i < 3; i++) assert_same_state(whole, sims[i], "one of several");
    for (int i = 2; i >= 0; i--) wadi_sim_destroy(sims[i]);
    wadi_sim_destroy(whole);
    scene_free(&alone);
    scene_free(&scene);
    team_end(threads, WADI_OK);
}

/* Its own error, and the team goes on. */
static void an_error_of_another_process_is_reported(void **state) {
    (void)state;
    thread_team *threads = team_start(3);
    scene scene = hills(&threads->place[0].team);
    wadi_sim *sim;
    scene.def.part[0] = (wadi_part){true, WADI_ENGINE_CPU, -1};
    scene.def.part[1] = (wadi_part){true, WADI_ENGINE_CPU, -1};
    scene.def.part[2] = (wadi_part){true, WADI_ENGINE_OPENCL, 99};
    assert_true(wadi_sim_create(&scene.def, &sim) != WADI_OK);
    assert_null(sim);
    if (strncmp(wadi_error_message(), "process 2 of 3: ", 16) != 0) fail_msg("%s", wadi_error_message());
    scene.def.part[2].given = false;
    sim = run(&scene, 3);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    team_end(threads, WADI_OK);
}

static void lose(thread_team *threads) {
    pthread_mutex_lock(&threads->mutex);
    threads->lost = true;
    pthread_cond_broadcast(&threads->arrived);
    pthread_mutex_unlock(&threads->mutex);
}

/* Nobody waits for a lost process: all calls fail, and all of the team end. */
static void a_lost_process_is_an_error(void **state) {
    (void)state;
    thread_team *threads = team_start(3);
    scene scene = hills(&threads->place[0].team);
    wadi_sim *sim = run(&scene, 3), *other;
    float *height = field_of(sim, "height");
    lose(threads);
    REFUSED(wadi_sim_step(sim, 3), WADI_ERROR_DEVICE, "process 1 of 3 is lost");
    REFUSED(wadi_sim_step(sim, 3), WADI_ERROR_DEVICE, "failed earlier");
    assert_true(wadi_sim_get(sim, "water", height, cells_of(&scene.def)) == WADI_ERROR_DEVICE);
    REFUSED(wadi_sim_create(&scene.def, &other), WADI_ERROR_DEVICE, "is lost");
    wadi_sim_destroy(sim);
    free(height);
    scene_free(&scene);
    team_end(threads, WADI_ERROR_DEVICE);
}

/* --- other versions --- */

static bool say_other(void *context, int to, const void *bytes, size_t count) {
    uint64_t program;
    if (count != sizeof program) return team_send(context, to, bytes, count);
    memcpy(&program, bytes, count);
    program++;
    return team_send(context, to, &program, count);
}

static void another_version_is_refused(void **state) {
    (void)state;
    thread_team threads = {.mutex = PTHREAD_MUTEX_INITIALIZER, .arrived = PTHREAD_COND_INITIALIZER};
    for (int i = 0; i < 3; i++) {
        team_place *place = &threads.place[i];
        *place = (team_place){.all = &threads};
        place->team =
            (wadi_team){3, i, 3, i, 1, place, i == 2 ? say_other : team_send, team_receive, team_exchange, false};
    }
    for (int i = 1; i < 3; i++) pthread_create(&threads.place[i].thread, NULL, team_serve, &threads.place[i]);
    REFUSED(wadi_team_lead(&threads.place[0].team), WADI_ERROR_UNSUPPORTED, "process 2 of 3 runs another version");
    for (int i = 1; i < 3; i++) {
        pthread_join(threads.place[i].thread, NULL);
        assert_int_equal(threads.place[i].ended, WADI_ERROR_UNSUPPORTED);
    }
}

static void nothing_is_refused(void **state) {
    (void)state;
    REFUSED(wadi_team_lead(NULL), WADI_ERROR_ARGUMENT, "team is NULL");
    REFUSED(wadi_team_serve(NULL), WADI_ERROR_ARGUMENT, "team is NULL");
    REFUSED(wadi_team_dismiss(NULL), WADI_ERROR_ARGUMENT, "team is NULL");
}

/* A team of one process is none. */
static void one_process_is_alone(void **state) {
    (void)state;
    const wadi_team one = {.processes = 1, .on_host = 1, .share = 1};
    OK(wadi_team_lead(&one));
    scene scene = hills(&one), alone = hills(NULL);
    wadi_sim *a = run(&scene, 3), *b = run(&alone, 3);
    assert_int_equal(wadi_sim_parts(a), 1);
    assert_same_state(a, b, "one process");
    wadi_sim_destroy(a);
    wadi_sim_destroy(b);
    scene_free(&scene);
    scene_free(&alone);
    OK(wadi_team_dismiss(&one));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_go_from_neighbour_to_neighbour),
        cmocka_unit_test(simulations_come_and_go),
        cmocka_unit_test(an_error_of_another_process_is_reported),
        cmocka_unit_test(a_lost_process_is_an_error),
        cmocka_unit_test(another_version_is_refused),
        cmocka_unit_test(nothing_is_refused),
        cmocka_unit_test(one_process_is_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
