// SPDX-License-Identifier: Apache-2.0
// This file has the rule about loops that every work-item runs with the same values: one of them could do so for all.
#include "kernel_code.h"
#include "pattern.h"
#include "profile_kernel_advice.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

bool isPartOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

constexpr double leastOfSame = 0.5;

bool hasItemId(std::string_view text) {
  constexpr std::string_view ids[] = {"get_global_id",       "get_local_id", "get_global_linear_id",
                                      "get_local_linear_id", "sub_group_",   "atom"};
  return std::ranges::any_of(ids, [&](std::string_view id) { return text.find(id) != text.npos; });
}

/// Functions of the program that ask for an id, or call one that does.
std::set<std::string> functionsOfItems(const KernelSource& source) {
  std::map<std::string, std::string> bodies;
  std::string word, name;
  int braces = 0, parentheses = 0;
  bool wasWord = false;
  for (unsigned line = 1; line <= source.lines(); ++line)
    for (const char c : source.code(line) + "\n") {
      if (braces > 0) bodies[name] += c;
      braces += (c == '{') - (c == '}');
      if (c == '(' && braces == 0 && parentheses == 0 && word != "__attribute__") name = word;
      parentheses += (c == '(') - (c == ')');
      if (isPartOfWord(c)) word = wasWord ? word + c : std::string(1, c);
      wasWord = isPartOfWord(c);
    }
  std::set<std::string> found;
  for (std::size_t before = ~std::size_t{0}; before != found.size();) {
    before = found.size();
    for (const auto& [function, body] : bodies)
      if (hasItemId(body) ||
          std::ranges::any_of(wordsOf(body), [&](const std::string& each) { return found.contains(each); }))
        found.insert(function);
  }
  return found;
}

/// Variables that differ between the work-items of a group, as far as the kernel's text tells: those that are made of
/// ids, of each other, or where ids decide.
class ItemValues {
public:
  explicit ItemValues(const KernelSource& source) : source_(source), names_(functionsOfItems(source)) {
    for (std::size_t before = ~std::size_t{0}; before != names_.size();) {
      before = names_.size();
      addStatements();
      addBranches();
    }
  }

  bool areIn(std::string_view text, unsigned macros = 8) const {
    if (hasItemId(text)) return true;
    return std::ranges::any_of(wordsOf(text), [&](const std::string& word) {
      if (names_.contains(word)) return true;
      const std::string body = macros == 0 ? std::string() : source_.macro(word);
      return !body.empty() && areIn(body, macros - 1);
    });
  }

private:
  static void addChanged(std::string_view text, std::set<std::string>& names) {
    static const Pattern change(
        R"(([A-Za-z_]\w*)\s*(?:(?:\.|->)\s*\w+|\[[^=;]*\])*\s*(?:[-+*/%|&^]|<<|>>)?=[^=]|([A-Za-z_]\w*)\s*(?:\+\+|--)|)"
        R"((?:\+\+|--|&)\s*([A-Za-z_]\w*))");
    for (const PatternMatch& each : change.all(text))
      for (const std::size_t group : {1, 2, 3})
        if (each.has(group)) names.insert(each[group]);
  }

  void addStatements() {
    const std::string_view body = source_.body();
    for (std::size_t begin = 0; begin < body.size();) {
      const std::size_t end = std::min(body.find_first_of(";{}", begin), body.size());
      const std::string_view statement = body.substr(begin, end - begin);
      if (areIn(statement)) addChanged(statement, names_);
      begin = end + 1;
    }
  }

  void addBranches() {
    for (const SourceBlock& block : source_.blocks())
      if (block.first >= source_.first() && block.last <= source_.last() && areIn(block.head))
        addChanged(block.text, names_);
  }

  const KernelSource& source_;
  std::set<std::string> names_;
};

bool accessesAreUniform(const KernelFacts& facts, const SourceBlock& loop) {
  bool isRead = false;
  for (const KernelRemark& remark : facts.code.remarks) {
    if (!loop.contains(remark.line)) continue;
    if (remark.kind == "atomic" || remark.kind == "branch") return false;
    if (remark.kind != "access") continue;
    if (!remark.says("uniform")) return false;
    isRead |= remark.message.starts_with("load");
  }
  return isRead;
}

/// The function that a loop outside of the kernel stands in, as samples name it; empty: it is not known.
std::string functionOf(const KernelFacts& facts, const SourceBlock& loop) {
  const auto found = std::ranges::find_if(facts.process.lines, [&](const ProfiledLine& line) {
    return line.kernel == facts.code.kernel && line.file == facts.file && loop.contains(line.line);
  });
  return found == facts.process.lines.end() ? std::string() : found->function;
}

/// Whether the kernel calls a function with arguments that are the same for all work-items, wherever it calls it.
bool isCalledAlike(const KernelFacts& facts, const ItemValues& values, const std::string& function) {
  if (function.empty() || function == facts.code.kernel) return false;
  const std::string& body = facts.source.body();
  bool isCalled = false;
  for (std::size_t at = body.find(function + "("); at != body.npos; at = body.find(function + "(", at + 1)) {
    const std::size_t open = at + function.size();
    std::size_t close = open;
    for (int depth = 0; close < body.size(); ++close) {
      depth += (body[close] == '(') - (body[close] == ')');
      if (depth == 0) break;
    }
    if (values.areIn(std::string_view(body).substr(open, close - open))) return false;
    isCalled = true;
  }
  return isCalled;
}

}  // namespace

void adviseOnSameWork(const KernelFacts& facts, std::vector<Advice>& found) {
  if (facts.launch.workItems() < 2) return;
  const ItemValues values(facts.source);
  for (const SourceBlock& loop : facts.source.blocks()) {
    if (loop.kind != SourceBlock::Kind::Loop) continue;
    const bool isOwn = loop.first >= facts.source.first() && loop.last <= facts.source.last();
    if (!isOwn && !isCalledAlike(facts, values, functionOf(facts, loop))) continue;
    if (facts.certain(facts.share(loop)) < leastOfSame || values.areIn(loop.text)) continue;
    if (loop.text.find("barrier") != loop.text.npos || !accessesAreUniform(facts, loop)) continue;
    const bool isInside = std::ranges::any_of(facts.source.blocks(), [&](const SourceBlock& other) {
      return other.kind == SourceBlock::Kind::Loop && other.contains(loop) && !values.areIn(other.text);
    });
    // A branch that few work-items take: what they do is not done by all.
    const SourceBlock* const branch = facts.source.branchOf(loop.first);
    if (isInside || (branch && branch->contains(loop) && values.areIn(branch->head))) continue;
    found.push_back(facts.advice(
        fmt::format("All work-items compute the same in a loop: {}", clipped(loop.head)), loop.first,
        fmt::format("{} of the kernel's samples are in lines {} to {}, where nothing depends on the work-item's id",
                    percent(facts.share(loop)), loop.first, loop.last),
        "Compute it once, in a small kernel ahead or on the host, and pass the result; or let each work-item of a "
        "group do a part of the loop, and join the parts (work_group_reduce_add).",
        facts.share(loop), 0.8));
  }
}

}  // namespace clarity::tools
