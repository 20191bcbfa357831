// SPDX-License-Identifier: Apache-2.0
// This file reads facts about kernels from the metadata of portable IR.
#pragma once

#include "compiler/frontend/options.h"
#include "compiler/ir/compiled_program.h"
#include "compiler/ir/target.h"

#include <vector>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace clarity::compiler {

/// The kernels of a module in the source's order, with all that portable IR contains: names, attributes, arguments.
/// Facts that need kernel IR (memory, barriers, groupAgnostic) keep their defaults.
std::vector<KernelInfo> kernelInfoOf(const llvm::Module&, const Options&);
KernelInfo kernelInfoOf(const llvm::Function& kernel, const Options&);

/// Places the arguments in the packed argument block (kernel_abi.h): each at its natural alignment, in order.
void placeArguments(KernelInfo&);

}  // namespace clarity::compiler
