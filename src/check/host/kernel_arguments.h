// SPDX-License-Identifier: Apache-2.0
// This file follows what the arguments of kernels are set to.
#pragma once

#include "check/host/host_objects.h"

#include <cstdint>
#include <map>

namespace clarity::check {

class KernelArguments {
public:
  /// By index: handles of memory objects and of shared memory (HostObjects); 0 for what is neither, or not known.
  using Handles = std::map<cl_uint, std::uint64_t>;

  /// A call has succeeded.
  void ended(const HostCall& call, HostObjects& objects) {
    const bool isShared = call.is("clSetKernelArgSVMPointer") || call.is("clSetKernelArgMemPointerINTEL");
    if (!isShared && !call.is("clSetKernelArg") && !call.is("clSetKernelArgDevicePointerEXT")) return;
    std::uint64_t handle = 0;
    if (isShared) {
      if (const HostObject* const object = objects.sharedAt(call.at("arg_value"))) handle = object->handle;
    } else if (call.givenHandle()) {
      handle = *call.givenHandle();
    }
    handles_[call.at("kernel")][call.at<cl_uint>("arg_index")] = handle;
  }

  /// The handles of the kernel that a call enqueues.
  const Handles& of(const HostCall& call) { return handles_[call.at("kernel")]; }

private:
  std::map<std::uint64_t, Handles> handles_;  ///< by kernel
};

}  // namespace clarity::check
