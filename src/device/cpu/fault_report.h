// SPDX-License-Identifier: Apache-2.0
// This file is the sentence that explains a fault of a kernel: which work-items, which access, to which of the memory
// that the kernel was given, and how far outside of it.
#pragma once

#include "compiler/driver/generate_native.h"
#include "compiler/ir/kernel_abi.h"
#include "device/cpu/variable_storage.h"
#include "device/executable.h"
#include "support/fault_guard.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clarity::device::cpu {

/// The part of a launch that a thread executed when it faulted, and its arguments.
struct FaultScene {
  const Launch& launch;
  const std::byte* args;  ///< the thread's argument block, in which reductions are private copies
  const VariableStorage& variables;
  std::span<const compiler::LocalArray> localArrays;
  compiler::WorkerMemory memory;
  std::uint64_t spillBytes = 0;
  compiler::Slice slice;
  bool ofItems = false;  ///< the slice is of work-items, not of work-groups
};

/// "kernel 'saxpy': one of work-items 0 to 999 wrote element 32 of argument 2 'y' (float), which has 16 elements
/// (64 bytes): 64 bytes past its end". Where in the source the access is says fault_place.h. The element is the one
/// that the processor could not access: with vectors, which it accesses as a whole, not always the first one outside.
///
/// The memory that is meant is the one whose end or beginning is nearest to the address. An address that is far from
/// all is named as it is, and what it would be of the nearest ones.
std::string reportFault(const support::Fault&, const FaultScene&);

/// The same for a fault while a thread's private copies of reductions are merged into the buffers of a launch.
std::string reportMergeFault(const support::Fault&, const Launch&, const VariableStorage&);

}  // namespace clarity::device::cpu
