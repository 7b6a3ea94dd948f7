#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `length` bytes, going on from `crc` (0 at the start).
/// Uses the processor's own instruction where there is one.
uint32_t bothy_crc32c(uint32_t crc, const void *bytes, size_t length);

/// The same in software, for processors without the instruction, and for tests to hold the other against.
uint32_t bothy_crc32c_software(uint32_t crc, const void *bytes, size_t length);

/// Whether the processor has instructions for SHA-256, so that `bothy_sha256_pair` may be called.
bool bothy_sha256_pair_is_fast(void);

/// Takes the states of two messages (eight words each, FIPS 180-4) through the same `count` blocks of 64 bytes.
void bothy_sha256_pair(uint32_t first[8], uint32_t second[8], const void *blocks, size_t count);
