/* What a program that embeds the library asks of it: lists of fields, rectangles, values without a copy, steps that can
 * be stopped, and messages that fit any program. Its own threads can compute the steps. labels: threads */
#include <pthread.h>

#include "scene.h"

enum { WIDTH = 37, HEIGHT = 23, CELLS = WIDTH * HEIGHT };

static wadi_sim *simulation(const char *model, int steps) {
    scene scene = scene_of(model, WIDTH, HEIGHT, 1);
    if (has(&scene, "infiltration")) choose(&scene, "infiltration", "constant");
    make_hills(&scene, 5, 3);
    wadi_sim *sim = run(&scene, steps);
    scene_free(&scene);
    return sim;
}

/* A field can be set if, and only if, the list says so. */
static void fields_are_as_they_are_listed(void **state) {
    (void)state;
    static float values[CELLS];
    for (int m = 0; m < MODELS; m++) {
        wadi_sim *sim = simulation(model_id(m), 3);
        wadi_field_facts fields[WADI_MAX_PARAMETERS + 32] = {{0}}, one[2] = {{0}};
        const size_t count = wadi_sim_fields(sim, fields, (size_t)COUNT(fields));
        assert_true(count > 8 && count <= (size_t)COUNT(fields));
        assert_int_equal(wadi_sim_fields(sim, one, 1), count);
        assert_string_equal(one[0].name, fields[0].name);
        assert_null(one[1].name);
        assert_int_equal(wadi_sim_fields(sim, NULL, 0), count);
        for (size_t i = 0; i < count; i++) {
            assert_true(fields[i].unit[0] != '\0' && fields[i].meaning[0] != '\0');
            if (!wadi_sim_has(sim, fields[i].name)) fail_msg("%s: not there", fields[i].name);
            OK(wadi_sim_get(sim, fields[i].name, values, CELLS));
            /* A map that is computed may have the name of a parameter's alias: the parameter is set. */
            const bool alias = wadi_model_parameter_index(wadi_sim_def(sim)->model, fields[i].name) >= 0;
            if (alias && !fields[i].parameter) continue;
            const wadi_status set = wadi_sim_set(sim, fields[i].name, values, CELLS);
            if ((set == WADI_OK) != fields[i].settable) fail_msg("%s: %s", fields[i].name, wadi_error_message());
            assert_int_equal(fields[i].parameter, wadi_sim_has_map(sim, fields[i].name));
        }
        wadi_sim_destroy(sim);
    }
    assert_int_equal(wadi_sim_fields(NULL, NULL, 0), 0);
}

static void a_rectangle_is_a_part_of_the_whole(void **state) {
    (void)state;
    static const wadi_rect rects[] = {
        {0, 0, WIDTH, HEIGHT}, {0, 4, WIDTH, 3}, {5, 7, 11, 9}, {WIDTH - 1, HEIGHT - 1, 1, 1}};
    static const char *const names[] = {"height", "water", "flow", "mask", "rain"};
    enum { STRIDE = WIDTH + 3 };
    static float whole[CELLS], part[HEIGHT * STRIDE];
    wadi_sim *sim = simulation("jako2011", 20);
    for (int n = 0; n < COUNT(names); n++) {
        OK(wadi_sim_get(sim, names[n], whole, CELLS));
        for (int r = 0; r < COUNT(rects); r++) {
            for (int i = 0; i < COUNT(part); i++) part[i] = -7;
            OK(wadi_sim_get_rect(sim, names[n], &rects[r], part, STRIDE));
            for (int i = 0; i < COUNT(part); i++) {
                const int x = i % STRIDE, y = i / STRIDE;
                const bool inside = x < rects[r].width && y < rects[r].height;
                const float expected = inside ? whole[(rects[r].y + y) * WIDTH + rects[r].x + x] : -7;
                if (part[i] != expected) fail_msg("%s, rectangle %d, (%d, %d)", names[n], r, x, y);
            }
        }
    }
    static const wadi_rect outside[] = {{-1, 0, 2, 2},     {0, -1, 2, 2}, {WIDTH - 1, 0, 2, 1},
                                        {0, HEIGHT, 1, 1}, {0, 0, 0, 1},  {1, 1, INT32_MAX, 1}};
    for (int r = 0; r < COUNT(outside); r++)
        REFUSED(wadi_sim_get_rect(sim, "water", &outside[r], part, STRIDE), WADI_ERROR_ARGUMENT, "do not lie in");
    REFUSED(wadi_sim_get_rect(sim, "water", &rects[2], part, 10), WADI_ERROR_ARGUMENT, "cannot begin 10 floats apart");
    REFUSED(wadi_sim_get_rect(sim, "watr", &rects[2], part, STRIDE), WADI_ERROR_ARGUMENT, "no field 'watr'");
    wadi_sim_destroy(sim);
}

