// Marks the bytes of a block of 64 that ECMA-48 builds control sequences of. Each field has a bit for each byte; the lowest bit is the
// first byte's.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct cbyteblock {
  uint64_t escape;           // ESC
  uint64_t bracket;          // `[`, which after ESC makes a CSI
  uint64_t parameter;        // 0 to 9, `:` and `;`
  uint64_t octal_digit;      // 0 to 7
  uint64_t three;            // 3
  uint64_t motion;           // final bytes of motions and erasing: `@`, A to M, X and d
  uint64_t rendition;        // m, the final byte of SGR
  uint64_t shift_or_c1;      // shift in and out, and the first byte of a C1 control in UTF-8
};

// Classifies `count` bytes, at most 64; missing ones count as NUL.
struct cbyteblock cbyteblock_classify(const uint8_t *bytes, size_t count);

// The number of bytes in the whole blocks of 64 before the first block that contains ESC or a byte of `shift_or_c1`.
size_t cbyteblock_plain(const uint8_t *bytes, size_t count);
