// SPDX-License-Identifier: Apache-2.0
// This file makes functions of sub-groups and work-groups, branches that a sub-group decides together, and checks of
// what the functions give against loops over local memory.
#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "generator_state.h"

namespace clarity::fuzz {
namespace {

/// A pattern with %T for the type and %C for the size of clusters; operands: t of the type, m tamed if it is floating,
/// c a condition, u an unsigned integer.
struct Collective {
  enum class Of : std::uint8_t { Any, Integers, Int, UInt } of;
  const char* pattern;
  const char* operands;
};
using Of = Collective::Of;

constexpr Collective kTogether[] = {
    {Of::Int, "sub_group_all($0)", "c"},
    {Of::Int, "sub_group_any($0)", "c"},
    {Of::Any, "sub_group_broadcast($0, 0)", "t"},
    {Of::Any, "sub_group_broadcast($0, get_sub_group_size() - 1)", "t"},
    {Of::Any, "(%T)(sub_group_reduce_add($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_reduce_min($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_reduce_max($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_scan_inclusive_add($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_scan_exclusive_add($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_scan_inclusive_max($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_scan_exclusive_min($0) + (%T)(0))", "m"},
    {Of::Any, "sub_group_shuffle($0, $1 % get_sub_group_size())", "tu"},
};
constexpr Collective kAnywhere[] = {
    {Of::Int, "sub_group_non_uniform_all($0)", "c"},
    {Of::Int, "sub_group_non_uniform_any($0)", "c"},
    {Of::Int, "sub_group_elect()", ""},
    {Of::Int, "sub_group_inverse_ballot(sub_group_ballot($0))", "c"},
    {Of::Int, "sub_group_non_uniform_reduce_logical_and($0)", "c"},
    {Of::Int, "sub_group_non_uniform_scan_inclusive_logical_or($0)", "c"},
    {Of::Int, "sub_group_non_uniform_scan_exclusive_logical_xor($0)", "c"},
    {Of::Int, "sub_group_clustered_reduce_logical_xor($0, %C)", "c"},
    {Of::Int, "sub_group_ballot_bit_extract(sub_group_ballot($0), $1 & 31)", "cu"},
    {Of::UInt, "sub_group_ballot($0).x", "c"},
    {Of::UInt, "sub_group_ballot_bit_count(sub_group_ballot($0))", "c"},
    {Of::UInt, "sub_group_ballot_inclusive_scan(sub_group_ballot($0))", "c"},
    {Of::UInt, "sub_group_ballot_exclusive_scan(sub_group_ballot($0))", "c"},
    {Of::UInt, "sub_group_ballot_find_lsb(sub_group_ballot(1))", ""},
    {Of::UInt, "(get_sub_group_lt_mask() & sub_group_ballot($0)).x", "c"},
    {Of::Any, "sub_group_broadcast_first($0)", "t"},
    {Of::Any, "sub_group_non_uniform_broadcast($0, sub_group_ballot_find_msb(sub_group_ballot(1)))", "t"},
    {Of::Any, "(%T)sub_group_non_uniform_all_equal($0)", "m"},
    {Of::Any, "(%T)(sub_group_non_uniform_reduce_add($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_non_uniform_reduce_mul($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_non_uniform_reduce_min($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_non_uniform_scan_inclusive_add($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_non_uniform_scan_exclusive_add($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_non_uniform_scan_inclusive_min($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_non_uniform_scan_exclusive_max($0) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_clustered_reduce_add($0, %C) + (%T)(0))", "m"},
    {Of::Any, "(%T)(sub_group_clustered_reduce_max($0, %C) + (%T)(0))", "m"},
    {Of::Integers, "sub_group_non_uniform_reduce_and($0)", "t"},
    {Of::Integers, "sub_group_non_uniform_reduce_xor($0)", "t"},
    {Of::Integers, "sub_group_non_uniform_scan_inclusive_or($0)", "t"},
    {Of::Integers, "sub_group_non_uniform_scan_exclusive_and($0)", "t"},
    {Of::Integers, "sub_group_clustered_reduce_or($0, %C)", "t"},
};

bool serves(const Collective& collective, Type type) {
  if (type.isVector()) return false;
  switch (collective.of) {
    case Of::Int: return type == kInt;
    case Of::UInt: return type == kUInt;
    case Of::Integers: return type.isInteger();
    case Of::Any: break;
  }
  return true;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

/// The value that changes nothing, and the operation that makes one of two values.
struct Arithmetic {
  const char* name;
  std::int64_t neutral;
  const char* combine;  ///< a pattern of %E and %X, where %W is an unsigned type that they fit in
};
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(),
                       kMost = std::numeric_limits<std::int64_t>::max();
constexpr Arithmetic kArithmetic[] = {
    {"add", 0, "(%T)((%W)%E + (%W)%X)"}, {"min", kMost, "min(%E, %X)"}, {"max", kLeast, "max(%E, %X)"},
    {"mul", 1, "(%T)((%W)%E * (%W)%X)"}, {"and", -1, "(%T)(%E & %X)"},  {"or", 0, "(%T)(%E | %X)"},
    {"xor", 0, "(%T)(%E ^ %X)"},
};

std::string neutralText(const Arithmetic& arithmetic, Type type) {
  std::string number = std::to_string(arithmetic.neutral);
  if (arithmetic.neutral == kMost)
    number = type.isSigned() ? "(1ul << " + std::to_string(type.bits() - 1) + ") - 1" : "-1";
  if (arithmetic.neutral == kLeast) number = type.isSigned() ? "1ul << " + std::to_string(type.bits() - 1) : "0";
  return "(" + type.name() + ")(" + number + ")";
}

}  // namespace

void Generator::makeSubGroups() {
  constexpr int sizes[] = {4, 8, 8, 8, 16, 16, 32};
  subGroupSize_ = random_.pick(sizes);
  // Packets of so many lanes of a large kernel take long to build.
  if (budget_ > 12) subGroupSize_ = std::min(subGroupSize_, 8);
  if (features_.subGroupSize) subGroupSize_ = features_.subGroupSize;
  program_.subGroupSize = subGroupSize_;
  addId("slid", "get_sub_group_local_id()", {0, subGroupSize_ - 1}, false);
  addId("sgid", "get_sub_group_id()", {0, (localItems_ - 1) / subGroupSize_}, false);
}

NodeRef Generator::subGroupValue(Type type, int depth) {
  std::vector<Collective> table;
  for (const Collective& collective : kAnywhere)
    if (serves(collective, type)) table.push_back(collective);
  if (table.empty() || wantUniform_ || !flow_.structured) return leaf(type);
  usesSubGroups_ = true;
  const Collective chosen = random_.pick(table);
  const int cluster = 1 << random_.between(0, inFunction_ || subGroupSize_ == 4 ? 2 : 3);
  NodeRef node = expression(type, replaced(replaced(chosen.pattern, "%T", type.name()), "%C", std::to_string(cluster)));
  for (const char* operand = chosen.operands; *operand; ++operand) {
    if (*operand == 'c') {
      node->children.push_back(condition(depth - 1));
    } else {
      NodeRef child = value(*operand == 'u' ? kUInt : type, depth - 1);
      node->children.push_back(*operand == 'm' && type.isFloating() ? tamed(child) : child);
    }
  }
  return node;
}

namespace {

constexpr Collective kUniform[] = {
    {Of::Int, "work_group_all($0)", "c"},
    {Of::Int, "work_group_any($0)", "c"},
    {Of::Any, "(work_group_reduce_add($0) + (%T)(0))", "m"},
    {Of::Any, "(work_group_reduce_min($0) + (%T)(0))", "m"},
    {Of::Any, "(work_group_reduce_max($0) + (%T)(0))", "m"},
    {Of::Any, "work_group_broadcast($0%L)", "t"},
};
constexpr Collective kVarying[] = {
    {Of::Any, "(work_group_scan_inclusive_add($0) + (%T)(0))", "m"},
    {Of::Any, "(work_group_scan_inclusive_min($0) + (%T)(0))", "m"},
    {Of::Any, "(work_group_scan_inclusive_max($0) + (%T)(0))", "m"},
    {Of::Any, "(work_group_scan_exclusive_add($0) + (%T)(0))", "m"},
    {Of::Any, "(work_group_scan_exclusive_min($0) + (%T)(0))", "m"},
    {Of::Any, "(work_group_scan_exclusive_max($0) + (%T)(0))", "m"},
};

}  // namespace

void Generator::groupFunction(Node& block) {
  Type type = scalarType();
  if (type.size() < 4) type = kInt;
  const bool uniform = random_.chance(60);
  std::vector<Collective> table;
  for (const Collective& collective : kUniform)
    if (uniform && serves(collective, type)) table.push_back(collective);
  if (!uniform) table.assign(std::begin(kVarying), std::end(kVarying));
  const Collective chosen = random_.pick(table);
  std::string who;
  for (int d = 0; d < dimensions_; ++d) {
    const std::string size = "get_local_size(" + std::to_string(d) + ")";
    who += ", " + (random_.chance(50) ? std::to_string(random_.below(5)) + " % " + size : size + " - 1");
  }
  const std::string result = fresh(uniform ? "u" : "v");
  NodeRef child = *chosen.operands == 'c' ? condition(2) : value(type, 3);
  if (*chosen.operands == 'm' && type.isFloating()) child = tamed(child);
  block.children.push_back(statement(
      type.name() + " " + result + " = " + replaced(replaced(chosen.pattern, "%T", type.name()), "%L", who) + ";",
      {child}));
  variables_.push_back({result, type, 0, uniform, flow_.uniform || !uniform, std::nullopt, !uniform});
}

/// One that needs all work-items of the sub-group, where they come.
void Generator::subGroupFunction(Node& block) {
  const bool together = flow_.together && flow_.barriers && !inFunction_;
  if (!together || random_.chance(30)) return subGroupShuffle(block);
  const Type type = scalarType();
  std::vector<Collective> table;
  for (const Collective& collective : kTogether)
    if (serves(collective, type)) table.push_back(collective);
  const Collective chosen = random_.pick(table);
  const std::string result = fresh("v");
  NodeRef node = statement(type.name() + " " + result + " = " + replaced(chosen.pattern, "%T", type.name()) + ";");
  for (const char* operand = chosen.operands; *operand; ++operand) {
    if (*operand == 'c') {
      node->children.push_back(condition(2));
    } else {
      NodeRef child = value(*operand == 'u' ? kUInt : type, 3);
      node->children.push_back(*operand == 'm' && type.isFloating() ? tamed(child) : child);
    }
  }
  block.children.push_back(node);
  variables_.push_back({result, type, 0, false, true, std::nullopt, true});
}

/// From another work-item, if it is there.
void Generator::subGroupShuffle(Node& block) {
  if (!flow_.structured) return assign(block);
  usesSubGroups_ = true;
  struct Form {
    const char* call;
    const char* lane;
  };
  constexpr Form forms[] = {
      {"sub_group_shuffle($0, LANE)", "$1 & 31"},
      {"sub_group_shuffle_xor($0, $1 & 7)", "get_sub_group_local_id() ^ ($1 & 7)"},
      {"sub_group_shuffle_up($0, $1 & 7)", "get_sub_group_local_id() - ($1 & 7)"},
      {"sub_group_shuffle_down($0, $1 & 7)", "get_sub_group_local_id() + ($1 & 7)"},
      {"sub_group_rotate($0, K)", "(get_sub_group_local_id() + K) & (get_max_sub_group_size() - 1)"},
      {"sub_group_clustered_rotate($0, K, 4)",
       "(get_sub_group_local_id() & ~3u) | ((get_sub_group_local_id() + K) & 3)"},
  };
  const Form form = random_.pick(forms);
  const Type type = scalarType();
  const std::string result = fresh("v"), lane = fresh("lane"), mask = fresh("mask"),
                    k = std::to_string(random_.below(9));
  const std::string call = replaced(replaced(form.call, "LANE", lane), "K", k), from = replaced(form.lane, "K", k);
  // The distance is a variable of its own: what it is computed from may depend on who comes.
  const std::string distance = fresh("d");
  NodeRef sent = value(type, 2);
  NodeRef which = value(kUInt, 2);
  block.children.push_back(statement("const uint " + distance + " = $1;\nconst uint4 " + mask +
                                         " = sub_group_ballot(1);\nconst uint " + lane + " = " +
                                         replaced(from, "$1", distance) + ";\n" + type.name() + " " + result + " = " +
                                         replaced(call, "$1", distance) + ";\nif (!sub_group_ballot_bit_extract(" +
                                         mask + ", " + lane + ")) " + result + " = " + literalText(type, 77) + ";",
                                     {sent, which}));
  variables_.push_back({result, type, 0, false, true, std::nullopt, true});
}

NodeRef Generator::subGroupCondition() {
  struct Form {
    const char* pattern;
    char operand;
  };
  constexpr Form forms[] = {
      {"((sgid & 1) == 0)", '-'},
      {"(sgid > 0)", '-'},
      {"(get_sub_group_id() + 1 == get_num_sub_groups())", '-'},
      {"(get_sub_group_size() == get_max_sub_group_size())", '-'},
      {"sub_group_any($0)", 'c'},
      {"sub_group_all($0)", 'c'},
      {"sub_group_non_uniform_all_equal($0)", 'u'},
      {"((sub_group_reduce_max($0) & 3) > 1)", 'u'},
      {"(sub_group_broadcast($0, 0) > 5u)", 'u'},
      {"((sub_group_ballot($0).x & 2) != 0)", 'c'},
  };
  const Form form = random_.pick(forms);
  NodeRef node = expression(kInt, form.pattern);
  if (form.operand == 'c') node->children.push_back(condition(1));
  if (form.operand == 'u') node->children.push_back(value(kUInt, 2));
  return node;
}

void Generator::subGroupBranch(Node& block) {
  if (!flow_.together || !flow_.barriers) return ifStatement(block);
  NodeRef decides = subGroupCondition();
  const Keep keep(flow_);
  ++flow_.depth;
  flow_.uniform = false;
  NodeRef node = statement("if ($0) $1", {decides, body(random_.between(1, 4))});
  if (random_.chance(40)) {
    node->simpler = {"if ($0) $1"};
    node->pattern = "if ($0) $1 else $2";
    node->children.push_back(body(random_.between(1, 3)));
  }
  node->blocksMayReplace = true;
  block.children.push_back(node);
}

void Generator::subGroupLoop(Node& block) {
  constexpr int most = 4;
  if (!flow_.together || !flow_.barriers || flow_.weight > 100) return loop(block);
  const std::string i = fresh("i"), n = fresh("n");
  constexpr const char* counts[] = {"(uint)sgid % 5", "sub_group_broadcast($0, 0) & 3", "sub_group_reduce_add($0) % 5",
                                    "popcount(sub_group_ballot($0 > 3).x) & 3"};
  const std::string count = random_.pick(counts);
  const bool votes = random_.chance(35);
  NodeRef decides = value(kUInt, 2);
  NodeRef goesOn = condition(1);
  const Keep keep(flow_);
  ++flow_.depth;
  flow_.weight *= most;
  flow_.uniform = false;
  flow_.breakTo = flow_.continueTo = Exit::None;
  variables_.push_back({i, kUInt, 0, false, false, Range{0, most}, false});
  NodeRef node = votes ? statement("{\n  uint " + i + " = 0;\n  while (" + i + "++ < 4 && sub_group_any($2)) $1\n}",
                                   {decides, body(random_.between(1, 4)), goesOn})
                       : statement("{\n  const uint " + n + " = " + count + ";\n  for (uint " + i + " = 0; " + i +
                                       " < " + n + "; ++" + i + ") $1\n}",
                                   {decides, body(random_.between(1, 4))});
  variables_.pop_back();
  node->blocksMayReplace = false;
  block.children.push_back(node);
}

struct Generator::Checked {
  Type type;
  std::string call;        ///< a call for x
  std::string first, end;  ///< the work-items that it takes, by local linear id
  std::string neutral, combine;
  bool some = false;  ///< called in divergent flow
};

void Generator::check(Node& block, const Checked& checked) {
  const Type type = checked.type;
  const std::string cells = fresh("cells"), comes = fresh("comes"), x = fresh("x"), c = fresh("c"), e = fresh("e"),
                    i = fresh("i"), got = fresh("v");
  const std::string t = type.name(), elements = "[" + std::to_string(localItems_) + "];";
  addPrologue(cells, "__local " + t + " " + cells + elements);
  addPrologue(comes, "__local uchar " + comes + elements);
  const bool known =
      std::ranges::any_of(program_.parameters, [](const Parameter& p) { return p.use == Parameter::Use::Mistakes; });
  if (!known)
    program_.parameters.push_back({.name = "mistakes",
                                   .declaration = "__global uchar* mistakes",
                                   .use = Parameter::Use::Mistakes,
                                   .base = Base::UChar,
                                   .count = items_,
                                   .value = 0,
                                   .sameBufferAs = ""});
  const std::string combine = replaced(
      replaced(replaced(replaced(checked.combine, "%T", t), "%W", type.size() == 8 ? "ulong" : "uint"), "%E", e), "%X",
      cells + "[" + i + "]");
  const std::string call = replaced(checked.call, "$x", x);
  const std::string number = std::to_string(random_.between(1, 255));
  NodeRef sent = value(type, 3);
  NodeRef decides = checked.some ? condition(2) : literal(kInt, 1);
  block.children.push_back(
      statement("const " + t + " " + x + " = $0;\nconst int " + c + " = ($1) != 0;\n" + cells + "[lid] = " + x + ";\n" +
                    comes + "[lid] = " + c + ";\nbarrier(CLK_LOCAL_MEM_FENCE);\n" + t + " " + e + " = " +
                    checked.neutral + ", " + got + " = " + x + ";\nfor (uint " + i + " = " + checked.first + "; " + i +
                    " < " + checked.end + "; ++" + i + ")\n  if (" + comes + "[" + i + "]) " + e + " = " + combine +
                    ";\n" + (checked.some ? "if (" + c + ") " : "") + "{\n  " + got + " = " + call + ";\n  if (" + got +
                    " != " + e + ") mistakes[gid] = " + number + ";\n}\nbarrier(CLK_LOCAL_MEM_FENCE);",
                {sent, decides}));
  variables_.push_back({got, type, 0, false, true, std::nullopt, true});
}

void Generator::checkedSubGroupFunction(Node& block) {
  constexpr std::array types{kInt,
                             kUInt,
                             kLong,
                             kULong,
                             Type{Base::Char, 1},
                             Type{Base::UChar, 1},
                             Type{Base::Short, 1},
                             Type{Base::UShort, 1}};
  Checked checked;
  checked.type = random_.pick(types);
  checked.some = random_.chance(60);
  // The functions for which all must come have no others.
  const Arithmetic arithmetic = kArithmetic[random_.below(checked.some ? 7 : 3)];
  const std::string size = std::to_string(subGroupSize_), first = "(uint)lid / " + size + " * " + size,
                    name = arithmetic.name;
  const std::string prefix = checked.some ? "sub_group_non_uniform_" : "sub_group_";
  checked.first = first;
  checked.end = "min(" + first + " + " + size + ", (uint)lsz)";
  checked.call = prefix + "reduce_" + name + "($x)";
  switch (weighted({30, 30, 25, checked.some ? 30 : 0})) {
    case 1:
      checked.call = prefix + "scan_inclusive_" + name + "($x)";
      checked.end = "(uint)lid + 1";
      break;
    case 2:
      checked.call = prefix + "scan_exclusive_" + name + "($x)";
      checked.end = "(uint)lid";
      break;
    case 3: {
      const std::string cluster = std::to_string(1 << random_.between(0, subGroupSize_ == 4 ? 2 : 3));
      checked.call = "sub_group_clustered_reduce_" + name + "($x, " + cluster + ")";
      checked.first = "(uint)lid / " + cluster + " * " + cluster;
      checked.end = "min((uint)lid / " + cluster + " * " + cluster + " + " + cluster + ", (uint)lsz)";
      break;
    }
    default: break;
  }
  checked.neutral = neutralText(arithmetic, checked.type);
  checked.combine = arithmetic.combine;
  check(block, checked);
}

/// The same of the whole work-group.
void Generator::checkedGroupFunction(Node& block) {
  constexpr std::array types{kInt, kUInt, kLong, kULong};
  const Arithmetic arithmetic = kArithmetic[random_.below(3)];
  const std::string name = arithmetic.name;
  Checked checked;
  checked.type = random_.pick(types);
  struct Form {
    const char* name;
    const char* end;
  };
  constexpr Form forms[] = {
      {"reduce_", "(uint)lsz"}, {"scan_inclusive_", "(uint)lid + 1"}, {"scan_exclusive_", "(uint)lid"}};
  const Form form = random_.pick(forms);
  checked.call = std::string("work_group_") + form.name + name + "($x)";
  checked.first = "0";
  checked.end = form.end;
  checked.neutral = neutralText(arithmetic, checked.type);
  checked.combine = arithmetic.combine;
  check(block, checked);
}

}  // namespace clarity::fuzz
