// SPDX-License-Identifier: Apache-2.0
// This file shows what the compiler has made to people (`clarity compile --emit`). No LLVM type is visible.
#pragma once

#include "compiler/driver/compiler.h"

#include <string>
#include <string_view>

namespace clarity::compiler {

/// The IR of a compiled program as text: portable IR of an Object or Library, kernel IR of an Executable. Empty with a
/// reason in `log` when the compiled program is damaged.
std::string kernelIRText(const CompiledProgram& compiled, std::string& log);

/// One kernel for one shape behind the whole pipeline, as text (or an ELF object). Empty with a reason in `log` when
/// it cannot be made.
std::string generateText(const CompiledProgram& compiled, std::string_view kernel, const Shape& shape,
                         const Target& target, NativeForm form, std::string& log);

/// A compiled program of kind Object as a module of SPIR-V, by LLVM's own target. Empty with a reason in `log` when
/// that cannot express it.
std::string spirvOf(const CompiledProgram& compiled, std::string& log);

}  // namespace clarity::compiler
