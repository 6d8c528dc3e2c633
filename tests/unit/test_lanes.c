/* test_lanes.c: the fused sweep as GPUs run it gives the CPU's bits. By NVIDIA's instructions lanes have shuffles,
 * named barriers, asynchronous copies and rows in shared memory; without them they meet at barriers. It runs on a
 * stand-in for CUDA (tests/stand-in/cuda), and so needs no such device. It skips without a C++ compiler, and under
 * sanitizers, which report a switch between stacks as an error. A program takes seconds to build. It depends on the
 * model, its switches, its maps, a width and a shape. So the scenes have few combinations of these, and many of all
 * else. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>

#include "scene.h"

#include "core/inside.h"
#include "engine/gpu/autotune.h"
#include "engine/gpu/estimate.h"
#include "engine/gpu/sweep_launch.h"
#include "engine/parts/team.h"
#include "gpu_devices.h"
#include "gpu_scenes.h"
#include "platform/platform.h"
#include "thread_team.h"

/* parked: rows must be spilled to shared memory. */
static void assert_in_shape(const wadi_sim *gpu, const char *shape, bool parked) {
    const wadi_gpu_engine *engine = gpu->domain->engine_state;
    int substeps = 0, lanes = 0;
    sscanf(shape, "%d,%*d,%*d,%d", &substeps, &lanes);
    const wadi_gpu_sweep *sweep = &engine->sweep[substeps];
    if (!sweep->ready || engine->shape.substeps != substeps || sweep->plan.shape.lanes != lanes ||
        (parked && sweep->plan.spilled_rows == 0))
        fail_msg("%s: it was not made so", shape);
}

static void in_shape(scene *scene, const char *shape, int steps) {
    const bool parks = strcmp(wadi_model_id(scene->def.model), "jako2011") == 0 && (shape[0] > '1' || shape[2] == '4');
    on_cpu(scene);
    wadi_sim *cpu = run(scene, steps);
    on_gpu(scene);
    put_environment("WADI_GPU_SHAPE", shape);
    wadi_sim *gpu = run(scene, steps);
    put_environment("WADI_GPU_SHAPE", NULL);
    assert_in_shape(gpu, shape, parks);
    assert_same(cpu, gpu, shape);
    wadi_sim_destroy(cpu);
    wadi_sim_destroy(gpu);
    scene_free(scene);
}

/* A grid whose width is not a multiple of the lanes, with all borders and all patterns of holes. */
static void narrow_grids(int m, const char *shape) {
    for (int i = 0; i < 5; i++) {
        scene scene = rainy_scene(m, 0, i % 3, 43, i % 2 ? 29 : 50, i % HOLE_PATTERNS);
        in_shape(&scene, shape, 7);
    }
}

/* jako2011 on those, and on grids of several adjacent groups, where no lane is at the edge of the stored rows. */
static void all_grids(const char *shape) {
    narrow_grids(jako2011(), shape);
    for (int border = 0; border < 3; border++) {
        scene scene = rainy_scene(jako2011(), 0, border, 260, 53, border);
        in_shape(&scene, shape, 5);
    }
}

static void one_substep_per_pass(void **state) {
    (void)state;
    all_grids("1,2,4,32,3,24,3");
}

static void two_substeps_per_pass(void **state) {
    (void)state;
    all_grids("2,2,2,32,3,24,3");
}

static void four_columns_per_lane(void **state) {
    (void)state;
    all_grids("2,4,2,32,3,24,2");
}

static void three_substeps_per_pass(void **state) {
    (void)state;
    narrow_grids(jako2011(), "3,2,2,32,3,24,1");
}

static void every_constant_as_a_map(void **state) {
    (void)state;
    for (int border = 0; border < 3; border++) {
        scene scene = map_scene(jako2011(), border, 101, 23);
        in_shape(&scene, "2,2,2,32,3,24,3", 9);
    }
}

