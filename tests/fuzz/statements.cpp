// SPDX-License-Identifier: Apache-2.0
// This file makes the statements that have no control flow of their own.
#include <algorithm>
#include <array>

#include "generator_state.h"

namespace clarity::fuzz {
namespace {

bool isPlain(const Type& type) { return type.lanes == 1 && type.base >= Base::Int && !type.isFloating(); }

}  // namespace

void Generator::fill(Node& block, int count) {
  const std::size_t variables = variables_.size(), structures = structureVariables_.size();
  for (int i = 0; i < count && budget_ > 0; ++i) addStatement(block);
  // An inner value is carried out of the block, or the output would not depend on it.
  if (flow_.depth > 0 && variables_.size() > variables) assign(block);
  variables_.resize(variables);
  structureVariables_.resize(structures);
}

NodeRef Generator::body(int count) {
  NodeRef node = block();
  fill(*node, count);
  return node;
}

/// The kinds of statements, and how often each is chosen.
struct Generator::Choice {
  int weight;
  void (Generator::*make)(Node&);
};

void Generator::addStatement(Node& block) {
  --budget_;
  using G = Generator;
  const bool kernel = !inFunction_, all = kernel && flow_.uniform && flow_.barriers && flow_.weight <= 64,
             group = all && features_.barriers;
  const bool exits = flow_.depth > 0 && (flow_.breakTo != Exit::None || flow_.continueTo != Exit::None ||
                                         (features_.returns && flow_.mayReturn));
  const Features& f = features_;
  std::vector<Choice> choices{
      // Values and memory.
      {16, &G::declare},
      {26, &G::assign},
      {kernel ? 10 : 0, &G::storeOutput},
      {3, &G::guardedDivision},
      {kernel && f.atomics ? 4 : 0, &G::atomicOnCounter},
      {kernel && f.atomics ? 2 : 0, &G::atomicOnOwn},
      {f.privateArrays ? 4 : 0, &G::privateArray},
      {f.structures ? 4 : 0, &G::structure},
      {f.structures ? 3 : 0, &G::copyStructure},
      {f.pointers ? 3 : 0, &G::pointer},
      {kernel && f.vectors ? 4 : 0, &G::vectorStore},
      {f.vectors ? 4 : 0, &G::componentStore},
      {kernel && f.halves ? 4 : 0, &G::halfStore},
      {f.functions ? 3 : 0, &G::callWithPointer},
      // The work-group and the sub-group together.
      {group ? 14 : 0, &G::sharedPhase},
      {group ? 4 : 0, &G::tree},
      {group ? 3 : 0, &G::scan},
      {group ? 4 : 0, &G::broadcast},
      {group && f.atomics ? 3 : 0, &G::localCounters},
      {group ? 3 : 0, &G::globalPhase},
      {all && f.groupFunctions ? 6 : 0, &G::groupFunction},
      {group && f.groupFunctions ? 4 : 0, &G::checkedGroupFunction},
      {f.subGroups ? 8 : 0, &G::subGroupFunction},
      {group && f.subGroups ? 8 : 0, &G::checkedSubGroupFunction},
  };
  if (flow_.depth < 5)
    choices.insert(choices.end(), {{14, &G::ifStatement},
                                   {f.switches ? 4 : 0, &G::switchStatement},
                                   {f.loops ? 12 : 0, &G::loop},
                                   {f.jumps ? 2 : 0, &G::jumps},
                                   {f.jumps && f.loops ? 2 : 0, &G::jumpOut},
                                   {kernel && f.subGroups ? 5 : 0, &G::subGroupBranch},
                                   {kernel && f.subGroups && f.loops ? 3 : 0, &G::subGroupLoop}});
  choices.insert(choices.end(), {{exits ? 6 : 0, &G::exit},
                                 {f.guardedAccesses ? 6 : 0, &G::guardedLoad},
                                 {f.neighbours ? 5 : 0, &G::neighbours},
                                 {f.idParts ? 5 : 0, &G::idParts},
                                 {f.wrapping && f.loops ? 4 : 0, &G::wrappingLoop},
                                 {f.strides && f.loops && kernel ? 4 : 0, &G::gridStride},
                                 {f.strides && f.loops ? 5 : 0, &G::rowLoop},
                                 {f.strides && f.loops ? 4 : 0, &G::raggedRow},
                                 {kernel && f.matrices ? 14 : 0, &G::matrixLoop},
                                 {group && f.matrices ? 8 : 0, &G::tiledMatrixLoop},
                                 {f.genericPointers ? 3 : 0, &G::genericPointer}});
  std::vector<int> weights;
  for (const Choice& choice : choices) weights.push_back(choice.weight);
  (this->*choices[static_cast<std::size_t>(weighted(weights))].make)(block);
}

void Generator::declare(Node& block) {
  // A constant with a known range, for indices; a variable equal in the group; or any.
  const int form = weighted({20, 15, 65});
  if (form == 0) {
    const Type type = indexType();
    const bool uniform = random_.chance(25);
    const Keep keep(wantUniform_);
    wantUniform_ = uniform;
    NodeRef initial = affine(1 << random_.between(2, 9));
    const Range range = *initial->range;
    const std::string name = fresh("k");
    block.children.push_back(statement("const " + type.name() + " " + name + " = $0;", {initial}));
    variables_.push_back({name, type, 0, uniform, false, range, false});
    return;
  }
  const Type type = anyType();
  const bool uniform = form == 1;
  NodeRef initial = uniform ? uniformValue(type, 2) : value(type, 3);
  const std::string name = fresh(uniform ? "u" : "v");
  block.children.push_back(statement(type.name() + " " + name + " = $0;", {initial}));
  variables_.push_back({name, type, 0, uniform, !uniform || flow_.uniform, std::nullopt, !uniform});
}

void Generator::assign(Node& block) {
  const auto fits = [&](const Variable& v) { return v.writable && (!v.uniform || flow_.uniform); };
  const Variable* found = pickVariable(fits);
  if (!found) return declare(block);
  const Variable target = *found;
  NodeRef where = target.count > 0 ? index(target.count) : nullptr;
  std::string place = target.pattern;
  if (const std::size_t dollar = place.find("$0"); dollar != std::string::npos) place.replace(dollar, 2, "$1");
  NodeRef assigned = target.uniform ? uniformValue(target.type, 3) : value(target.type, 3);
  std::string pattern = place + " = $0;";
  // Accumulating keeps what was computed before visible.
  constexpr const char* integers[] = {" ^= ", " |= ", " &= ", " ^= "};
  constexpr const char* modular[] = {" += ", " -= ", " *= ", " ^= "};
  constexpr const char* floats[] = {" += ", " -= ", " *= ", " = "};
  if (random_.chance(60)) {
    const bool wraps = !target.type.isSigned() && (target.type.size() >= 4 || target.type.isVector());
    const char* op = target.type.isFloating() ? random_.pick(floats)
                     : wraps                  ? random_.pick(modular)
                                              : random_.pick(integers);
    pattern = place + op + "$0;";
  }
  NodeRef node = statement(pattern, {assigned});
  if (where) node->children.push_back(where);
  block.children.push_back(node);
  // Values that grow in loops would all be infinite soon.
  if (target.type.isFloating() && target.count == 0 && random_.chance(60)) {
    const std::string tame = tameName(target.type);
    block.children.push_back(statement(target.pattern + " = " + tame + "(" + target.pattern + ");"));
  }
}

void Generator::storeOutput(Node& block) {
  const Variable* found =
      pickVariable([](const Variable& v) { return v.count > 0 && v.writable && v.pattern.starts_with("out"); });
  if (!found) return assign(block);
  const Variable target = *found;
  std::string place = target.pattern;
  place.replace(place.find("$0"), 2, "$1");
  NodeRef stored = value(target.type, 3);
  NodeRef where = index(target.count);
  block.children.push_back(statement(place + " = $0;", {stored, where}));
}

void Generator::guardedDivision(Node& block) {
  const auto integer = [&](const Variable& v) { return isPlain(v.type) && v.count == 0 && !v.range; };
  const Variable* divisor = pickVariable(integer);
  if (!divisor) return assign(block);
  const Variable by = *divisor;
  const Variable* target = pickVariable([&](const Variable& v) {
    return v.type == by.type && v.count == 0 && v.writable && (!v.uniform || (flow_.uniform && by.uniform));
  });
  if (!target) return assign(block);
  const Variable to = *target;
  const std::string guard = by.type.isSigned() ? " > 0" : " != 0", op = random_.chance(60) ? " / " : " % ";
  const Keep keep(wantUniform_);
  wantUniform_ = to.uniform;
  block.children.push_back(statement("if (" + by.pattern + guard + ") " + to.pattern + " = $0" + op + by.pattern + ";",
                                     {value(by.type, 2)}));
}

void Generator::atomicOnCounter(Node& block) {
  // Each counter has one kind of change, so that the order does not matter: see makeCounters.
  struct Change {
    const char* pattern;
    int first, count;
  };
  constexpr Change changes[] = {
      {"atomic_add(&$C[$0], $1);", 0, 4},       {"atomic_sub(&$C[$0], $1);", 0, 4},
      {"atomic_inc(&$C[$0]);", 0, 4},           {"atomic_or(&$C[4 + $0], $1);", 4, 2},
      {"atomic_and(&$C[6 + $0], $1);", 6, 2},   {"atomic_xor(&$C[8 + $0], $1);", 8, 2},
      {"atomic_max(&$C[10 + $0], $1);", 10, 2}, {"atomic_min(&$C[12 + $0], $1);", 12, 2},
      {"atomic_add(&$C[$0], $1);", 0, 4},
  };
  // The same as the atomic functions with C11's names have it.
  constexpr Change newChanges[] = {
      {"atomic_fetch_add($A&$C[$0], $1);", 0, 4},
      {"atomic_fetch_sub($A&$C[$0], $1);", 0, 4},
      {"atomic_fetch_add_explicit($A&$C[$0], $1, memory_order_relaxed);", 0, 4},
      {"atomic_fetch_or($A&$C[4 + $0], $1);", 4, 2},
      {"atomic_fetch_and($A&$C[6 + $0], $1);", 6, 2},
      {"atomic_fetch_xor($A&$C[8 + $0], $1);", 8, 2},
      {"atomic_fetch_max($A&$C[10 + $0], $1);", 10, 2},
      {"atomic_fetch_min($A&$C[12 + $0], $1);", 12, 2},
  };
  const bool local = !localCounter_.empty() && random_.chance(75), isNew = features_.newAtomics && random_.chance(50);
  const Change change = isNew   ? (local ? newChanges[random_.below(3)] : random_.pick(newChanges))
                        : local ? changes[random_.below(3)]
                                : random_.pick(changes);
  const std::string name = local ? localCounter_ : random_.chance(50) ? "counters" : "signedCounters";
  std::string pattern = change.pattern;
  if (const std::size_t at = pattern.find("$A"); at != std::string::npos)
    pattern.replace(at, 2,
                    std::string("(volatile ") + (local ? "__local" : "__global") +
                        (name == "signedCounters" ? " atomic_int*)" : " atomic_uint*)"));
  pattern.replace(pattern.find("$C"), 2, name);
  NodeRef where = index(change.count);
  NodeRef node = statement(pattern, {where, value(name == "signedCounters" ? kInt : kUInt, 2)});
  block.children.push_back(node);
}

void Generator::atomicOnOwn(Node& block) {
  // No other work-item touches the element, so the old value may be used.
  const Variable* own = pickVariable([](const Variable& v) {
    return v.count > 0 && v.writable && v.pattern.starts_with("out") && (v.type == kInt || v.type == kUInt);
  });
  if (!own) return assign(block);
  const Variable cell = *own;
  const Variable* target =
      pickVariable([&](const Variable& v) { return v.type == cell.type && v.count == 0 && v.writable && !v.uniform; });
  if (!target) return assign(block);
  std::string place = cell.pattern;
  place.replace(place.find("$0"), 2, "$1");
  constexpr const char* functions[] = {"atomic_add", "atomic_xchg", "atomic_max", "atomic_xor", "atomic_cmpxchg"};
  const std::string function = random_.pick(functions), to = target->pattern;
  const std::string third = function == "atomic_cmpxchg" ? ", $2" : "";
  NodeRef operand = value(cell.type, 2);
  NodeRef where = index(cell.count);
  NodeRef node = statement(to + " = " + function + "(&" + place + ", $0" + third + ");", {operand, where});
  if (!third.empty()) node->children.push_back(value(cell.type, 1));
  block.children.push_back(node);
}

void Generator::privateArray(Node& block) {
  constexpr int counts[] = {2, 4, 4, 5, 8, 16};
  const Type type = anyType();
  const int count = random_.pick(counts);
  const std::string name = fresh("a"), t = type.name(), n = std::to_string(count);
  if (random_.chance(50) && count <= 5) {
    NodeRef node = statement(t + " " + name + "[" + n + "] = {$0");
    for (int i = 0; i < count; ++i) {
      if (i > 0) node->pattern += ", $" + std::to_string(i);
      node->children.push_back(value(type, 1));
    }
    node->pattern += "};";
    block.children.push_back(node);
  } else {
    const Type counterType = indexType();
    const std::string counter = fresh("i");
    variables_.push_back({counter, counterType, 0, true, false, Range{0, count - 1}, false});
    const NodeRef initial = value(type, 2);
    variables_.pop_back();
    block.children.push_back(statement(t + " " + name + "[" + n + "];\nfor (" + counterType.name() + " " + counter +
                                           " = 0; " + counter + " < " + n + "; ++" + counter + ") " + name + "[" +
                                           counter + "] = $0;",
                                       {initial}));
  }
  variables_.push_back({name + "[$0]", type, count, false, true, std::nullopt, false});
}

void Generator::structure(Node& block) {
  if (structures_.empty()) return declare(block);
  const int which = random_.below(static_cast<std::int64_t>(structures_.size()));
  const Structure& made = structures_[static_cast<std::size_t>(which)];
  const bool array = features_.privateArrays && random_.chance(40);
  const std::string name = fresh(array ? "t" : "s");
  NodeRef node = statement(made.name + " " + name + (array ? "[4];" : " = {"));
  std::string place = name;
  if (array) {
    const std::string counter = fresh("i");
    variables_.push_back({counter, kInt, 0, true, false, Range{0, 3}, false});
    node->pattern += "\nfor (int " + counter + " = 0; " + counter + " < 4; ++" + counter + ") {";
    for (std::size_t i = 0; i < made.fields.size(); ++i) {
      node->pattern += "\n  " + name + "[" + counter + "]." + made.fields[i].name + " = $" + std::to_string(i) + ";";
      node->children.push_back(value(made.fields[i].type, 1));
    }
    node->pattern += "\n}";
    variables_.pop_back();
    place += "[$0]";
  } else {
    for (std::size_t i = 0; i < made.fields.size(); ++i) {
      node->pattern += (i > 0 ? ", $" : "$") + std::to_string(i);
      node->children.push_back(value(made.fields[i].type, 1));
    }
    node->pattern += "};";
  }
  block.children.push_back(node);
  const int count = array ? 4 : 0;
  for (const Structure::Field& field : made.fields)
    variables_.push_back({place + "." + field.name, field.type, count, false, true, std::nullopt, !array});
  structureVariables_.push_back({place, which, count});
}

void Generator::copyStructure(Node& block) {
  if (structureVariables_.empty()) return structure(block);
  const auto pickOf = [&](int which) {
    std::vector<StructureVariable> found;
    for (const StructureVariable& variable : structureVariables_)
      if (variable.structure == which) found.push_back(variable);
    return random_.pick(found);
  };
  const StructureVariable to = random_.pick(structureVariables_);
  const StructureVariable from = pickOf(to.structure);
  NodeRef node = statement("");
  const auto place = [&](const StructureVariable& variable) {
    std::string text = variable.name;
    if (variable.count == 0) return text;
    text.replace(text.find("$0"), 2, "$" + std::to_string(node->children.size()));
    node->children.push_back(index(variable.count));
    return text;
  };
  const auto takes = [&](const Function& f) {
    return f.resultStructure == to.structure && f.formals.size() == 2 && f.cost * flow_.weight < 4000 &&
           (!f.usesSubGroups || flow_.structured);
  };
  const auto function = std::ranges::find_if(functions_, takes);
  const std::string left = place(to), right = place(from);
  if (function == functions_.end() || random_.chance(40)) {
    node->pattern = left + " = " + right + ";";
  } else {
    asksIds_ = asksIds_ || function->asksIds;
    usesSubGroups_ = usesSubGroups_ || function->usesSubGroups;
    functionCost_ = std::max(functionCost_, function->cost * flow_.weight);
    node->pattern = left + " = " + function->name + "(" + right + ", $" + std::to_string(node->children.size()) + ");";
    const Type type = function->formals[1].type;
    node->children.push_back(value(type, 2));
  }
  block.children.push_back(node);
}

void Generator::pointer(Node& block) {
  const Variable* found = pickVariable([](const Variable& v) { return v.addressable && v.writable && v.count == 0; });
  if (!found) return declare(block);
  const Variable first = *found;
  const Variable* other = pickVariable(
      [&](const Variable& v) { return v.addressable && v.writable && v.count == 0 && v.type == first.type; });
  const std::string second = other->pattern, name = fresh("p");
  block.children.push_back(
      statement(first.type.name() + "* " + name + " = $0 ? &" + first.pattern + " : &" + second + ";", {condition(1)}));
  variables_.push_back({"(*" + name + ")", first.type, 0, false, true, std::nullopt, false});
}

void Generator::vectorStore(Node& block) {
  std::vector<OutputRow> fitting;
  for (const OutputRow& row : rows_)
    if (row.count >= 4) fitting.push_back(row);
  if (fitting.empty()) return storeOutput(block);
  const OutputRow row = random_.pick(fitting);
  constexpr int widths[] = {2, 3, 4};
  const int lanes = random_.pick(widths);
  NodeRef stored = value({row.base, lanes}, 2);
  NodeRef where = index(row.count - lanes + 1);
  block.children.push_back(statement(
      "vstore" + std::to_string(lanes) + "($0, 0, &" + row.name + "[" + row.start + " + $1]);", {stored, where}));
}

/// Elements of a vector, one or some.
void Generator::componentStore(Node& block) {
  const Variable* found =
      pickVariable([&](const Variable& v) { return v.type.isVector() && v.writable && (!v.uniform || flow_.uniform); });
  if (!found) return declare(block);
  const Variable target = *found;
  const int lanes = target.type.lanes, count = lanes == 3 ? 1 : random_.chance(50) ? 1 : lanes / 2;
  std::string place = target.pattern;
  if (const std::size_t dollar = place.find("$0"); dollar != std::string::npos) place.replace(dollar, 2, "$1");
  std::string part = ".s" + std::to_string(random_.below(lanes));
  if (count > 1) {
    constexpr const char* halves[] = {".lo", ".hi", ".odd", ".even"};
    part = random_.pick(halves);
  }
  const Type type = target.type.withLanes(count);
  NodeRef where = target.count > 0 ? index(target.count) : nullptr;
  NodeRef node = statement(place + part + " = $0;", {target.uniform ? uniformValue(type, 2) : value(type, 2)});
  if (where) node->children.push_back(where);
  block.children.push_back(node);
}

void Generator::halfStore(Node& block) {
  const Type element = features_.doubles && random_.chance(30) ? Type{Base::Double, 1} : Type{Base::Float, 1};
  constexpr const char* modes[] = {"", "", "_rte", "_rtz", "_rtp", "_rtn"};
  constexpr int widths[] = {1, 1, 1, 2, 4};
  const std::string mode = random_.pick(modes), place = halfOutput_ + " + gid * 8";
  const int lanes = features_.vectors ? random_.pick(widths) : 1;
  const std::string name =
      lanes == 1 ? "vstore_half" : (random_.chance(50) ? "vstorea_half" : "vstore_half") + std::to_string(lanes);
  NodeRef stored = tamed(value(element.withLanes(lanes), 3));
  NodeRef where = index(8 / lanes);
  block.children.push_back(statement(name + mode + "($0, $1, " + place + ");", {stored, where}));
}

void Generator::callWithPointer(Node& block) {
  std::vector<const Function*> found;
  for (const Function& function : functions_) {
    const bool pointer = std::ranges::any_of(
        function.formals, [](const auto& f) { return f.kind == Function::Formal::Kind::PrivatePointer; });
    if (pointer && function.cost * flow_.weight < 4000 && (!function.usesSubGroups || flow_.structured))
      found.push_back(&function);
  }
  if (found.empty()) return assign(block);
  const Function function = *random_.pick(found);
  NodeRef node = statement("");
  std::string arguments;
  for (const Function::Formal& formal : function.formals) {
    if (!arguments.empty()) arguments += ", ";
    if (formal.kind == Function::Formal::Kind::Value) {
      arguments += "$" + std::to_string(node->children.size());
      node->children.push_back(value(formal.type, 1));
      continue;
    }
    if (formal.kind == Function::Formal::Kind::Input) {
      const auto input = std::ranges::find(inputs_, formal.type.base, &InputPointer::base);
      if (input == inputs_.end()) return assign(block);
      arguments += input->name;
      continue;
    }
    const Variable* target = pickVariable(
        [&](const Variable& v) { return v.addressable && v.writable && v.count == 0 && v.type == formal.type; });
    if (!target) return assign(block);
    arguments += "&" + target->pattern;
  }
  functionCost_ = std::max(functionCost_, function.cost * flow_.weight);
  asksIds_ = asksIds_ || function.asksIds;
  usesSubGroups_ = usesSubGroups_ || function.usesSubGroups;
  const Variable* result = pickVariable(
      [&](const Variable& v) { return v.addressable && v.writable && v.type == function.result && v.count == 0; });
  node->pattern = (result ? result->pattern + " = " : std::string()) + function.name + "(" + arguments + ");";
  block.children.push_back(node);
}

}  // namespace clarity::fuzz
