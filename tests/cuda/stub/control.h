// SPDX-License-Identifier: Apache-2.0
// This file is how a test makes the stub of the CUDA driver fail, what it learns from it, and what it lets kernels do.
// The stub exports these functions; a test finds them in the library that the driver has opened.
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {

/// A function that runs when a kernel of this name does, on the thread of its stream.
struct ClarityCudaLaunch {
  const char* name;
  unsigned grid[3], block[3], sharedBytes;
  const unsigned char* const* parameters;  ///< copies, in the kernel's order
  unsigned parameterCount;
};
typedef void (*ClarityCudaKernel)(const ClarityCudaLaunch*);
/// Kernels without a function execute their PTX. A null pointer takes the function away.
void clarityCudaDefineKernel(const char* name, ClarityCudaKernel function);
/// A kernel that faults: the context refuses everything afterwards (CUDA_ERROR_ILLEGAL_ADDRESS).
void clarityCudaFault(void);
/// The memory at an address of the device, for such functions. Null if there is none.
void* clarityCudaMemory(uint64_t address);

/// The nth call of this function of the CUDA driver from now on (1: the next one) returns `code` and does nothing. A
/// null pointer: none of any function does.
void clarityCudaFailCall(const char* symbol, unsigned n, int code);
/// How often this function was called.
unsigned long long clarityCudaCalls(const char* symbol);
/// How often events that take times were recorded.
unsigned long long clarityCudaTimedRecords(void);
/// While held, kernels do not end; copies go on in other streams.
void clarityCudaHoldKernels(int held);
/// Each operation of a stream takes so many microseconds at least.
void clarityCudaDelay(unsigned microseconds);
/// Sets CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK of kernels that are loaded from now on.
void clarityCudaMaxThreads(int threads);
/// How many blocks of so many threads and bytes of shared memory a multiprocessor executes at once. A null pointer: as
/// many as it has room for.
typedef int (*ClarityCudaOccupancy)(int threads, size_t sharedBytes);
void clarityCudaDefineOccupancy(ClarityCudaOccupancy function);
/// Bytes of the device's memory, of host memory and operations that are there now.
struct ClarityCudaCounts {
  unsigned long long deviceBytes, hostBytes, operations, mostRunning;
};
void clarityCudaCounts(ClarityCudaCounts*);
/// mostRunning, the most operations that ran at the same time, counts anew.
void clarityCudaResetMostRunning(void);

}  // extern "C"