/* Divisions that the fast method gets wrong, so that groups repeat them. */
static void extreme_operands_are_exact(void **state) {
    (void)state;
    static const char *const shapes[] = {"1,2,4,32,3,24,3", "2,4,2,32,3,24,2"};
    static const float tiny[] = {1e-6f, 1e-24f, 1e-32f, 1e-38f};
    for (int i = 0; i < COUNT(shapes); i++) {
        scene scene = scene_of("jako2011", 43, 29, 2);
        float *height = scene_field(&scene, "height"), *water = scene_field(&scene, "water");
        for (size_t c = 0; c < cells_of(&scene.def); c++) {
            height[c] = 1e-6f * (float)(c * 7 % 11);
            water[c] = tiny[c % 4];
        }
        wadi_def_set_text(&scene.def, "sin_min", "0");
        wadi_def_set_text(&scene.def, "rain", "0");
        in_shape(&scene, shapes[i], 12);
    }
}

/* Persistent groups, which run several passes and wait for their neighbours. */
static void assert_they_stay(const wadi_sim *gpu, const char *shape) {
    const wadi_gpu_engine *engine = gpu->domain->engine_state;
    const int levels = shape[0] - '0';
    assert_true(engine->sweep[levels].work_item_count > 4 && wadi_gpu_sweep_most_passes(gpu->domain, levels) > 1);
}

static void several_passes_per_launch(void **state) {
    (void)state;
    static const char *const shapes[] = {"1,2,1,32,3,14,12", "1,2,1,32,3,14,12", "2,2,2,32,3,20,6"};
    for (int i = 0; i < COUNT(shapes); i++) {
        scene scene = even_scene(jako2011(), (i + 1) % 2, 131, 61);
        assert_passes_agree(&scene, shapes[i][0] - '0', shapes[i], assert_they_stay);
    }
}

static void other_models(void **state) {
    (void)state;
    for (int m = 0; m < model_count(); m++) {
        const bool long_rows = strcmp(model_name(m), "neidhold2005") == 0;
        if (m == jako2011()) continue;
        narrow_grids(m, long_rows ? "1,1,8,32,3,24,0" : "1,2,4,32,3,24,0");
        if (!long_rows) narrow_grids(m, "2,2,2,32,3,24,0");
    }
}

/* As on devices of other vendors. */
static void without_ptx(void **state) {
    (void)state;
    put_environment("WADI_GPU_PTX", "0");
    for (int m = 0; m < model_count(); m++)
        if (strcmp(model_name(m), "neidhold2005") != 0) narrow_grids(m, m % 2 ? "1,2,1,32,0,24" : "1,1,1,64,0,24");
    all_grids("1,1,1,64,0,24");
    all_grids("1,4,1,32,0,24");
    put_environment("WADI_GPU_PTX", NULL);
}

/* As on Intel's devices, where the lanes of a group may be one sub-group. 64 lanes are two, and meet at barriers. */
static void lanes_in_a_sub_group(void **state) {
    (void)state;
    typedef long counter(void);
    void *stand_in = platform_library_open("libcuda.so.1");
    counter *shuffles = (counter *)platform_library_symbol(stand_in, "stand_in_shuffles");
    assert_non_null(shuffles);
    put_environment("WADI_GPU_PTX", "0");
    put_environment("STAND_IN_SUB_GROUPS", "1");
    put_environment("WADI_CACHE", "cache-of-sub-groups");
    const long before = shuffles();
    narrow_grids(model_of("swenson2018"), "1,1,1,64,0,24");
    assert_true(shuffles() == before);
    all_grids("1,2,1,32,0,24");
    assert_true(shuffles() > before);
    put_environment("WADI_GPU_PTX", NULL);
    put_environment("STAND_IN_SUB_GROUPS", NULL);
    put_environment("WADI_CACHE", "cache");
}

