/* mutate.c: changes a part of a file, to test its reader. It flips bits, sets extreme integers, removes or moves parts,
 * takes parts of another file, cuts the end, and changes numbers in a text.
 *     mutate SEED FILE OTHER OUT
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 22 };
static uint8_t bytes[MOST], other[MOST], scratch[MOST];
static size_t count, other_count;
static uint64_t state;

static uint64_t draw(void) { /* splitmix64 */
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static size_t below(size_t limit) { return limit == 0 ? 0 : (size_t)(draw() % limit); }

/* Half of the changes hit the first 256 bytes, because headers matter most. */
static size_t somewhere(void) {
    const size_t limit = below(2) == 0 && count > 256 ? 256 : count;
    return below(limit);
}

static void flip(void) {
    if (count > 0) bytes[somewhere()] ^= (uint8_t)(1u << below(8));
}

static void set_integer(void) {
    static const uint64_t extreme[] = {0,          1,          2,          0x7f,   0x80,       0xff,
                                       0x7fff,     0x8000,     0xffff,     65537,  0x7fffffff, 0x80000000,
                                       0xffffffff, 0xfffffffe, 0x10000000, 0x1fff, UINT64_MAX, INT64_MAX};
    const uint64_t value = extreme[below(sizeof extreme / sizeof *extreme)];
    const size_t size = (size_t)1 << below(4), at = somewhere();
    const int big = (int)below(2);
    for (size_t i = 0; i < size && at + i < count; i++)
        bytes[at + i] = (uint8_t)(value >> (8 * (big ? size - 1 - i : i)));
}

static void cut(void) { count = below(2) == 0 ? below(count + 1) : count - below(count < 16 ? count + 1 : 16); }

static void leave_out(void) {
    const size_t at = somewhere(), length = below(count - at + 1) % 64;
    if (at + length > count) return;
    memmove(bytes + at, bytes + at + length, count - at - length);
    count -= length;
}

static void insert(const uint8_t *from, size_t length) {
    const size_t at = somewhere();
    if (count + length > MOST) return;
    memcpy(scratch, from, length);
    memmove(bytes + at + length, bytes + at, count - at);
    memcpy(bytes + at, scratch, length);
    count += length;
}

static void repeat(void) {
    const size_t at = somewhere();
    insert(bytes + at, below(count - at + 1) % 512);
}

static void splice(void) {
    const size_t at = below(other_count);
    insert(other + at, below(other_count - at + 1) % 1024);
}

static void exchange_end(void) {
    const size_t at = somewhere(), from = below(other_count);
    if (at + (other_count - from) > MOST) return;
    memcpy(bytes + at, other + from, other_count - from);
    count = at + other_count - from;
}

static int is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

/* Changes a number in a text, if there is one. */
static void set_number(void) {
    static const char *const numbers[] = {"0",          "-1",         "1e999",  "nan", "-inf", "99999999999999999999",
                                          "2147483648", "4294967295", "1e-320", "",    "0x7f", "1.5.5",
                                          "65536",      "-0"};
    size_t at = somewhere(), end;
    while (at < count && !is_digit(bytes[at])) at++;
    for (end = at; end < count && is_digit(bytes[end]);) end++;
    const char *number = numbers[below(sizeof numbers / sizeof *numbers)];
    const size_t length = strlen(number);
    if (at == count || count - (end - at) + length > MOST) return;
    memmove(bytes + at + length, bytes + end, count - end);
    memcpy(bytes + at, number, length);
    count = count - (end - at) + length;
}

static size_t load(const char *path, uint8_t *to) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    const size_t got = fread(to, 1, MOST, file);
    fclose(file);
    return got;
}

int main(int argc, char **argv) {
    static void (*const changes[])(void) = {flip,   flip,         set_integer, set_integer, cut,       leave_out,
                                            repeat, exchange_end, splice,      set_number,  set_number};
    if (argc != 5) return 2;
    state = strtoull(argv[1], NULL, 10);
    count = load(argv[2], bytes);
    other_count = load(argv[3], other);
    for (size_t i = 1 + below(4); i > 0; i--) changes[below(sizeof changes / sizeof *changes)]();
    FILE *out = fopen(argv[4], "wb");
    if (out == NULL || fwrite(bytes, 1, count, out) != count || fclose(out) != 0) {
        perror(argv[4]);
        return 2;
    }
    return 0;
}
