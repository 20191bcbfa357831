// SPDX-License-Identifier: Apache-2.0
// This file reads patterns.
#include "pattern.h"

#include <cctype>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

bool isInWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// A part of a pattern.
struct Node {
  enum class Kind { Characters, Sequence, Choice, Repetition, Group, Begin, End, WordEdge, Unless } kind;
  std::bitset<256> characters{};
  std::vector<Node> parts{};
  std::size_t least = 0, most = 0;  ///< Repetition
  bool isShort = false;             ///< Repetition: as few as will do
  std::size_t group = 0;            ///< Group
};

}  // namespace

/// Reads a pattern, and makes steps of it.
class PatternReader {
public:
  PatternReader(std::string_view pattern, std::vector<Pattern::Step>& steps) : pattern_(pattern), steps_(steps) {}

  void run() {
    const Node whole{.kind = Node::Kind::Group, .parts = {choice()}, .group = 0};
    if (at_ != pattern_.size()) fail("a bracket that closes none");
    add(whole);
    steps_.push_back({});
  }

private:
  using Step = Pattern::Step;

  [[noreturn]] void fail(const char* what) const {
    throw std::invalid_argument(fmt::format("pattern '{}': {} at {}", pattern_, what, at_));
  }
  bool isAt(std::string_view text) const { return pattern_.substr(at_, text.size()) == text; }
  bool take(std::string_view text) {
    const bool is = isAt(text);
    if (is) at_ += text.size();
    return is;
  }
  char next() {
    if (at_ == pattern_.size()) fail("the end");
    return pattern_[at_++];
  }

  Node choice() {
    Node result{.kind = Node::Kind::Choice, .parts = {sequence()}};
    while (take("|")) result.parts.push_back(sequence());
    return result.parts.size() == 1 ? Node(result.parts[0]) : result;
  }

  Node sequence() {
    Node result{.kind = Node::Kind::Sequence};
    while (at_ < pattern_.size() && pattern_[at_] != '|' && pattern_[at_] != ')') result.parts.push_back(repetition());
    return result;
  }

  Node repetition() {
    Node part = atom();
    while (at_ < pattern_.size()) {
      std::size_t least = 0, most = unlimited;
      if (take("+")) {
        least = 1;
      } else if (take("?")) {
        most = 1;
      } else if (take("{")) {
        least = number();
        most = take(",") ? number() : least;
        if (!take("}") || most < least) fail("a number of repetitions");
      } else if (!take("*")) {
        break;
      }
      part = Node{.kind = Node::Kind::Repetition,
                  .parts = {std::move(part)},
                  .least = least,
                  .most = most,
                  .isShort = take("?")};
    }
    return part;
  }

  std::size_t number() {
    std::size_t value = 0;
    const std::size_t begin = at_;
    while (at_ < pattern_.size() && std::isdigit(static_cast<unsigned char>(pattern_[at_])) && value < 1000)
      value = 10 * value + static_cast<std::size_t>(pattern_[at_++] - '0');
    if (at_ == begin) fail("no number");
    return value;
  }

  Node atom() {
    if (take("(?:")) return closed(choice());
    if (take("(?!")) return {.kind = Node::Kind::Unless, .parts = {closed(choice())}};
    if (take("(")) {
      const std::size_t group = ++groups_;
      if (group >= PatternMatch::mostGroups) fail("too many groups");
      return {.kind = Node::Kind::Group, .parts = {closed(choice())}, .group = group};
    }
    if (take("^")) return {.kind = Node::Kind::Begin};
    if (take("$")) return {.kind = Node::Kind::End};
    if (take("\\b")) return {.kind = Node::Kind::WordEdge};
    Node result{.kind = Node::Kind::Characters};
    if (take("[")) {
      result.characters = bracket();
    } else if (take(".")) {
      result.characters.set().reset('\n').reset('\r');
    } else if (isAt("*") || isAt("+") || isAt("?") || isAt("{")) {
      fail("nothing to repeat");
    } else {
      result.characters = character();
    }
    return result;
  }

  Node closed(Node inner) {
    if (!take(")")) fail("no closing bracket");
    return inner;
  }

  static std::bitset<256> one(char c) { return std::bitset<256>().set(static_cast<unsigned char>(c)); }

