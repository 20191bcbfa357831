// SPDX-License-Identifier: Apache-2.0
// This file is what contexts and the environment add to the options of builds.
#pragma once

#include "compiler/driver/compiler.h"
#include "core/context.h"

#include <string>
#include <string_view>

namespace clarity::core {

/// Whether an option is one of the words of a text.
bool hasOption(std::string_view options, std::string_view name);

/// Build options as the compiler gets them: with what CLARITY_OBSERVE and the context's properties ask for.
std::string compilerOptions(const Context& context, std::string options);

/// CL_INVALID_BINARY if a context initialises memory (cl_khr_initialize_memory) and a binary was built for one that
/// does not.
void requireInitialization(const Context& context, const compiler::CompiledProgram& binary);

}  // namespace clarity::core
