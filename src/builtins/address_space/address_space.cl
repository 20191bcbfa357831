// SPDX-License-Identifier: Apache-2.0
// This file defines the address space qualifier functions (OpenCL C 3.0, 6.15.10). clang turns to_global(p) into a call
// of __to_global with a generic pointer. Only the compiler knows the addresses of local and private memory, so it
// lowers the two queries; an address that is neither is global.

#include "prelude.clh"
#include "work_item/primitives.clh"

PRIMITIVE bool __clarity_is_local(const generic void *p);
PRIMITIVE bool __clarity_is_private(const generic void *p);

HELPER bool isGlobal(const generic void *p) { return !__clarity_is_local(p) && !__clarity_is_private(p); }

#define INLINED __attribute__((always_inline))

INLINED global void *__to_global(generic void *p) { return isGlobal(p) ? (global void *)p : (global void *)0; }
INLINED local void *__to_local(generic void *p) { return __clarity_is_local(p) ? (local void *)p : (local void *)0; }
INLINED private void *__to_private(generic void *p) {
  return __clarity_is_private(p) ? (private void *)p : (private void *)0;
}

BUILTIN cl_mem_fence_flags get_fence(const generic void *p) {
  return __clarity_is_local(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
BUILTIN cl_mem_fence_flags get_fence(generic void *p) {
  return __clarity_is_local(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
