/* machine.h: what a kernel that was built for the stand-in asks of it. */
#ifndef WADI_TESTS_STAND_IN_MACHINE_H
#define WADI_TESTS_STAND_IN_MACHINE_H

#include <stdint.h>

struct place3 {
    unsigned x, y, z;
};

/* Of an instruction: where it writes, or what it is given. */
struct operand {
    void *to;
    uint64_t bits;
};

struct instruction;

struct machine {
    /* Of the lane that runs. */
    place3 thread, group, items, groups;
    char *shared;
    /* By its PTX; and done by the lane, which may stop in it for others to go on. */
    const instruction *(*find)(const char *text);
    void (*run)(const instruction *what, const operand *operands);
    void (*fail)(const char *format, ...);
};

#endif