enum { TEAM_STEPS = 20 }; /* rows go between them three times, and the stand-in is slow */

/* Neighbours in different processes copy from each other's device memory. linked: they can. */
static void assert_team(scene *scene, int processes, const wadi_sim *cpu, bool linked) {
    thread_team *threads = team_start(processes);
    scene->def.team = &threads->place[0].team;
    wadi_sim *gpu = run(scene, TEAM_STEPS);
    const parts *parts = gpu->domain->engine_state;
    const bool wrap = scene->def.boundary == WADI_WRAP;
    assert_int_equal(parts->linked[0], linked && wrap);
    assert_int_equal(parts->linked[1], linked);
    assert_same(cpu, gpu, "a team");
    wadi_sim_destroy(gpu);
    scene->def.team = NULL;
    team_end(threads, WADI_OK);
}

static void rows_go_between_processes(void **state) {
    (void)state;
    for (int border = 0; border < 3; border++) {
        scene scene = rainy_scene(jako2011(), 0, border, 43, 80, border);
        on_cpu(&scene);
        wadi_sim *cpu = run(&scene, TEAM_STEPS);
        assert_team(&scene, 2, cpu, false);
        on_gpu(&scene);
        for (int processes = 2; processes < 4; processes++) assert_team(&scene, processes, cpu, true);
        wadi_sim_destroy(cpu);
        scene_free(&scene);
    }
}

/* --- a transport that takes device memory, as a CUDA-aware MPI --- */

typedef int pointer_attribute(void *value, int attribute, unsigned long long pointer);
static pointer_attribute *ask;
static int rows_on_device[TEAM_MOST], rows_on_host[TEAM_MOST]; /* swaps, by process */

static bool on_device(const void *memory) {
    unsigned type = 0;
    return ask(&type, 2, (uintptr_t)memory) == 0 && type == 2; /* CUDA's numbers of "memory type" and "device" */
}

static bool exchange_by_device(void *context, const wadi_team_swap swaps[2]) {
    const int me = ((const team_place *)context)->team.me;
    for (int i = 0; i < 2; i++) {
        if (swaps[i].with < 0 || swaps[i].bytes < 1024) continue; /* not rows */
        const bool give = on_device(swaps[i].give), take = on_device(swaps[i].take);
        assert_int_equal(give, take);
        (give ? rows_on_device : rows_on_host)[me]++;
    }
    return team_exchange(context, swaps);
}

/* A process has a GPU or the CPU; devices: bits of those whose transport takes device memory. */
static void assert_lent(scene *scene, int processes, const wadi_sim *cpu, unsigned devices) {
    thread_team *threads = team_start_by(processes, exchange_by_device, devices);
    scene->def.team = &threads->place[0].team;
    memset(rows_on_device, 0, sizeof rows_on_device);
    memset(rows_on_host, 0, sizeof rows_on_host);
    wadi_sim *sim = run(scene, TEAM_STEPS);
    assert_same(cpu, sim, "a team that takes device memory");
    wadi_sim_destroy(sim);
    for (int i = 0; i < processes; i++) {
        const wadi_part *part = &scene->def.part[i];
        const bool lends = (devices >> i & 1) != 0 && (!part->given || part->engine == WADI_ENGINE_CUDA);
        assert_true((rows_on_device[i] > 0) == lends && (rows_on_host[i] > 0) == !lends);
    }
    scene->def.team = NULL;
    team_end(threads, WADI_OK);
}

