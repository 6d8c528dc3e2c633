/* reach_cell.h: how far a stage reads a field, as the models' lists say it: 0, at the cell itself; 1, at it and its
 * eight neighbours; LEFT and so on, at that one neighbour alone. Of what only one neighbour will read, engines need
 * keep less. */
#define RADIUS_0 0
#define RADIUS_1 1
#define RADIUS_LEFT 1
#define RADIUS_RIGHT 1
#define RADIUS_ABOVE 1
#define RADIUS_BELOW 1
#define RADIUS_ABOVE_LEFT 1
#define RADIUS_ABOVE_RIGHT 1
#define RADIUS_BELOW_LEFT 1
#define RADIUS_BELOW_RIGHT 1

/* where the one neighbour is: columns to the right, rows down */
#define ONE_0 0, 0
#define ONE_1 0, 0
#define ONE_LEFT -1, 0
#define ONE_RIGHT 1, 0
#define ONE_ABOVE 0, -1
#define ONE_BELOW 0, 1
#define ONE_ABOVE_LEFT -1, -1
#define ONE_ABOVE_RIGHT 1, -1
#define ONE_BELOW_LEFT -1, 1
#define ONE_BELOW_RIGHT 1, 1
