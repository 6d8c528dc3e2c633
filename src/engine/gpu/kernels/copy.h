/* copy.h: copies memory, to measure the device's bandwidth. */
KERNEL(copy)(GLOBAL const float4 *from, GLOBAL float4 *to, const wide count) {
    const wide i = (wide)GROUP_X * ITEMS + ITEM;
    if (i < count) to[i] = from[i];
}
