/* machine.h: the interface between a kernel that was built for the stand-in and the stand-in. */
#ifndef WADI_TESTS_STAND_IN_MACHINE_H
#define WADI_TESTS_STAND_IN_MACHINE_H

#include <stdint.h>

struct place3 {
    unsigned x, y, z;
};

/* The operand of an instruction: its destination or a source. */
struct operand {
    void *to;
    uint64_t bits;
};

struct instruction;

struct machine {
    /* of the running lane */
    place3 thread, group, items, groups;
    char *shared;
    /* finds an instruction by its PTX; it runs in its lane, and may suspend the lane to run others */
    const instruction *(*find)(const char *text);
    void (*run)(const instruction *what, const operand *operands);
    void (*fail)(const char *format, ...);
};

#endif
