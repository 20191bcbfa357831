// SPDX-License-Identifier: Apache-2.0
// This file writes what a kernel accesses for people (`clarity compile --emit accesses`).
#include "compiler/ir/access_summary.h"
#include "compiler/ir/compiled_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {
namespace {

using Kind = AccessValue::Kind;

/// Expressions that are longer are cut.
constexpr std::size_t longestExpression = 160;

std::string_view nameOf(Kind kind) {
  switch (kind) {
    case Kind::GlobalId: return "global_id";
    case Kind::GroupId: return "group_id";
    case Kind::GlobalSize: return "global_size";
    case Kind::LocalSize: return "local_size";
    case Kind::EnqueuedSize: return "enqueued_local_size";
    case Kind::NumGroups: return "num_groups";
    case Kind::GlobalOffset: return "global_offset";
    case Kind::LocalId: return "local_id";
    case Kind::Least:
    case Kind::SignedLeast: return "min";
    case Kind::Greatest:
    case Kind::SignedGreatest: return "max";
    case Kind::Add: return "+";
    case Kind::Subtract: return "-";
    case Kind::Multiply: return "*";
    case Kind::Divide:
    case Kind::SignedDivide: return "/";
    case Kind::Remainder:
    case Kind::SignedRemainder: return "%";
    case Kind::And: return "&";
    case Kind::Or: return "|";
    case Kind::Xor: return "^";
    case Kind::ShiftRight:
    case Kind::SignedShiftRight: return ">>";
    default: return "or";
  }
}

class Writer {
public:
  Writer(const AccessSummary& summary, const KernelInfo& kernel)
      : summary_(summary), kernel_(kernel), known_(summary.values.size()) {}

  const std::string& textOf(std::uint32_t index) {
    if (known_[index].empty()) known_[index] = compute(index);
    return known_[index];
  }

private:
  std::string compute(std::uint32_t index) {
    const AccessValue& value = summary_.values[index];
    switch (value.kind) {
      case Kind::Constant: return std::to_string(value.number);
      case Kind::Argument: return argumentAt(value.number);
      case Kind::Unknown: return "?";
      case Kind::WorkDim: return "work_dim";
      case Kind::Iteration: return iteration(index);
      case Kind::ZeroExtend:
      case Kind::SignExtend:
      case Kind::Truncate: return textOf(value.a);
      case Kind::Recurrence: return recurrence(value);
      default: break;
    }
    if (value.kind < Kind::Unknown) return fmt::format("{}({})", nameOf(value.kind), value.number);
    return ofTwo(value);
  }

  std::string ofTwo(const AccessValue& value) { return joined(value.kind, textOf(value.a), textOf(value.b)); }

  std::string recurrence(const AccessValue& value) {
    const std::string grown = joined(Kind::Multiply, textOf(value.b), textOf(static_cast<std::uint32_t>(value.number)));
    return joined(Kind::Add, textOf(value.a), grown);
  }

  static std::string joined(Kind kind, const std::string& left, const std::string& right) {
    const auto is = [&](Kind its, std::string_view text) { return kind == its && text == right; };
    if (is(Kind::Add, "0") || is(Kind::Subtract, "0") || is(Kind::Multiply, "1")) return left;
    if (kind == Kind::Add && left == "0") return right;
    if (kind == Kind::Multiply && left == "1") return right;
    if (is(Kind::Multiply, "0")) return "0";
    if (is(Kind::Multiply, "-1")) return "-" + left;
    const std::string_view name = nameOf(kind);
    std::string text = name == "min" || name == "max" ? fmt::format("{}({}, {})", name, left, right)
                                                      : fmt::format("({} {} {})", left, name, right);
    return text.size() > longestExpression ? "?" : text;
  }

  std::string argumentAt(std::int64_t at) const {
    for (const KernelArg& arg : kernel_.args)
      if (at >= arg.offset && at < std::int64_t{arg.offset} + arg.size)
        return at == arg.offset ? arg.name : fmt::format("{}@{}", arg.name, at - arg.offset);
    return "?";
  }

  /// Loops are numbered as they come.
  std::string iteration(std::uint32_t index) {
    auto found = std::ranges::find(loops_, index);
    if (found == loops_.end()) found = loops_.insert(found, index);
    return fmt::format("loop{}", found - loops_.begin() + 1);
  }

  const AccessSummary& summary_;
  const KernelInfo& kernel_;
  std::vector<std::string> known_;
  std::vector<std::uint32_t> loops_;
};

}  // namespace

std::string textOf(const AccessSummary& summary, const KernelInfo& kernel) {
  if (!summary.objection.empty())
    return fmt::format("kernel '{}': joined devices run it whole: {}\n", kernel.name, summary.objection);
  std::string text =
      fmt::format("kernel '{}': joined devices divide it where no two parts write the same byte\n", kernel.name);
  Writer writer(summary, kernel);
  std::vector<std::string> lines;
  for (const MemoryAccess& access : summary.accesses) {
    const std::string bytes = access.bytes >> 48 ? "some" : std::to_string(access.bytes);
    std::string line = fmt::format("  {} {} bytes of '{}' at {}\n", access.isWrite ? "writes" : "reads", bytes,
                                   kernel.args[access.argument].name, writer.textOf(access.offset));
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace clarity::compiler
