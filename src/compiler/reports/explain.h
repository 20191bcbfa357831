// SPDX-License-Identifier: Apache-2.0
// This file declares how the report finds the reasons of what a plan has decided: why addresses are not affine, and why
// branches diverge. It decides nothing.
#pragma once

#include "compiler/ir/remarks.h"
#include "compiler/packets/packet_plan.h"
#include "compiler/reports/source_text.h"

#include <string>

namespace clarity::compiler {

class Explainer {
public:
  Explainer(const PacketPlan& plan, const SourceText& source) : plan_(plan), source_(source) {}

  /// The pattern of neighbouring work-items' accesses: "the index is not affine: loaded from first[row] (line 6)".
  std::string places(const llvm::Value& pointer, const llvm::Instruction& access) const;
  /// The origin of a condition that differs between work-items: "depends on the work-item's id".
  std::string dependence(const llvm::Value& condition) const;
  /// The expression of an access as the source has it; empty: unknown.
  std::string expression(const llvm::Instruction& access) const;
  /// The reason why the addresses of an access are not affine with a known stride.
  enum class Obstacle {
    Memory,      ///< the index is loaded, or the result of a call
    Distance,    ///< the stride is known at run time only
    Arithmetic,  ///< an operation whose result is not affine
  };
  Obstacle obstacleOf(const llvm::Value& pointer) const;
  /// The place of an instruction, or of the nearest one ahead of it.
  static Place placeNear(const llvm::Instruction& instruction);

private:
  struct Roots;
  bool varies(const llvm::Value& value) const { return plan_.forms().varies(value); }
  Roots rootsOf(const llvm::Value& value) const;
  std::string origin(const llvm::Instruction& root) const;
  std::string whereAffineEnds(const llvm::Value& pointer, const llvm::Instruction& end) const;
  std::string distance(const llvm::Value& pointer, const llvm::Instruction& product) const;
  bool isIndex(const llvm::Instruction& product, const llvm::Value& pointer) const;
  std::string nameOf(const llvm::Value& value) const;
  bool walksRow(const llvm::Value& pointer, const llvm::Instruction& access) const;

  const PacketPlan& plan_;
  const SourceText& source_;
};

}  // namespace clarity::compiler
