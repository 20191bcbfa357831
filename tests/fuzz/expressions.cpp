// SPDX-License-Identifier: Apache-2.0
// This file makes expressions: values of a type, conditions, and the indices of memory accesses.
#include <algorithm>
#include <array>
#include <limits>

#include "generator_state.h"

namespace clarity::fuzz {
namespace {

constexpr const char* kLaneNames = "0123456789abcdef";
constexpr const char* kComparisons[] = {"<", "<=", ">", ">=", "==", "!="};

/// The suffix of floating-point constants.
const char* suffixOf(Type type) { return type.base == Base::Float ? "f" : type.base == Base::Half ? "h" : ""; }

bool isPowerOfTwo(std::int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

}  // namespace

int Generator::weighted(const std::vector<int>& weights) {
  int sum = 0;
  for (const int weight : weights) sum += weight;
  int left = random_.below(sum), choice = 0;
  for (const int weight : weights) {
    if (left < weight) return choice;
    left -= weight;
    ++choice;
  }
  return 0;
}

Type Generator::scalarType() {
  std::vector<Type> types{kInt, kInt, kInt, kUInt, kUInt};
  if (features_.wideTypes) types.insert(types.end(), {kLong, kULong});
  if (features_.smallTypes)
    types.insert(types.end(), {{Base::Char, 1}, {Base::UChar, 1}, {Base::Short, 1}, {Base::UShort, 1}});
  if (features_.floats) types.insert(types.end(), {{Base::Float, 1}, {Base::Float, 1}, {Base::Float, 1}});
  if (features_.doubles) types.push_back({Base::Double, 1});
  if (features_.halfNumbers) types.push_back({Base::Half, 1});
  return random_.pick(types);
}

Type Generator::anyType() {
  const Type type = scalarType();
  if (!features_.vectors || random_.chance(70)) return type;
  constexpr int lanes[] = {2, 3, 4, 4, 8};
  return type.withLanes(random_.pick(lanes));
}

Type Generator::indexType() {
  constexpr std::array types{kInt, kInt, kUInt, kLong, kULong};
  return random_.pick(types);
}

NodeRef Generator::value(Type type, int depth) {
  NodeRef node;
  const int inner = depth > 0;
  switch (weighted({20, 55 * inner, 10 * inner, type.isVector() ? 15 * inner : 0, features_.functions ? 7 * inner : 0,
                    features_.subGroups ? 5 * inner : 0})) {
    case 1: node = operation(type, depth); break;
    case 2: node = convert(type, depth); break;
    case 3: node = vectorMade(type, depth); break;
    case 4: node = call(type, depth); break;
    case 5: node = subGroupValue(type, depth); break;
    default: node = leaf(type); break;
  }
  node->range.reset();
  return node;
}

NodeRef Generator::uniformValue(Type type, int depth) {
  const Keep keep(wantUniform_);
  wantUniform_ = true;
  return value(type, depth);
}

const Variable* Generator::pickVariable(const std::function<bool(const Variable&)>& fits) {
  std::vector<const Variable*> found;
  for (const Variable& variable : variables_)
    if ((variable.uniform || !wantUniform_) && fits(variable)) found.push_back(&variable);
  if (found.empty()) return nullptr;
  // Recent ones more often: values that are never read test nothing.
  const auto count = static_cast<std::int64_t>(found.size());
  const int first = random_.below(count), second = random_.below(count);
  return found[static_cast<std::size_t>(std::max(first, second))];
}

NodeRef Generator::elementOf(const Variable& variable, const NodeRef& where) {
  return expression(variable.type, variable.pattern, {where});
}

NodeRef Generator::read(const Variable& variable) {
  if (variable.count > 0) {
    const Variable copy = variable;  // making the index may add variables
    return elementOf(copy, index(copy.count));
  }
  NodeRef node = expression(variable.type, variable.pattern);
  node->range = variable.range;
  return node;
}

NodeRef Generator::leaf(Type type) {
  const auto scalar = [&](const Variable& v) { return v.type == type && v.count == 0; };
  const auto array = [&](const Variable& v) { return v.type == type && v.count > 0; };
  const auto wider = [&](const Variable& v) { return v.type.base == type.base && v.type.lanes > type.lanes; };
  const bool wraps = features_.wrapping && type.lanes == 1 && type.isInteger() && !wantUniform_;
  switch (weighted({50, 25, 12, type.lanes == 1 ? 8 : 0, type.lanes > 1 ? 15 : 0, 10, wraps ? 6 : 0})) {
    case 0:
      if (const Variable* variable = pickVariable(scalar)) return read(*variable);
      break;
    case 1:
      if (const Variable* variable = pickVariable(array)) return read(*variable);
      break;
    case 2: return constant(type);
    case 3:
      if (const Variable* variable = pickVariable(wider)) {
        const int lane = random_.below(variable->type.lanes);
        return expression(type, std::string("($0).s") + kLaneNames[lane], {read(*variable)});
      }
      break;
    case 4: return vectorLoad(type);
    case 6: return wrapped(type);
    default: break;
  }
  // From a variable of another type, or a constant.
  const Variable* other =
      pickVariable([&](const Variable& v) { return v.type.lanes == type.lanes && v.type.isInteger(); });
  if (!other || random_.chance(20)) return constant(type);
  return expression(type, type.isVector() ? "convert_" + type.name() + "($0)" : "(" + type.name() + ")$0",
                    {read(*other)});
}

NodeRef Generator::constant(Type type) {
  if (type.isFloating()) {
    constexpr const char* numbers[] = {"0.0", "1.0", "0.5", "2.0", "1.25", "3.0", "0.1", "100.0", "7.75", "0.0625"};
    std::string text = random_.pick(numbers);
    text += suffixOf(type);
    if (random_.chance(25)) text = "-" + text;
    return expression(type, type.isVector() || text[0] == '-' ? "(" + type.name() + ")(" + text + ")" : text);
  }
  const int bits = std::min(type.bits(), 63);
  const std::int64_t most = type.isSigned() ? static_cast<std::int64_t>((std::uint64_t{1} << (type.bits() - 1)) - 1)
                                            : static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
  switch (weighted({60, 15, 10, 15})) {
    case 0: return literal(type, random_.below(17));
    case 1: return literal(type, type.isSigned() ? -random_.between(1, 100) : random_.between(17, 127));
    case 2: return literal(type, random_.chance(50) ? most : type.isSigned() ? -most - 1 : most - 1);
    default: return literal(type, static_cast<std::int64_t>(random_.next() & static_cast<std::uint64_t>(most)));
  }
}

std::string Generator::tameName(Type type) {
  const std::string name = "tame_" + type.name();
  if (std::ranges::find(tamed_, name) != tamed_.end()) return name;
  tamed_.push_back(name);
  const std::string suffix = suffixOf(type), t = type.name();
  const std::string limit = "(" + t + ")(" + (type.base == Base::Half ? "1.0e3" : "1.0e6") + suffix + ")",
                    other = "(" + t + ")(0.5" + suffix + ")";
  const std::string text = "// Finite and not too large.\n" + t + " " + name + "(" + t + " x) { return fabs(x) < " +
                           limit + " ? x : " + other + "; }";
  program_.definitions.insert(program_.definitions.begin(), {name, statement(text)});
  return name;
}

NodeRef Generator::tamed(const NodeRef& child) {
  return expression(child->type, tameName(child->type) + "($0)", {child});
}

NodeRef Generator::convert(Type type, int depth) {
  const Type from = scalarType().withLanes(type.lanes);
  const std::string name = type.name(), plain = type.isVector() ? "convert_" + name + "($0)" : "(" + name + ")$0";
  if (from == type) return value(type, depth - 1);
  constexpr const char* rounding[] = {"", "", "_rte", "_rtz", "_rtp", "_rtn"};
  if (type.isFloating()) {
    const std::string mode = random_.pick(rounding);
    if (from.size() == type.size() && from.isInteger() && random_.chance(20))
      return tamed(expression(type, "as_" + name + "($0)", {value(from, depth - 1)}));
    return expression(type, mode.empty() ? plain : "convert_" + name + mode + "($0)", {value(from, depth - 1)});
  }
  if (from.isFloating()) {
    const bool saturate = type.size() < 4 || random_.chance(60);
    const std::string mode = random_.pick(rounding);
    if (saturate) return expression(type, "convert_" + name + "_sat" + mode + "($0)", {value(from, depth - 1)});
    if (from.size() == type.size() && random_.chance(30))
      return expression(type, "as_" + name + "($0)", {tamed(value(from, depth - 1))});
    const std::string inner = type.isSigned() ? "$0" : "fabs($0)";
    return expression(
        type,
        type.isVector() || !mode.empty() ? "convert_" + name + mode + "(" + inner + ")" : "(" + name + ")" + inner,
        {tamed(value(from, depth - 1))});
  }
  if (random_.chance(25)) return expression(type, "convert_" + name + "_sat($0)", {value(from, depth - 1)});
  return expression(type, plain, {value(from, depth - 1)});
}

NodeRef Generator::vectorMade(Type type, int depth) {
  const std::string name = "(" + type.name() + ")";
  const auto wide = [&](const Variable& v) { return v.type.base == type.base && v.type.isVector(); };
  const bool even = type.lanes != 3;
  const int form = weighted(
      {30, 25, type.lanes == 4 || type.lanes == 8 ? 20 : 0, 25, even ? 12 : 0, even && type.lanes < 8 ? 12 : 0});
  if (form == 0) return expression(type, name + "($0)", {value(type.element(), depth - 1)});
  if (form == 1 && type.lanes <= 4) {
    NodeRef node = expression(type, name + "($0");
    for (int lane = 0; lane < type.lanes; ++lane) {
      if (lane > 0) node->pattern += ", $" + std::to_string(lane);
      node->children.push_back(value(type.element(), depth - 2));
    }
    node->pattern += ")";
    return node;
  }
  if (form == 2) {
    const Type half = type.withLanes(type.lanes / 2);
    return expression(type, name + "($0, $1)", {value(half, depth - 1), value(half, depth - 1)});
  }
  if (form == 4) return shuffled(type, depth);
  if (form == 5) {
    constexpr const char* parts[] = {".lo", ".hi", ".odd", ".even"};
    const std::string part = random_.pick(parts);
    return expression(type, "($0)" + part, {value(type.withLanes(2 * type.lanes), depth - 1)});
  }
  const Variable* variable = pickVariable(wide);
  if (!variable) return leaf(type);
  std::string lanes = "($0).s";
  for (int lane = 0; lane < type.lanes; ++lane) lanes += kLaneNames[random_.below(variable->type.lanes)];
  return expression(type, lanes, {read(*variable)});
}

NodeRef Generator::shuffled(Type type, int depth) {
  constexpr int lanes[] = {2, 4, 8};
  const Type from = type.withLanes(random_.pick(lanes)), mask = type.asUnsigned();
  if (random_.chance(50)) return expression(type, "shuffle($0, $1)", {value(from, depth - 1), value(mask, depth - 1)});
  return expression(type, "shuffle2($0, $1, $2)",
                    {value(from, depth - 1), value(from, depth - 2), value(mask, depth - 1)});
}

NodeRef Generator::halfLoad(Type type) {
  const std::string lanes = std::to_string(type.lanes);
  if (type.lanes > 1 && random_.chance(40))
    return expression(type, "vloada_half" + lanes + "($0, " + halfInput_ + ")",
                      {index(kInputCount / (type.lanes == 3 ? 4 : type.lanes))});
  if (type.lanes > 1)
    return expression(type, "vload_half" + lanes + "($0, " + halfInput_ + ")", {index(kInputCount / type.lanes)});
  return expression(type, "vload_half($0, " + halfInput_ + ")", {index(kInputCount)});
}

NodeRef Generator::vectorLoad(Type type) {
  if (!halfInput_.empty() && !inFunction_ && type.base == Base::Float && random_.chance(30)) return halfLoad(type);
  std::vector<std::string> names;
  for (const InputPointer& input : inputs_)
    if (input.base == type.base) names.push_back(input.name);
  if (names.empty()) return constant(type);
  const std::string name = random_.pick(names), lanes = std::to_string(type.lanes);
  switch (weighted({40, 30, type.lanes == 3 ? 0 : 30})) {
    case 0: return expression(type, "vload" + lanes + "($0, " + name + ")", {index(kInputCount / type.lanes)});
    case 1: return expression(type, "vload" + lanes + "(0, " + name + " + $0)", {index(kInputCount / 2)});
    default:
      return expression(type, "((__global const " + type.name() + "*)" + name + ")[$0]",
                        {index(kInputCount / type.lanes)});
  }
}

NodeRef Generator::comparison(int depth) {
  const std::string comparator = std::string(" ") + random_.pick(kComparisons) + " ";
  switch (weighted({45, 30, 15, features_.vectors ? 10 : 0})) {
    case 0: {
      const Type type = scalarType();
      return expression(kInt, "($0" + comparator + "$1)", {value(type, depth), value(type, depth)});
    }
    case 1: {
      const Type type = indexType();
      const NodeRef left = rangedLeaf(type);
      const int most = static_cast<int>(std::min<std::int64_t>(left->range->high + 1, 5000));
      const std::int64_t limit = random_.below(most + 1);
      left->range.reset();
      return expression(kInt, "($0" + comparator + "$1)", {left, literal(type, limit)});
    }
    case 2: {
      constexpr const char* tests[] = {"(($0 & 1) != 0)", "(($0 & 3) == 2)", "(($0 & 7) > 5)", "(($0 & 15) != 3)"};
      const std::string test = random_.pick(tests);
      const Type type = indexType();
      return expression(kInt, test, {value(type, depth)});
    }
    default: {
      const std::string test = (random_.chance(50) ? "any($0" : "all($0") + comparator + "$1)";
      constexpr int lanes[] = {2, 3, 4, 8};
      const Type type = scalarType().withLanes(random_.pick(lanes));
      return expression(kInt, test, {value(type, depth), value(type, depth)});
    }
  }
}

NodeRef Generator::condition(int depth) {
  switch (weighted({70, depth > 0 ? 12 : 0, depth > 0 ? 12 : 0, depth > 0 ? 6 : 0})) {
    case 1: return expression(kInt, "($0 && $1)", {condition(depth - 1), condition(depth - 1)});
    case 2: return expression(kInt, "($0 || $1)", {condition(depth - 1), condition(depth - 1)});
    case 3: return expression(kInt, "(!$0)", {condition(depth - 1)});
    default: return comparison(std::min(depth, 1));
  }
}

NodeRef Generator::rangedLeaf(Type type) {
  const Variable* variable =
      pickVariable([](const Variable& v) { return v.range && v.range->low >= 0 && v.count == 0 && v.type.lanes == 1; });
  if (!variable || random_.chance(8)) return literal(type, random_.below(8));
  const Range range = *variable->range;
  const std::string name = variable->type == type ? variable->pattern : "(" + type.name() + ")" + variable->pattern;
  switch (weighted({72, 7, 7, 7, 7})) {
    case 1:
      return rangedExpression(type, {range.low / 2, range.high / 2},
                              "(" + name + (random_.chance(50) ? " / 2)" : " >> 1)"));
    case 2:
      return rangedExpression(type, {0, std::min<std::int64_t>(range.high, 3)},
                              "(" + name + (random_.chance(50) ? " % 4)" : " & 3)"));
    case 3: return rangedExpression(type, {0, range.high + 1}, "(" + name + " ^ 1)");
    case 4:
      return rangedExpression(type, {0, range.high - range.low},
                              "(" + literalText(type, range.high) + " - " + name + ")");
    default: return rangedExpression(type, range, name);
  }
}

NodeRef Generator::affine(std::int64_t count) {
  const Type type = indexType();
  NodeRef sum = rangedLeaf(type);
  constexpr int factors[] = {1, 1, 1, 1, 2, 3, 4, 7, 8, 16, 64};
  const auto scale = [&](NodeRef& node) {
    const int factor = random_.pick(factors);
    if (factor == 1) return;
    const Range range{node->range->low * factor, node->range->high * factor};
    node = rangedExpression(type, range, "($0 * " + std::to_string(factor) + ")", {node});
  };
  if (random_.chance(40)) scale(sum);
  for (int terms = weighted({40, 40, 20}); terms > 0; --terms) {
    NodeRef term = rangedLeaf(type);
    if (random_.chance(25)) scale(term);
    const Range range{sum->range->low + term->range->low, sum->range->high + term->range->high};
    sum = rangedExpression(type, range, "($0 + $1)", {sum, term});
  }
  if (Range{0, count - 1}.contains(*sum->range)) return sum;
  const std::string last = std::to_string(count - 1);
  if (isPowerOfTwo(count)) return rangedExpression(type, {0, count - 1}, "($0 & " + last + ")", {sum});
  return rangedExpression(type, {0, count - 1}, "($0 % " + std::to_string(count) + ")", {sum});
}

NodeRef Generator::masked(std::int64_t count) {
  const Range range{0, count - 1};
  if (isPowerOfTwo(count)) {
    const Type type = indexType();
    return rangedExpression(type, range, "($0 & " + std::to_string(count - 1) + ")", {value(type, 1)});
  }
  const Type type = random_.chance(80) ? kUInt : kULong;
  return rangedExpression(type, range, "($0 % " + std::to_string(count) + ")", {value(type, 1)});
}

NodeRef Generator::index(std::int64_t count) {
  if (count == 1) return literal(kInt, 0);
  switch (weighted({65, 25, 10})) {
    case 0: return affine(count);
    case 1: return masked(count);
    default: {
      const Type type = indexType();
      return literal(type, random_.below(count));
    }
  }
}

NodeRef Generator::tripCount(Type type, int most) {
  const Range range{0, most};
  if (random_.chance(25)) return literal(type, random_.between(1, most));
  NodeRef inner = random_.chance(50) ? affine(most + 1) : masked(most + 1);
  if (inner->type == type) return inner;
  return rangedExpression(type, range, "(" + type.name() + ")$0", {inner});
}

NodeRef Generator::call(Type type, int depth) {
  std::vector<const Function*> found;
  for (const Function& function : functions_) {
    const bool pure = std::ranges::all_of(function.formals, [](const Function::Formal& f) {
      return f.kind == Function::Formal::Kind::Value || f.kind == Function::Formal::Kind::Input;
    });
    const bool uniform = !function.asksIds || !wantUniform_, clear = !function.usesSubGroups || flow_.structured;
    if (pure && uniform && clear && function.resultStructure < 0 && function.result == type &&
        function.cost * flow_.weight < 4000)
      found.push_back(&function);
  }
  if (found.empty()) return operation(type, depth);
  const Function& function = *random_.pick(found);
  functionCost_ = std::max(functionCost_, function.cost * flow_.weight);
  asksIds_ = asksIds_ || function.asksIds;
  usesSubGroups_ = usesSubGroups_ || function.usesSubGroups;
  NodeRef node = expression(type, function.name + "(");
  for (const Function::Formal& formal : function.formals) {
    if (node->pattern.back() != '(') node->pattern += ", ";
    if (formal.kind == Function::Formal::Kind::Input) {
      const auto input = std::ranges::find(inputs_, formal.type.base, &InputPointer::base);
      if (input == inputs_.end()) return constant(type);
      node->pattern += input->name;
    } else {
      node->pattern += "$" + std::to_string(node->children.size());
      node->children.push_back(value(formal.type, depth - 1));
    }
  }
  node->pattern += ")";
  return node;
}

}  // namespace clarity::fuzz
