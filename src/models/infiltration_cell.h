/* infiltration_cell.h: water that goes into the ground. In the common subset of C11, OpenCL C and CUDA C. */

/* What the ground can take up in a step of dt, m, after it took up F. Green and Ampt's rate is Ksat*(1 + S/F), with
 * S = psi*dtheta. Its integral over the step is x - S*ln(1 + x/(S + F)) = Ksat*dt. Li, Stevens, Simons 1976 take
 * 2z/(2 + z) for ln(1 + z). soak: Ksat*dt, which is also the result without suction. */
CELL float soaking(float soak, float suction, float soaked) {
    float over = (soaked + soaked) - soak, room = 4.0f * soak * (suction + soaked);
    float root = sqrtf(over * over + (room + room));
    /* soaked + 1 makes it vary by cell: gcc 12 leaves the loop scalar otherwise */
    int ampt = cell_least(cell_least(suction, soak), soaked + 1.0f) > 0.0f;
    return ampt ? (over < 0.0f ? 0.5f * (root - over) : room / (root + over)) : soak;
}

/* Water that goes into the ground, at most what is there. A step takes too little for the digits of d or of the sum.
 * So `owed` keeps the rest for the next step. d loses a multiple of the last digits of both, and the sum gets it. Where
 * all water goes, `owed` is the rest of the sum. */
typedef struct cell_ground {
    float d, soaked, owed;
} cell_ground;

CELL cell_ground infiltrate(float d, float soaked, float owed, float wanted) {
    cell_ground g;
    float due = owed + wanted;
    int all = !(due < d);
    float held = (soaked + due) - soaked;
    g.d = all ? 0.0f : cell_most(0.0f, d - cell_most(0.0f, held));
    float taken = all ? owed + d : d - g.d;
    g.soaked = soaked + taken;
    g.owed = all ? taken - (g.soaked - soaked) : due - taken;
    return g;
}
