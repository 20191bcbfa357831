// SPDX-License-Identifier: Apache-2.0
// This file says which memory the command of a call uses.
#pragma once

#include "check/host/host_checks.h"
#include "check/host/kernel_arguments.h"

#include <cstdint>
#include <vector>

namespace clarity::check {

/// A part of a memory object or of shared memory, by its handle.
struct MemoryUse {
  std::uint64_t memory = 0;
  bool writes = false;
  std::uint64_t offset = 0, bytes = ~std::uint64_t{0};
};

/// Follows the arguments of kernels.
class HostUses {
public:
  explicit HostUses(HostScene& scene) : scene_(scene) {}

  /// A call has succeeded.
  void ended(const HostCall& call) { arguments_.ended(call, scene_.objects); }

  /// The memory objects and shared memory that a command uses. Only parts that it certainly does.
  std::vector<MemoryUse> objectsOf(const HostCall&);
  /// Shared memory that a command uses.
  std::vector<std::uint64_t> sharedOf(const HostCall&);
  /// Whether a command may use a memory object: one among its arguments, those of its kernel, or unknown ones.
  bool mayUse(const HostCall&, std::uint64_t memory);
  /// Whether a command may write what it uses of a memory object, or gives the host access to it.
  bool mayWrite(const HostCall&, std::uint64_t memory);

private:
  HostScene& scene_;
  KernelArguments arguments_;
};

}  // namespace clarity::check
