/* reach_cell.h: the reach of a stage's read, as in the models' lists. 0: the cell itself. 1: the cell and its eight
 * neighbours. ROW: those of its own row; UPPER, LOWER: also those of the row above, or below. LEFT and so on: that one
 * neighbour only. The less a stage reads, the fewer values engines keep. */
#define RADIUS_0 0
#define RADIUS_1 1
#define RADIUS_ROW 1
#define RADIUS_UPPER 1
#define RADIUS_LOWER 1
#define RADIUS_LEFT 1
#define RADIUS_RIGHT 1
#define RADIUS_ABOVE 1
#define RADIUS_BELOW 1
#define RADIUS_ABOVE_LEFT 1
#define RADIUS_ABOVE_RIGHT 1
#define RADIUS_BELOW_LEFT 1
#define RADIUS_BELOW_RIGHT 1

/* rows above and below the cell's own that are read */
#define ROWS_0 0, 0
#define ROWS_1 1, 1
#define ROWS_ROW 0, 0
#define ROWS_UPPER 1, 0
#define ROWS_LOWER 0, 1
#define ROWS_LEFT 0, 0
#define ROWS_RIGHT 0, 0
#define ROWS_ABOVE 1, 0
#define ROWS_BELOW 0, 1
#define ROWS_ABOVE_LEFT 1, 0
#define ROWS_ABOVE_RIGHT 1, 0
#define ROWS_BELOW_LEFT 0, 1
#define ROWS_BELOW_RIGHT 0, 1

/* position of the one neighbour: columns to the right, rows down */
#define ONE_0 0, 0
#define ONE_1 0, 0
#define ONE_ROW 0, 0
#define ONE_UPPER 0, 0
#define ONE_LOWER 0, 0
#define ONE_LEFT -1, 0
#define ONE_RIGHT 1, 0
#define ONE_ABOVE 0, -1
#define ONE_BELOW 0, 1
#define ONE_ABOVE_LEFT -1, -1
#define ONE_ABOVE_RIGHT 1, -1
#define ONE_BELOW_LEFT -1, 1
#define ONE_BELOW_RIGHT 1, 1
