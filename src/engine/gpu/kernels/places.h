/* places.h: where the cells of a field are in memory. A margin around the grid holds the outside value. A field has a
 * buffer of its own, or several fields are interleaved. That is: 32 columns of a row of the first field, the same
 * columns of the second and so on. Then come the next 32 columns. */
typedef struct grid {
    wide origin; /* of row 0, with its margin */
    wide pitch;  /* to the next row */
    int width, height;
    int wrap;
    int columns;
    int apart; /* from a block of 32 columns to the next */
} grid;

#define BLOCK_COLUMNS 32

/* A column's offset in a row of so many interleaved fields. Column 0 is the first of the margin. */
CELL int column_of(const int fields, const int column) {
    return fields == 1 ? column : (int)((uint)column / BLOCK_COLUMNS * (BLOCK_COLUMNS * fields) + (uint)column % BLOCK_COLUMNS);
}
CELL wide cell_at(const grid g, const int x, const int y) {
    const uint column = (uint)(x + MARGIN_COLUMNS);
    return g.origin + y * g.pitch + column / BLOCK_COLUMNS * g.apart + column % BLOCK_COLUMNS;
}
