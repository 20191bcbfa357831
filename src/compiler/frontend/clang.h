// SPDX-License-Identifier: Apache-2.0
// This file runs clang in this process: OpenCL C or C++ for OpenCL to portable IR, the LLVM IR that clang emits for
// spir64, before any optimisation.
#pragma once

#include "compiler/frontend/dependencies.h"
#include "compiler/frontend/options.h"
#include "compiler/ir/source.h"
#include "compiler/ir/status.h"
#include "compiler/ir/target.h"

#include <llvm/ADT/IntrusiveRefCntPtr.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
namespace vfs {
class FileSystem;
}
}  // namespace llvm

namespace clarity::compiler {

/// The result of the front end for a source.
struct FrontendResult {
  Status status = Status::Ok;
  std::unique_ptr<llvm::Module> module;  ///< nullptr unless Ok
  std::string log;                       ///< clang's diagnostics
  std::vector<Dependency> dependencies;  ///< files that it asked the disk for; none when no #include looked there
  bool timeDependent = false;            ///< __DATE__, __TIME__ or __TIMESTAMP__ is in the result
};

/// Compiles one source. Headers are searched first among the embedded ones, then in the -I folders, last in the working
/// folder. Writes no file, prints nothing, reads no environment variable and needs no file of clang's.
FrontendResult compileToPortableIR(llvm::LLVMContext&, std::string_view source, std::span<const Header>, const Options&,
                                   const Target&);

/// LLVM's files of the disk, with a reference that stays after the first call. A shared LLVM releases its own when the
/// process ends, while threads may still compile.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesOfTheDisk();

}  // namespace clarity::compiler
