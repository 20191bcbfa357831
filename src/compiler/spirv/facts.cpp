// SPDX-License-Identifier: Apache-2.0
// This file looks for specialisation constants in a module, and lists what the reader knows.
#include "compiler/spirv/annotations.h"
#include "compiler/spirv/capabilities.h"
#include "compiler/spirv/reader.h"

#include <algorithm>
#include <unordered_map>

namespace clarity::compiler::spirv {
namespace {

/// The bytes of a number's type by its id.
std::unordered_map<std::uint32_t, std::uint32_t> numberSizes(const Binary& binary) {
  std::unordered_map<std::uint32_t, std::uint32_t> sizes;
  for (const Instruction& instruction : binary.instructions) {
    if (instruction.op == Op::TypeBool) sizes[instruction.result] = 1;
    if (instruction.op == Op::TypeInt || instruction.op == Op::TypeFloat)
      sizes[instruction.result] = (instruction[0] + 7) / 8;
    if (instruction.op == Op::Function) break;
  }
  return sizes;
}

bool isSpecialized(Op op) {
  return op == Op::SpecConstant || op == Op::SpecConstantTrue || op == Op::SpecConstantFalse;
}

}  // namespace

std::expected<SpirvFacts, std::string> factsOf(std::string_view bytes) try {
  const Binary binary = parseBinary(bytes);
  const auto sizes = numberSizes(binary);
  std::unordered_map<std::uint32_t, std::uint32_t> specIds;  // by id
  SpirvFacts facts;
  facts.version = binary.version;
  for (const Instruction& instruction : binary.instructions) {
    if (instruction.op == Op::Function) break;
    if (instruction.op == Op::Decorate && instruction.as<Decoration>(1) == Decoration::SpecId)
      specIds[instruction[0]] = instruction[2];
    if (instruction.op == Op::GroupDecorate)
      if (const auto group = specIds.find(instruction[0]); group != specIds.end())
        for (const std::uint32_t target : instruction.from(1)) specIds[target] = group->second;
    const auto found = isSpecialized(instruction.op) ? specIds.find(instruction.result) : specIds.end();
    const auto size = sizes.find(instruction.type);
    if (found != specIds.end() && size != sizes.end()) facts.constants.push_back({found->second, size->second});
  }
  std::ranges::sort(facts.constants, {}, &SpecializationConstant::id);
  const auto doubled = std::ranges::unique(facts.constants, {}, &SpecializationConstant::id);
  facts.constants.erase(doubled.begin(), doubled.end());
  return facts;
} catch (const Refusal& refusal) {
  return std::unexpected(refusal.text);
}

const SpirvSupport& support() {
  static const SpirvSupport all = [] {
    SpirvSupport made;
    for (const char* const set : readInstructionSets()) made.instructionSets.emplace_back(set);
    for (const char* const extension : readExtensions()) made.extensions.emplace_back(extension);
    for (const Capability capability : readCapabilities())
      made.capabilities.push_back(static_cast<std::uint32_t>(capability));
    return made;
  }();
  return all;
}

}  // namespace clarity::compiler::spirv
