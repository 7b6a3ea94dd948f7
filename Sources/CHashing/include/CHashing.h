#pragma once

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `length` bytes, going on from `crc` (0 at the start).
/// Uses the processor's own instruction where there is one.
uint32_t bothy_crc32c(uint32_t crc, const void *bytes, size_t length);

/// The same in software, for processors without the instruction, and for tests to hold the other against.
uint32_t bothy_crc32c_software(uint32_t crc, const void *bytes, size_t length);
