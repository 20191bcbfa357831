// SPDX-License-Identifier: Apache-2.0
// This file holds the syntax tree of a random kernel. A node is a pattern of source text with places for its children,
// "$0" to "$9", so a new construct is a new pattern; the printer adds indentation. Nodes carry what a reducer must know
// to change them without making behaviour undefined: expressions have a type and the range that their value stays in.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "types.h"

namespace clarity::fuzz {

struct Range {
  std::int64_t low = 0, high = 0;
  bool contains(const Range& other) const { return low <= other.low && other.high <= high; }
};

struct Node;
using NodeRef = std::shared_ptr<Node>;

struct Node {
  enum class Kind : std::uint8_t { Expression, Statement, Block };

  Kind kind = Kind::Expression;
  Type type;                   ///< an expression's type
  std::optional<Range> range;  ///< the range of an expression: its value is inside, and others rely on that
  std::string pattern;         ///< the pattern of an expression or statement
  std::vector<NodeRef> children;
  /// May a block below this statement take the statement's place? Not where a barrier beside the block protects it.
  bool blocksMayReplace = false;
  /// A statement that must stay: the program would not be defined without it.
  bool needed = false;
  /// Other patterns for the same children that are simpler and as safe.
  std::vector<std::string> simpler;
};

NodeRef expression(Type type, std::string pattern, std::initializer_list<NodeRef> children = {});
NodeRef rangedExpression(Type type, Range range, std::string pattern, std::initializer_list<NodeRef> children = {});
NodeRef statement(std::string pattern, std::initializer_list<NodeRef> children = {});
NodeRef block();

/// The source of a node; lines after the first are indented by the given number of levels.
std::string print(const Node& node, int indent);

/// A literal of the type: the text of an integer value, which suits floating types too.
std::string literalText(Type type, std::int64_t value);
NodeRef literal(Type type, std::int64_t value);

/// Whether the text has the name as a word of its own.
bool mentions(const std::string& text, const std::string& name);

}  // namespace clarity::fuzz
