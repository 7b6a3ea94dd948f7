#include "CHashing.h"

#include <string.h>

// Four lanes side by side, so that the multiplications of one wait for nobody. Each step can be undone, so no lane forgets anything. Words have
// their lowest byte first, whichever machine it is: hashes go over the wire.

static inline uint64_t stirred(uint64_t lane, uint64_t word) {
    lane = (lane ^ word) * 0x9e3779b97f4a7c15;
    return lane ^ lane >> 29;
}

static inline uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

uint64_t bothy_fragment_hash(const void *bytes, size_t count) {
    const uint8_t *next = bytes, *end = next + count;
    uint64_t a = count, b = 1, c = 2, d = 3;
    for (; end - next >= 32; next += 32) {
        a = stirred(a, word_at(next));
        b = stirred(b, word_at(next + 8));
        c = stirred(c, word_at(next + 16));
        d = stirred(d, word_at(next + 24));
    }
    for (; end - next >= 8; next += 8) a = stirred(a, word_at(next));
    uint64_t rest = 0;
    for (; next < end; next++) rest = rest << 8 | *next;
    return stirred(stirred(stirred(stirred(a, rest), b), c), d);
}
