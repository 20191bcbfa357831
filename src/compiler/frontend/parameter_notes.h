// SPDX-License-Identifier: Apache-2.0
// This file declares what keeps the facts about parameters of kernels that portable IR does not tell.
#pragma once

namespace clang {
class ASTContext;
}

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Metadata of kernels with pipes: for each argument the bytes of a packet, 0 for what is no pipe.
inline constexpr char pipePacketsMetadata[] = "clarity_pipe_packets";
/// Metadata of kernels with parameters that have the attribute annotate("clarity_constant"): for each argument 1 or 0.
inline constexpr char constantParametersMetadata[] = "clarity_constant_parameters";

/// Adds both to the kernels of a module that was made of this source.
void noteParameters(clang::ASTContext&, llvm::Module&);

}  // namespace clarity::compiler
