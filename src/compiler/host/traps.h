// SPDX-License-Identifier: Apache-2.0
// This file declares how traps are lowered for the host.
#pragma once

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Turns calls of llvm.trap, llvm.debugtrap and llvm.ubsantrap into calls of __clarity_trap (support/trap_hook.h), and
/// what follows a trap into the way around it. A trap ends its block with `unreachable`, and no pass has to keep a way
/// that leads to no return: regions and packets are made of ways from the entry of the kernel to a return.
///   before:  br i1 %c, label %trap, label %next     after:  br i1 %c, label %trap, label %next
///            trap: call void @llvm.trap()                   trap: call void @__clarity_trap()
///                  unreachable                                    br label %next
void lowerTraps(llvm::Module& module);

}  // namespace clarity::compiler