  /// One character, or what a backslash stands for.
  std::bitset<256> character() {
    const char c = next();
    if (c != '\\') return one(c);
    const char escaped = next();
    std::bitset<256> result;
    for (std::size_t i = 0; i < 128; ++i) {
      const char each = static_cast<char>(i);
      if (escaped == 'w' ? isInWord(each)
                         : (escaped == 'd' || escaped == 's') &&
                               (escaped == 'd' ? std::isdigit(static_cast<int>(i)) : std::isspace(static_cast<int>(i))))
        result.set(i);
    }
    if (result.any()) return result;
    if (escaped == 'n') return one('\n');
    if (escaped == 't') return one('\t');
    if (isInWord(escaped)) fail("an unknown backslash");
    return one(escaped);
  }

  std::bitset<256> bracket() {
    const bool isOthers = take("^");
    std::bitset<256> result;
    for (bool isFirst = true; isFirst || !isAt("]"); isFirst = false) {
      const char begin = at_ < pattern_.size() ? pattern_[at_] : '\0';
      const std::bitset<256> its = character();
      result |= its;
      const bool isRange = its.count() == 1 && isAt("-") && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']';
      if (!isRange) continue;
      ++at_;
      const char end = next();
      for (int c = static_cast<unsigned char>(begin); c <= static_cast<unsigned char>(end); ++c)
        result.set(static_cast<std::size_t>(c));
    }
    ++at_;
    return isOthers ? ~result : result;
  }

  void add(const Node& node) {
    using enum Node::Kind;
    switch (node.kind) {
      case Characters: steps_.push_back({.kind = Step::Kind::Characters, .characters = node.characters}); break;
      case Sequence:
        for (const Node& part : node.parts) add(part);
        break;
      case Choice: addChoice(node); break;
      case Repetition: addRepetition(node); break;
      case Group:
        steps_.push_back({.kind = Step::Kind::Bound, .to = 2 * node.group});
        add(node.parts[0]);
        steps_.push_back({.kind = Step::Kind::Bound, .to = 2 * node.group + 1});
        break;
      case Begin: steps_.push_back({.kind = Step::Kind::Begin}); break;
      case End: steps_.push_back({.kind = Step::Kind::End}); break;
      case WordEdge: steps_.push_back({.kind = Step::Kind::WordEdge}); break;
      case Unless: {
        const std::size_t unless = steps_.size();
        steps_.push_back({.kind = Step::Kind::Unless});
        add(node.parts[0]);
        steps_.push_back({});
        steps_[unless].to = steps_.size();
        break;
      }
    }
  }

  std::size_t addFork() {
    steps_.push_back({.kind = Step::Kind::Fork, .to = steps_.size() + 1});
    return steps_.size() - 1;
  }

  void addChoice(const Node& node) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const bool isLast = i + 1 == node.parts.size();
      const std::size_t fork = isLast ? 0 : addFork();
      add(node.parts[i]);
      if (isLast) break;
      ends.push_back(steps_.size());
      steps_.push_back({.kind = Step::Kind::Jump});
      steps_[fork].other = steps_.size();
    }
    for (const std::size_t end : ends) steps_[end].to = steps_.size();
  }

  void addRepetition(const Node& node) {
    for (std::size_t i = 0; i < node.least; ++i) add(node.parts[0]);
    if (node.most == unlimited) {
      const std::size_t fork = addFork();
      add(node.parts[0]);
      steps_.push_back({.kind = Step::Kind::Jump, .to = fork});
      leave(fork, node);
      return;
    }
    std::vector<std::size_t> forks;
    for (std::size_t i = node.least; i < node.most; ++i) {
      forks.push_back(addFork());
      add(node.parts[0]);
    }
    for (const std::size_t fork : forks) leave(fork, node);
  }

  /// The other way of a fork goes on behind a repetition.
  void leave(std::size_t fork, const Node& repetition) {
    Step& step = steps_[fork];
    step.other = steps_.size();
    if (repetition.isShort) std::swap(step.to, step.other);
  }

  const std::string_view pattern_;
  std::vector<Step>& steps_;
  std::size_t at_ = 0, groups_ = 0;
};

std::vector<Pattern::Step> Pattern::stepsOf(std::string_view pattern) {
  std::vector<Step> steps;
  PatternReader(pattern, steps).run();
  return steps;
}

}  // namespace clarity::tools
