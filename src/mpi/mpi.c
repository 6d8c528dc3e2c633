/* mpi.c: a team by MPI. It waits by asking again and again, because a waiting process should leave its core to the
 * threads of others, and because not every MPI notices that a process has died. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "wadi/mpi.h"

#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __has_include
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h> /* OpenMPI and MVAPICH: MPIX_Query_cuda_support */
#endif
#endif

enum { ORDER, UP, DOWN };            /* tags */
static const size_t PIECE = 1 << 30; /* MPI counts bytes by an int */

typedef struct link_state {
    MPI_Comm all;
    pid_t parent;
    pid_t *process; /* by number; 0: on another machine */
    bool ours;      /* MPI was initialized here */
    bool lost;
} link_state;

static link_state state;

/* --- waiting --- */

static void sleep_for(long ns) {
    const struct timespec time = {0, ns};
    nanosleep(&time, NULL);
}

/* Whether a process of this machine has ended, or the program that started this one. */
static bool has_ended(const link_state *link, int number) {
    const pid_t process = number >= 0 ? link->process[number] : 0;
    return getppid() != link->parent || (process > 0 && kill(process, 0) != 0 && errno == ESRCH);
}

/* Waits for all requests, which are with these two processes. */
static bool wait_for(link_state *link, MPI_Request *requests, int count, int one, int two) {
    enum { SPINS = 2000, YIELDS = 20000, ASK_EVERY = 2000 }; /* a sleep is 0.1 ms and more */
    MPI_Status results[4];
    int done = 0;
    for (long tries = 0; !link->lost && !done; tries++) {
        if (MPI_Testall(count, requests, &done, results) != MPI_SUCCESS) link->lost = true;
        if (done || tries < SPINS) continue;
        if (tries < YIELDS)
            sched_yield();
        else
            sleep_for(100000);
        if (tries % ASK_EVERY == 0 && (has_ended(link, one) || has_ended(link, two))) link->lost = true;
    }
    return !link->lost;
}

/* --- the team's calls --- */

static int piece_of(size_t left) { return (int)(left < PIECE ? left : PIECE); }

static bool send_bytes(void *context, int to, const void *bytes, size_t count) {
    link_state *link = context;
    for (size_t at = 0; at < count && !link->lost; at += PIECE) {
        MPI_Request request;
        const char *piece = (const char *)bytes + at;
        if (MPI_Isend(piece, piece_of(count - at), MPI_BYTE, to, ORDER, link->all, &request) != MPI_SUCCESS)
            link->lost = true;
        else
            wait_for(link, &request, 1, to, -1);
    }
    return !link->lost;
}

static bool receive_bytes(void *context, int from, void *bytes, size_t count) {
    link_state *link = context;
    for (size_t at = 0; at < count && !link->lost; at += PIECE) {
        MPI_Request request;
        if (MPI_Irecv((char *)bytes + at, piece_of(count - at), MPI_BYTE, from, ORDER, link->all, &request) !=
            MPI_SUCCESS)
            link->lost = true;
        else
            wait_for(link, &request, 1, from, -1);
    }
    return !link->lost;
}

/* A piece of a swap: `way` is the tag of what goes to the other process, `back` of what comes. */
static int start(link_state *link, const wadi_team_swap *swap, size_t at, int way, int back, MPI_Request requests[2]) {
    if (swap->with < 0 || at >= swap->bytes) return 0;
    const int piece = piece_of(swap->bytes - at);
    const char *give = (const char *)swap->give + at;
    char *take = (char *)swap->take + at;
    if (MPI_Irecv(take, piece, MPI_BYTE, swap->with, back, link->all, &requests[0]) != MPI_SUCCESS ||
        MPI_Isend(give, piece, MPI_BYTE, swap->with, way, link->all, &requests[1]) != MPI_SUCCESS)
        link->lost = true;
    return 2;
}

static bool exchange_rows(void *context, const wadi_team_swap swaps[2]) {
    link_state *link = context;
    const size_t most = swaps[0].bytes > swaps[1].bytes ? swaps[0].bytes : swaps[1].bytes;
    for (size_t at = 0; at < most && !link->lost; at += PIECE) {
        MPI_Request requests[4];
        int count = start(link, &swaps[0], at, UP, DOWN, requests);
        count += start(link, &swaps[1], at, DOWN, UP, requests + count);
        if (!link->lost) wait_for(link, requests, count, swaps[0].with, swaps[1].with);
    }
    return !link->lost;
}

