/* streams.c: a channel goes on downstream as long as it flows, because contributing areas only grow. A reach begins at
 * a source or a confluence. Reaches are numbered in the order of the flood, so from the outlets up. */
#include "core/streams.h"

#include <stdlib.h>

enum { TWICE = 128 }; /* two inflows or more have the largest order */

void wadi_strahler_orders(const wadi_flood *flood, double threshold_cells, uint8_t *orders, uint8_t *inflows) {
    for (size_t i = flood->reached; i-- > 0;) {
        const uint32_t cell = flood->order[i];
        if (flood->areas[cell] < threshold_cells) continue;
        const int inflow = orders[cell] & ~TWICE, order = inflow == 0 ? 1 : inflow + (orders[cell] != inflow);
        orders[cell] = (uint8_t)order;
        uint32_t there;
        if (!wadi_flood_receiver(flood, cell, &there)) continue;
        if (inflows != NULL) inflows[there]++;
        if (order > (orders[there] & ~TWICE))
            orders[there] = (uint8_t)order;
        else if (order == (orders[there] & ~TWICE))
            orders[there] |= TWICE;
    }
}

typedef struct network {
    const wadi_flood *flood;
    uint8_t *orders, *inflows;
    int64_t *reach; /* that begins at a cell; valid at the beginnings */
} network;

static bool begins_at(const network *n, uint32_t cell) { return n->orders[cell] > 0 && n->inflows[cell] != 1; }

/* Goes from a reach's first cell to its last, and writes them where `cells` is not NULL. Returns how many. */
static size_t follow(const network *n, uint32_t cell, uint32_t *cells, wadi_stream *stream) {
    size_t points = 1;
    uint32_t there;
    if (cells != NULL) cells[0] = cell;
    while (wadi_flood_receiver(n->flood, cell, &there)) {
        if (cells != NULL) {
            cells[points] = there;
            stream->length_m += n->flood->steps[n->flood->way[cell]];
            stream->area_m2 = n->flood->areas[cell]; /* in cells so far */
        }
        points++;
        cell = there;
        if (begins_at(n, cell)) return points;
    }
    if (cells != NULL) stream->area_m2 = n->flood->areas[cell];
    return points;
}

/* A confluence in an outlet has no way to go: it is no reach. */
static void count_reaches(network *n, wadi_streams *streams, size_t *cells) {
    for (size_t i = 0; i < n->flood->reached; i++) {
        const uint32_t cell = n->flood->order[i];
        if (!begins_at(n, cell)) continue;
        const size_t points = follow(n, cell, NULL, NULL);
        n->reach[cell] = points > 1 ? (int64_t)streams->count++ : WADI_NO_STREAM;
        if (points > 1) *cells += points;
    }
}

static void fill_reaches(const network *n, double cell_m2, wadi_streams *streams) {
    size_t count = 0, first = 0;
    for (size_t i = 0; i < n->flood->reached; i++) {
        const uint32_t cell = n->flood->order[i];
        if (!begins_at(n, cell) || n->reach[cell] == WADI_NO_STREAM) continue;
        wadi_stream *stream = &streams->streams[count++];
        *stream = (wadi_stream){.first = first, .order = n->orders[cell], .next = WADI_NO_STREAM};
        stream->points = follow(n, cell, streams->cells + first, stream);
        stream->area_m2 *= cell_m2;
        first += stream->points;
        const uint32_t last = streams->cells[first - 1];
        if (begins_at(n, last)) stream->next = n->reach[last];
    }
}

bool wadi_streams_find(const wadi_flood *flood, double cell_m2, double threshold_m2, wadi_streams *streams) {
    const size_t count = (size_t)flood->width * (size_t)flood->height;
    network n = {flood, calloc(count, 1), calloc(count, 1), malloc(count * sizeof *n.reach)};
    size_t cells = 0;
    bool enough = n.orders != NULL && n.inflows != NULL && n.reach != NULL;
    streams->threshold_m2 = wadi_flood_threshold(flood, cell_m2, threshold_m2);
    if (enough) {
        wadi_strahler_orders(flood, streams->threshold_m2 / cell_m2, n.orders, n.inflows);
        count_reaches(&n, streams, &cells);
        streams->streams = malloc((streams->count + 1) * sizeof *streams->streams);
        streams->cells = malloc((cells + 1) * sizeof *streams->cells);
        enough = streams->streams != NULL && streams->cells != NULL;
    }
    if (enough) fill_reaches(&n, cell_m2, streams);
    free(n.orders);
    free(n.inflows);
    free(n.reach);
    return enough;
}
