#include "CHashing.h"

// One step depends on the one before it, so four bytes are taken together: the second and the fourth hash wait for the first and the
// second alone, as in FastCDC's «rolling two bytes each time» (Xia et al., 2020, §3.5). Four regions side by side are no faster on the
// processors measured, and cost the hash of 64 bytes more for each.
size_t bothy_gear_find(const uint64_t table[256], const void *bytes, size_t count, uint64_t *hash, uint64_t bound) {
    const uint8_t *next = bytes;
    uint64_t h = *hash;
    size_t at = 0;
    for (; at + 4 <= count; at += 4) {
        uint64_t first = table[next[at]], third = table[next[at + 2]];
        uint64_t pair = 2 * first + table[next[at + 1]], other = 2 * third + table[next[at + 3]];
        uint64_t h1 = 2 * h + first, h2 = 4 * h + pair, h3 = 2 * h2 + third, h4 = 4 * h2 + other;
        if (__builtin_expect(h1 < bound, 0)) return *hash = h1, at + 1;
        if (__builtin_expect(h2 < bound, 0)) return *hash = h2, at + 2;
        if (__builtin_expect(h3 < bound, 0)) return *hash = h3, at + 3;
        if (__builtin_expect(h4 < bound, 0)) return *hash = h4, at + 4;
        h = h4;
    }
    for (; at < count; at++) {
        h = 2 * h + table[next[at]];
        if (h < bound) return *hash = h, at + 1;
    }
    *hash = h;
    return 0;
}

size_t bothy_gear_meet(const uint64_t table[256], const void *bytes, size_t count, uint64_t *hash, const uint64_t marks[1 << 14]) {
    const uint8_t *next = bytes;
    uint64_t h = *hash;
    for (size_t at = 0; at < count; at++) {
        h = 2 * h + table[next[at]];
        if (__builtin_expect(marks[h >> 50] >> (h >> 44 & 63) & 1, 0)) return *hash = h, at + 1;
    }
    *hash = h;
    return 0;
}
