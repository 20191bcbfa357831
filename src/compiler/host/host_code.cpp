// SPDX-License-Identifier: Apache-2.0
// This file loads the host's code and binds it to the variables of a program.
#include "compiler/host/host_code.h"

#include "compiler/guard/worker.h"
#include "compiler/host/jit.h"
#include "compiler/host/line_table.h"

#include <fmt/format.h>

namespace clarity::compiler {
namespace {

class JitKernel final : public NativeKernel {
public:
  JitKernel(const HostCode& made, std::unique_ptr<LoadedCode> loaded) : code_(std::move(loaded)) {
    static_cast<CodeFacts&>(*this) = made.facts;
    entry = reinterpret_cast<Entry>(const_cast<void*>(code_->entry));
    code = {static_cast<const std::byte*>(code_->entry), code_->entryBytes};
    remarks = made.remarks;
    sites = made.sites;
    fromCache = made.fromCache;
    lines = std::move(code_->lines);
  }

private:
  std::unique_ptr<LoadedCode> code_;
};

/// The result of loading an object.
struct Loaded {
  std::unique_ptr<LoadedCode> code;
  std::string error;
};

}  // namespace

std::vector<SourcePlace> NativeKernel::placesOf(const void* instruction) const {
  return compiler::placesOf(
      lines, static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(instruction) -
                                       reinterpret_cast<std::uintptr_t>(reinterpret_cast<const void*>(entry))));
}

NativeOutcome loadNative(const HostCode& code, const CompiledProgram& compiled, std::string_view kernel,
                         std::byte* variables) {
  NativeOutcome outcome;
  // All program objects share the code; where its variables are is this program object's.
  const auto find = [&](std::string_view symbol) -> void* {
    const GlobalVariables::Variable* variable = variables ? compiled.scope.variables.find(symbol) : nullptr;
    return variable ? variables + variable->offset : nullptr;
  };
  auto loaded = std::make_unique<Loaded>();
  outcome.status = runGuardedHere(
      [&, to = loaded.get()] { to->code = loadObject(code.object, kernel, find, to->error); }, outcome.log);
  if (outcome.status != Status::Ok) {
    static_cast<void>(loaded.release());  // half made: not to be touched
    return outcome;
  }
  if (loaded->code) {
    outcome.kernel = std::make_shared<JitKernel>(code, std::move(loaded->code));
    return outcome;
  }
  outcome.status = Status::Internal;
  outcome.log += fmt::format("the code of kernel '{}' could not be loaded: {}", kernel, loaded->error);
  return outcome;
}

}  // namespace clarity::compiler
