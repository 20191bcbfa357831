// SPDX-License-Identifier: Apache-2.0
// This file defines cl_khr_kernel_clock: one clock of the processor, the same on all cores, is used for every scope.

#include "prelude.clh"

#define NOW ((ulong)__builtin_readcyclecounter())
#define CLOCK(scope)                                     \
  BUILTIN ulong clock_read_##scope(void) { return NOW; } \
  BUILTIN uint2 clock_read_hilo_##scope(void) { return __builtin_astype(NOW, uint2); }

CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
