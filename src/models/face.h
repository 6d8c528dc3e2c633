/* face.h: the constants of face_height (common_cell.h), for the models that limit slopes by it. */
#ifndef WADI_MODELS_FACE_H
#define WADI_MODELS_FACE_H

/* For faces of slope S_c on cells of lx x ly. */
#define PREPARE_FACE(k, S_c, lx, ly) \
    do { \
        const double px = 1 / ((lx) * (lx)), py = 1 / ((ly) * (ly)); \
        (k)->part_x = (float)(px / (px + py)); \
        (k)->part_y = (float)(py / (px + py)); \
        (k)->face = (float)((S_c) * (S_c) / (px + py)); \
        (k)->folds = (float)(px * py / ((px + py) * (px + py))); \
    } while (0)

#endif
