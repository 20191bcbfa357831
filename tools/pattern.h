// SPDX-License-Identifier: Apache-2.0
// This file declares the patterns that the tool looks for in sources of users, which may be long in every way:
// std::regex needs stack for each character that a repetition takes, and time that grows with the square of a line's
// length.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::tools {

/// A place of a text that a pattern describes, and its groups. The text must outlive it.
class PatternMatch {
public:
  static constexpr std::size_t mostGroups = 5;  ///< the whole is group 0

  bool has(std::size_t group) const { return bounds_[2 * group + 1] != std::string_view::npos; }
  std::size_t begin(std::size_t group = 0) const { return bounds_[2 * group]; }
  std::size_t end(std::size_t group = 0) const { return bounds_[2 * group + 1]; }
  /// Empty if the group took no part.
  std::string operator[](std::size_t group) const {
    return has(group) ? std::string(text_.substr(begin(group), end(group) - begin(group))) : std::string();
  }

private:
  friend class Pattern;
  friend class PatternRun;
  using Bounds = std::array<std::size_t, 2 * mostGroups>;
  PatternMatch(std::string_view text, const Bounds& bounds) : text_(text), bounds_(bounds) {}
  std::string_view text_;
  Bounds bounds_;
};

/// A regular expression in the syntax of ECMAScript: characters, classes with \d, \s and \w, ^, $, \b, groups (?:...)
/// and (...), (?!...), alternatives, and the repetitions * + ? {n} {n,m}, also short ones (*?). It finds the places
/// that std::regex would find, in time proportional to the length of the text, and without recursion on it.
class Pattern {
public:
  /// Throws std::invalid_argument where the pattern is wrong.
  explicit Pattern(std::string_view pattern);

  /// The first place at or behind `from`.
  std::optional<PatternMatch> search(std::string_view text, std::size_t from = 0) const;
  /// All of a text.
  std::optional<PatternMatch> match(std::string_view text) const;
  /// All places that do not overlap.
  std::vector<PatternMatch> all(std::string_view text) const;
  bool isIn(std::string_view text) const { return search(text).has_value(); }

  /// A pattern for a text as it stands.
  static std::string literally(std::string_view text);

private:
  friend class PatternReader;
  friend class PatternRun;
  using Characters = std::bitset<256>;
  struct Step {
    enum class Kind { Characters, Fork, Jump, Bound, Begin, End, WordEdge, Unless, Accept } kind = Kind::Accept;
    std::size_t to = 0;     ///< Fork: preferred; Jump; Bound: its number; Unless: where the pattern goes on
    std::size_t other = 0;  ///< Fork
    Characters characters{};
  };

  static std::vector<Step> stepsOf(std::string_view pattern);
  std::optional<PatternMatch> run(std::string_view text, std::size_t from, bool isWhole) const;
  std::vector<Step> steps_;
  Characters first_;             ///< that a place can begin with
  bool canBeginAnyhow_ = false;  ///< without a character
};

}  // namespace clarity::tools
