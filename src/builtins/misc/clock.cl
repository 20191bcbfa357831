// SPDX-License-Identifier: Apache-2.0
// This file defines cl_khr_kernel_clock. The clock of the device is the one that all its processors have in common;
// within a work-group or a sub-group each processor's own will do. On the CPU they are one (host/host_backend.cpp).

#include "prelude.clh"

#define CLOCK(scope, now)                                       \
  BUILTIN ulong clock_read_##scope(void) { return (ulong)now; } \
  BUILTIN uint2 clock_read_hilo_##scope(void) { return __builtin_astype((ulong)now, uint2); }

CLOCK(device, __builtin_readsteadycounter())
CLOCK(work_group, __builtin_readcyclecounter())
CLOCK(sub_group, __builtin_readcyclecounter())