/* --- who is there --- */

/* Of the cores that this process may use: each counts as much as there are processes that may use it. */
static double share_of_cores(MPI_Comm host, int on_host) {
#ifdef __linux__
    cpu_set_t mine;
    cpu_set_t *all = malloc((size_t)on_host * sizeof *all);
    double share = 0;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0) CPU_SET(0, &mine);
    if (all == NULL) MPI_Abort(host, 1); /* the others wait for this one */
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, host);
    for (size_t core = 0; core < CPU_SETSIZE; core++) {
        int users = 0;
        for (int i = 0; i < on_host; i++) users += CPU_ISSET(core, &all[i]) != 0;
        if (CPU_ISSET(core, &mine)) share += 1.0 / users;
    }
    free(all);
    return share / CPU_COUNT(&mine);
#else
    (void)host;
    return 1.0 / on_host;
#endif
}

/* The processes of this machine, by their numbers among all. */
static bool list_processes(link_state *link, MPI_Comm host, const wadi_team *team) {
    int *numbers = malloc((size_t)team->on_host * 2 * sizeof *numbers);
    const int mine[2] = {team->me, (int)getpid()};
    link->process = calloc((size_t)team->processes, sizeof *link->process);
    if (numbers == NULL || link->process == NULL) MPI_Abort(host, 1); /* the others wait for this one */
    if (numbers != NULL && link->process != NULL) {
        MPI_Allgather(mine, 2, MPI_INT, numbers, 2, MPI_INT, host);
        for (int i = 0; i < team->on_host; i++) link->process[numbers[2 * i]] = (pid_t)numbers[2 * i + 1];
    }
    free(numbers);
    return numbers != NULL && link->process != NULL;
}

/* Whether MPI reads and writes CUDA device memory: it says so, or the user does. */
static bool takes_device_memory(void) {
    const char *said = getenv("WADI_MPI_CUDA");
    int is_aware = 0;
    if (said != NULL && said[0] != '\0') return strcmp(said, "0") != 0;
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    is_aware = MPIX_Query_cuda_support();
#elif defined(MPIX_GPU_SUPPORT_CUDA) /* MPICH, and those made from it */
    if (MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &is_aware) != MPI_SUCCESS) is_aware = 0;
#endif
    return is_aware != 0;
}

static const char *find_team(link_state *link, wadi_team *team) {
    MPI_Comm host;
    *team = (wadi_team){.context = link, .send = send_bytes, .receive = receive_bytes, .exchange = exchange_rows};
    link->parent = getppid();
    MPI_Comm_dup(MPI_COMM_WORLD, &link->all);
    MPI_Comm_size(link->all, &team->processes);
    MPI_Comm_rank(link->all, &team->me);
    MPI_Comm_split_type(link->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &team->on_host);
    MPI_Comm_rank(host, &team->me_there);
    team->share = share_of_cores(host, team->on_host);
    team->device_memory = takes_device_memory();
    const bool all = list_processes(link, host, team);
    MPI_Comm_free(&host);
    MPI_Comm_set_errhandler(link->all, MPI_ERRORS_RETURN);
    return all ? NULL : "not enough memory for a list of processes";
}

const char *wadi_mpi_join(wadi_team *team) {
    int there = 0, level = MPI_THREAD_SERIALIZED;
    MPI_Initialized(&there);
    if (!there && MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS) return "MPI did not start";
    if (there) MPI_Query_thread(&level);
    state.ours = !there;
    if (level < MPI_THREAD_FUNNELED) return "this MPI does not allow programs with threads";
    return find_team(&state, team);
}

void wadi_mpi_leave(const wadi_team *team) {
    link_state *link = team->context;
    if (link->lost) MPI_Abort(link->all, 1);
    free(link->process);
    link->process = NULL;
    MPI_Comm_free(&link->all);
    if (link->ours) MPI_Finalize();
}
