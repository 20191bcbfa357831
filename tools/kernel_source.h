// SPDX-License-Identifier: Apache-2.0
// This file declares how the tool reads the source of kernels: comments aside, where loops and branches begin and end,
// and what a kernel is given. It knows statements, not types or macros.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::tools {

/// A statement with a body. Lines count from 1.
struct SourceBlock {
  enum class Kind { Loop, Branch, Switch };
  Kind kind = Kind::Loop;
  unsigned first = 0, last = 0;
  unsigned otherwise = 0;  ///< the line in which the other side of a branch begins; 0: it has none
  std::string head;        ///< the text in its parentheses
  std::string text;        ///< all of it
  bool contains(unsigned line) const { return line >= first && line <= last; }
  bool contains(const SourceBlock& other) const { return this != &other && first <= other.first && last >= other.last; }
};

/// An array that a kernel declares in private or local memory.
struct SourceArray {
  std::string name, type;
  unsigned line = 0;
  bool isLocal = false;
};

class KernelSource {
public:
  /// Its lines have the numbers that `#line` gives them.
  KernelSource(std::string_view source, const std::string& kernel);

  bool isKnown() const { return first_ != 0; }
  unsigned first() const { return first_; }
  unsigned last() const { return last_; }
  const std::string& parameters() const { return parameters_; }
  /// The kernel from its name to its end.
  const std::string& body() const { return body_; }
  unsigned lines() const { return static_cast<unsigned>(code_.size()); }
  /// A line as it stands, without the space around it; and without comments and texts.
  const std::string& shown(unsigned line) const;
  const std::string& code(unsigned line) const;
  /// A line as it stands, with the space at its beginning.
  std::string indented(unsigned line) const;

  const std::vector<SourceBlock>& blocks() const { return blocks_; }
  const std::vector<SourceArray>& arrays() const { return arrays_; }
  /// The innermost loop that a line is in; null: none.
  const SourceBlock* loopOf(unsigned line) const;
  /// The same of branches.
  const SourceBlock* branchOf(unsigned line) const;
  /// The block of a kind that begins in a line, or in the next one; null: none.
  const SourceBlock* blockAt(unsigned line, SourceBlock::Kind kind) const;
  /// The text that a macro of the source stands for; empty: there is none of this name.
  std::string macro(const std::string& name) const;
  /// The type that `typedef` gives a name; empty: none.
  std::string namedType(const std::string& name) const;
  /// The line that gives a variable of the kernel its first value, without comments; empty: there is none.
  std::string definitionOf(const std::string& variable) const;
  /// The variables that are made of calls of a function, such as get_group_id.
  std::vector<std::string> variablesOf(std::string_view function) const;

private:
  const SourceBlock* innermost(unsigned line, SourceBlock::Kind kind) const;
  void findKernel(const std::string& clean, const std::string& kernel);
  void findArrays();
  std::vector<std::string> shown_, code_;
  std::vector<std::size_t> indents_;  ///< columns, where a tab is two
  std::vector<SourceBlock> blocks_;
  std::vector<SourceArray> arrays_;
  std::string parameters_, body_;
  unsigned first_ = 0, last_ = 0;
};

/// Without the characters that end them.
std::vector<std::string_view> linesOf(std::string_view text);
/// Whether a text has a word, as an identifier.
bool hasWord(std::string_view text, std::string_view word);
/// The identifiers of a text, in their order.
std::vector<std::string> wordsOf(std::string_view text);

}  // namespace clarity::tools