static void transports_get_device_memory(void **state) {
    (void)state;
    ask = (pointer_attribute *)platform_library_symbol(platform_library_open("libcuda.so.1"), "cuPointerGetAttribute");
    assert_non_null(ask);
    put_environment("STAND_IN_ALONE", "1"); /* as on machines of their own */
    for (int border = 0; border < 3; border++) {
        scene scene = rainy_scene(jako2011(), 0, border, 43, 80, border);
        on_cpu(&scene);
        wadi_sim *cpu = run(&scene, TEAM_STEPS);
        on_gpu(&scene);
        assert_lent(&scene, 2, cpu, 3);
        assert_lent(&scene, 2, cpu, 1); /* one process alone is told so */
        scene.def.part[0] = (wadi_part){true, WADI_ENGINE_CUDA, 0};
        scene.def.part[1] = (wadi_part){true, WADI_ENGINE_CPU, 0};
        scene.def.part[2] = scene.def.part[0];
        assert_lent(&scene, 3, cpu, 7);
        wadi_sim_destroy(cpu);
        scene_free(&scene);
    }
    put_environment("STAND_IN_ALONE", NULL);
}

/* --- estimates --- */

/* So many steps that they take this device `seconds`. */
static int64_t steps_of(wadi_def def, double seconds) {
    def.expected_steps = 1000000;
    return (int64_t)(1e6 * seconds / wadi_estimate_gpu_s(&def, &about));
}

static wadi_engine choice(wadi_def def, int64_t expected_steps) {
    def.engine = WADI_ENGINE_AUTO;
    def.expected_steps = expected_steps;
    wadi_def_choose_engine(&def);
    return def.engine;
}

/* What the CPU does sooner than this device starts stays there. A device that has run the model starts sooner. */
static void short_runs_stay_on_the_cpu(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 61, 40, 2);
    wadi_def def = scene.def;
    def.threads = 1;
    assert_int_equal(choice(def, 1), WADI_ENGINE_CPU);
    assert_int_equal(choice(def, 0), WADI_ENGINE_CUDA); /* unknown */
    def.expected_steps = 1000;
    const double step_s = (wadi_estimate_cpu_s(&def) - wadi_estimate_gpu_s(&def, &about)) / 1000;
    const int64_t between = (int64_t)(1.5 / step_s); /* the device saves 1.5 s */
    assert_true(step_s > 0);
    assert_int_equal(choice(def, 10 * between), WADI_ENGINE_CUDA);
    wadi_def many = def; /* 15 s are saved; the kernels of five more simulations take 10 s, those of seven 14 s */
    many.tune = false;
    many.expected_sims = 6;
    assert_int_equal(choice(many, 10 * between), WADI_ENGINE_CUDA);
    many.expected_sims = 8;
    assert_int_equal(choice(many, 10 * between), WADI_ENGINE_CPU);
    assert_int_equal(choice(def, between), WADI_ENGINE_CPU);
    on_gpu(&scene);
    wadi_sim_destroy(run(&scene, 1));
    assert_int_equal(choice(def, between), WADI_ENGINE_CUDA);
    scene_free(&scene);
}

/* Each loses 1.05 s by the CPU, and to build takes 2.55 s more than to start. */
static void many_short_runs_are_worth_a_build(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 67, 40, 2);
    wadi_def def = scene.def;
    def.threads = 1;
    def.expected_steps = 1000;
    const double step_s = (wadi_estimate_cpu_s(&def) - wadi_estimate_gpu_s(&def, &about)) / 1000;
    const int64_t between = (int64_t)(1.5 / step_s);
    def.tune = false; /* only asked */
    for (int i = 0; i < 5; i++) assert_int_equal(choice(def, between), WADI_ENGINE_CPU);
    def.tune = true;
    assert_int_equal(choice(def, between), WADI_ENGINE_CPU);
    assert_int_equal(choice(def, between), WADI_ENGINE_CPU);
    assert_int_equal(choice(def, between), WADI_ENGINE_CUDA);
    def.width = 68; /* other kernels */
    assert_int_equal(choice(def, between), WADI_ENGINE_CPU);
    scene_free(&scene);
}

