/* waves_cell.h: stages of schott2023 for waves that turn towards headlands. */

/* Waves turn towards headlands. How much a coast is exposed is the share of sea around. On a straight coast that is
 * 1/2, and it falls inland as exp(-x / EXPOSED_CELLS), x in cells. In a bay of radius R (cells) it is less by a quarter
 * of EXPOSED_CELLS / R, and on a headland more. Each step brings it nearer. */
#define EXPOSED_CELLS 6.0f
#define MOVES (0.6f / EXPOSED_CELLS) /* cells a step: the share hardly follows a faster coast */
#define MOST_LATE 0.75f /* so much of a missing speed is given back */
#define ASKEW 0.05f     /* the share of sea is larger beside a coast along a diagonal */
#define IN_SEA(b) ((b) < k.sea ? 2.0f : 1.0f)
#define STAGE_exposure(READ, MAPS, WRITE, SUMS) READ(b, 0) READ(exposed, 0) WRITE(seen)
STAGE(exposure) { SET(seen, HERE(exposed) > 0.0f ? HERE(exposed) : IN_SEA(HERE(b))); }
END_STAGE

/* Beyond a border the coast goes on. */
CELL float seen_from(int none, float here, float there) { return none ? here : there; }
#define SEEN(dx, dy, way) seen_from(OUTSIDE &&cell_outside(AT(b, dx, dy)), here, AT(seen, dx, dy))
#define STAGE_surf(READ, MAPS, WRITE, SUMS) \
    READ(b, 1) READ(seen, 1) READ(b0, 0) READ(db, 0) READ(s, 0) MAPS(waves, 0) WRITE(exposed) WRITE(db) WRITE(s)
STAGE(surf) {
    float b = HERE(b), here = HERE(seen);
    cell_eight beside = EIGHT(BESIDE), opens = EIGHT(OPEN), cliffs = EIGHT(CLIFF), e = EIGHT(SEEN);
    int dead = OUTSIDE && cell_outside(b), outlet = OUTSIDE && !dead && is_outlet(b, beside, k.open, k.rims);
    /* The mean comes near the sea itself by 0.3 / EXPOSED_CELLS^2 in a step. */
    float mean = 0.2f * ((e.L + e.R) + (e.T + e.B)) + 0.05f * ((e.TL + e.BR) + (e.TR + e.BL));
    float around = mean + (0.3f / (EXPOSED_CELLS * EXPOSED_CELLS)) * (IN_SEA(b) - mean);
    /* The land beside a straight coast, by the distance of its cells from the sea, has 0.45 along an axis, and a little
     * more along a diagonal. A coast that moves by v cells in a step has less by delay, because the share follows late.
     * (For a steady front delay = v / 2 / sqrt(v^2 + MOVES^2).) So `slowed` is less than the speed by about `late` times
     * the speed. Dividing by 1 - late gives it back. A bay that stands still stays so: there `slowed` is below 0. */
    float v = MAP(waves), delay = 0.5f * v / sqrtf(v * v + MOVES * MOVES);
    float late = cell_min(k.refracts * delay, MOST_LATE), open = open_of(opens);
    float slowed = 1.0f + k.refracts * (around - (1.45f + ASKEW * (open - 1.0f)));
    float speed = cell_max(slowed, 0.0f) / (1.0f - late);
    float cut = cut_by_waves(v, open, cliffs, b, k.sea, k.wave_base) * speed;
    float top = HERE(b0) + HERE(db), worn = cell_max(cell_min(cut, top - (k.sea - k.wave_base)), 0.0f);
    /* After stage erode: what came to rest in this step is cut, too. */
    cell_transfer t = transfer(HERE(db), HERE(s), dead || outlet ? 0.0f : worn);
    SET(exposed, dead ? 0.0f : around);
    SET(db, t.db);
    SET(s, t.s);
}
END_STAGE
