#pragma once
#include <string.h>
#include <vterm.h>

/// Debian 12 has libvterm 0.1, Debian 13 has 0.3.
#define OVERLINE_OLD_VTERM (VTERM_VERSION_MAJOR == 0 && VTERM_VERSION_MINOR < 2)

/// Whether erased cells at the end of a row keep their background at a new size.
static const bool overline_vterm_keeps_erased_cells = OVERLINE_OLD_VTERM;

/// A part of a title: the bytes, without a zero at the end, and whether they are its first.
typedef struct {
  const char *bytes;
  size_t count;
  bool isFirst;
} OverlineTitlePart;

/// libvterm 0.1 passes a whole title, 0.3 its parts as they arrive.
static inline OverlineTitlePart overline_title_part(const VTermValue *value) {
#if OVERLINE_OLD_VTERM
  return (OverlineTitlePart){value->string, strlen(value->string), true};
#else
  return (OverlineTitlePart){value->string.str, value->string.len, value->string.initial};
#endif
}
