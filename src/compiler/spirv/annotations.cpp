// SPDX-License-Identifier: Apache-2.0
// This file collects annotations. They all precede the types, but for OpLine and debug information.
#include "compiler/spirv/annotations.h"

#include "compiler/spirv/capabilities.h"

#include <algorithm>

namespace clarity::compiler::spirv {
namespace {

/// The most decorations that groups may give: a group may decorate others, and itself.
constexpr std::size_t mostGrouped = 1u << 20;

template <class Map, class Key>
auto valueOr(const Map& map, const Key& key) -> const typename Map::mapped_type& {
  static const typename Map::mapped_type nothing;
  const auto found = map.find(key);
  return found == map.end() ? nothing : found->second;
}

}  // namespace

Annotations::Annotations(const Binary& binary) {
  for (const Instruction& instruction : binary.instructions) {
    if (instruction.op == Op::Function) break;
    read(instruction);
  }
  if (!hasMemoryModel_) throw Refusal{"it has no OpMemoryModel"};
}

void Annotations::read(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::Capability: return checkCapability(instruction);
    case Op::MemoryModel: return readMemoryModel(instruction);
    case Op::ExtInstImport: return readSet(instruction);
    case Op::Source: return readSource(instruction);
    case Op::EntryPoint:
      require(instruction.as<ExecutionModel>(0) == ExecutionModel::Kernel, instruction,
              "its execution model is {}; OpenCL has Kernel",
              spirv::nameOf(OperandKind::ExecutionModel_, instruction[0]));
      entryPoints_.push_back({instruction[1], literalString(instruction, 2).text, &instruction});
      kernelNames_.emplace(instruction[1], entryPoints_.back().name);
      return;
    case Op::ExecutionMode:
    case Op::ExecutionModeId:
      modes_.insert({instruction[0], {instruction.as<ExecutionMode>(1), instruction.from(2), &instruction}});
      return;
    case Op::Name: names_[instruction[0]] = literalString(instruction, 1).text; return;
    case Op::MemberName: memberNames_[{instruction[0], instruction[1]}] = literalString(instruction, 2).text; return;
    case Op::String: stringsById_[instruction.result] = *strings_.insert(literalString(instruction, 0).text); return;
    case Op::Decorate:
    case Op::DecorateId:
    case Op::DecorateString: return decorate(instruction[0], instruction, 1);
    case Op::MemberDecorate:
    case Op::MemberDecorateString:
      memberDecorations_[{instruction[0], instruction[1]}].push_back(
          {instruction.as<Decoration>(2), instruction.from(3), &instruction});
      return;
    case Op::GroupDecorate:
    case Op::GroupMemberDecorate: return decorateGroup(instruction);
    default: return;
  }
}

void Annotations::readMemoryModel(const Instruction& instruction) {
  require(instruction.as<AddressingModel>(0) == AddressingModel::Physical64, instruction,
          "its addressing model is {}; devices have addresses of 64 bits, Physical64",
          spirv::nameOf(OperandKind::AddressingModel_, instruction[0]));
  require(instruction.as<MemoryModel>(1) == MemoryModel::OpenCL, instruction, "its memory model is {}, not OpenCL",
          spirv::nameOf(OperandKind::MemoryModel_, instruction[1]));
  hasMemoryModel_ = true;
}

void Annotations::readSet(const Instruction& instruction) {
  const std::string name = literalString(instruction, 0).text;
  InstructionSet& set = sets_[instruction.result];
  if (name == "OpenCL.std") {
    set = InstructionSet::OpenCL;
  } else if (name == "OpenCL.DebugInfo.100" || name == "DebugInfo" || name == "SPIRV.debug") {
    set = InstructionSet::Debug;
  } else if (name.starts_with("NonSemantic.Shader.DebugInfo.")) {
    set = InstructionSet::ShaderDebug;
  } else {
    // Instructions of sets with these names may be ignored (SPV_KHR_non_semantic_info).
    require(name.starts_with("NonSemantic."), instruction, "the set of instructions '{}' is unknown", name);
    set = InstructionSet::Ignored;
  }
}

