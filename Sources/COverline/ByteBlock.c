#include "ByteBlock.h"
#include <string.h>

// Clang's vectors compile for any machine. Swift can express neither the selection of one bit of each byte (x86's pmovmskb), nor a function
// that is compiled for some processors only.
typedef uint8_t bytes64 __attribute__((vector_size(64)));
typedef _Bool bits64 __attribute__((ext_vector_type(64)));
_Static_assert(sizeof(bits64) == sizeof(uint64_t), "a vector of bits is a word");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "its first element is the lowest bit");

#define IS(byte) ((bytes64)(all == (uint8_t)(byte)))
#define WITHIN(first, count) ((bytes64)((bytes64)(all - (uint8_t)(first)) < (uint8_t)(count)))
#define ESCAPE IS(0x1b)
#define SHIFT_OR_C1 (WITHIN(0x0e, 2) | IS(0xc2))
#define BITS(places) \
  ({ \
    bits64 bits = __builtin_convertvector((places), bits64); \
    uint64_t word; \
    memcpy(&word, &bits, sizeof word); \
    word; \
  })

#define FOR_EVERY_PROCESSOR static inline __attribute__((always_inline))

FOR_EVERY_PROCESSOR struct cbyteblock classify(const uint8_t *bytes) {
  bytes64 all;
  memcpy(&all, bytes, sizeof all);
  return (struct cbyteblock){
      .escape = BITS(ESCAPE),
      .bracket = BITS(IS('[')),
      .parameter = BITS(WITHIN('0', 12)),
      .octal_digit = BITS(WITHIN('0', 8)),
      .three = BITS(IS('3')),
      .motion = BITS(WITHIN('@', 14) | IS('X') | IS('d')),
      .rendition = BITS(IS('m')),
      .shift_or_c1 = BITS(SHIFT_OR_C1),
  };
}

FOR_EVERY_PROCESSOR size_t plain(const uint8_t *bytes, size_t count) {
  size_t end = 0;
  for (bytes64 all; count - end >= sizeof all; end += sizeof all) {
    memcpy(&all, bytes + end, sizeof all);
    if (BITS(ESCAPE | SHIFT_OR_C1)) break;
  }
  return end;
}

#ifdef __x86_64__
#define FOR_AVX2 __attribute__((target("avx2"))) static
FOR_AVX2 struct cbyteblock classify_avx2(const uint8_t *bytes) { return classify(bytes); }
FOR_AVX2 size_t plain_avx2(const uint8_t *bytes, size_t count) { return plain(bytes, count); }
#endif

struct cbyteblock cbyteblock_classify(const uint8_t *bytes, size_t count) {
  uint8_t padded[64];
  if (count < sizeof padded) {
    memset(padded, 0, sizeof padded);
    memcpy(padded, bytes, count);
    bytes = padded;
  }
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) return classify_avx2(bytes);
#endif
  return classify(bytes);
}

size_t cbyteblock_plain(const uint8_t *bytes, size_t count) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) return plain_avx2(bytes, count);
#endif
  return plain(bytes, count);
}
