/* copy.h: for the measure of what the memory can do. */
KERNEL(copy)(GLOBAL const float4 *from, GLOBAL float4 *to, const wide count) {
    const wide i = (wide)GROUP_X * ITEMS + ITEM;
    if (i < count) to[i] = from[i];
}
