/* reach_cell.h: the reach of a stage's read, as in the models' lists. 0: the cell itself. 1: the cell and its eight
 * neighbours. LEFT and so on: that one neighbour only; engines then need to keep fewer values. */
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

/* position of the one neighbour: columns to the right, rows down */
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
