/* team.c: the processes of an MPI program erode one terrain together. Needs libwadi and libwadi_mpi.
 *
 *     cc team.c $(pkg-config --cflags --libs wadi_mpi wadi) -o team && mpirun -n 2 ./team
 */
#include <stdio.h>
#include <stdlib.h>
#include <wadi/mpi.h>
#include <wadi/wadi.h>

enum { WIDTH = 256, HEIGHT = 512, CELLS = WIDTH * HEIGHT };

static void check(wadi_status status) {
    if (status == WADI_OK) return;
    fprintf(stderr, "%s\n", wadi_error_message());
    exit(EXIT_FAILURE);
}

/* The program of process 0. It is that of erode.c, but for the team. */
static void lead(const wadi_team *team) {
    static float heights[CELLS];
    wadi_terrain terrain = wadi_default_terrain("diamond-square", WIDTH, HEIGHT);
    check(wadi_terrain_generate(&terrain, heights));

    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), WIDTH, HEIGHT, 1.0, 1.0);
    def.team = team;
    wadi_sim *sim;
    check(wadi_sim_create(&def, &sim));
    check(wadi_sim_set(sim, "height", heights, CELLS));
    check(wadi_sim_step(sim, 200));
    check(wadi_sim_get(sim, "height", heights, CELLS));
    printf("%s: erosion score %.3f after %lld steps\n", wadi_sim_device(sim),
           wadi_erosion_score(heights, WIDTH, HEIGHT, false), (long long)wadi_sim_steps(sim));
    wadi_sim_destroy(sim);
}

int main(void) {
    wadi_team team;
    const char *wrong = wadi_mpi_join(&team);
    if (wrong != NULL) {
        fprintf(stderr, "%s\n", wrong);
        return EXIT_FAILURE;
    }
    if (team.me == 0) {
        check(wadi_team_lead(&team));
        lead(&team);
        check(wadi_team_dismiss(&team));
    } else {
        check(wadi_team_serve(&team));
    }
    wadi_mpi_leave(&team);
    return EXIT_SUCCESS;
}
