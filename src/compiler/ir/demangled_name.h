// SPDX-License-Identifier: Apache-2.0
// This file gives functions of the IR the names that people know them by.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace clarity::compiler {

/// "convert_int4_sat(float vector[4])" for a mangled name, the name itself for others.
std::string demangledName(llvm::StringRef name);

}  // namespace clarity::compiler
