// SPDX-License-Identifier: Apache-2.0
// This file makes nodes and prints them.
#include "syntax_tree.h"

#include <cctype>
#include <limits>
#include <utility>

namespace clarity::fuzz {
namespace {

NodeRef make(Node::Kind kind, std::string pattern, std::initializer_list<NodeRef> children) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->pattern = std::move(pattern);
  node->children = children;
  return node;
}

std::string indentation(int indent) { return std::string(static_cast<std::size_t>(2 * indent), ' '); }

// "(a + b)" without its parentheses where something else already encloses it.
std::string withoutOuterParentheses(const std::string& text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

// Is the place enclosed on both sides, so that its expression needs no parentheses of its own?
bool isEnclosed(const std::string& pattern, std::size_t dollar) {
  const std::string before = pattern.substr(0, dollar);
  const char after = dollar + 2 < pattern.size() ? pattern[dollar + 2] : '\0';
  const bool opened = before.ends_with('(') || before.ends_with(", ") || before.ends_with('[') ||
                      before.ends_with(" = ") || before.ends_with("return ") || before.ends_with("; ");
  return opened && (after == ')' || after == ',' || after == ']' || after == ';');
}

std::string printChild(const Node& node, std::size_t dollar, int indent) {
  const Node& child = *node.children[static_cast<std::size_t>(node.pattern[dollar + 1] - '0')];
  const std::string text = print(child, indent);
  return child.kind == Node::Kind::Expression && isEnclosed(node.pattern, dollar) ? withoutOuterParentheses(text)
                                                                                  : text;
}

// How deep the pattern's own braces and leading spaces put the current line.
int lineDepth(const std::string& pattern, std::size_t position) {
  const std::size_t start = pattern.rfind('\n', position) + 1;
  std::size_t spaces = 0;
  while (start + spaces < pattern.size() && pattern[start + spaces] == ' ') ++spaces;
  return static_cast<int>(spaces / 2);
}

std::string printPattern(const Node& node, int indent) {
  std::string text;
  const std::string& pattern = node.pattern;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '$' && i + 1 < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[i + 1]))) {
      text += printChild(node, i, indent + lineDepth(pattern, i));
      ++i;
    } else {
      text += pattern[i];
      if (pattern[i] == '\n') text += indentation(indent);
    }
  }
  return text;
}

}  // namespace

NodeRef expression(Type type, std::string pattern, std::initializer_list<NodeRef> children) {
  NodeRef node = make(Node::Kind::Expression, std::move(pattern), children);
  node->type = type;
  return node;
}

NodeRef rangedExpression(Type type, Range range, std::string pattern, std::initializer_list<NodeRef> children) {
  NodeRef node = expression(type, std::move(pattern), children);
  node->range = range;
  return node;
}

NodeRef statement(std::string pattern, std::initializer_list<NodeRef> children) {
  return make(Node::Kind::Statement, std::move(pattern), children);
}

NodeRef block() { return make(Node::Kind::Block, "", {}); }

std::string print(const Node& node, int indent) {
  if (node.kind != Node::Kind::Block) return printPattern(node, indent);
  if (node.children.empty()) return "{}";
  std::string text = "{\n";
  for (const NodeRef& child : node.children) text += indentation(indent + 1) + print(*child, indent + 1) + "\n";
  return text + indentation(indent) + "}";
}

std::string literalText(Type type, std::int64_t value) {
  std::string digits;
  if (type.isFloating()) {
    digits = std::to_string(value) + (type.base == Base::Float ? ".0f" : type.base == Base::Half ? ".0h" : ".0");
  } else if (!type.isSigned()) {
    digits = std::to_string(static_cast<std::uint64_t>(value)) + (type.base == Base::ULong ? "ul" : "u");
  } else if (value == std::numeric_limits<std::int64_t>::min()) {
    digits = "(-9223372036854775807l - 1l)";
  } else if (value == std::numeric_limits<std::int32_t>::min() && type.base == Base::Int) {
    digits = "(-2147483647 - 1)";
  } else {
    digits = std::to_string(value) + (type.base == Base::Long ? "l" : "");
  }
  if (type.isVector() || type.isPromoted()) return "(" + type.name() + ")(" + digits + ")";
  return digits[0] == '-' ? "(" + digits + ")" : digits;
}

NodeRef literal(Type type, std::int64_t value) {
  NodeRef node = expression(type, literalText(type, value));
  if (type.isInteger() && !type.isVector()) node->range = Range{value, value};
  return node;
}

bool mentions(const std::string& text, const std::string& name) {
  const auto isPart = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    if ((at == 0 || !isPart(at - 1)) && !isPart(at + name.size())) return true;
  return false;
}

}  // namespace clarity::fuzz
