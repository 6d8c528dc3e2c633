/* falls_cell.h: which cells get water, and how much: discs of sources and drops, points of showers. Host and devices
 * compile the same text, in float64, in the common subset of C11, OpenCL C and CUDA C. The includer defines CELL and
 * uwide (64 bits, unsigned); the host also defines DISC. */
#ifdef DISC
typedef DISC disc;
#else
typedef struct disc { /* as in discs.h */
    double x, y, radius_m;
    float depth;
    int gaussian;
} disc;
#endif

/* The whole grid, and the rows and columns of it at which the domain begins. */
typedef struct ground {
    int width, height, wrap, first_row;
    int first_column, columns; /* of the domain */
    double lx, ly;
} ground;

CELL int fall_around(int i, int size) { return ((i % size) + size) % size; }

/* The row of the grid that is row y of the domain. On a periodic grid a domain may reach beyond the last row. */
CELL int ground_row(const ground g, int y) { return g.wrap ? fall_around(g.first_row + y, g.height) : g.first_row + y; }

/* |a - b| in cells; on a periodic grid the shorter distance */
CELL double fall_apart(double a, double b, int size, int wrap) {
    const double distance = a < b ? b - a : a - b;
    return wrap && distance > size - distance ? size - distance : distance;
}

/* e^-x for x from 0 to 5, with the same bits on every machine. */
CELL double fall_exp_negative(double x) {
    const double y = x / 64;
    double e = 1 + y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5))));
    for (int i = 0; i < 6; i++) e *= e;
    return 1 / e;
}

CELL double disc_reach(const disc d) { return d.gaussian ? 1.5 * d.radius_m : d.radius_m; }

/* The fraction of the disc's depth that cell (x, y) gets, by its centre: 1 or 0, or the Gaussian. The disc's own cell
 * always gets some. */
CELL double disc_weight(const ground g, const disc d, int x, int y) {
    const int own = (int)floor(d.x) == x && (int)floor(d.y) == y;
    const double dx = fall_apart(x + 0.5, d.x, g.width, g.wrap) * g.lx;
    const double dy = fall_apart(y + 0.5, d.y, g.height, g.wrap) * g.ly;
    const double r2 = dx * dx + dy * dy, reach = disc_reach(d);
    if (r2 > reach * reach) return own;
    return d.gaussian && r2 > 0 ? fall_exp_negative(2 * r2 / (d.radius_m * d.radius_m)) : 1;
}

/* The columns that the disc may cover in a row. They may extend beyond the border. */
CELL int disc_covers_all(const ground g, const disc d) { return 2 * (disc_reach(d) / g.lx + 1) + 2 >= g.width; }
CELL int disc_first(const ground g, const disc d) {
    return disc_covers_all(g, d) ? 0 : (int)floor(d.x - (disc_reach(d) / g.lx + 1));
}
CELL int disc_columns(const ground g, const disc d) {
    return disc_covers_all(g, d) ? g.width : (int)ceil(2 * (disc_reach(d) / g.lx + 1)) + 2;
}

CELL int disc_touches(const ground g, const disc d, int y) {
    if ((int)floor(d.y) == y) return 1;
    return fall_apart(y + 0.5, d.y, g.height, g.wrap) * g.ly <= disc_reach(d);
}

/* Column x wrapped onto the grid, or -1 beyond a border that does not wrap. */
CELL int fall_on_grid(const ground g, int x) {
    if (x >= 0 && x < g.width) return x;
    return g.wrap ? fall_around(x, g.width) : -1;
}

/* The column of the domain that is column x of the grid, or -1. */
CELL int ground_column(const ground g, int x) {
    return x >= g.first_column && x - g.first_column < g.columns ? x - g.first_column : -1;
}

/* Showers: a Hammersley set of 2^32 points, (reversed bits of i, i) / 2^32 of the grid. A shower takes every stride-th
 * point from its start on. The stride is odd, because an even one leaves out whole columns. Points are ordered by rows:
 * those of row y end before the first of row y + 1. */
CELL uwide shower_reversed(uwide i) { /* of 32 bits */
    i = (i & 0x55555555u) << 1 | (i >> 1 & 0x55555555u);
    i = (i & 0x33333333u) << 2 | (i >> 2 & 0x33333333u);
    i = (i & 0x0f0f0f0fu) << 4 | (i >> 4 & 0x0f0f0f0fu);
    i = (i & 0x00ff00ffu) << 8 | (i >> 8 & 0x00ff00ffu);
    return (i & 0xffffu) << 16 | i >> 16;
}
CELL uwide shower_first(const ground g, uwide start, uwide stride, int y) {
    const uwide height = (uwide)g.height, from = (((uwide)y << 32) + height - 1) / height;
    return from <= start ? start : start + (from - start + stride - 1) / stride * stride;
}
CELL uwide shower_end(const ground g, int y) {
    const uwide height = (uwide)g.height;
    return (((uwide)(y + 1) << 32) + height - 1) / height;
}
CELL int shower_column(const ground g, uwide i) { return (int)(shower_reversed(i) * (uwide)g.width >> 32); }
