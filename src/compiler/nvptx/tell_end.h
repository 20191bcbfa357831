// SPDX-License-Identifier: Apache-2.0
// This file has a kernel tell the host that it has ended.
#pragma once

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Where LaunchInfo::endFlag is not 0, the last block that ends writes LaunchInfo::endNumber to it, when what all
/// threads have written can be read by the host and by other kernels. A thread of the host that reads it learns of the
/// end earlier than from anything that the driver does behind the kernel. `kernel` is the kernel as lowerKernel() and
/// the optimiser have left it.
void tellEnd(llvm::Function& kernel);

}  // namespace clarity::compiler::nvptx
