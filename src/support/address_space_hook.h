// SPDX-License-Identifier: Apache-2.0
// This file declares the functions that generated code calls to find out which address space a generic pointer points
// to, where the compiler does not know. The JIT resolves the symbols; the CPU device defines them
// (device/cpu/worker_memory.cpp).
#pragma once

extern "C" {

/// Whether an address lies in the local memory of the work-group that this thread executes (OpenCL C 3.0,
/// section 6.15.10).
bool __clarity_is_local(const void* address);
/// Whether it lies in the private memory of one of its work-items: on this thread's stack, below the call of the
/// kernel, or in the barrier spill area.
bool __clarity_is_private(const void* address);

}  // extern "C"
