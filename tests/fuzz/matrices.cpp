// SPDX-License-Identifier: Apache-2.0
// This file makes long loops over rows and columns of matrices, in which all work-items turn equally often: products,
// distances, convolutions, with one accumulator or several, and through tiles in local memory.
#include <algorithm>
#include <array>
#include <string>

#include "generator_state.h"

namespace clarity::fuzz {
namespace {

/// A type that sums of products of small numbers fit in.
Type sumType(Base left, Base right) {
  const Base wider = std::max(left, right);
  return {wider <= Base::UShort ? Base::Int : wider, 1};
}

}  // namespace

/// How a loop goes through matrices: k is its counter.
struct Generator::MatrixWalk {
  Matrix left, right;
  Type counter;
  Type sum;
  std::string turns;            ///< how often it turns, at most mostTurns
  std::string stride;           ///< elements of a row, at most mostSide
  std::string columns[2], row;  ///< places that vary or not, each a name or a small expression
  int forms[2] = {0, 0};
  int update = 0;
};

namespace {

constexpr int mostTurns = 400, mostSide = 64;

}  // namespace

void Generator::makeMatrices() {
  for (int count = random_.between(1, 3); count > 0; --count) {
    const Matrix matrix{fresh("in"), scalarType().base};
    const Type type{matrix.base, 1};
    program_.parameters.push_back(
        {.name = matrix.name,
         .declaration = "__global const " + type.name() + "*" + (random_.chance(40) ? " restrict " : " ") + matrix.name,
         .use = Parameter::Use::Input,
         .base = matrix.base,
         .count = kMatrixCount,
         .value = 0,
         .sameBufferAs = "",
         .most = 100});
    matrices_.push_back(matrix);
    inputs_.push_back({matrix.name, matrix.base});
  }
  const auto addSize = [&](const std::string& name, int low, int high) {
    const Type type = indexType();
    const int number = random_.between(low, high);
    program_.parameters.push_back({.name = name,
                                   .declaration = "const " + type.name() + " " + name,
                                   .use = Parameter::Use::Value,
                                   .base = type.base,
                                   .count = 1,
                                   .value = number,
                                   .sameBufferAs = ""});
    variables_.push_back({name, type, 0, true, false, Range{0, number}, false});
  };
  addSize("side", 1, mostSide);
  addSize("turns", 60, mostTurns);
}

/// A number from 0 to below `most`; it varies with a work-item's place as such numbers do.
std::string Generator::matrixPlace(int most) {
  std::vector<std::string> places;
  for (const char* name : {"gx", "gy", "gz", "lx", "ly", "lid", "gid", "gid", "group", "slid"}) {
    const auto found = std::ranges::find(variables_, name, &Variable::pattern);
    if (found == variables_.end()) continue;
    const bool small = found->range->high < most;
    places.push_back(small ? name
                           : "(" + std::string(name) + (random_.chance(50) ? " % " : " / ") + std::to_string(most) +
                                 ") % " + std::to_string(most));
    if (small && name[0] == 'g') places.insert(places.end(), 2, name);
  }
  return random_.pick(places);
}

std::string Generator::matrixElement(const MatrixWalk& walk, const Matrix& matrix, const std::string& k) {
  const bool right = matrix.name == walk.right.name;
  const std::string t = "(" + walk.counter.name() + ")", n = t + walk.stride, x = t + "(" + walk.columns[0] + ")",
                    other = t + "(" + walk.columns[1] + ")", row = t + "(" + walk.row + ")";
  std::string index;
  switch (walk.forms[right]) {
    case 0: index = k + " * " + n + " + " + x; break;
    case 1: index = row + " * " + n + " + " + k; break;
    case 2: index = "(" + t + std::to_string(mostTurns) + " - " + k + ") * " + n + " + " + x; break;
    case 3: index = "(" + row + " + " + k + ") * " + n + " + " + other; break;
    case 4: index = k + " * " + n + " + " + row; break;
    case 5: index = x + " * " + n + " + " + k; break;
    case 6: index = k + " * " + n + " + " + x + " + " + std::to_string(right ? 2 : 1); break;
    case 7: index = k; break;
    default: index = "(" + k + " / 8) * " + n + " + " + k + " % 8 + " + x; break;
  }
  return matrix.name + "[" + index + "]";
}

std::string Generator::matrixUpdate(const MatrixWalk& walk, const std::string& sum, const std::string& k) {
  const std::string left = matrixElement(walk, walk.left, k), right = matrixElement(walk, walk.right, k),
                    t = "(" + walk.sum.name() + ")";
  switch (walk.update) {
    case 0: return sum + " += " + left + " * " + right + ";";
    case 1:
      return walk.sum.isFloating() ? sum + " = fma(" + t + left + ", " + t + right + ", " + sum + ");"
                                   : sum + " -= " + left + " * " + right + ";";
    case 2: return sum + " += (" + t + left + " - " + right + ") * (" + t + left + " - " + right + ");";
    case 3: return sum + " = " + left + " > " + right + " ? " + sum + " + " + left + " : " + sum + ";";
    case 4: return sum + " = max(" + sum + ", " + t + "(" + left + " + " + right + "));";
    case 5: return "if (" + left + " > " + std::to_string(3) + ") " + sum + " += " + right + ";";
    case 6: return sum + " += " + left + ";";
    default:
      return walk.sum.isFloating() ? sum + " = " + sum + " * 0.5f + " + left + " * " + right + ";"
                                   : sum + " ^= " + left + " * " + right + ";";
  }
}

Generator::MatrixWalk Generator::matrixWalk() {
  MatrixWalk walk;
  walk.left = random_.pick(matrices_);
  walk.right = random_.pick(matrices_);
  constexpr std::array counters{kInt, kInt, kUInt, kLong, kULong, kULong};
  constexpr const char* strides[] = {"8", "16", "31", "32", "48", "64", "side", "side", "side"};
  constexpr const char* turns[] = {"64", "100", "128", "256", "333", "400", "turns", "turns", "turns"};
  walk.counter = random_.pick(counters);
  walk.sum = sumType(walk.left.base, walk.right.base);
  walk.stride = random_.pick(strides);
  walk.turns = random_.pick(turns);
  for (int& form : walk.forms) form = weighted({40, 30, 4, 4, 8, 6, 4, 4, 3});
  const bool counted = walk.forms[0] == 5 || walk.forms[1] == 5;  // the first column is the number of a row
  walk.columns[0] = matrixPlace(counted ? mostSide : 4096);
  walk.columns[1] = matrixPlace(mostSide);
  walk.row = matrixPlace(mostSide);
  walk.update = weighted({55, 12, 8, 6, 6, 6, 4, 4});
  return walk;
}

void Generator::matrixLoop(Node& block) {
  if (matrices_.empty() || flow_.weight > 2 || inFunction_) return assign(block);
  MatrixWalk walk = matrixWalk();
  const std::string t = walk.counter.name(), k = fresh("k"), sumName = walk.sum.name();
  const int sums = walk.forms[1] == 0 && random_.chance(30) ? random_.between(2, 4) : 1;
  std::string declarations, updates;
  std::vector<std::string> names;
  for (int i = 0; i < sums; ++i) {
    names.push_back(fresh("v"));
    declarations += sumName + " " + names.back() + " = " +
                    (walk.sum.isFloating() ? "0.25f" : std::to_string(random_.below(9))) + ";\n";
    updates += "  " + matrixUpdate(walk, names.back(), k) + "\n";
    walk.row = matrixPlace(mostSide);
    if (random_.chance(50)) walk.update = weighted({55, 12, 8, 6, 6, 6, 4, 4});
  }
  const std::string bound = "(" + t + ")" + walk.turns;
  const std::string up = "for (" + t + " " + k + " = 0; " + k + " < " + bound + "; ++" + k + ") {\n";
  const std::string down = "for (" + t + " " + k + " = " + bound + " - 1; " + k + " > 0; --" + k + ") {\n";
  const std::string pairs = "for (" + t + " " + k + " = 0; " + k + " + 1 < " + bound + "; " + k + " += 2) {\n";
  NodeRef node = statement(declarations);
  NodeRef decides = condition(1);
  NodeRef more = fuzz::block();
  {
    const Keep keep(flow_);
    ++flow_.depth;
    flow_.weight *= mostTurns;
    diverge();
    flow_.breakTo = flow_.continueTo = Exit::None;
    variables_.push_back({k, walk.counter, 0, true, false, Range{0, mostTurns}, false});
    if (random_.chance(8)) storeOutput(*more);
    variables_.pop_back();
  }
  switch (weighted({62, 6, 10, 8, 8, 6})) {
    case 1: node->pattern += down + updates + "}"; break;
    case 2: node->pattern += pairs + updates + "  " + matrixUpdate(walk, names[0], "(" + k + " + 1)") + "\n}"; break;
    case 3: node->pattern += up + "  if (" + k + " % 3 == 1) continue;\n" + updates + "}"; break;
    case 4: node->pattern += up + updates + "  if (" + names[0] + " > 3000) break;\n}"; break;
    case 5: node->pattern += up + "  if ($0) {\n" + updates + "  }\n}"; break;
    default: node->pattern += up + updates + "}"; break;
  }
  node->children = {decides, more};
  if (!more->children.empty()) node->pattern.insert(node->pattern.size() - 1, "  $1\n");
  node->simpler = {declarations + up + updates + "}"};
  block.children.push_back(node);
  for (const std::string& name : names) variables_.push_back({name, walk.sum, 0, false, true, std::nullopt, true});
}

/// Tiles of two matrices in local memory, as many columns of the left one as the work-group has, step by step.
void Generator::tiledMatrixLoop(Node& block) {
  const bool known = std::ranges::any_of(variables_, [](const Variable& v) { return v.pattern == "lx"; });
  if (matrices_.empty() || flow_.weight > 1 || !known) return matrixLoop(block);
  const Matrix left = random_.pick(matrices_), right = random_.pick(matrices_);
  const Type sum = sumType(left.base, right.base);
  const std::string a = fresh("tile"), b = fresh("tile"), i = fresh("i"), k = fresh("k"), result = fresh("v");
  const std::string elements = "[" + std::to_string(localItems_) + "];";
  addPrologue(a, "__local " + Type{left.base, 1}.name() + " " + a + elements);
  addPrologue(b, "__local " + Type{right.base, 1}.name() + " " + b + elements);
  const Launch& first = program_.launches.front();
  const auto sizeOf = [&](int d) {
    const bool same = !uneven_ && std::ranges::all_of(program_.launches, [&](const Launch& launch) {
      return launch.local[d] == first.local[d];
    });
    return same && random_.chance(70) ? std::to_string(first.local[d])
                                      : "(int)get_local_size(" + std::to_string(d) + ")";
  };
  const std::string width = sizeOf(0), height = sizeOf(1);
  constexpr const char* strides[] = {"16", "32", "48", "31"};
  const std::string n = random_.pick(strides), steps = std::to_string(random_.between(1, 8));
  const bool square = width == height;
  const std::string far = square ? k : "(" + k + " % " + height + ")", index = "(int)ly * " + width + " + (int)lx";
  const std::string deep = dimensions_ == 3 ? "(int)(lz * get_local_size(1) + ly) * " + width + " + (int)lx" : index;
  const std::string base = dimensions_ == 3 ? "(int)(lz * get_local_size(0) * get_local_size(1)) + " : "";
  block.children.push_back(statement(
      sum.name() + " " + result + " = 0;\nfor (int " + i + " = 0; " + i + " < " + steps + "; ++" + i + ") {\n  " + a +
      "[" + deep + "] = " + left.name + "[(int)gy * " + n + " + " + i + " * " + width + " + (int)lx];\n  " + b + "[" +
      deep + "] = " + right.name + "[(" + i + " * " + height + " + (int)ly) * " + n +
      " + (int)gx];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  for (int " + k + " = 0; " + k + " < " + width + "; ++" + k +
      ") " + result + " += " + a + "[" + base + "(int)ly * " + width + " + " + k + "] * " + b + "[" + base + far +
      " * " + width + " + (int)lx];\n  barrier(CLK_LOCAL_MEM_FENCE);\n}"));
  variables_.push_back({result, sum, 0, false, true, std::nullopt, true});
}

}  // namespace clarity::fuzz
