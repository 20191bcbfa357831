// SPDX-License-Identifier: Apache-2.0
// This file reads SPIR (cl_khr_spir): LLVM IR for spir64 that older compilers have written, SPIR 1.2 and 2.0 among
// them. LLVM's reader brings it to today's IR, but for what it knows nothing of: opaque structures, of which pointers
// have lost the names, and metadata.
#pragma once

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Gives a module the form of portable IR:
///  - arguments of kernels that are images, samplers or pipes, by their metadata, get LLVM's types of these,
///  - and so do parameters of builtin functions, by their mangled names;
///  - kernels that are listed in "opencl.kernels" get their metadata;
///  - names of builtin functions are written as clang mangles them today.
/// A module that has this form is not changed. To be called ahead of the verifier.
void upgradeSpir(llvm::Module& module);

}  // namespace clarity::compiler
