// SPDX-License-Identifier: Apache-2.0
// This file defines the memory fences of OpenCL C 1.x (6.12.9 of OpenCL C 1.2) and the fence of C11 atomics (OpenCL C
// 3.0, 6.15.12.5). Fences order every address space, whatever the flags.

#include "prelude.clh"

BUILTIN void mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(__ATOMIC_ACQ_REL); }
BUILTIN void read_mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(__ATOMIC_ACQUIRE); }
BUILTIN void write_mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(__ATOMIC_RELEASE); }

BUILTIN void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  switch (order) {
  case memory_order_relaxed:
    break;
  case memory_order_seq_cst:
    __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
    break;
  default:
    __c11_atomic_thread_fence(__ATOMIC_ACQ_REL);
  }
}
