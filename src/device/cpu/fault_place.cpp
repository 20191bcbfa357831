// SPDX-License-Identifier: Apache-2.0
// This file describes places with what the line tables of code say.
#include "device/cpu/fault_place.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <vector>

namespace clarity::device::cpu {

namespace {

/// Addresses of different objects are compared: as numbers.
bool liesIn(std::span<const std::byte> code, const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(code.data()) < code.size();
}

using Places = std::vector<compiler::SourcePlace>;

Places placesOf(const KernelCode::Choice& code, const support::Fault& fault) {
  Places places;
  for (const compiler::NativeKernel* each : {code.exact, code.any})
    if (each && places.empty()) places = each->placesOf(fault.instruction);
  for (const void* word : fault.stackWords)
    for (const compiler::NativeKernel* each : {code.exact, code.any}) {
      if (!word || !each || !places.empty()) continue;
      // It returns behind the call. Words of a stack may be any number.
      const auto* const call = reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(word) - 1);
      if (liesIn(each->code, call)) places = each->placesOf(call);
    }
  return places;
}

}  // namespace

std::string describePlace(const KernelCode::Choice& code, const support::Fault& fault, const SourceText& source) {
  const Places places = placesOf(code, fault);
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

void reportTo(LaunchObserver& observer, std::string_view text, const KernelCode::Choice& code,
              const support::Fault& fault, const SourceText& source) {
  const Places places = placesOf(code, fault);
  ObservedFault observed{.text = text, .place = {}};
  if (!places.empty())
    observed.place = {.file = places[0].file,
                      .line = places[0].line,
                      .column = places[0].column,
                      .text = source.line(places[0].file, places[0].line)};
  observer.fault(observed);
}

}  // namespace clarity::device::cpu
