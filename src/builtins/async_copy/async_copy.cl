// SPDX-License-Identifier: Apache-2.0
// This file defines the asynchronous copies between global and local memory (OpenCL C 3.0, 6.15.11), the fence between
// them (cl_khr_async_work_group_copy_fence) and prefetch. The work-items of the work-group share the copy; it is
// complete for all of them at wait_group_events, which is a barrier. So an event has no state, and the one that was
// passed is returned.

#define cl_khr_async_work_group_copy_fence 1
#include "declarations.clh"
#include "prelude.clh"
#include "work_item/primitives.clh"

HELPER size_t linearId(void) {
  return (__clarity_local_id(2) * __clarity_local_size(1) + __clarity_local_id(1)) * __clarity_local_size(0) +
         __clarity_local_id(0);
}
HELPER size_t workItems(void) { return __clarity_local_size(0) * __clarity_local_size(1) * __clarity_local_size(2); }

#define CONVERGENT __attribute__((overloadable, always_inline, convergent))

#define COPY(TO, FROM, T)                                                                                              \
  CONVERGENT event_t async_work_group_copy(TO T *to, const FROM T *from, size_t count, event_t event) {                \
    size_t stride = workItems();                                                                                       \
    for (size_t i = linearId(); i < count; i += stride)                                                                \
      to[i] = from[i];                                                                                                 \
    return event;                                                                                                      \
  }

#define COPIES(N, T)                                                                                                   \
  COPY(local, global, T##N)                                                                                            \
  COPY(global, local, T##N)                                                                                            \
  CONVERGENT event_t async_work_group_strided_copy(local T##N *to, const global T##N *from, size_t count,              \
                                                   size_t spacing, event_t event) {                                    \
    size_t stride = workItems();                                                                                       \
    for (size_t i = linearId(); i < count; i += stride)                                                                \
      to[i] = from[i * spacing];                                                                                       \
    return event;                                                                                                      \
  }                                                                                                                    \
  CONVERGENT event_t async_work_group_strided_copy(global T##N *to, const local T##N *from, size_t count,              \
                                                   size_t spacing, event_t event) {                                    \
    size_t stride = workItems();                                                                                       \
    for (size_t i = linearId(); i < count; i += stride)                                                                \
      to[i * spacing] = from[i];                                                                                       \
    return event;                                                                                                      \
  }                                                                                                                    \
  BUILTIN void prefetch(const global T##N *p, size_t count) {}
#define ALL_WIDTHS(T) EACH_WIDTH(COPIES, T)

EACH_ELEMENT(ALL_WIDTHS)

CONVERGENT void wait_group_events(int count, private event_t *events) {
  __clarity_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
CONVERGENT void wait_group_events(int count, generic event_t *events) {
  __clarity_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/// A barrier between two copies: a work-item of the later one may write where another one has not finished the earlier
/// one.
CONVERGENT void async_work_group_copy_fence(cl_mem_fence_flags flags) { __clarity_barrier(flags); }