/* Whether a simulation of that many expected steps, just begun, leaves kernels to be measured by the next one. */
static bool leaves_some(scene *scene, int64_t expected_steps) {
    scene->def.expected_steps = expected_steps;
    wadi_sim *sim = run(scene, 1);
    wadi_gpu_sweep_shape shape;
    bool more;
    wadi_gpu_shape_default(sim->domain, &shape, &more);
    wadi_sim_destroy(sim);
    return more;
}

/* A run measures for a twentieth of its time: a kernel at a time here, and none in a shorter run. */
static void a_search_goes_on_in_the_next_run(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 45, 50, 2);
    on_gpu(&scene);
    scene.def.tune = true;
    int runs = 1;
    for (const int64_t steps = steps_of(scene.def, 21); leaves_some(&scene, steps); runs++) assert_true(runs < 10);
    assert_true(runs > 1);
    scene.def.width = 44;
    assert_false(leaves_some(&scene, steps_of(scene.def, 19)));
    assert_true(leaves_some(&scene, steps_of(scene.def, 21))); /* so the shorter run has measured nothing */
    scene_free(&scene);
}

/* Sweeps keep no scratch in device memory. The plain path has no second buffers, and none for several fields. */
static void assert_one_path_has_memory(const wadi_sim *gpu) {
    const wadi_gpu_engine *engine = gpu->domain->engine_state;
    const bool plain = engine->shape.substeps == 0;
    for (int f = 0; f < gpu->domain->model->field_count; f++)
        if (wadi_kind(gpu->domain, f) == WADI_SCRATCH && !plain) assert_null(engine->field[f]);
    assert_true((engine->block.now == NULL) == plain && (engine->block.other == NULL) == plain);
}

/* Without PTX the plain path is timed, too. It works in place, but the state and the sums come back. */
static void a_search_without_ptx_changes_no_bit(void **state) {
    (void)state;
    scene scene = rainy_scene(model_of("swenson2018"), 0, 1, 45, 50, 1);
    on_cpu(&scene);
    wadi_sim *cpu = run(&scene, 5);
    on_gpu(&scene);
    put_environment("WADI_GPU_PTX", "0");
    scene.def.tune = true;
    scene.def.expected_steps = steps_of(scene.def, 21);
    int runs = 0;
    bool more = true;
    for (; more && runs < 10; runs++) {
        wadi_sim *gpu = run(&scene, 5);
        assert_one_path_has_memory(gpu);
        assert_same(cpu, gpu, "a search");
        wadi_gpu_sweep_shape shape;
        wadi_gpu_shape_default(gpu->domain, &shape, &more);
        wadi_sim_destroy(gpu);
    }
    put_environment("WADI_GPU_PTX", NULL);
    assert_true(runs > 1 && !more);
    wadi_sim_destroy(cpu);
    scene_free(&scene);
}

/* A driver whose calls a test counts, or lets fail. */
static const wadi_driver *real;
static wadi_driver odd;
static int allocations_to_fail, launches_when_lost;
static bool searching, lost;

static wadi_gpu_engine *with_odd_driver(wadi_sim *sim) {
    wadi_gpu_engine *engine = sim->domain->engine_state;
    real = engine->driver;
    odd = *real;
    engine->driver = &odd;
    return engine;
}

static wadi_status allocate_later(wadi_gpu *gpu, size_t bytes, wadi_gpu_memory **memory) {
    if (allocations_to_fail-- > 0) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory, says a test");
    return real->allocate(gpu, bytes, memory);
}

