// SPDX-License-Identifier: Apache-2.0
// This file defines the work-item functions (OpenCL C 3.0, 6.15.1) on top of the primitives. A dimension that the
// NDRange does not have yields 0 for ids and offsets and 1 for sizes.

#include "prelude.clh"
#include "work_item/primitives.clh"

#define QUERY(NAME, PRIMITIVE, ABSENT)                                                                                 \
  BUILTIN size_t NAME(uint dim) {                                                                                      \
    switch (dim) {                                                                                                     \
    case 0:                                                                                                            \
      return PRIMITIVE(0);                                                                                             \
    case 1:                                                                                                            \
      return PRIMITIVE(1);                                                                                             \
    case 2:                                                                                                            \
      return PRIMITIVE(2);                                                                                             \
    default:                                                                                                           \
      return ABSENT;                                                                                                   \
    }                                                                                                                  \
  }

QUERY(get_global_id, __clarity_global_id, 0)
QUERY(get_local_id, __clarity_local_id, 0)
QUERY(get_group_id, __clarity_group_id, 0)
QUERY(get_global_offset, __clarity_global_offset, 0)
QUERY(get_global_size, __clarity_global_size, 1)
QUERY(get_local_size, __clarity_local_size, 1)
QUERY(get_enqueued_local_size, __clarity_enqueued_local_size, 1)
QUERY(get_num_groups, __clarity_num_groups, 1)

BUILTIN uint get_work_dim(void) { return __clarity_work_dim(); }

BUILTIN size_t get_global_linear_id(void) {
  size_t x = __clarity_global_id(0) - __clarity_global_offset(0);
  size_t y = __clarity_global_id(1) - __clarity_global_offset(1);
  size_t z = __clarity_global_id(2) - __clarity_global_offset(2);
  return (z * __clarity_global_size(1) + y) * __clarity_global_size(0) + x;
}

BUILTIN size_t get_local_linear_id(void) {
  return (__clarity_local_id(2) * __clarity_local_size(1) + __clarity_local_id(1)) * __clarity_local_size(0) +
         __clarity_local_id(0);
}
