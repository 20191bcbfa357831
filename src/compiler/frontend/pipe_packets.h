// SPDX-License-Identifier: Apache-2.0
// This file declares what keeps the sizes of packets of pipes, which portable IR does not tell.
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

/// Adds it to the kernels of a module that was made of this source.
void notePipePackets(clang::ASTContext&, llvm::Module&);

}  // namespace clarity::compiler
