// SPDX-License-Identifier: Apache-2.0
// This file makes accesses as kernels have them: guarded neighbours, loops in strides, rows, indices that wrap around.
#include <algorithm>
#include <array>
#include <string>

#include "generator_state.h"

namespace clarity::fuzz {
namespace {

std::string number(Type type, std::int64_t value) { return literalText(type, value); }

/// A statement that takes up an element, so that none is lost.
std::string takesUp(Type type, const std::string& to, const std::string& element) {
  if (type.isFloating()) return to + " = " + to + " * (" + type.name() + ")(0.5f) + " + element + ";";
  return to + " ^= " + element + ";";
}

}  // namespace

/// `x < limit` keeps away what is below 0 as well, where the type is unsigned.
void Generator::guardedLoad(Node& block) {
  if (inputs_.empty()) return assign(block);
  const InputPointer input = random_.pick(inputs_);
  constexpr std::array types{kUInt, kUInt, kULong, kInt, kLong};
  const Type type = random_.pick(types), element{input.base, 1};
  const std::string t = type.name(), x = fresh("x"), result = fresh("v");
  constexpr int distances[] = {-1, -1, -2, -3, -7, -64, -300, 1, 2, 5, 100};
  const int distance = random_.pick(distances), factor = random_.chance(75) ? 1 : random_.between(2, 5);
  const Variable* uniform = pickVariable([](const Variable& v) {
    return v.uniform && v.range && v.range->high <= 100 && v.count == 0 && v.type.lanes == 1;
  });
  std::string sum =
      "(" + t + ")$0 * " + number(type, factor) + (distance < 0 ? " - " : " + ") + number(type, std::abs(distance));
  switch (weighted({50, uniform ? 25 : 0, 25})) {
    case 1: sum = "(" + t + ")$0 - (" + t + ")" + uniform->pattern; break;
    case 2: sum = "(" + t + ")((size_t)$0 + (long)(" + std::to_string(distance) + "))"; break;
    default: break;
  }
  NodeRef start = affine(1 << random_.between(3, 9));
  start->range.reset();
  NodeRef otherwise = value(element, 1);
  const std::string limit =
      number(type, random_.chance(50) ? 1 << random_.between(2, 12) : random_.between(1, kInputCount));
  const std::string guard = (type.isSigned() ? x + " >= 0 && " : "") + x + " < " + limit;
  const std::string declaration = "const " + t + " " + x + " = " + sum + ";\n" + element.name() + " " + result + " = ";
  const std::string load = input.name + "[" + x + "]";
  block.children.push_back(
      random_.chance(50)
          ? statement(declaration + "$1;\nif (" + guard + ") " + result + " = " + load + ";", {start, otherwise})
          : statement(declaration + guard + " ? " + load + " : $1;", {start, otherwise}));
  variables_.push_back({result, element, 0, false, true, std::nullopt, true});
}

/// The index of a neighbour, `by` away from `x`, in a row of a given length: whatever they are, it is in the row.
std::string Generator::neighbour(const std::string& t, const std::string& x, const std::string& by,
                                 const std::string& length, bool isSigned) {
  const std::string at = "(" + x + " + " + by + ")", last = "((" + t + ")" + length + " - 1)",
                    whole = "(" + t + ")" + length;
  switch (weighted({30, 15, 20, 20, 15})) {
    case 0: return isSigned ? "clamp(" + at + ", (" + t + ")0, " + last + ")" : "min(" + at + ", " + last + ")";
    case 1: return isSigned ? "max((" + t + ")0, min(" + at + ", " + last + "))" : "min(" + last + ", " + at + ")";
    case 2:
      return isSigned ? "((" + at + " % " + whole + " + " + whole + ") % " + whole + ")"
                      : "(" + at + " % " + whole + ")";
    case 3: {
      const std::string below = isSigned ? at + " < 0 ? " + last + " : " : "";
      return "(" + below + at + " >= " + whole + " ? 0 : " + at + ")";
    }
    default: {
      const std::string first = "(" + x + " == 0 ? " + last + " : " + x + " - 1)";
      return isSigned ? "clamp(" + first + ", (" + t + ")0, " + last + ")" : "min(" + first + ", " + last + ")";
    }
  }
}

/// Rows with borders, as in stencils: one neighbour, or some to both sides.
void Generator::neighbours(Node& block) {
  if (inputs_.empty() || flow_.weight > 40) return assign(block);
  const InputPointer input = random_.pick(inputs_);
  constexpr std::array types{kInt, kInt, kInt, kUInt, kULong, kLong};
  const Type type = random_.pick(types), element{input.base, 1};
  const std::string t = type.name(), x = fresh("x"), d = fresh("d"), result = fresh("v");
  const std::string length =
      std::to_string(random_.chance(60) ? std::clamp<std::int64_t>(items_ + random_.between(-3, 3), 2, kInputCount)
                                        : random_.between(2, kInputCount));
  NodeRef start = affine(1 << random_.between(6, 11)), initial = value(element, 1);
  start->range.reset();
  const std::string head = element.name() + " " + result + " = $1;\nconst " + t + " " + x + " = (" + t + ")$0;\n";
  const Variable* uniform = pickVariable([](const Variable& v) {
    return v.uniform && v.range && v.range->low >= 0 && v.range->high <= 20 && v.count == 0 && v.type.lanes == 1;
  });
  const std::string by = uniform && random_.chance(30) ? "(" + t + ")" + uniform->pattern
                                                       : "(" + t + ")" + std::to_string(random_.between(0, 9));
  const auto take = [&](const std::string& distance) {
    return takesUp(element, result, input.name + "[" + neighbour(t, x, distance, length, type.isSigned()) + "]");
  };
  std::string text = head + take(random_.chance(50) ? by : "(" + t + ")-1") + "\n";
  if (random_.chance(50)) text += take("(" + t + ")1") + "\n";
  if (random_.chance(40)) {
    std::string turn = take("(" + t + ")" + d);
    if (random_.chance(40))
      turn = "{ if (" + x + " + (" + t + ")" + d + " >= (" + t + ")" + length + ") continue; " + turn + " }";
    text += "for (int " + d + " = -(int)" + by + "; " + d + " <= " + std::to_string(random_.between(0, 4)) + "; ++" +
            d + ") " + turn;
  }
  block.children.push_back(statement(text, {start, initial}));
  variables_.push_back({result, element, 0, false, true, std::nullopt, true});
}

/// Parts of ids: what they are divided by, masked or changed with is a constant, or known at launch only.
void Generator::idParts(Node& block) {
  if (inputs_.empty()) return assign(block);
  const InputPointer input = random_.pick(inputs_);
  constexpr std::array types{kInt, kInt, kUInt, kUInt, kULong, kLong};
  const Type type = random_.pick(types), element{input.base, 1};
  const std::string t = type.name(), x = fresh("x"), n = fresh("n"), s = fresh("s"), result = fresh("v");
  NodeRef start = affine(1 << random_.between(6, 11)), initial = value(element, 1);
  start->range.reset();
  const int bits = random_.between(2, 8);
  const Variable* uniform = pickVariable([](const Variable& v) {
    return v.uniform && v.range && v.range->low >= 0 && v.range->high <= 64 && v.count == 0 && v.type.lanes == 1;
  });
  std::string shift = std::to_string(bits);
  if (uniform && random_.chance(70)) shift = "((int)" + uniform->pattern + " & 3) + " + shift;
  std::string size = "(" + t + ")1 << " + s;
  if (random_.chance(25)) size = "(" + t + ")" + std::to_string(8 * random_.between(1, 20));
  std::string text = element.name() + " " + result + " = $1;\nconst int " + s + " = " + shift + ";\nconst " + t + " " +
                     x + " = (" + t + ")$0, " + n + " = " + size + ";\n";
  const std::array<std::string, 9> parts{
      x + " % " + n,
      x + " / " + n,
      x + " & (" + n + " - 1)",
      x + " ^ " + n,
      x + " ^ (" + n + " - 1)",
      x + " >> " + s,
      "2 * " + x + " - (" + x + " & (" + n + " - 1))",
      "((" + x + " >> " + s + ") << (" + s + " + 1)) | (" + x + " & ~(~(" + t + ")0 << " + s + "))",
      "(" + x + " / " + n + ") % 5 * " + n + " + " + x + " % " + n};
  for (int count = random_.between(1, 3); count > 0; --count)
    text += takesUp(element, result,
                    input.name + "[(" + random_.pick(parts) +
                        (random_.chance(30) ? ") + " + std::to_string(random_.between(1, 9)) : ")") + " & " +
                        std::to_string(kInputCount - 1) + "]") +
            "\n";
  block.children.push_back(statement(text, {start, initial}));
  variables_.push_back({result, element, 0, false, true, std::nullopt, true});
}

/// Counters that run past 0, in steps: what the type makes of them decides whether they count.
void Generator::wrappingLoop(Node& block) {
  if (inputs_.empty() || flow_.weight > 40) return assign(block);
  const InputPointer input = random_.pick(inputs_);
  constexpr std::array types{kUInt, kUInt, kULong, Type{Base::UShort, 1}, Type{Base::UChar, 1}};
  const Type type = random_.pick(types), element{input.base, 1};
  const std::string t = type.name(), i = fresh("i"), c = fresh("c"), result = fresh("v");
  const int most = type.base == Base::UChar ? 200 : kInputCount;
  const int limit = random_.between(most / 4, most);
  // A counter that has wrapped is not below the limit, so the loops end.
  const int step = std::min(limit / random_.between(2, 12) + random_.below(3), most < 256 ? 256 - most : most);
  NodeRef start = affine(1 << random_.between(2, 7));
  start->range.reset();
  const std::string at = "(" + t + ")((" + t + ")$0 ", bound = std::to_string(limit), by = std::to_string(step);
  const std::string take = takesUp(element, result, input.name + "[" + i + "]");
  const std::string head = element.name() + " " + result + " = $1;\n";
  NodeRef initial = value(element, 1);
  switch (weighted({40, 40, 20})) {
    case 0:
      block.children.push_back(statement(head + "for (" + t + " " + i + " = " + at + "+ " +
                                             std::to_string(limit - step) + "); " + i + " < " + bound + "; " + i +
                                             " -= " + by + ") " + take,
                                         {start, initial}));
      break;
    case 1: {
      const std::string change = random_.chance(50) ? " += " : " -= ",
                        back = std::to_string(random_.between(1, 2 * step + 1));
      block.children.push_back(statement(head + "{\n  " + t + " " + i + " = " + at + "- " + back + ");\n  for (int " +
                                             c + " = 0; " + c + " < " + std::to_string(random_.between(2, 9)) + "; ++" +
                                             c + ") {\n    if (" + i + " < " + bound + ") " + take + "\n    " + i +
                                             change + by + ";\n  }\n}",
                                         {start, initial}));
      break;
    }
    default:
      block.children.push_back(statement(head + "{\n  int " + c + " = 6;\n  for (" + t + " " + i + " = " + at +
                                             "- 3); " + i + " > 5 && " + c + "-- > 0; " + i + " -= 7) " +
                                             takesUp(element, result, input.name + "[" + i + " & 63]") + "\n}",
                                         {start, initial}));
      break;
  }
  variables_.push_back({result, element, 0, false, true, std::nullopt, true});
}

/// Every work-item takes each n-th element, n being the number of work-items.
void Generator::gridStride(Node& block) {
  if (inputs_.empty() || inFunction_ || flow_.weight > 4) return assign(block);
  const InputPointer input = random_.pick(inputs_);
  constexpr std::array types{kInt, kUInt, kUInt, kLong, kULong};
  const Type type = random_.pick(types), element{input.base, 1};
  const std::string t = type.name(), i = fresh("i"), result = fresh("v");
  const std::string first = "(" + t + ")gid", step = "(" + t + ")total", limit = number(type, random_.between(1, 600));
  const std::string take = takesUp(element, result, input.name + "[" + i + "]");
  NodeRef initial = value(element, 1);
  const std::string down = "for (" + t + " " + i + " = " + limit + " - 1 - " + first + "; " + i +
                           (type.isSigned() ? " >= 0; " : " < " + limit + "; ") + i + " -= " + step + ") ";
  const std::string up =
      "for (" + t + " " + i + " = " + first + "; " + i + " < " + limit + "; " + i + " += " + step + ") ";
  block.children.push_back(
      statement(element.name() + " " + result + " = $0;\n" + (random_.chance(70) ? up : down) + take, {initial}));
  variables_.push_back({result, element, 0, false, true, std::nullopt, true});
}

/// A row of a matrix, or a column; of so many elements or as many as a variable says, forwards, backwards or some of
/// them.
void Generator::rowLoop(Node& block) {
  if (inputs_.empty() || flow_.weight > 20) return assign(block);
  const InputPointer input = random_.pick(inputs_);
  constexpr std::array types{kInt, kUInt, kLong, kULong};
  const Type type = random_.pick(types), element{input.base, 1};
  const std::string t = type.name(), k = fresh("k"), result = fresh("v");
  int columns = random_.between(1, 24);
  std::string n = number(type, columns);
  const Variable* size = pickVariable([](const Variable& v) {
    return v.uniform && v.range && v.range->low >= 0 && v.range->high <= 32 && v.count == 0 && v.type.lanes == 1;
  });
  if (size && size->range->high > 0 && random_.chance(50)) {
    columns = static_cast<int>(size->range->high);
    n = "(" + t + ")" + size->pattern;
  }
  const int form = weighted({45, 25, 12, 18});
  const bool column = form == 1 || form == 3;
  NodeRef which = affine(column ? kInputCount / 32 : kInputCount / columns);
  const std::string far = form == 3 ? n : number(type, 100), row = "(" + t + ")$0";
  const std::string indices[] = {row + " * " + n + " + " + k, k + " * " + far + " + " + row,
                                 row + " * " + n + " + (" + n + " - 1 - " + k + ")", k + " * " + far + " + " + row};
  const std::string load = input.name + "[" + indices[form] + "]", step = random_.chance(80) ? "++" + k : k + " += 2";
  NodeRef initial = value(element, 1);
  const bool sums = element.isFloating() || (!element.isSigned() && element.size() >= 4);
  block.children.push_back(
      statement(element.name() + " " + result + " = $1;\nfor (" + t + " " + k + " = 0; " + k + " < " + n + "; " + step +
                    ") " + (sums && random_.chance(60) ? result + " += " + load + ";" : takesUp(element, result, load)),
                {which, initial}));
  variables_.push_back({result, element, 0, false, true, std::nullopt, true});
}

/// A row whose start and length are in memory, as those of sparse matrices, and perhaps the places of other elements in
/// it.
void Generator::raggedRow(Node& block) {
  if (inputs_.empty() || flow_.weight > 20) return assign(block);
  const auto integers = std::ranges::find(inputs_, Base::Int, &InputPointer::base);
  if (integers == inputs_.end()) return rowLoop(block);
  const InputPointer input = random_.pick(inputs_);
  const Type element{input.base, 1};
  const std::string name = integers->name, k = fresh("k"), start = fresh("start"), end = fresh("end"),
                    result = fresh("v");
  const std::string mask = random_.chance(50) ? "15" : "63",
                    base = random_.chance(50) ? "($0 & 1023) * 3" : name + "[$0] & 1023";
  const std::string index = random_.chance(60) ? k : name + "[" + k + "] & 4095";
  NodeRef which = affine(kInputCount / 2);
  NodeRef initial = value(element, 1);
  block.children.push_back(statement("const int " + start + " = " + base + ", " + end + " = " + start + " + (" + name +
                                         "[$0 + 1] & " + mask + ");\n" + element.name() + " " + result +
                                         " = $1;\nfor (int " + k + " = " + start + "; " + k + " < " + end + "; ++" + k +
                                         ") " + takesUp(element, result, input.name + "[" + index + "]"),
                                     {which, initial}));
  variables_.push_back({result, element, 0, false, true, std::nullopt, true});
}

/// A pointer into global or private memory, as it comes.
void Generator::genericPointer(Node& block) {
  if (inputs_.empty()) return assign(block);
  const InputPointer input = random_.pick(inputs_);
  const Type type{input.base, 1};
  const Variable* own =
      pickVariable([&](const Variable& v) { return v.addressable && v.count == 0 && v.type == type; });
  if (!own) return declare(block);
  const std::string name = fresh("p"), pointer = "const " + type.name() + "*", place = own->pattern;
  NodeRef decides = condition(1);
  NodeRef where = index(kInputCount);
  block.children.push_back(statement(
      pointer + " " + name + " = $0 ? (" + pointer + ")&" + input.name + "[$1] : (" + pointer + ")&" + place + ";",
      {decides, where}));
  variables_.push_back({"(*" + name + ")", type, 0, false, false, std::nullopt, false});
}

/// A value that wraps around in 32 bits, seen in 64: work-items side by side are far apart.
NodeRef Generator::wrapped(Type type) {
  constexpr const char* patterns[] = {"(uint)($0 * $Kul)",           "(int)($0 * $Kul)",       "(uint)($0 - $Kul)",
                                      "(int)((uint)$0 * $Ku + $Lu)", "(uint)((uint)$0 - $Lu)", "(ushort)($0 * $Lul)"};
  constexpr int factors[] = {1664525, 1000003, 65536, 7919, 16777619, 3};
  std::string pattern = random_.pick(patterns);
  for (const char* name : {"$K", "$L"})
    if (const std::size_t at = pattern.find(name); at != std::string::npos)
      pattern.replace(at, 2, std::to_string(name[1] == 'K' ? random_.pick(factors) : random_.between(1, 2000000000)));
  NodeRef leaf = rangedLeaf(kULong);
  leaf->range.reset();
  return expression(type, "(" + type.name() + ")" + pattern, {leaf});
}

}  // namespace clarity::fuzz
