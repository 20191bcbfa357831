// SPDX-License-Identifier: Apache-2.0
// This file reads a program that is given as SPIR-V 1.0 to 1.6: a module becomes portable IR, as if clang had emitted
// it. Nothing behind the front end knows the difference. No function ends the process or throws, but for bad_alloc.
#pragma once

#include "compiler/frontend/clang.h"
#include "compiler/ir/source.h"
#include "compiler/ir/spirv_facts.h"

#include <expected>
#include <string>
#include <string_view>

namespace clarity::compiler {
class CollectingContext;
}

namespace clarity::compiler::spirv {

/// The module as portable IR; CompileFailure and a log that names the instruction otherwise. Sets the language in
/// `options` if the module names it.
FrontendResult readSpirv(CollectingContext& context, const Source& source, Options& options);

/// compiler.h says what these return.
std::expected<SpirvFacts, std::string> factsOf(std::string_view bytes);
const SpirvSupport& support();

}  // namespace clarity::compiler::spirv
