// SPDX-License-Identifier: Apache-2.0
// This file describes places with what the line tables of code say.
#include "device/cpu/fault_place.h"

#include <fmt/format.h>

namespace clarity::device::cpu {

std::string describePlace(const KernelCode::Choice& code, const void* instruction, const SourceText& source) {
  std::vector<compiler::SourcePlace> places;
  for (const compiler::NativeKernel* each : {code.exact, code.any})
    if (each && places.empty()) places = each->placesOf(instruction);
  std::string text;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const compiler::SourcePlace& place = places[i];
    const std::string line = source.line(place.file, place.line);
    text += fmt::format("{} {}:{}", i == 0 ? "; at" : " (called at", place.file, place.line);
    if (place.column) text += fmt::format(":{}", place.column);
    if (places.size() > 1) text += fmt::format(" in '{}'", place.function);
    if (!line.empty()) text += ": " + line;
    if (i > 0) text += ")";
  }
  return text;
}

}  // namespace clarity::device::cpu
