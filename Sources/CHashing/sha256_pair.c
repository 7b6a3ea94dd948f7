#include "CHashing.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

// FIPS 180-4, §4.2.2.
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

bool bothy_sha256_pair_is_fast(void) {
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !(ebx & 1u << 29)) return false;
    return __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1");
}

// The instructions want the eight words as two halves, A B E F and C D G H.
typedef struct {
    __m128i abef, cdgh;
} halves;

__attribute__((target("sha,ssse3,sse4.1"))) static inline halves split(const uint32_t words[8]) {
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)words), 0xb1);
    __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(words + 4)), 0x1b);
    return (halves){_mm_alignr_epi8(badc, hgfe, 8), _mm_blend_epi16(hgfe, badc, 0xf0)};
}

__attribute__((target("sha,ssse3,sse4.1"))) static inline void join(uint32_t words[8], halves state) {
    __m128i feba = _mm_shuffle_epi32(state.abef, 0x1b), dchg = _mm_shuffle_epi32(state.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)words, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

__attribute__((target("sha,ssse3,sse4.1"))) static inline void four_rounds(halves *state, __m128i words) {
    state->cdgh = _mm_sha256rnds2_epu32(state->cdgh, state->abef, words);
    state->abef = _mm_sha256rnds2_epu32(state->abef, state->cdgh, _mm_shuffle_epi32(words, 0x0e));
}

__attribute__((target("sha,ssse3,sse4.1"))) static inline __m128i load(const uint8_t *bytes) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bll, 0x0405060700010203ll);
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), big_endian);
}

// The words of a group are made from those of the four groups before it.
__attribute__((target("sha,ssse3,sse4.1"))) static inline void schedule(__m128i w[4], int group) {
    __m128i next = _mm_sha256msg1_epu32(w[group & 3], w[(group + 1) & 3]);
    next = _mm_add_epi32(next, _mm_alignr_epi8(w[(group + 3) & 3], w[(group + 2) & 3], 4));
    w[group & 3] = _mm_sha256msg2_epu32(next, w[(group + 3) & 3]);
}

__attribute__((target("sha,ssse3,sse4.1"))) void bothy_sha256_pair(
    uint32_t first[8], const void *first_blocks, uint32_t second[8], const void *second_blocks, size_t count) {
    halves one = split(first), two = split(second);
    for (const uint8_t *block = first_blocks, *other = second_blocks; count > 0; count--, block += 64, other += 64) {
        halves one_before = one, two_before = two;
        __m128i w[4], v[4];
        for (int group = 0; group < 4; group++) {
            w[group] = load(block + 16 * group);
            v[group] = load(other + 16 * group);
        }
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            __m128i constant = _mm_loadu_si128((const __m128i *)(constants + 4 * group));
            // Each round waits for the one before it; the other message's rounds fill the time.
            four_rounds(&one, _mm_add_epi32(w[group & 3], constant));
            four_rounds(&two, _mm_add_epi32(v[group & 3], constant));
            if (group < 12) {
                schedule(w, group);
                schedule(v, group);
            }
        }
        one = (halves){_mm_add_epi32(one.abef, one_before.abef), _mm_add_epi32(one.cdgh, one_before.cdgh)};
        two = (halves){_mm_add_epi32(two.abef, two_before.abef), _mm_add_epi32(two.cdgh, two_before.cdgh)};
    }
    join(first, one);
    join(second, two);
}

#else

bool bothy_sha256_pair_is_fast(void) { return false; }

// Never called: see the header.
void bothy_sha256_pair(
    uint32_t first[8], const void *first_blocks, uint32_t second[8], const void *second_blocks, size_t count) {
    __builtin_trap();
}

#endif
