// SPDX-License-Identifier: Apache-2.0
// This file declares what a module says ahead of its types: capabilities, entry points, names, decorations.
#pragma once

#include "compiler/spirv/binary.h"

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace clarity::compiler::spirv {

/// A decoration of an id or of a member of a structure.
struct DecorationOf {
  Decoration decoration;
  std::span<const std::uint32_t> parameters;
  const Instruction* instruction;  ///< that says so
};

struct EntryPoint {
  std::uint32_t function;
  std::string name;
  const Instruction* instruction;
};

struct ExecutionModeOf {
  ExecutionMode mode;
  std::span<const std::uint32_t> parameters;
  const Instruction* instruction;  ///< that says so
};

struct Linkage {
  std::string name;
  LinkageType type;
};

/// The sets of extended instructions. Instructions of Ignored sets have no effect on what a program computes. Debug and
/// ShaderDebug are debug information; the numbers in ShaderDebug's operands are constants.
enum class InstructionSet { OpenCL, Debug, ShaderDebug, Ignored };

constexpr bool isDebug(InstructionSet set) {
  return set == InstructionSet::Debug || set == InstructionSet::ShaderDebug;
}

class Annotations {
public:
  /// Refuses the module if it demands what no device has.
  explicit Annotations(const Binary& binary);

  const std::vector<EntryPoint>& entryPoints() const { return entryPoints_; }
  /// The name of the first entry point of a function, or empty.
  std::string_view kernelNameOf(std::uint32_t function) const;
  std::vector<ExecutionModeOf> modesOf(std::uint32_t function) const;

  /// OpName's, or empty.
  std::string_view nameOf(std::uint32_t id) const;
  std::string_view memberNameOf(std::uint32_t structure, std::uint32_t member) const;
  /// OpString's, or empty.
  std::string_view stringOf(std::uint32_t id) const;
  /// All OpStrings of the module.
  const std::multiset<std::string, std::less<>>& strings() const { return strings_; }

  const std::vector<DecorationOf>& decorationsOf(std::uint32_t id) const;
  const std::vector<DecorationOf>& decorationsOf(std::uint32_t structure, std::uint32_t member) const;
  /// nullptr if the id has none of this kind.
  const DecorationOf* find(std::uint32_t id, Decoration decoration) const;
  bool has(std::uint32_t id, Decoration decoration) const { return find(id, decoration) != nullptr; }
  /// The linkage of a function or variable; nullptr if it has none.
  const Linkage* linkageOf(std::uint32_t id) const;

  InstructionSet setOf(const Instruction& extended) const;
  /// 1.2 in OpSource OpenCL_C 102000 is 120; 0 if the module does not name OpenCL C.
  int languageVersion() const { return languageVersion_; }
  bool isCxx() const { return isCxx_; }

private:
  void read(const Instruction& instruction);
  void readMemoryModel(const Instruction& instruction);
  void readSet(const Instruction& instruction);
  void readSource(const Instruction& instruction);
  void decorate(std::uint32_t id, const Instruction& instruction, std::size_t at);
  void decorateGroup(const Instruction& instruction);
  void countDecorations(const Instruction& instruction, std::size_t added);

  std::vector<EntryPoint> entryPoints_;
  std::unordered_multimap<std::uint32_t, ExecutionModeOf> modes_;
  std::unordered_map<std::uint32_t, std::string> names_, kernelNames_, stringsById_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> memberNames_;
  std::multiset<std::string, std::less<>> strings_;
  std::unordered_map<std::uint32_t, std::vector<DecorationOf>> decorations_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<DecorationOf>> memberDecorations_;
  std::unordered_map<std::uint32_t, Linkage> linkages_;
  std::unordered_map<std::uint32_t, InstructionSet> sets_;
  int languageVersion_ = 0;
  bool isCxx_ = false;
  bool hasMemoryModel_ = false;
  std::size_t grouped_ = 0;  ///< decorations that groups have given
};

}  // namespace clarity::compiler::spirv
