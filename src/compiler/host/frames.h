// SPDX-License-Identifier: Apache-2.0
// This file finds out how much stack generated code needs.
#pragma once

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/LLVMContext.h>

#include <cstdint>
#include <map>
#include <memory>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace clarity::compiler {

/// While one exists, the code generator tells it the frame of each function of the module. Functions whose frames are
/// larger than a page touch every page when they are called, so that what lies below the stack is never jumped over.
class Frames {
public:
  explicit Frames(llvm::Module&);
  ~Frames();
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  /// When code has been generated: bytes on the stack in the deepest chain of calls, whichever function is called
  /// first. Functions that call themselves, which OpenCL C forbids, count once, and alloca() of a variable size not.
  std::uint64_t deepest() const;

private:
  class Listener;
  using Sizes = std::map<const llvm::Function*, std::uint64_t>;

  llvm::Module& module_;
  Sizes sizes_;
  std::unique_ptr<llvm::DiagnosticHandler> outer_;
};

}  // namespace clarity::compiler
