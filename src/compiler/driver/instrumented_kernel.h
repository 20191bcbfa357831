// SPDX-License-Identifier: Apache-2.0
// This file takes a kernel from the portable IR that a compiled program keeps to instrumented kernel IR.
#pragma once

#include "compiler/ir/compiled_program.h"
#include "compiler/ir/shape.h"
#include "compiler/ir/site.h"
#include "compiler/ir/target.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
}

namespace clarity::compiler {

class CollectingContext;
struct Options;

/// A module of kernel IR with the kernel of a compiled program, instrumented, and what is known of it then; null and a
/// reason in `error` if the compiled program keeps no portable IR or does not have the kernel.
std::unique_ptr<llvm::Module> instrumentedKernel(CollectingContext&, const CompiledProgram&, std::string_view kernel,
                                                 Instrumentation, const Options&, const Target&, KernelInfo& info,
                                                 std::vector<Site>& sites, std::string& error);

/// Makes what a compiled program says of its kernels hold for their instrumented code too: that may use local memory or
/// printf which the optimiser removes. False and a reason in `error` if they cannot be instrumented.
bool coverInstrumented(CompiledProgram&, const Options&, const Target&, std::string& error);

}  // namespace clarity::compiler
