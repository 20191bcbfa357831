// SPDX-License-Identifier: Apache-2.0
// This file removes what clang and the compiler add to names before LLVM demangles them.
#include "compiler/ir/demangled_name.h"

#include "compiler/ir/program_functions.h"

#include <llvm/Demangle/Demangle.h>

#include <string_view>

namespace clarity::compiler {

std::string demangledName(llvm::StringRef name) {
  name.consume_front(kernelBodyPrefix);
  name.consume_front(programPrefix);
  if (!name.starts_with("_Z")) return name.str();
  std::string text = name.str();
  // In C++ for OpenCL methods say that their object may be in any memory, which no demangler understands there.
  if (const std::string_view qualified = "_ZNU3AS4"; text.starts_with(qualified))
    text.replace(0, qualified.size(), "_ZN");
  return llvm::demangle(text);
}

}  // namespace clarity::compiler
