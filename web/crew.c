/* crew.c: the threads that compute steps. They are made once, and wait between steps. A page that may have no threads
 * has the other module, whose C library makes none: the caller's thread then computes alone. */
#include <pthread.h>

#include "web/page.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begin = PTHREAD_COND_INITIALIZER, end = PTHREAD_COND_INITIALIZER;

/* What all members do now. For the lock's holder. */
static struct {
    wadi_crew_job *job;
    void *work;
    int members;
    int left;        /* members that have not returned */
    unsigned number; /* of such calls so far */
} call;

/* A thread's life; it waits for a call that needs it. */
static void *member(void *me_) {
    const int me = (int)(intptr_t)me_;
    pthread_mutex_lock(&lock);
    for (unsigned done = 0;; done = call.number) {
        while (call.number == done) pthread_cond_wait(&begin, &lock);
        if (me >= call.members) continue;
        pthread_mutex_unlock(&lock);
        call.job(call.work, me, call.members); /* it stays as it is until all have returned */
        pthread_mutex_lock(&lock);
        if (--call.left == 0) pthread_cond_signal(&end);
    }
    return NULL;
}

static void run(void *context, wadi_crew_job *job, void *work, int members) {
    (void)context;
    pthread_mutex_lock(&lock);
    call.job = job, call.work = work, call.members = members, call.left = members - 1, call.number++;
    if (members > 1) pthread_cond_broadcast(&begin);
    pthread_mutex_unlock(&lock);
    job(work, 0, members);
    pthread_mutex_lock(&lock);
    while (call.left > 0) pthread_cond_wait(&end, &lock);
    pthread_mutex_unlock(&lock);
}

/* Makes threads until there are no more. The first member is the thread of the call. */
static int members_made(void) {
    int count = 1;
    pthread_t thread;
    while (count < WADI_MOST_THREADS && pthread_create(&thread, NULL, member, (void *)(intptr_t)count) == 0) count++;
    return count;
}

/* With fewer cells for each, waiting for each other takes longer than what another thread saves. */
#define LEAST_CELLS 4096

const wadi_crew *page_crew(size_t cells) {
    static wadi_crew crew = {.run = run};
    static int most;
    if (most == 0) most = members_made();
    const size_t wanted = cells / LEAST_CELLS;
    crew.count = wanted < 1 ? 1 : wanted < (size_t)most ? (int)wanted : most;
    return &crew;
}
