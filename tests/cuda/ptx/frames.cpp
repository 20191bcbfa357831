// SPDX-License-Identifier: Apache-2.0
#include "frames.h"

#include "warp.h"

#include <algorithm>

namespace clarity::ptx {
namespace {

std::uint64_t roundedUp(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

constexpr std::uint64_t lineBytes = 64;

}  // namespace

Layout::Layout(const ModuleText& text, Program& program, Memory& memory) : program_(program) {
  std::map<std::string_view, std::byte*> hosts;
  for (const Variable& each : text.variables) {
    if (each.space == Space::Shared) {
      if (!each.isExternal) placeShared(each);
      continue;
    }
    std::byte* host = nullptr;
    const std::uint64_t bytes = std::max<std::uint64_t>(each.bytes, 1);
    const std::uint64_t address = memory.allocate(bytes, each.alignment, host);
    if (!address) throw Error("there is no memory for variable '" + std::string(each.name) + "'");
    program.variables[std::string(each.name)] = {address, bytes};
    places_[each.name] = {each.space, address};
    hosts[each.name] = host;
  }
  // Memory that a launch adds lies behind all else.
  program.sharedBytes = roundedUp(program.sharedBytes, 16);
  std::uint64_t parameterBytes = 0;
  for (const FunctionText& each : text.functions) {
    std::uint64_t bytes = 0;
    for (const unsigned parameter : each.parameters)
      bytes = roundedUp(bytes, each.variables[parameter].alignment) + each.variables[parameter].bytes;
    if (each.isEntry) parameterBytes = std::max(parameterBytes, bytes);
  }
  // A parameter's address tells whose it is: those of launches come first.
  program.privateBytes = roundedUp(parameterBytes, lineBytes);
  sink_ = takeSlot(64);
  for (const FunctionText& each : text.functions) frameOf(each);
  program.sharedBytes = roundedUp(program.sharedBytes, 16);
  for (const Variable& each : text.variables)
    if (each.space == Space::Shared && each.isExternal) places_[each.name] = {Space::Shared, program.sharedBytes};
  for (const Variable& each : text.variables)
    if (const auto host = hosts.find(each.name); host != hosts.end()) fill(each, host->second);
  program.privateBytes = roundedUp(program.privateBytes, lineBytes);
}

void Layout::placeShared(const Variable& variable) {
  const std::uint64_t address = roundedUp(program_.sharedBytes, variable.alignment);
  program_.sharedBytes = address + variable.bytes;
  places_[variable.name] = {Space::Shared, address};
}

void Layout::fill(const Variable& variable, std::byte* host) const {
  std::memset(host, 0, variable.bytes);
  std::ranges::copy(variable.contents, host);
  for (const Variable::Pointer& each : variable.pointers) {
    const auto found = places_.find(each.target);
    if (found == places_.end()) throw Error("'" + std::string(each.target) + "' is not defined");
    const std::uint64_t window =
        each.isGeneric && found->second.space == Space::Shared ? sharedWindow : std::uint64_t{0};
    const std::uint64_t address = found->second.address + window + static_cast<std::uint64_t>(each.addend);
    std::memcpy(host + each.offset, &address, sizeof address);
  }
}

std::int32_t Layout::takeSlot(unsigned bits) {
  const std::uint64_t bytes = bits == 1 ? sizeof(Lanes) : bits <= 16 ? 2 * warpSize : bits / 8 * warpSize;
  const std::uint64_t slot = roundedUp(program_.registerBytes, std::min(bytes, lineBytes));
  program_.registerBytes = slot + bytes;
  return static_cast<std::int32_t>(slot);
}

std::uint64_t Layout::takePrivate(const Variable& variable) {
  const std::uint64_t address = roundedUp(program_.privateBytes, std::max<std::uint64_t>(variable.alignment, 16));
  program_.privateBytes = address + variable.bytes;
  return address;
}

void Layout::frameOf(const FunctionText& text) {
  Frame frame;
  frame.text = &text;
  for (const Type& each : text.registers) frame.slots.push_back(takeSlot(each.width()));
  frame.returnSlot = takeSlot(64);
  Entry entry;
  for (unsigned i = 0; i < text.variables.size(); ++i) {
    const Variable& variable = text.variables[i];
    const bool isParameter = holds(text.parameters, i);
    if (text.isEntry && isParameter) {
      const std::uint64_t offset = roundedUp(entry.parameterBytes, variable.alignment);
      entry.parameters.push_back({offset, variable.bytes});
      entry.parameterBytes = offset + variable.bytes;
      frame.addresses.push_back(offset);
    } else if (variable.space == Space::Shared) {
      placeShared(variable);
      frame.addresses.push_back(places_[variable.name].address);
    } else {
      frame.addresses.push_back(takePrivate(variable));
    }
  }
  if (text.isEntry) {
    entry.name = text.name;
    entry.maxThreads = text.maxThreads;
    program_.entries.push_back(std::move(entry));
  }
  byName_[text.name] = frames_.size();
  frames_.push_back(std::move(frame));
}

}  // namespace clarity::ptx
