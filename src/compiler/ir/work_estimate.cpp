// SPDX-License-Identifier: Apache-2.0
// This file computes how much a work-item of a launch has to do.
#include "compiler/ir/work_estimate.h"

#include "compiler/ir/compiled_program.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace clarity::compiler {
namespace {

bool isOperation(WorkStep::Kind kind) { return kind >= WorkStep::Kind::Add; }
bool isOfDimension(WorkStep::Kind kind) { return kind >= WorkStep::Kind::Offset && kind < WorkStep::Kind::Add; }

/// An integer among the arguments. IR does not say which are signed; where the source does not either, they are.
double valueOf(const KernelArg& arg, std::span<const std::byte> block) {
  std::uint64_t value = 0;
  if (std::size_t{arg.offset} + arg.size > block.size()) return 0;
  std::memcpy(&value, block.data() + arg.offset, std::min<std::size_t>(arg.size, sizeof value));
  const bool isUnsigned = arg.typeName.starts_with('u') || arg.typeName == "size_t" || arg.typeName == "bool";
  if (isUnsigned) return static_cast<double>(value);
  const unsigned unused = 8 * static_cast<unsigned>(sizeof value - std::min<std::size_t>(arg.size, sizeof value));
  return static_cast<double>(static_cast<std::int64_t>(value << unused) >> unused);
}

double operate(WorkStep::Kind kind, double a, double b) {
  switch (kind) {
    case WorkStep::Kind::Add: return a + b;
    case WorkStep::Kind::Multiply: return a * b;
    case WorkStep::Kind::Divide: return b == 0 ? 0 : std::floor(a / b);
    case WorkStep::Kind::Least: return std::min(a, b);
    default: return std::max(a, b);
  }
}

}  // namespace

std::string wrongWith(const WorkEstimate& estimate, std::span<const KernelArg> args) {
  if (estimate.steps.empty()) return estimate.isBounded ? "it is bounded by nothing" : "";
  if (estimate.steps.size() > WorkEstimate::mostSteps) return "it has too many steps";
  std::size_t depth = 0;
  for (const WorkStep& step : estimate.steps) {
    if (step.kind > WorkStep::Kind::Greatest) return "a step is of no kind";
    if (isOperation(step.kind)) {
      if (depth < 2) return "a step has too few numbers";
      --depth;
      continue;
    }
    if (step.kind == WorkStep::Kind::Argument) {
      if (step.which >= args.size()) return "it names an argument that is not there";
      const KernelArg& arg = args[step.which];
      if (arg.kind != ArgKind::Value || arg.size == 0 || arg.size > 8) return "it names an argument that is no integer";
    }
    if (isOfDimension(step.kind) && step.which > 2) return "it names a dimension that is not there";
    if (++depth > WorkEstimate::deepest) return "it needs too many numbers at once";
  }
  return depth == 1 ? "" : "it leaves no single number";
}

double instructionsOf(const WorkEstimate& estimate, std::span<const KernelArg> args, std::span<const std::byte> block,
                      const WorkSizes& sizes) {
  std::array<double, WorkEstimate::deepest> stack{};
  std::size_t depth = 0;
  for (const WorkStep& step : estimate.steps) {
    const std::uint32_t d = step.which;
    double number = 0;
    switch (step.kind) {
      case WorkStep::Kind::Constant: number = static_cast<double>(static_cast<std::int64_t>(step.value)); break;
      case WorkStep::Kind::Argument: number = valueOf(args[step.which], block); break;
      case WorkStep::Kind::Offset: number = sizes.offset[d]; break;
      case WorkStep::Kind::GlobalSize: number = sizes.global[d]; break;
      case WorkStep::Kind::LocalSize: number = sizes.local[d]; break;
      case WorkStep::Kind::GlobalId: number = sizes.offset[d] + std::floor(sizes.global[d] / 2); break;
      case WorkStep::Kind::LocalId: number = std::floor(sizes.local[d] / 2); break;
      case WorkStep::Kind::GroupId: number = std::floor(sizes.global[d] / sizes.local[d] / 2); break;
      default:
        stack[depth - 2] = operate(step.kind, stack[depth - 2], stack[depth - 1]);
        --depth;
        continue;
    }
    stack[depth++] = number;
  }
  return depth ? std::max(stack[0], 0.0) : 0;
}

}  // namespace clarity::compiler
