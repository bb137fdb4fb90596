#include "CByteBlock.h"
#include <string.h>

// Clang's vectors, for whatever the machine has: Swift has no word for a bit of each byte (x86's pmovmskb), nor for a function that is
// compiled for some processors only.
typedef uint8_t bytes64 __attribute__((vector_size(64)));
typedef _Bool bits64 __attribute__((ext_vector_type(64)));

#define IS(byte) ((bytes64)(all == (uint8_t)(byte)))
#define WITHIN(first, count) ((bytes64)((bytes64)(all - (uint8_t)(first)) < (uint8_t)(count)))
#define BITS(places) \
  ({ \
    bits64 bits = __builtin_convertvector((places), bits64); \
    uint64_t word; \
    memcpy(&word, &bits, sizeof word); \
    word; \
  })

static inline __attribute__((always_inline)) struct cbyteblock look(const uint8_t *bytes, _Bool inside) {
  bytes64 all;
  memcpy(&all, bytes, sizeof all);
  struct cbyteblock block = {0};
  block.escape = BITS(IS(0x1b));
  block.shift_or_c1 = BITS(WITHIN(0x0e, 2) | IS(0xc2));
  if (!inside && !(block.escape | block.shift_or_c1)) return block;
  block.bracket = BITS(IS('['));
  block.parameter = BITS(WITHIN('0', 12));
  block.octal = BITS(WITHIN('0', 8));
  block.three = BITS(IS('3'));
  block.motion = BITS(WITHIN('@', 14) | IS('X') | IS('d'));
  block.rendition = BITS(IS('m'));
  return block;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static struct cbyteblock look_avx2(const uint8_t *bytes, _Bool inside) {
  return look(bytes, inside);
}
#endif

struct cbyteblock cbyteblock_look(const uint8_t *bytes, size_t count, _Bool inside) {
  uint8_t padded[64];
  if (count < sizeof padded) {
    memset(padded, 0, sizeof padded);
    memcpy(padded, bytes, count);
    bytes = padded;
  }
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) return look_avx2(bytes, inside);
#endif
  return look(bytes, inside);
}
