// SPDX-License-Identifier: Apache-2.0
// This file finds patterns by following all ways through them at once, character by character.
#include "pattern.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace clarity::tools {
namespace {

bool isOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

/// The ways through a pattern at one place of a text, those that are preferred first.
class PatternRun {
public:
  using Step = Pattern::Step;
  using Bounds = PatternMatch::Bounds;

  PatternRun(const std::vector<Step>& steps, std::string_view text) : steps_(steps), text_(text) {}

  /// From a step, at a place of the text or, unless `isHere`, at any one behind it. `mayBegin`: with a character.
  template <class MayBegin>
  std::optional<Bounds> find(std::size_t step, std::size_t at, bool isHere, bool isWhole, const MayBegin& mayBegin) {
    std::optional<Bounds> found;
    Ways now(steps_.size()), next(steps_.size());
    for (std::size_t first = at; at <= text_.size(); ++at) {
      if (now.list.empty() && (found || (isHere && at != first))) break;
      if (now.list.empty() && !isHere)
        while (at < text_.size() && !mayBegin(text_[at])) ++at;
      if (!found && (!isHere || at == first)) {
        Bounds none;
        none.fill(std::string_view::npos);
        add(now, step, at, none);
      }
      for (const Way& way : now.list) {
        const Step& its = steps_[way.step];
        if (its.kind == Step::Kind::Accept) {
          if (isWhole && at != text_.size()) continue;
          found = way.bounds;
          break;  // the ways behind it are not preferred
        }
        if (at < text_.size() && its.characters[static_cast<unsigned char>(text_[at])])
          add(next, way.step + 1, at + 1, way.bounds);
      }
      std::swap(now, next);
      next.clear();
    }
    return found;
  }

private:
  struct Way {
    std::size_t step;
    Bounds bounds;
  };
  struct Ways {
    explicit Ways(std::size_t steps) : seen(steps) {}
    void clear() {
      ++generation;
      list.clear();
    }
    std::vector<Way> list;
    std::vector<std::size_t> seen;  ///< the generation in which each step was added
    std::size_t generation = 1;
  };

  bool isWordAt(std::size_t at) const { return at < text_.size() && isOfWord(text_[at]); }

  /// Adds the steps that look at a character, or accept, from this one on.
  void add(Ways& ways, std::size_t step, std::size_t at, const Bounds& bounds) {
    open_.push_back({step, bounds});
    while (!open_.empty()) {
      Way way = open_.back();
      open_.pop_back();
      while (advance(ways, way, at)) {
      }
    }
  }

  /// Takes one step that needs no character. False: the way ends, or is in the list.
  bool advance(Ways& ways, Way& way, std::size_t at) {
    if (std::exchange(ways.seen[way.step], ways.generation) == ways.generation) return false;
    const Step& its = steps_[way.step];
    const std::size_t next = way.step + 1;
    using enum Step::Kind;
    switch (its.kind) {
      case Characters:
      case Accept: ways.list.push_back(way); return false;
      case Fork:
        open_.push_back({its.other, way.bounds});
        way.step = its.to;
        return true;
      case Jump: way.step = its.to; return true;
      case Bound: way.bounds[its.to] = at; break;
      case Begin:
        if (at != 0) return false;
        break;
      case End:
        if (at != text_.size()) return false;
        break;
      case WordEdge:
        if ((at > 0 && isWordAt(at - 1)) == isWordAt(at)) return false;
        break;
      case Unless: {
        const auto any = [](char) { return true; };
        if (PatternRun(steps_, text_).find(next, at, true, false, any)) return false;
        way.step = its.to;
        return true;
      }
    }
    way.step = next;
    return true;
  }

  const std::vector<Step>& steps_;
  const std::string_view text_;
  std::vector<Way> open_;  ///< used by add()
};

Pattern::Pattern(std::string_view pattern) : steps_(stepsOf(pattern)) {
  // The characters that can stand first: conditions are taken to hold.
  std::vector<bool> isThere(steps_.size());
  for (std::vector<std::size_t> open{0}; !open.empty();) {
    const std::size_t at = open.back();
    open.pop_back();
    if (isThere[at]) continue;
    isThere[at] = true;
    const Step& step = steps_[at];
    using enum Step::Kind;
    if (step.kind == Characters)
      first_ |= step.characters;
    else if (step.kind == Accept)
      canBeginAnyhow_ = true;
    else
      open.push_back(step.kind == Fork || step.kind == Jump || step.kind == Unless ? step.to : at + 1);
    if (step.kind == Fork) open.push_back(step.other);
  }
}

std::optional<PatternMatch> Pattern::run(std::string_view text, std::size_t from, bool isWhole) const {
  const auto mayBegin = [&](char c) { return canBeginAnyhow_ || first_[static_cast<unsigned char>(c)]; };
  const auto bounds = PatternRun(steps_, text).find(0, from, isWhole, isWhole, mayBegin);
  return bounds ? std::optional(PatternMatch(text, *bounds)) : std::nullopt;
}

std::optional<PatternMatch> Pattern::search(std::string_view text, std::size_t from) const {
  return run(text, from, false);
}

std::optional<PatternMatch> Pattern::match(std::string_view text) const { return run(text, 0, true); }

std::vector<PatternMatch> Pattern::all(std::string_view text) const {
  std::vector<PatternMatch> found;
  for (std::size_t from = 0; from <= text.size();) {
    const std::optional<PatternMatch> each = search(text, from);
    if (!each) break;
    found.push_back(*each);
    from = std::max(each->end(), each->begin() + 1);
  }
  return found;
}

std::string Pattern::literally(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (!isOfWord(c)) result += '\\';
    result += c;
  }
  return result;
}

}  // namespace clarity::tools
