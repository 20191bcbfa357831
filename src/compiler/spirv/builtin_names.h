// SPDX-License-Identifier: Apache-2.0
// This file declares which functions the builtin library has, by their whole mangled names.
#pragma once

#include <string>
#include <string_view>

namespace llvm {
class FunctionType;
}

namespace clarity::compiler::spirv {

/// The type of a function of the builtin library as LLVM writes it, "float (float, i32)"; empty if there is none of the
/// name.
std::string_view typeOfBuiltin(std::string_view mangledName);
/// A type of a function in the same form. Images, samplers, pipes and reservations are in the library what the pass
/// lower-images makes of them.
std::string textOfBuiltin(llvm::FunctionType& type);

}  // namespace clarity::compiler::spirv