void Annotations::readSource(const Instruction& instruction) {
  const auto language = instruction.as<SourceLanguage>(0);
  isCxx_ = language == SourceLanguage::OpenCL_CPP || language == SourceLanguage::CPP_for_OpenCL;
  if (language == SourceLanguage::OpenCL_C) languageVersion_ = static_cast<int>(instruction[1] / 1000);
}

void Annotations::decorate(std::uint32_t id, const Instruction& instruction, std::size_t at) {
  const auto decoration = instruction.as<Decoration>(at);
  decorations_[id].push_back({decoration, instruction.from(at + 1), &instruction});
  if (decoration != Decoration::LinkageAttributes) return;
  const Literal name = literalString(instruction, at + 1);
  const auto type = instruction.as<LinkageType>(at + 1 + name.words);
  // The translator's own functions, which it adds to modules, have the linkage of those without the decoration.
  if (type != LinkageType::InternalOfTranslator) linkages_[id] = {name.text, type};
}

void Annotations::countDecorations(const Instruction& instruction, std::size_t added) {
  grouped_ += added;
  require(grouped_ <= mostGrouped, instruction, "groups give more than {} decorations", mostGrouped);
}

/// A group is decorated before its decorations are given to others.
void Annotations::decorateGroup(const Instruction& instruction) {
  const std::vector<DecorationOf> given = decorationsOf(instruction[0]);
  if (instruction.op == Op::GroupDecorate) {
    for (const std::uint32_t id : instruction.from(1)) {
      countDecorations(instruction, given.size());
      decorations_[id].insert(decorations_[id].end(), given.begin(), given.end());
    }
    return;
  }
  for (std::size_t i = 1; i + 1 < instruction.count(); i += 2) {
    countDecorations(instruction, given.size());
    auto& list = memberDecorations_[{instruction[i], instruction[i + 1]}];
    list.insert(list.end(), given.begin(), given.end());
  }
}

std::vector<ExecutionModeOf> Annotations::modesOf(std::uint32_t function) const {
  std::vector<ExecutionModeOf> modes;
  const auto [first, last] = modes_.equal_range(function);
  for (auto mode = first; mode != last; ++mode) modes.push_back(mode->second);
  return modes;
}

std::string_view Annotations::kernelNameOf(std::uint32_t function) const { return valueOr(kernelNames_, function); }

std::string_view Annotations::nameOf(std::uint32_t id) const { return valueOr(names_, id); }

std::string_view Annotations::memberNameOf(std::uint32_t structure, std::uint32_t member) const {
  return valueOr(memberNames_, std::pair(structure, member));
}

std::string_view Annotations::stringOf(std::uint32_t id) const { return valueOr(stringsById_, id); }

const std::vector<DecorationOf>& Annotations::decorationsOf(std::uint32_t id) const {
  return valueOr(decorations_, id);
}

const std::vector<DecorationOf>& Annotations::decorationsOf(std::uint32_t structure, std::uint32_t member) const {
  return valueOr(memberDecorations_, std::pair(structure, member));
}

const DecorationOf* Annotations::find(std::uint32_t id, Decoration decoration) const {
  const std::vector<DecorationOf>& all = decorationsOf(id);
  const auto found = std::ranges::find(all, decoration, &DecorationOf::decoration);
  return found == all.end() ? nullptr : &*found;
}

const Linkage* Annotations::linkageOf(std::uint32_t id) const {
  const auto found = linkages_.find(id);
  return found == linkages_.end() ? nullptr : &found->second;
}

InstructionSet Annotations::setOf(const Instruction& extended) const {
  const auto found = sets_.find(extended[0]);
  require(found != sets_.end(), extended, "the id {} is no set of instructions", extended[0]);
  return found->second;
}

}  // namespace clarity::compiler::spirv