/* A sweep interleaves the state. The plain path takes it apart, as autotuning times it. poor: where memory allows. */
static void the_plain_path_takes_the_state_apart(void **state) {
    (void)state;
    for (int poor = 0; poor < 2; poor++) {
        scene scene = rainy_scene(jako2011(), 0, 1, 43, 50, 1);
        on_cpu(&scene);
        wadi_sim *sims[] = {run(&scene, 3), NULL};
        on_gpu(&scene);
        put_environment("WADI_GPU_SHAPE", "1,2,4,32,3,24,3");
        sims[1] = run(&scene, 3);
        put_environment("WADI_GPU_SHAPE", "0");
        wadi_gpu_engine *engine = with_odd_driver(sims[1]);
        assert_true(engine->block.fields > 0);
        odd.allocate = allocate_later;
        allocations_to_fail = poor;
        for (int i = 0; i < 2; i++) {
            OK(wadi_sim_set_parameter(sims[i], "thermal", 0));
            OK(wadi_sim_step(sims[i], 4));
        }
        put_environment("WADI_GPU_SHAPE", NULL);
        assert_int_equal(engine->shape.substeps, 0);
        assert_int_equal(engine->block.fields > 0, poor);
        assert_same(sims[0], sims[1], "the plain path after a sweep");
        engine->driver = real;
        for (int i = 0; i < 2; i++) wadi_sim_destroy(sims[i]);
        scene_free(&scene);
    }
}

/* A simulation that is about to search without PTX. There is no cache. */
static wadi_sim *about_to_search(void) {
    scene scene = rainy_scene(jako2011(), 0, 1, 43, 50, 1);
    on_gpu(&scene);
    scene.def.tune = true;
    scene.def.expected_steps = steps_of(scene.def, 80);
    put_environment("WADI_GPU_PTX", "0");
    put_environment("WADI_CACHE", "");
    wadi_sim *sim = start(&scene);
    scene_free(&scene);
    return sim;
}

static void end_search(wadi_sim *sim) {
    wadi_sim_destroy(sim);
    put_environment("WADI_GPU_PTX", NULL);
    put_environment("WADI_CACHE", "cache");
}

/* Whether the next steps begin with a search. */
static bool will_search(wadi_sim *sim) {
    const wadi_gpu_engine *engine = sim->domain->engine_state;
    assert_true(wadi_domain_keep(sim->domain));
    return engine->measure;
}

/* Without a cache, too, a change repeats no search, unless kernels change. */
static void a_search_is_not_repeated(void **state) {
    (void)state;
    wadi_sim *sim = about_to_search();
    wadi_gpu_engine *engine = sim->domain->engine_state;
    engine->about.local_bytes = 0; /* no sweep fits */
    assert_true(will_search(sim));
    OK(wadi_sim_step(sim, 1));
    OK(wadi_sim_set_parameter(sim, "rain", 0));
    assert_true(engine->stale && !will_search(sim));
    OK(wadi_sim_set_parameter(sim, "thermal", 0));
    assert_true(will_search(sim));
    end_search(sim);
}

/* In relaxed arithmetic nothing else tells the two searches apart. */
static void each_form_remembers_its_own_search(void **state) {
    (void)state;
    scene scene = rainy_scene(model_of("swenson2018"), 0, 1, 45, 51, 1);
    on_gpu(&scene);
    scene.def.tune = true;
    scene.def.arithmetic = WADI_RELAXED;
    put_environment("WADI_GPU_PTX", "0");
    while (leaves_some(&scene, steps_of(scene.def, 100))) continue;
    put_environment("WADI_GPU_PTX", NULL);
    assert_true(leaves_some(&scene, steps_of(scene.def, 21)));
    put_environment("WADI_GPU_PTX", "0");
    wadi_sim *sim = start(&scene);
    assert_false(will_search(sim));
    wadi_sim_destroy(sim);
    put_environment("WADI_GPU_PTX", NULL);
    scene_free(&scene);
}

static wadi_status finish_of_search(wadi_gpu *gpu) {
    searching = true;
    return real->finish(gpu);
}
static wadi_status copy_or_lose(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu_memory *from, size_t bytes) {
    lost = lost || searching;
    return lost ? wadi_fail(WADI_ERROR_DEVICE, "lost, says a test") : real->copy(gpu, to, from, bytes);
}
static wadi_status launch_or_count(wadi_gpu *gpu, wadi_gpu_kernel *kernel, const wadi_gpu_launch *launch,
                                   const wadi_gpu_argument *arguments, int count) {
    launches_when_lost += lost;
    return real->launch(gpu, kernel, launch, arguments, count);
}

