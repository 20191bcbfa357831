// SPDX-License-Identifier: Apache-2.0
// This file prints programs.
#include "program.h"

#include <algorithm>
#include <ranges>

namespace clarity::fuzz {
namespace {

// The texts of the definitions that are needed by what follows them, in order.
std::vector<std::string> neededDefinitions(const std::vector<Definition>& definitions, std::string following,
                                           int indent) {
  std::vector<std::string> needed;
  for (const Definition& definition : definitions | std::views::reverse) {
    if (!mentions(following, definition.name)) continue;
    needed.push_back(print(*definition.node, indent));
    following += needed.back();
  }
  std::ranges::reverse(needed);
  return needed;
}

std::string sizes(const std::array<std::size_t, 3>& values, unsigned dimensions) {
  std::string text = std::to_string(values[0]);
  for (unsigned d = 1; d < dimensions; ++d) text += "x" + std::to_string(values[d]);
  return text;
}

}  // namespace

std::string Launch::describe() const {
  return "global " + sizes(global, dimensions) + ", local " + (localGiven ? sizes(local, dimensions) : "NULL") +
         ", offset " + sizes(offset, dimensions);
}

Program::Text Program::text() const {
  Text text;
  const std::string statements = print(*body, 0);
  std::string kernel = "{\n";
  for (const std::string& line : neededDefinitions(prologue, statements, 1)) kernel += "  " + line + "\n";
  kernel += statements.substr(statements == "{}" ? 1 : 2) + "\n";

  std::string signature;
  for (const Parameter& parameter : parameters) {
    if (!mentions(kernel, parameter.name)) continue;
    text.parameters.push_back(parameter);
    signature += (signature.empty() ? "" : ",\n    ") + parameter.declaration;
  }
  kernel = "void " + std::string(kKernelName) + "(" + (signature.empty() ? "void" : signature) + ") " + kernel;
  for (const std::string& definition : neededDefinitions(definitions, kernel, 0)) text.source += definition + "\n\n";
  const bool sized = subGroupSize > 0 && (text.source + kernel).find("sub_group") != std::string::npos;
  if (sized) text.source += "__attribute__((intel_reqd_sub_group_size(" + std::to_string(subGroupSize) + ")))\n";
  text.source += "__kernel " + kernel;
  return text;
}

}  // namespace clarity::fuzz
