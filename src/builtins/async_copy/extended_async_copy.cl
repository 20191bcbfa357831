// SPDX-License-Identifier: Apache-2.0
// This file defines the asynchronous copies of lines and planes (cl_khr_extended_async_copies). The work-items of the
// work-group share the copy: the first dimension runs along the lines, so that neighbours access neighbouring memory,
// the others iterate over lines. As with other copies, the result is visible to all at wait_group_events.

#define cl_khr_extended_async_copies 1
#include "declarations.clh"
#include "prelude.clh"
#include "work_item/primitives.clh"

#define CONVERGENT __attribute__((overloadable, always_inline, convergent))

/// Lengths and distances of a copy in units: numbers of 1, 2, 4 or 8 bytes, which may lie at any address.
typedef struct {
  size_t units, lines, planes, fromLine, fromPlane, toLine, toPlane;
} Shape;

HELPER Shape scaled(Shape shape, size_t factor) {
  return (Shape){shape.units * factor,     shape.lines,           shape.planes,           shape.fromLine * factor,
                 shape.fromPlane * factor, shape.toLine * factor, shape.toPlane * factor};
}

/// Work-items beyond the end of the lines copy nothing; one check ahead of the loops is enough.
#define COPY_UNITS(TO, FROM, T)                                                                                        \
  typedef T __attribute__((aligned(1))) TO##_##T;                                                                      \
  HELPER void copyUnits(TO TO##_##T *to, const FROM TO##_##T *from, Shape shape) {                                     \
    size_t first = __clarity_local_id(0), step = __clarity_local_size(0);                                              \
    size_t row = __clarity_local_id(2) * __clarity_local_size(1) + __clarity_local_id(1);                              \
    size_t rows = __clarity_local_size(1) * __clarity_local_size(2);                                                   \
    if (first >= shape.units)                                                                                          \
      return;                                                                                                          \
    for (size_t plane = 0; plane < shape.planes; ++plane)                                                              \
      for (size_t line = row; line < shape.lines; line += rows)                                                        \
        for (size_t unit = first; unit < shape.units; unit += step)                                                    \
          to[plane * shape.toPlane + line * shape.toLine + unit] =                                                     \
              from[plane * shape.fromPlane + line * shape.fromLine + unit];                                            \
  }

#define AS_UNITS(TO, FROM, T) \
  copyUnits((TO TO##_##T *)to, (const FROM TO##_##T *)from, scaled(shape, bytes / sizeof(T)))

#define EXTENDED_COPIES(TO, FROM)                                                                                      \
  COPY_UNITS(TO, FROM, ulong)                                                                                          \
  COPY_UNITS(TO, FROM, uint)                                                                                           \
  COPY_UNITS(TO, FROM, ushort)                                                                                         \
  COPY_UNITS(TO, FROM, uchar)                                                                                          \
  HELPER void copyElements(TO char *to, const FROM char *from, size_t bytes, Shape shape) {                            \
    if (bytes % sizeof(ulong) == 0)                                                                                    \
      AS_UNITS(TO, FROM, ulong);                                                                                       \
    else if (bytes % sizeof(uint) == 0)                                                                                \
      AS_UNITS(TO, FROM, uint);                                                                                        \
    else if (bytes % sizeof(ushort) == 0)                                                                              \
      AS_UNITS(TO, FROM, ushort);                                                                                      \
    else                                                                                                               \
      AS_UNITS(TO, FROM, uchar);                                                                                       \
  }                                                                                                                    \
  CONVERGENT event_t async_work_group_copy_2D2D(                                                                       \
      TO void *to, size_t toOffset, const FROM void *from, size_t fromOffset, size_t bytes, size_t elements,           \
      size_t lines, size_t fromLine, size_t toLine, event_t event) {                                                   \
    copyElements((TO char *)to + toOffset * bytes, (const FROM char *)from + fromOffset * bytes, bytes,                \
                 (Shape){elements, lines, 1, fromLine, 0, toLine, 0});                                                 \
    return event;                                                                                                      \
  }                                                                                                                    \
  CONVERGENT event_t async_work_group_copy_3D3D(                                                                       \
      TO void *to, size_t toOffset, const FROM void *from, size_t fromOffset, size_t bytes, size_t elements,           \
      size_t lines, size_t planes, size_t fromLine, size_t fromPlane, size_t toLine, size_t toPlane, event_t event) {  \
    copyElements((TO char *)to + toOffset * bytes, (const FROM char *)from + fromOffset * bytes, bytes,                \
                 (Shape){elements, lines, planes, fromLine, fromPlane, toLine, toPlane});                              \
    return event;                                                                                                      \
  }

EXTENDED_COPIES(local, global)
EXTENDED_COPIES(global, local)
