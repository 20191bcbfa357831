// SPDX-License-Identifier: Apache-2.0
// This file generates code for the host, and deletes code of the disk cache that cannot be loaded.
#include "compiler/driver/generate_native.h"

#include "compiler/driver/code_places.h"
#include "compiler/driver/compiler.h"
#include "compiler/host/known_code.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace clarity::compiler {

void makeCodeKnown() { keepCodeKnown(); }

void keepCodePlaces() { keepCodeRanges(); }

CodePlace codePlaceOf(const void* instruction) {
  CodePlace place;
  const std::vector<SourcePlace> places = knownPlacesOf(instruction, place.kernel);
  if (places.empty()) return place;
  place.function = places.front().function;
  place.file = places.front().file;
  place.line = places.front().line;
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].file == place.file) place.callers.push_back(places[i].line);
  return place;
}

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
