/* infiltration.h: the parameters of water lost into the ground, for all models that have it, and their constants. */
#ifndef WADI_MODELS_INFILTRATION_H
#define WADI_MODELS_INFILTRATION_H

#define INFILTRATION_CHOICE static const char *const infiltration_names[] = {"off", "constant", "green-ampt", NULL};

/* clang-format off */ /* clang-format puts each value on a line of its own */

/* name, alias, unit, meaning, source, minimum, standard, maximum, powers of length and time, choices, per cell */
#define INFILTRATION_PARAMETERS \
    [P_infiltration] = {"infiltration", "infiltration-form", "", \
        "water lost into the ground: off; constant: Ksat; green-ampt: Ksat*(1 + psi*dtheta / depth taken up so far)", "Green, Ampt 1911", 0, 0, 2, 0, 0, infiltration_names, false}, \
    [P_Ksat] = {"Ksat", "infiltration-rate", "m/s", \
        "with infiltration: the ground's saturated conductivity, or the constant rate", "Green, Ampt 1911", 0, 1e-6, 0.05, 1, -1, NULL, true}, \
    [P_psi] = {"psi", "infiltration-suction", "m", \
        "with infiltration = green-ampt: suction at the wetting front", "Green, Ampt 1911", 0, 0.1, 100, 1, 0, NULL, true}, \
    [P_dtheta] = {"dtheta", "infiltration-deficit", "1", \
        "with infiltration = green-ampt: share of the ground's volume that water can still fill", "Green, Ampt 1911", 0, 0.3, 1, 0, 0, NULL, true}

/* clang-format on */

#define PREPARE_INFILTRATION(k, v, dt) \
    do { \
        (k)->soak = (float)((v)[P_Ksat] * (dt)); \
        (k)->suction = (v)[P_infiltration] > 1 ? (float)((v)[P_psi] * (v)[P_dtheta]) : 0; \
    } while (0)

#endif
