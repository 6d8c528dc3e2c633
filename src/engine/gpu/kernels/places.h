/* places.h: where the cells of a field are. Beside the grid there is a margin, where the field holds its value outside; a
 * row has so many columns with it. A field has memory of its own, or several have one: then 32 columns of a row of the
 * first are followed by the same ones of the second and so on, and after those of the last come the next 32 columns. */
typedef struct grid {
    wide origin; /* of row 0, its margin included */
    wide pitch;  /* to the next row */
    int width, height;
    int wrap;
    int columns;
    int apart; /* from 32 columns to the next */
} grid;

#define BLOCK_COLUMNS 32

/* A column's place in a row, of so many fields that lie together. The margin's first column is 0. */
CELL int column_of(const int fields, const int column) {
    return fields == 1 ? column : (int)((uint)column / BLOCK_COLUMNS * (BLOCK_COLUMNS * fields) + (uint)column % BLOCK_COLUMNS);
}
CELL wide cell_at(const grid g, const int x, const int y) {
    const uint column = (uint)(x + MARGIN_COLUMNS);
    return g.origin + y * g.pitch + column / BLOCK_COLUMNS * g.apart + column % BLOCK_COLUMNS;
}