static void check_borrowed(const wadi_sim *sim, const float *values, size_t stride) {
    static float copy[CELLS];
    OK(wadi_sim_get(sim, "water", copy, CELLS));
    for (size_t y = 0; y < HEIGHT; y++)
        assert_memory_equal(values + y * stride, copy + y * WIDTH, WIDTH * sizeof *copy);
}

static void borrowed_values_follow_the_steps(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        wadi_sim *sim = simulation(model_id(m), 1);
        const float *values;
        size_t stride;
        OK(wadi_sim_borrow(sim, "water", &values, &stride));
        check_borrowed(sim, values, stride);
        OK(wadi_sim_step(sim, 100));
        check_borrowed(sim, values, stride);
        wadi_sim_trim(sim);
        OK(wadi_sim_step(sim, 1));
        check_borrowed(sim, values, stride);
        wadi_sim_destroy(sim);
    }
}

static void what_must_be_computed_is_not_borrowed(void **state) {
    (void)state;
    static float heights[CELLS];
    const float *values;
    size_t stride;
    wadi_sim *sim = simulation("jako2011", 1);
    static const char *const names[] = {"height", "flow", "erosion", "mask", "rain"};
    for (int n = 0; n < COUNT(names); n++)
        REFUSED(wadi_sim_borrow(sim, names[n], &values, &stride), WADI_ERROR_UNSUPPORTED, "copy it");
    assert_null(values);
    REFUSED(wadi_sim_borrow(sim, "watr", &values, &stride), WADI_ERROR_ARGUMENT, "no field 'watr'");
    OK(wadi_sim_get(sim, "height", heights, CELLS));
    heights[40] = NAN;
    OK(wadi_sim_set(sim, "height", heights, CELLS));
    REFUSED(wadi_sim_borrow(sim, "water", &values, &stride), WADI_ERROR_UNSUPPORTED, "copy it");
    wadi_sim_destroy(sim);
}

typedef struct watcher {
    int calls;
    int64_t last, stop_at;
} watcher;

static bool watch(void *context, int64_t done, int64_t steps) {
    watcher *w = context;
    assert_int_equal(steps, 90);
    assert_true(w->calls == 0 ? done == 0 : done > w->last);
    w->calls++;
    w->last = done;
    return done < w->stop_at;
}

static void steps_can_be_watched_and_stopped(void **state) {
    (void)state;
    static float straight[CELLS], watched[CELLS];
    wadi_sim *sim = simulation("jako2011", 0), *other = simulation("jako2011", 0);
    OK(wadi_sim_step(sim, 90));
    watcher all = {.stop_at = 1000}, some = {.stop_at = 5};
    OK(wadi_sim_step_with(other, 90, watch, &some));
    assert_true(wadi_sim_steps(other) >= 5 && wadi_sim_steps(other) < 90);
    assert_int_equal(wadi_sim_steps(other), some.last);
    OK(wadi_sim_step_with(other, 90 - some.last, NULL, NULL));
    OK(wadi_sim_get(sim, "height", straight, CELLS));
    OK(wadi_sim_get(other, "height", watched, CELLS));
    assert_memory_equal(straight, watched, sizeof straight);
    OK(wadi_sim_step_with(other, 90, watch, &all));
    assert_int_equal(all.last, 90);
    assert_true(all.calls >= 3);
    REFUSED(wadi_sim_step_with(other, -1, watch, &all), WADI_ERROR_ARGUMENT, "at least 0");
    wadi_sim_destroy(sim);
    wadi_sim_destroy(other);
}

/* --- steps in threads of the program's own --- */

enum { CREW = 3 };

typedef struct crew_member {
    pthread_t thread;
    wadi_crew_job *job;
    void *work;
    int me, members;
} crew_member;

typedef struct crew_context {
    int calls, only; /* only: members that do not run are missing; 0: none */
} crew_context;

static void *crew_main(void *member_) {
    const crew_member *member = member_;
    member->job(member->work, member->me, member->members);
    return NULL;
}

/* Another number of members in each call. The caller's thread is the last one. */
static void crew_run(void *context_, wadi_crew_job *job, void *work, int most) {
    crew_context *context = context_;
    crew_member member[CREW];
    const int members = 1 + context->calls++ % most;
    assert_in_range(most, 1, CREW);
    for (int i = 0; i < members; i++) {
        member[i] = (crew_member){.job = job, .work = work, .me = i, .members = members};
        if (i < members - 1) assert_int_equal(pthread_create(&member[i].thread, NULL, crew_main, &member[i]), 0);
    }
    crew_main(&member[members - 1]);
    for (int i = 0; i < members - 1; i++) pthread_join(member[i].thread, NULL);
}

