/* The scene of olsen2004, which has six algorithms, two of them in two forms. */
#include "scenes/scenes.h"

#define TRACKED(method, form) \
    { \
        {"method", method}, {"form", form}, { "track_sliding", "on" } \
    }
#define METHOD(method, form) \
    { \
        {"method", method}, { "form", form } \
    }

/* Its rain is relative to the terrain's relief. */
static double next_depth(const wadi_def *def, double relief_m, double depth) {
    const double dt = scene_value(def, "dt");
    const double wet = depth + scene_value(def, "Kr") * relief_m + dt * scene_value(def, "rain");
    if (scene_chosen(def, "evaporation", "surface")) return wet - dt * scene_value(def, "E");
    return wet * (1 - scene_value(def, "Ke"));
}

extern const scene_kind scene_olsen2004;
const scene_kind scene_olsen2004 = {
    .model = "olsen2004",
    .only_rain = {{"Kr", "0"}},
    /* still water dissolves bed, by definition */
    .still = {{"rain", "0"}, {"Kr", "0"}, {"Ke", "0"}, {"E", "0"}, {"Kc", "0"}, {"Ks", "0"}},
    .forms = {{"thermal", METHOD("thermal", "olsen")},
              {"thermal-optimised", METHOD("thermal-optimised", "olsen")},
              {"hydraulic", METHOD("hydraulic", "olsen")},
              {"hydraulic-optimised", METHOD("hydraulic-optimised", "olsen")},
              {"fast", TRACKED("fast", "olsen")},
              {"thermal-1989", TRACKED("thermal", "musgrave")},
              {"hydraulic-1989", METHOD("hydraulic", "musgrave")},
              {"thermal-isotropic", TRACKED("thermal-isotropic", "olsen")}},
    .hashes = {{"thermal", WADI_WRAP, false, METHOD("thermal", "olsen"),
                "504f3ee57ecf2d8e88eada7779dbabf9a45393ad3e94f9178c16a487b6eba7d6"},
               {"thermal-optimised", WADI_CLOSED, false, METHOD("thermal-optimised", "olsen"),
                "cc9db7798e2986aa507adb8bc6980b48cd389962200ab61650dd311781f433ee"},
               {"hydraulic", WADI_OPEN, false, METHOD("hydraulic", "olsen"),
                "2e396385fc0c63512a97baf4b9dec3904672b9785c15a5a01ee77604a9851955"},
               {"hydraulic-optimised", WADI_WRAP, false, METHOD("hydraulic-optimised", "olsen"),
                "7748a63cb7939309ba88f9260d62fb2b409c592659861f35e2dada5d49cd798a"},
               {"fast", WADI_CLOSED, false, METHOD("fast", "olsen"),
                "f138c7c7f2bc088bb2429dc45bb9b79cf5326fe05b89144fc783c19ea06d4d9b"},
               {"thermal-1989", WADI_OPEN, false, METHOD("thermal", "musgrave"),
                "f1608c595da5cdad9fe64147728daa7f92393bcbcac2501d117830e06238401b"},
               {"hydraulic-1989", WADI_WRAP, false, METHOD("hydraulic", "musgrave"),
                "4106057c6f9afac8016bcbb45a1b380d9b3715850816f9e1db2703737dda020a"},
               {"thermal-isotropic", WADI_OPEN, false, METHOD("thermal-isotropic", "olsen"),
                "d1fc376efcbf738a72dfee34f063328de094cdf71eb741a23c56983dd377b8f5"}},
    .next_depth = next_depth,
};
