#include "CHashing.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

// The polynomial of iSCSI, bits reversed.
#define POLYNOMIAL 0x82f63b78u

// MARK: - Software: eight bytes a step by eight tables (Kounavis and Berry, «slicing-by-8»)

static uint32_t slices[8][256];

__attribute__((constructor)) static void fill_slices(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ POLYNOMIAL : crc >> 1;
        slices[0][byte] = crc;
    }
    for (uint32_t byte = 0; byte < 256; byte++) {
        for (int slice = 1; slice < 8; slice++) {
            uint32_t before = slices[slice - 1][byte];
            slices[slice][byte] = (before >> 8) ^ slices[0][before & 0xff];
        }
    }
}

uint32_t bothy_crc32c_software(uint32_t crc, const void *bytes, size_t length) {
    const uint8_t *next = bytes;
    crc = ~crc;
    while (length >= 8) {
        uint32_t low = crc ^ ((uint32_t)next[0] | (uint32_t)next[1] << 8 | (uint32_t)next[2] << 16 | (uint32_t)next[3] << 24);
        crc = slices[7][low & 0xff] ^ slices[6][low >> 8 & 0xff] ^ slices[5][low >> 16 & 0xff] ^ slices[4][low >> 24]
            ^ slices[3][next[4]] ^ slices[2][next[5]] ^ slices[1][next[6]] ^ slices[0][next[7]];
        next += 8;
        length -= 8;
    }
    while (length-- > 0) crc = (crc >> 8) ^ slices[0][(crc ^ *next++) & 0xff];
    return ~crc;
}

// MARK: - Hardware

#if defined(__x86_64__)

// One crc32 instruction waits three cycles for the one before it, so three streams run side by side over
// neighbouring strides and are joined: a CRC moves past n zero bytes by a linear map, which is kept as four tables.
#define STRIDE 4096

static uint32_t past_stride[4][256];

/// The map applied twice; doubling reaches `STRIDE` zero bytes in a few steps (as in zlib's crc32_combine).
static void square(uint32_t result[32], const uint32_t matrix[32]) {
    for (int column = 0; column < 32; column++) {
        uint32_t vector = matrix[column], sum = 0;
        for (int row = 0; vector != 0; vector >>= 1, row++) {
            if (vector & 1) sum ^= matrix[row];
        }
        result[column] = sum;
    }
}

__attribute__((constructor)) static void fill_past_stride(void) {
    uint32_t map[32], next[32];
    // One zero bit: shift right, and add the polynomial when a one falls out.
    map[0] = POLYNOMIAL;
    for (int bit = 1; bit < 32; bit++) map[bit] = 1u << (bit - 1);
    for (size_t bits = 1; bits < (size_t)STRIDE * 8; bits *= 2) {
        square(next, map);
        memcpy(map, next, sizeof map);
    }
    for (int slice = 0; slice < 4; slice++) {
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t vector = byte << (8 * slice), sum = 0;
            for (int row = 0; vector != 0; vector >>= 1, row++) {
                if (vector & 1) sum ^= map[row];
            }
            past_stride[slice][byte] = sum;
        }
    }
}

static inline uint32_t move_past_stride(uint32_t crc) {
    return past_stride[0][crc & 0xff] ^ past_stride[1][crc >> 8 & 0xff] ^ past_stride[2][crc >> 16 & 0xff]
        ^ past_stride[3][crc >> 24];
}

static inline uint64_t word(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

__attribute__((target("sse4.2"))) static uint32_t crc32c_sse42(uint32_t crc, const void *bytes, size_t length) {
    const uint8_t *next = bytes;
    uint64_t first = ~crc;
    while (length >= 3 * STRIDE) {
        uint64_t second = 0, third = 0;
        for (const uint8_t *end = next + STRIDE; next < end; next += 8) {
            first = _mm_crc32_u64(first, word(next));
            second = _mm_crc32_u64(second, word(next + STRIDE));
            third = _mm_crc32_u64(third, word(next + 2 * STRIDE));
        }
        first = move_past_stride((uint32_t)first) ^ (uint32_t)second;
        first = move_past_stride((uint32_t)first) ^ (uint32_t)third;
        next += 2 * STRIDE;
        length -= 3 * STRIDE;
    }
    while (length >= 8) {
        first = _mm_crc32_u64(first, word(next));
        next += 8;
        length -= 8;
    }
    uint32_t rest = (uint32_t)first;
    while (length-- > 0) rest = _mm_crc32_u8(rest, *next++);
    return ~rest;
}

uint32_t bothy_crc32c(uint32_t crc, const void *bytes, size_t length) {
    if (__builtin_cpu_supports("sse4.2")) return crc32c_sse42(crc, bytes, length);
    return bothy_crc32c_software(crc, bytes, length);
}

#else

uint32_t bothy_crc32c(uint32_t crc, const void *bytes, size_t length) {
    return bothy_crc32c_software(crc, bytes, length);
}

#endif
