// SPDX-License-Identifier: Apache-2.0
// This file compares words by their Levenshtein distance.
#include "support/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace clarity::support {
namespace {

/// The least number of letters to change, add or remove.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t longestWord = 200;  // the time is the product of the lengths
  if (word.size() > longestWord) return {};
  std::string_view best;
  // At most two edits, more in long words, and fewer edits than the word has letters.
  std::size_t bestDistance = std::min(std::max<std::size_t>(2, word.size() / 3) + 1, word.size());
  for (const std::string& candidate : known) {
    if (candidate.size() > word.size() + bestDistance) continue;
    const std::size_t edits = distance(word, candidate);
    if (edits >= bestDistance) continue;
    bestDistance = edits;
    best = candidate;
  }
  return std::string(best);
}

std::string didYouMean(std::string_view word, std::span<const std::string> known) {
  const std::string near = nearest(word, known);
  return near.empty() ? std::string() : " (did you mean '" + near + "'?)";
}

}  // namespace clarity::support
