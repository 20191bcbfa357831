// SPDX-License-Identifier: Apache-2.0
// This file generates code for the host, and deletes code of the disk cache that cannot be loaded.
#include "compiler/driver/generate_native.h"

#include <fmt/format.h>

#include <utility>

namespace clarity::compiler {

NativeOutcome generateNative(const CompiledProgram& compiled, std::string_view kernel, const Shape& shape,
                             const Target& target, std::byte* variables, IfNotKept ifNotKept) {
  CodeOutcome made = generate(compiled, kernel, shape, target, ifNotKept);
  NativeOutcome outcome{.status = made.status, .log = std::move(made.log), .kernel = nullptr};
  if (!made.code) return outcome;
  if (made.code->backEnd() != hostBackEndName) {
    outcome.status = Status::Internal;
    outcome.log += fmt::format("the code of kernel '{}' is for back end '{}'", kernel, made.code->backEnd());
    return outcome;
  }
  const auto& code = static_cast<const HostCode&>(*made.code);
  NativeOutcome loaded = loadNative(code, compiled, kernel, variables);
  loaded.log.insert(0, outcome.log);
  if (loaded.status == Status::Internal && code.fromCache) forgetCode(compiled, kernel, shape, target);
  return loaded;
}

}  // namespace clarity::compiler
