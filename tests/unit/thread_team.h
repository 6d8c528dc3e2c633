/* thread_team.h: a team (wadi/team.h) whose processes are threads of the test. Each pair has a queue of messages for
 * each direction and tag. */
#ifndef WADI_TESTS_THREAD_TEAM_H
#define WADI_TESTS_THREAD_TEAM_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "wadi/team.h"

enum { TEAM_MOST = 4, TEAM_ORDER = 0, TEAM_UP, TEAM_DOWN, TEAM_TAGS };

typedef struct team_message {
    struct team_message *next;
    size_t count;
    char bytes[];
} team_message;

typedef struct team_place {
    struct thread_team *all;
    wadi_team team;
    pthread_t thread;
    wadi_status ended;
} team_place;

typedef struct thread_team {
    pthread_mutex_t mutex;
    pthread_cond_t arrived;
    team_message *queue[TEAM_MOST][TEAM_MOST][TEAM_TAGS]; /* from, to */
    uint64_t sent[TEAM_TAGS];
    bool lost; /* from now on every call fails */
    team_place place[TEAM_MOST];
} thread_team;

static bool team_put(team_place *me, int to, int tag, const void *bytes, size_t count) {
    thread_team *all = me->all;
    team_message *message = malloc(sizeof *message + count), **end;
    assert_non_null(message);
    message->next = NULL;
    message->count = count;
    memcpy(message->bytes, bytes, count);
    pthread_mutex_lock(&all->mutex);
    for (end = &all->queue[me->team.me][to][tag]; *end != NULL;) end = &(*end)->next;
    *end = message;
    all->sent[tag]++;
    const bool lost = all->lost;
    pthread_cond_broadcast(&all->arrived);
    pthread_mutex_unlock(&all->mutex);
    return !lost;
}

static bool team_get(team_place *me, int from, int tag, void *bytes, size_t count) {
    thread_team *all = me->all;
    team_message **queue = &all->queue[from][me->team.me][tag];
    pthread_mutex_lock(&all->mutex);
    while (*queue == NULL && !all->lost) pthread_cond_wait(&all->arrived, &all->mutex);
    team_message *message = all->lost ? NULL : *queue;
    if (message != NULL) *queue = message->next;
    pthread_mutex_unlock(&all->mutex);
    if (message == NULL) return false;
    const bool fits = message->count == count;
    if (fits) memcpy(bytes, message->bytes, count);
    free(message);
    return fits;
}

static bool team_send(void *context, int to, const void *bytes, size_t count) {
    return team_put(context, to, TEAM_ORDER, bytes, count);
}
static bool team_receive(void *context, int from, void *bytes, size_t count) {
    return team_get(context, from, TEAM_ORDER, bytes, count);
}
static bool team_exchange(void *context, const wadi_team_swap swaps[2]) {
    bool all = true;
    for (int i = 0; i < 2; i++)
        if (swaps[i].with >= 0)
            all = team_put(context, swaps[i].with, i == 0 ? TEAM_UP : TEAM_DOWN, swaps[i].give, swaps[i].bytes) && all;
    for (int i = 0; i < 2; i++)
        if (swaps[i].with >= 0)
            all = team_get(context, swaps[i].with, i == 0 ? TEAM_DOWN : TEAM_UP, swaps[i].take, swaps[i].bytes) && all;
    return all;
}

static void *team_serve(void *place) {
    ((team_place *)place)->ended = wadi_team_serve(&((team_place *)place)->team);
    return NULL;
}

/* The threads serve from now on. devices: bits of the processes whose exchange takes device memory. */
static thread_team *team_start_by(int processes, bool (*exchange)(void *, const wadi_team_swap[2]), unsigned devices) {
    thread_team *all = calloc(1, sizeof *all);
    assert_non_null(all);
    pthread_mutex_init(&all->mutex, NULL);
    pthread_cond_init(&all->arrived, NULL);
    for (int i = 0; i < processes; i++) {
        team_place *place = &all->place[i];
        place->all = all;
        place->team = (wadi_team){.processes = processes,
                                  .me = i,
                                  .on_host = processes,
                                  .me_there = i,
                                  .share = 1.0 / processes,
                                  .context = place,
                                  .send = team_send,
                                  .receive = team_receive,
                                  .exchange = exchange,
                                  .device_memory = (devices >> i & 1) != 0};
        if (i > 0) assert_int_equal(pthread_create(&place->thread, NULL, team_serve, place), 0);
    }
    assert_int_equal(wadi_team_lead(&all->place[0].team), WADI_OK);
    return all;
}

static thread_team *team_start(int processes) { return team_start_by(processes, team_exchange, 0); }

/* ended: what wadi_team_serve returns. */
static void team_end(thread_team *all, wadi_status ended) {
    const int processes = all->place[0].team.processes;
    wadi_team_dismiss(&all->place[0].team);
    for (int i = 1; i < processes; i++) {
        pthread_join(all->place[i].thread, NULL);
        assert_int_equal(all->place[i].ended, ended);
    }
    for (int i = 0; i < processes * processes * TEAM_TAGS; i++) {
        team_message *message = all->queue[i / TEAM_TAGS / processes][i / TEAM_TAGS % processes][i % TEAM_TAGS], *next;
        if (ended == WADI_OK) assert_null(message); /* nothing was left unread */
        for (; message != NULL; message = next) {
            next = message->next;
            free(message);
        }
    }
    pthread_cond_destroy(&all->arrived);
    pthread_mutex_destroy(&all->mutex);
    free(all);
}

#endif
