/* run_join_same.h: what the run.json of all tiles of one map have in common. */
#ifndef WADI_RUN_RUN_JOIN_SAME_H
#define WADI_RUN_RUN_JOIN_SAME_H

struct json_t; /* jansson's, which not all builds have */

/* What must be equal in all tiles, as a text to be freed; NULL: no memory. */
char *run_join_same(struct json_t *root);
void run_join_drop(struct json_t *object, const char *const *keys); /* removes them; NULL ends the list */

#endif
