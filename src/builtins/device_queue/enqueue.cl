// SPDX-License-Identifier: Apache-2.0
// This file defines enqueue_kernel and the queries of blocks (OpenCL C 3.0, 6.15.18) under the names that clang calls.
// In place of the address of a block's kernel they get its number (number-blocks).

#include "device_queue/hooks.clh"

#define INLINE __attribute__((always_inline))
#define NUMBER(block) ((uint)(size_t)(block))

INLINE int __enqueue_kernel_basic(Queue queue, uint flags, const private void *range, const generic void *block,
                                  const generic void *literal) {
  Request request = {.queue = queue, .range = range, .literal = literal, .block = NUMBER(block), .flags = flags};
  return __clarity_enqueue_kernel(__clarity_parent(), &request);
}

INLINE int __enqueue_kernel_varargs(Queue queue, uint flags, const private void *range, const generic void *block,
                                    const generic void *literal, uint count, const private size_t *sizes) {
  Request request = {.queue = queue, .range = range, .literal = literal, .localSizes = sizes,
                     .block = NUMBER(block), .flags = flags, .localCount = count};
  return __clarity_enqueue_kernel(__clarity_parent(), &request);
}

INLINE int __enqueue_kernel_basic_events(Queue queue, uint flags, const private void *range, uint waitCount,
                                         const generic Event *waits, generic Event *event, const generic void *block,
                                         const generic void *literal) {
  Request request = {.queue = queue, .range = range, .literal = literal, .waits = waits, .event = event,
                     .block = NUMBER(block), .flags = flags, .waitCount = waitCount, .hasEvents = 1};
  return __clarity_enqueue_kernel(__clarity_parent(), &request);
}

INLINE int __enqueue_kernel_events_varargs(Queue queue, uint flags, const private void *range, uint waitCount,
                                           const generic Event *waits, generic Event *event,
                                           const generic void *block, const generic void *literal, uint count,
                                           const private size_t *sizes) {
  Request request = {.queue = queue, .range = range, .literal = literal, .waits = waits, .event = event,
                     .localSizes = sizes, .block = NUMBER(block), .flags = flags, .waitCount = waitCount,
                     .localCount = count, .hasEvents = 1};
  return __clarity_enqueue_kernel(__clarity_parent(), &request);
}

INLINE uint __get_kernel_work_group_size_impl(const generic void *block, const generic void *literal) {
  return __clarity_block_fact(__clarity_parent(), NUMBER(block), 0, 0);
}
INLINE uint __get_kernel_preferred_work_group_size_multiple_impl(const generic void *block,
                                                                 const generic void *literal) {
  return __clarity_block_fact(__clarity_parent(), NUMBER(block), 1, 0);
}
/// SPIR-V has these two, OpenCL C does not.
INLINE uint __get_kernel_max_num_sub_groups_impl(const generic void *block, const generic void *literal) {
  return __clarity_block_fact(__clarity_parent(), NUMBER(block), 4, 0);
}
INLINE uint __get_kernel_local_size_for_sub_group_count_impl(uint count, const generic void *block,
                                                             const generic void *literal) {
  const uint most = __clarity_block_fact(__clarity_parent(), NUMBER(block), 0, 0);
  const uint size = __clarity_block_fact(__clarity_parent(), NUMBER(block), 5, 0);
  return count <= most / size ? count * size : 0;
}
INLINE uint __get_kernel_max_sub_group_size_for_ndrange_impl(const private void *range, const generic void *block,
                                                             const generic void *literal) {
  return __clarity_block_fact(__clarity_parent(), NUMBER(block), 2, range);
}
INLINE uint __get_kernel_sub_group_count_for_ndrange_impl(const private void *range, const generic void *block,
                                                          const generic void *literal) {
  return __clarity_block_fact(__clarity_parent(), NUMBER(block), 3, range);
}