/* No member runs, or a number that no partition has. */
static void crew_shirk(void *context_, wadi_crew_job *job, void *work, int most) {
    const crew_context *context = context_;
    if (context->only > 0) job(work, 0, most + context->only);
    for (int i = 0; i < 3 && context->only < 0; i++)
        job(work, 0, i < 2 ? 1 : 2); /* one member, and two calls too many */
}

static wadi_sim *of_crew(const char *model, int width, int height, const wadi_crew *crew) {
    scene scene = scene_of(model, width, height, 1);
    make_hills(&scene, 5, 3);
    scene.def.crew = crew;
    wadi_sim *sim = run(&scene, 0);
    scene_free(&scene);
    return sim;
}

static void a_crew_computes_the_same_bits(void **state) {
    (void)state;
    enum { HIGH = 150, ALL = WIDTH * HIGH };
    static float alone[ALL], together[ALL];
    for (int m = 0; m < MODELS; m++) {
        crew_context context = {0};
        const wadi_crew crew = {.count = CREW, .context = &context, .run = crew_run};
        wadi_sim *sims[] = {of_crew(model_id(m), WIDTH, HIGH, NULL), of_crew(model_id(m), WIDTH, HIGH, &crew)};
        assert_int_equal(wadi_sim_threads(sims[1]), CREW);
        for (int i = 0; i < 2; i++)
            for (int n = 1; n <= 7; n++) OK(wadi_sim_step(sims[i], n));
        assert_true(context.calls >= 7);
        for (int n = 0; n < 2; n++) {
            OK(wadi_sim_get(sims[0], n == 0 ? "height" : "water", alone, ALL));
            OK(wadi_sim_get(sims[1], n == 0 ? "height" : "water", together, ALL));
            assert_memory_equal(alone, together, sizeof alone);
        }
        for (int i = 0; i < 2; i++) wadi_sim_destroy(sims[i]);
    }
}

static void a_crew_that_cannot_be_is_refused(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", WIDTH, HEIGHT, 1);
    wadi_sim *sim;
    const wadi_crew bad[] = {
        {.count = 0, .run = crew_run}, {.count = WADI_MOST_THREADS + 1, .run = crew_run}, {.count = 2}};
    for (int i = 0; i < COUNT(bad); i++) {
        scene.def.crew = &bad[i];
        REFUSED(wadi_sim_create(&scene.def, &sim), WADI_ERROR_ARGUMENT, "a crew of");
    }
    const wadi_crew good = {.count = 2, .run = crew_run};
    scene.def.crew = &good;
    scene.def.parts = 2;
    REFUSED(wadi_sim_create(&scene.def, &sim), WADI_ERROR_ARGUMENT, "a crew with parts");
    scene_free(&scene);
    crew_context eager = {.only = -1};
    const wadi_crew more = {.count = 2, .context = &eager, .run = crew_shirk};
    sim = of_crew("jako2011", WIDTH, HEIGHT, &more);
    OK(wadi_sim_step(sim, 3));
    wadi_sim_destroy(sim);
    for (int only = 0; only < 2; only++) {
        crew_context context = {.only = only};
        const wadi_crew lazy = {.count = 2, .context = &context, .run = crew_shirk};
        sim = of_crew("jako2011", WIDTH, HEIGHT, &lazy);
        REFUSED(wadi_sim_step(sim, 3), WADI_ERROR_DEVICE, "0 of its members ran");
        REFUSED(wadi_sim_step(sim, 3), WADI_ERROR_DEVICE, "begin anew");
        wadi_sim_destroy(sim);
    }
}

static void messages_name_options_as_the_program_wants(void **state) {
    (void)state;
    static const char *const all[][2] = {
        {"--steps x: no", "steps x: no"},
        {"a.png: say how (--band, '--encoding red')", "a.png: say how (band, 'encoding red')"},
        {"a--b: 3--4 -- 5", "a--b: 3--4 -- 5"},
        {"-o hills: is there", "hills: is there"},
        {"--steps: go on by wadi run --resume a", "steps: go on by wadi run --resume a"},
    };
    for (int i = 0; i < COUNT(all); i++) {
        wadi_fail(WADI_ERROR_ARGUMENT, "%s", all[i][0]);
        assert_string_equal(wadi_error_message(), all[i][1]);
        wadi_name_options(true);
        wadi_fail(WADI_ERROR_ARGUMENT, "%s", all[i][0]);
        assert_string_equal(wadi_error_message(), all[i][0]);
        wadi_name_options(false);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_as_they_are_listed),
        cmocka_unit_test(a_rectangle_is_a_part_of_the_whole),
        cmocka_unit_test(borrowed_values_follow_the_steps),
        cmocka_unit_test(what_must_be_computed_is_not_borrowed),
        cmocka_unit_test(steps_can_be_watched_and_stopped),
        cmocka_unit_test(a_crew_computes_the_same_bits),
        cmocka_unit_test(a_crew_that_cannot_be_is_refused),
        cmocka_unit_test(messages_name_options_as_the_program_wants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
