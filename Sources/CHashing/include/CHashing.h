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

/// Takes the states of two messages (eight words each, FIPS 180-4) through `count` blocks of 64 bytes, each message through its own.
void bothy_sha256_pair(uint32_t first[8], const void *first_blocks, uint32_t second[8], const void *second_blocks, size_t count);

/// Rolls a gear hash over `count` bytes, going on from `hash`: with each byte it is doubled, modulo 2^64, and the byte's number added. So it
/// is of the last 64 bytes alone.
///
/// Returns how many bytes it took up to and with the first after which the hash is below `bound`; 0 where there is none.
size_t bothy_gear_find(const uint64_t table[256], const void *bytes, size_t count, uint64_t *hash, uint64_t bound);

/// Rolls a gear hash like `bothy_gear_find`, until `marks` has the bit that the hash's highest 20 bits number.
///
/// Returns how many bytes it took up to and with the first after which that is so; 0 where there is none.
size_t bothy_gear_meet(const uint64_t table[256], const void *bytes, size_t count, uint64_t *hash, const uint64_t marks[1 << 14]);

/// A number for `count` bytes, by which equal ones are found again on the same machine. Others with the same number can be made on
/// purpose, so it is not to be trusted.
uint64_t bothy_fragment_hash(const void *bytes, size_t count);
