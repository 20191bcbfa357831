// SPDX-License-Identifier: Apache-2.0
// This file makes the statements that decide what runs: conditions, switches, loops, jumps.
#include <algorithm>
#include <array>

#include "generator_state.h"

namespace clarity::fuzz {

void Generator::diverge() { flow_.uniform = flow_.together = false; }

void Generator::ifStatement(Node& block) {
  const bool uniform = flow_.uniform && random_.chance(40);
  const Keep want(wantUniform_);
  wantUniform_ = wantUniform_ || uniform;
  NodeRef decides = condition(2);
  wantUniform_ = want.kept();
  const Keep keep(flow_);
  ++flow_.depth;
  if (!uniform) diverge();
  NodeRef node = statement("if ($0) $1", {decides, body(random_.between(1, 4))});
  if (random_.chance(45)) {
    node->simpler = {"if ($0) $1"};
    node->pattern = "if ($0) $1 else $2";
    node->children.push_back(body(random_.between(1, 3)));
  }
  node->blocksMayReplace = true;
  block.children.push_back(node);
}

void Generator::switchStatement(Node& block) {
  const bool uniform = flow_.uniform && random_.chance(40);
  constexpr std::array types{kInt, kUInt, kLong, Type{Base::UChar, 1}, Type{Base::Short, 1}};
  const Type type = random_.pick(types);
  NodeRef selector = uniform ? uniformValue(type, 2) : value(type, 2);
  const Keep keep(flow_);
  ++flow_.depth;
  if (!uniform) diverge();
  flow_.breakTo = uniform ? Exit::Uniform : Exit::Divergent;
  const int cases = random_.between(2, 5), mask = cases <= 3 ? 3 : 7;
  NodeRef node = statement("switch ($0 & " + std::to_string(mask) + ") {", {selector});
  int label = random_.below(2);
  for (int i = 0; i < cases; ++i) {
    const bool isDefault = i == cases - 1 && random_.chance(70);
    node->pattern += isDefault ? "\n  default: " : "\n  case " + std::to_string(label) + ": ";
    if (!isDefault && random_.chance(15) && label + 1 <= mask)
      node->pattern += "case " + std::to_string(++label) + ": ";
    node->pattern += "$" + std::to_string(node->children.size());
    node->children.push_back(body(random_.between(1, 2)));
    if (random_.chance(70)) node->pattern += " break;";
    label += random_.between(1, 2);
    if (label > mask) break;
  }
  node->pattern += "\n}";
  node->blocksMayReplace = true;
  block.children.push_back(node);
}

void Generator::loop(Node& block) {
  const int room = std::max(1, (inFunction_ ? 60 : 500) / flow_.weight);
  constexpr int counts[] = {1, 2, 3, 4, 5, 8, 11, 16};
  const int most = std::min(random_.pick(counts), room);
  // Equal trip counts in the group; even then the work-items may leave at different times.
  const bool uniform = flow_.uniform && random_.chance(60), together = uniform && random_.chance(75);
  constexpr std::array types{kInt, kInt, kUInt, kLong, kULong, Type{Base::Short, 1}, Type{Base::UChar, 1}};
  const Type type = random_.pick(types);
  const std::string t = type == kULong && random_.chance(70) ? "size_t" : type.name(), i = fresh("i"),
                    m = std::to_string(most);
  const Keep want(wantUniform_);
  wantUniform_ = wantUniform_ || uniform;
  NodeRef bound = tripCount(type, most);
  const int form = weighted({35, 10, 10, 10, 10, 8, 10, 8, 8});
  NodeRef extra = form == 8 ? condition(1) : nullptr;
  wantUniform_ = want.kept();

  struct Form {
    std::string pattern;
    Range range;
  };
  const std::string step = std::to_string(random_.between(2, 3)), declaration = t + " " + i + " = ";
  const Form forms[] = {
      {"for (" + declaration + "0; " + i + " < $0; ++" + i + ") $1", {0, most - 1}},
      {"for (" + declaration + "$0; " + i + " > 0; --" + i + ") $1", {1, most}},
      {"for (" + declaration + "0; " + i + " < $0; " + i + " += " + step + ") $1", {0, most - 1}},
      {"{\n  " + declaration + "0;\n  while (" + i + "++ < $0) $1\n}", {1, most}},
      {"{\n  " + declaration + "0;\n  do $1 while (++" + i + " < $0);\n}", {0, most - 1}},
      {"for (" + declaration + "$0; " + i + " > 0; " + i + " >>= 1) $1", {1, most}},
      {"for (" + declaration + "$0; " + i + " < " + m + "; " + i + " += " + step + ") $1", {0, most - 1}},
      {"for (" + declaration + "0;; ++" + i + ") {\n  if (" + i + " >= $0) break;\n  $1\n}", {0, most - 1}},
      {"for (" + declaration + "0; " + i + " < $0 && $2; ++" + i + ") $1", {0, most - 1}},
  };
  const Form& chosen = forms[form];
  const Keep keep(flow_);
  ++flow_.depth;
  flow_.weight *= most;
  if (!together) diverge();
  flow_.breakTo = flow_.continueTo = together ? Exit::Uniform : Exit::Divergent;
  // After an early exit of some, the counter is still the same for those that go on.
  variables_.push_back({i, type, 0, uniform, false, chosen.range, false});
  NodeRef node = statement(chosen.pattern, {bound, body(random_.between(1, 4))});
  if (extra) node->children.push_back(extra);
  variables_.pop_back();
  node->blocksMayReplace = true;
  node->simpler = {
      "for (" + t + " " + i + " = " + std::to_string(chosen.range.low) + "; " + i + " < " + m + "; ++" + i + ") $1",
      "{\n  const " + t + " " + i + " = " + std::to_string(chosen.range.low) + ";\n  $1\n}"};
  block.children.push_back(node);
}

void Generator::jumps(Node& block) {
  // A loop with two entries. The fuel is spent at the jump back, so it ends.
  const int most = 3;
  if (flow_.weight * (most + 1) > 500) return assign(block);
  const std::string number = fresh(""), fuel = "fuel" + number, top = "top" + number, entry = "entry" + number;
  NodeRef enters = condition(1);
  const Keep keep(flow_);
  ++flow_.depth;
  flow_.weight *= most + 1;
  diverge();
  flow_.structured = false;
  // Leaving a surrounding switch or loop from here is fine where others may leave it at different times.
  if (flow_.breakTo == Exit::Uniform) flow_.breakTo = Exit::None;
  if (flow_.continueTo == Exit::Uniform) flow_.continueTo = Exit::None;
  NodeRef node = statement("{\n  int " + fuel + " = " + std::to_string(random_.between(1, most)) +
                           ";\n  if ($0) goto " + entry + ";\n  " + top + ":;\n  $1\n  " + entry + ":;\n  $2\n  if (" +
                           fuel + "-- > 0 && $3) goto " + top + ";\n}");
  node->children = {enters, body(2), body(2), condition(1)};
  node->blocksMayReplace = true;
  block.children.push_back(node);
}

/// Out of two loops at once, to where they end or behind something more.
void Generator::jumpOut(Node& block) {
  constexpr int most = 4;
  if (flow_.weight * most * most > 500) return assign(block);
  const std::string number = fresh(""), out = "out_of" + number, i = fresh("i"), j = fresh("j");
  const Type type = indexType();
  NodeRef outer = tripCount(type, most), inner = tripCount(type, most);
  const Keep keep(flow_);
  ++flow_.depth;
  diverge();
  flow_.weight *= most;
  flow_.breakTo = flow_.continueTo = Exit::Divergent;
  variables_.push_back({i, type, 0, false, false, Range{0, most - 1}, false});
  const std::string t = type.name(), header = "for (" + t + " ";
  NodeRef after = body(1);
  flow_.weight *= most;
  variables_.push_back({j, type, 0, false, false, Range{0, most - 1}, false});
  NodeRef first = body(2);
  NodeRef leaves = condition(1);
  NodeRef second = body(1);
  variables_.pop_back();
  variables_.pop_back();
  flow_ = keep.kept();
  ++flow_.depth;
  diverge();
  NodeRef missed = body(1);
  NodeRef node = statement("{\n  " + header + i + " = 0; " + i + " < $0; ++" + i + ") {\n    " + header + j + " = 0; " +
                           j + " < $1; ++" + j + ") {\n      $2\n      if ($3) goto " + out +
                           ";\n      $4\n    }\n    $5\n  }\n  $6\n  " + out + ":;\n}");
  node->children = {outer, inner, first, leaves, second, after, missed};
  block.children.push_back(node);
}

void Generator::exit(Node& block) {
  if (inFunction_ && features_.returns && random_.chance(30)) {
    NodeRef decides = condition(1);
    NodeRef result = value(resultType_, 2);
    block.children.push_back(statement("if ($0) return $1;", {decides, result}));
    return;
  }
  const auto allowed = [&](Exit exit) { return exit == Exit::Divergent || (exit == Exit::Uniform && flow_.uniform); };
  const bool returns = features_.returns && flow_.mayReturn && (!flow_.barriers || flow_.uniform) && !inFunction_;
  const int breaks = allowed(flow_.breakTo) ? 50 : 0, continues = allowed(flow_.continueTo) ? 35 : 0;
  if (breaks + continues + (returns ? 1 : 0) == 0) return assign(block);
  const int form = weighted({breaks, continues, returns ? 10 : 0});
  const bool uniform = form == 0   ? flow_.breakTo == Exit::Uniform
                       : form == 1 ? flow_.continueTo == Exit::Uniform
                                   : flow_.barriers;
  constexpr const char* names[] = {"break", "continue", "return"};
  const Keep want(wantUniform_);
  wantUniform_ = wantUniform_ || uniform;
  block.children.push_back(statement(std::string("if ($0) ") + names[form] + ";", {condition(1)}));
}

}  // namespace clarity::fuzz
