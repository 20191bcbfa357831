// SPDX-License-Identifier: Apache-2.0
// This file declares what work-items keep in registers while they wait at barriers.
#pragma once

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Registers of a work-item of kernel IR for the values that it computes ahead of a barrier and uses behind it, at the
/// barrier with the most, and for private variables in memory. Those that are the same for all work-items do not count.
unsigned registersAtBarriers(llvm::Function& kernel);

}  // namespace clarity::compiler::nvptx
