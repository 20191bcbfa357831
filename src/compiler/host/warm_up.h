// SPDX-License-Identifier: Apache-2.0
// This file gets the code generator ready while the front end is still at work on a process's first program.
#pragma once

#include "compiler/ir/target.h"

namespace clarity::compiler {

/// Generates code for a kernel that is never launched, on another thread and once a process: then the tables that LLVM
/// makes at first use are there, the library's pages are mapped and a machine is known when the first real kernel
/// comes. Does nothing on a single processor, nor where the process might end in the middle of it
/// (support/process_end.h: staticObjectsArePermanent).
void warmUp(const Target& target);

}  // namespace clarity::compiler
