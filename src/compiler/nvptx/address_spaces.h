// SPDX-License-Identifier: Apache-2.0
// This file gives a module of kernel IR the address spaces of NVIDIA GPUs.
#pragma once

namespace llvm {
class Module;
}

namespace clarity::compiler::nvptx {

/// Address spaces of PTX, as LLVM's NVPTX target numbers them.
inline constexpr unsigned genericSpace = 0, globalSpace = 1, sharedSpace = 3, constantSpace = 4;

/// Rewrites every type: kernel IR has private 0, global 1, constant 2, local 3, generic 4; PTX has generic 0, global 1,
/// shared 3. Private variables stay where `alloca` puts them, which is generic to the IR and local to the machine.
/// Constant memory becomes global memory: a pointer to it may lead into any buffer.
void useAddressSpacesOfPtx(llvm::Module& module);

}  // namespace clarity::compiler::nvptx
