// SPDX-License-Identifier: Apache-2.0
// This file tries changes one after another, the large ones first, until none helps. All changes keep a program
// defined: expressions are replaced by others of their type and range, and blocks leave a statement only where nothing
// protects them.
#include "reducer.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace clarity::fuzz {
namespace {

class Reducer {
public:
  Reducer(Program program, const StillFails& stillFails, const Progress& progress, int seconds)
      : program_(std::move(program)),
        stillFails_(stillFails),
        progress_(progress),
        until_(Clock::now() + std::chrono::seconds(seconds)) {}

  Program run() {
    std::string before;
    while (before != describe() && !outOfTime()) {
      before = describe();
      reduceLaunches();
      visit(program_.body);
      for (Definition& definition : program_.definitions) visit(definition.node);
    }
    return program_;
  }

private:
  using Clock = std::chrono::steady_clock;

  bool outOfTime() const { return Clock::now() > until_; }

  std::string describe() const {
    std::string text = program_.text().source;
    for (const Launch& launch : program_.launches) text += "\n" + launch.describe();
    return text;
  }

  // Does the program as it is now fail? Texts that were tried before did not.
  bool helps() {
    if (outOfTime() || !tried_.insert(describe()).second) return false;
    ++tests_;
    const std::string source = program_.text().source;
    if (tests_ % 20 == 0) progress_(tests_, static_cast<std::size_t>(std::ranges::count(source, '\n')));
    return stillFails_(program_);
  }

  // Changes a value for good if the program still fails.
  template <class T>
  bool change(T& place, T changed) {
    std::swap(place, changed);
    if (helps()) return true;
    std::swap(place, changed);
    return false;
  }

  void reduceLaunches() {
    for (std::size_t i = program_.launches.size(); i-- > 0 && program_.launches.size() > 1;) {
      auto fewer = program_.launches;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      change(program_.launches, fewer);
    }
    for (int d = 0; d < 3; ++d) {
      auto simpler = program_.launches;
      simpler[0].global[d] = simpler[0].local[d];
      if (!change(program_.launches, simpler)) halveGroups(d);
      simpler = program_.launches;
      simpler[0].offset[d] = 0;
      change(program_.launches, simpler);
    }
    auto given = program_.launches;
    given[0].localGiven = true;
    change(program_.launches, given);
  }

  void halveGroups(int d) {
    for (;;) {
      auto simpler = program_.launches;
      const std::size_t groups = simpler[0].global[d] / simpler[0].local[d];
      simpler[0].global[d] = groups / 2 * simpler[0].local[d];
      if (groups < 2 || !change(program_.launches, simpler)) return;
    }
  }

  void visit(NodeRef& slot) {
    if (outOfTime()) return;
    switch (slot->kind) {
      case Node::Kind::Block: return visitBlock(*slot);
      case Node::Kind::Expression: simplify(slot); break;
      case Node::Kind::Statement:
        for (const std::string& pattern : slot->simpler)
          if (!catchesExits(*slot)) change(slot->pattern, pattern);
        break;
    }
    // Children that are no longer printed need no visit.
    for (std::size_t i = 0; i < slot->children.size(); ++i)
      if (slot->pattern.find("$" + std::to_string(i)) != std::string::npos) visit(slot->children[i]);
  }

  void visitBlock(Node& block) {
    for (std::size_t size = std::max<std::size_t>(block.children.size(), 1); size > 0; size /= 2)
      for (std::size_t at = 0; at < block.children.size();) {
        auto fewer = block.children;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at),
                    fewer.begin() + static_cast<std::ptrdiff_t>(std::min(at + size, fewer.size())));
        const bool needed = std::ranges::any_of(
            block.children.begin() + static_cast<std::ptrdiff_t>(at),
            block.children.begin() + static_cast<std::ptrdiff_t>(std::min(at + size, block.children.size())),
            [](const NodeRef& node) { return node->needed; });
        if (needed || !change(block.children, fewer)) at += size;
      }
    for (std::size_t i = 0; i < block.children.size(); ++i) {
      unwrap(block, i);
      if (i < block.children.size()) visit(block.children[i]);
    }
  }

  // The statements of a block below instead of the statement.
  void unwrap(Node& block, std::size_t i) {
    const NodeRef whole = block.children[i];
    if (!whole->blocksMayReplace || catchesExits(*whole)) return;
    for (const NodeRef& child : whole->children) {
      if (child->kind != Node::Kind::Block || child->children.empty()) continue;
      auto replaced = block.children;
      const auto place = replaced.erase(replaced.begin() + static_cast<std::ptrdiff_t>(i));
      replaced.insert(place, child->children.begin(), child->children.end());
      if (change(block.children, replaced)) return unwrap(block, i);
    }
  }

  // A break or continue inside would leave another loop if this one were gone; that loop may have barriers.
  static bool catchesExits(const Node& statement) {
    if (statement.pattern.starts_with("if ")) return false;
    return std::ranges::any_of(statement.children, [](const NodeRef& child) {
      const std::string text = child->kind == Node::Kind::Block ? print(*child, 0) : "";
      return mentions(text, "break") || mentions(text, "continue");
    });
  }

  void simplify(NodeRef& slot) {
    const Node node = *slot;
    const auto fits = [&](const Node& other) {
      return other.type == node.type && (!node.range || (other.range && node.range->contains(*other.range)));
    };
    if (node.children.empty() && node.pattern.size() <= 3) return;
    const std::int64_t low = node.range ? node.range->low : 0, high = node.range ? node.range->high : 1;
    for (const std::int64_t number : {low, std::min(low + 1, high), high}) {
      NodeRef simple = literal(node.type, number);
      simple->range = node.range;
      if (simple->pattern == node.pattern || change(slot, simple)) return;
    }
    for (const NodeRef& child : node.children)
      if (child->kind == Node::Kind::Expression && fits(*child) && change(slot, NodeRef(child))) return simplify(slot);
    for (const NodeRef& child : node.children)
      for (const NodeRef& grandchild : child->children)
        if (grandchild->kind == Node::Kind::Expression && fits(*grandchild) && change(slot, NodeRef(grandchild)))
          return simplify(slot);
  }

  Program program_;
  const StillFails& stillFails_;
  const Progress& progress_;
  Clock::time_point until_;
  std::set<std::string> tried_;
  std::size_t tests_ = 0;
};

}  // namespace

Program reduce(Program program, const StillFails& stillFails, const Progress& progress, int seconds) {
  return Reducer(std::move(program), stillFails, progress, seconds).run();
}

}  // namespace clarity::fuzz