/* When the state does not come back from a trial, nothing else is tried. */
static void a_search_ends_with_its_device(void **state) {
    (void)state;
    wadi_sim *sim = about_to_search();
    wadi_gpu_engine *engine = with_odd_driver(sim);
    odd.finish = finish_of_search, odd.copy = copy_or_lose, odd.launch = launch_or_count;
    searching = lost = false, launches_when_lost = 0;
    assert_int_equal(wadi_sim_step(sim, 2), WADI_ERROR_DEVICE);
    assert_true(lost && launches_when_lost == 0);
    engine->driver = real;
    end_search(sim);
}

static int kernels_in_the_cache(void) {
    DIR *folder = opendir("cache/kernels");
    int count = 0;
    while (folder != NULL && readdir(folder) != NULL) count++;
    if (folder != NULL) closedir(folder);
    return count;
}

/* What is built ahead is what is taken then. */
static void kernels_are_built_ahead(void **state) {
    (void)state;
    wadi_sim *sims[3] = {NULL};
    for (int i = 0; i < 3; i++) {
        scene scene = scene_of("olsen2004", 46 + 40 * i, 50, 2);
        make_hills(&scene, 20, 3);
        on_gpu(&scene);
        sims[i] = start(&scene);
        scene_free(&scene);
    }
    OK(wadi_sim_step(sims[1], 1)); /* builds the kernels that all simulations share */
    wadi_sim_destroy(sims[1]);
    sims[1] = NULL;
    const int before = kernels_in_the_cache();
    wadi_build_ahead(sims, 3);
    assert_int_equal(kernels_in_the_cache(), before + 2);
    OK(wadi_sim_step(sims[0], 3));
    OK(wadi_sim_step(sims[2], 3));
    assert_int_equal(kernels_in_the_cache(), before + 2);
    wadi_sim_destroy(sims[0]);
    wadi_sim_destroy(sims[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_substep_per_pass),
        cmocka_unit_test(two_substeps_per_pass),
        cmocka_unit_test(four_columns_per_lane),
        cmocka_unit_test(three_substeps_per_pass),
        cmocka_unit_test(every_constant_as_a_map),
        cmocka_unit_test(extreme_operands_are_exact),
        cmocka_unit_test(several_passes_per_launch),
        cmocka_unit_test(other_models),
        cmocka_unit_test(without_ptx),
        cmocka_unit_test(lanes_in_a_sub_group),
        cmocka_unit_test(rows_go_between_processes),
        cmocka_unit_test(transports_get_device_memory),
        cmocka_unit_test(short_runs_stay_on_the_cpu),
        cmocka_unit_test(many_short_runs_are_worth_a_build),
        cmocka_unit_test(a_search_goes_on_in_the_next_run),
        cmocka_unit_test(a_search_without_ptx_changes_no_bit),
        cmocka_unit_test(the_plain_path_takes_the_state_apart),
        cmocka_unit_test(a_search_is_not_repeated),
        cmocka_unit_test(each_form_remembers_its_own_search),
        cmocka_unit_test(a_search_ends_with_its_device),
        cmocka_unit_test(kernels_are_built_ahead),
    };
    const char *missing = NULL, *folder = getenv("WADI_STAND_IN");
    if (folder == NULL) return SKIPPED;
    put_environment("WADI_CACHE", "cache");      /* each program is built once */
    cmocka_set_test_filter(getenv("WADI_ONLY")); /* NULL: all */
    if (wadi_devices(WADI_ENGINE_CUDA, &about, 1, &missing) == 0 || strcmp(about.name, "stand-in") != 0) {
        print_message("FAILED: %s: %s\n", folder, missing != NULL ? missing : about.name);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
