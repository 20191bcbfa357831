// SPDX-License-Identifier: Apache-2.0
// This file is how the stub executes kernels by their PTX.
#pragma once

#include "ptx/block.h"
#include "stub.h"

namespace clarity::device::cuda {

/// The stub's memory, as PTX accesses it.
ptx::Memory& memoryForPtx();

/// Executes a launch. A failure loses the context and is said on the standard error stream.
void executeKernel(const CuKernelNode&, const ptx::Program&, const ptx::Entry&,
                   const std::vector<std::vector<unsigned char>>& parameters);

}  // namespace clarity::device::cuda
