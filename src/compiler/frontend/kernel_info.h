// SPDX-License-Identifier: Apache-2.0
// This file reads what the source says about its kernels out of portable IR's metadata.
#pragma once

#include "compiler/compiler.h"
#include "compiler/frontend/options.h"

#include <vector>

namespace llvm {
class Function;
class Module;
}

namespace clarity::compiler {

/// The kernels of a module in the source's order, with everything that the portable IR tells: names, attributes,
/// arguments. What only the lowered IR knows (memory, barriers, flatness) keeps its default.
std::vector<KernelInfo> kernelInfoOf(const llvm::Module&, const Options&);
KernelInfo kernelInfoOf(const llvm::Function& kernel, const Options&);

/// Places the arguments in the packed argument block (kernel_abi.h): each at its natural alignment, in order.
void placeArguments(KernelInfo&);

}  // namespace clarity::compiler
