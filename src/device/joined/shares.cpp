// SPDX-License-Identifier: Apache-2.0
// This file learns speeds and divides work by them.
#include "device/joined/shares.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace clarity::device::joined {
namespace {

/// A new measurement counts so much.
constexpr double newest = 0.5;
/// A cut stays while no part has more than so much beyond its share.
constexpr double mostExcess = 0.05;

}  // namespace

bool ShareRule::parse(std::string_view text, std::size_t parts, ShareRule& rule) {
  if (text == "measured" || text == "random") {
    rule = {.kind = text == "random" ? Kind::Random : Kind::Measured};
    return true;
  }
  ShareRule fixed{.kind = Kind::Fixed};
  for (const char *at = text.data(), *const end = at + text.size();;) {
    unsigned weight = 0;
    const auto [next, error] = std::from_chars(at, end, weight);
    if (error != std::errc() || (next != end && *next != ':')) return false;
    fixed.weights.push_back(weight);
    if (next == end) break;
    at = next + 1;
  }
  if (fixed.weights.size() != parts || std::accumulate(fixed.weights.begin(), fixed.weights.end(), 0.0) <= 0)
    return false;
  rule = std::move(fixed);
  return true;
}

std::size_t Dice::below(std::size_t end) {
  const std::lock_guard lock(mutex_);
  return end ? random_() % end : 0;
}

void Speeds::learn(std::size_t part, double items, double nanoseconds) {
  if (items <= 0 || nanoseconds <= 0) return;
  const double measured = nanoseconds / items;
  const std::lock_guard lock(mutex_);
  double& known = perItem_[part];
  known = known > 0 ? known + newest * (measured - known) : measured;
}

bool Speeds::areKnown() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(perItem_, [](double each) { return each > 0; });
}

double Speeds::timeOf(std::size_t part, double items) const {
  const std::lock_guard lock(mutex_);
  if (perItem_[part] > 0) return items * perItem_[part];
  // As another part, by what is known of the two.
  for (std::size_t other = 0; other < perItem_.size(); ++other)
    if (perItem_[other] > 0) return items * perItem_[other] * weights_[other] / weights_[part];
  return 0;
}

std::size_t Speeds::fastest() const {
  const std::lock_guard lock(mutex_);
  const std::vector<double> all = shares();
  return static_cast<std::size_t>(std::ranges::max_element(all) - all.begin());
}

std::vector<double> Speeds::shares() const {
  std::vector<double> all = weights_;
  const auto known = std::ranges::find_if(perItem_, [](double each) { return each > 0; });
  if (known != perItem_.end()) {
    const double scale = 1 / (*known * weights_[static_cast<std::size_t>(known - perItem_.begin())]);
    for (std::size_t part = 0; part < all.size(); ++part)
      all[part] = perItem_[part] > 0 ? 1 / perItem_[part] : weights_[part] * scale;
  }
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  for (double& each : all) each /= sum;
  return all;
}

std::vector<std::size_t> Speeds::cut(std::size_t units, std::size_t dimension) {
  const std::lock_guard lock(mutex_);
  const std::vector<double> wanted = shares();
  const auto isGood = [&] {
    for (std::size_t part = 0; part < wanted.size(); ++part) {
      const double has = static_cast<double>(last_[part + 1] - last_[part]) / static_cast<double>(units);
      if (has > wanted[part] * (1 + mostExcess)) return false;
    }
    return true;
  };
  if (last_.size() == wanted.size() + 1 && last_.back() == units && lastDimension_ == dimension && isGood())
    return last_;
  last_.assign(1, 0);
  double sum = 0;
  for (const double each : wanted) {
    sum += each;
    last_.push_back(static_cast<std::size_t>(std::llround(sum * static_cast<double>(units))));
  }
  last_.back() = units;
  lastDimension_ = dimension;
  return last_;
}

bool Speeds::isWorth(double saved, double moving) {
  const std::lock_guard lock(mutex_);
  if (saved <= 0) return false;
  missed_ += saved;
  if (missed_ < moving) return false;
  missed_ = 0;
  return true;
}

}  // namespace clarity::device::joined
