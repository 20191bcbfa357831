// SPDX-License-Identifier: Apache-2.0
// This file declares what generated code asks about a generic pointer that is not known to point to one kind of memory; the JIT
// gives generated code the addresses, the CPU device defines the functions (device/cpu/memory.cpp).
#pragma once

extern "C" {

/// Whether an address lies in the local memory of the work-group that this thread executes (OpenCL C 3.0, section 6.15.10).
bool __clarity_is_local(const void* address);
/// Whether it lies in the private memory of one of its work-items: on this thread's stack, below the call of the kernel, or among
/// what is kept across barriers.
bool __clarity_is_private(const void* address);

}  // extern "C"
