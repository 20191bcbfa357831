// SPDX-License-Identifier: Apache-2.0
// This file has a kernel tell the host that it has ended.
#pragma once

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Where LaunchInfo::endFlag is not 0, the only block of the launch writes LaunchInfo::endNumber to it, when what its
/// threads have written can be read by others. A thread of the host that reads it learns of the end earlier than from
/// anything that the driver does behind the kernel. Several blocks would have to count themselves, which takes longer
/// than that (H100). `kernel` is the kernel as lowerKernel() and the optimiser have left it.
void tellEnd(llvm::Function& kernel);

}  // namespace clarity::compiler::nvptx
