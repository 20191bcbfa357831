// SPDX-License-Identifier: Apache-2.0
// This file is how much of a kernel's launches each part of a joined device executes: shares follow measured speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::device::joined {

/// The rule by which shares are chosen (CLARITY_JOINED).
struct ShareRule {
  enum class Kind : std::uint8_t {
    Measured,
    Fixed,   ///< by `weights`
    Random,  ///< for tests: another division for each launch, some launches whole
  };
  Kind kind = Kind::Measured;
  std::vector<double> weights{};  ///< by part

  /// "measured", "random", or "1:3" for that many parts; nothing else. False: it is none of these.
  static bool parse(std::string_view text, std::size_t parts, ShareRule& rule);
};

/// Random numbers for ShareRule::Kind::Random. One for a device; thread-safe.
class Dice {
public:
  /// A number below `end`.
  std::size_t below(std::size_t end);

private:
  std::mutex mutex_;
  std::mt19937_64 random_{20240607};
};

/// The speeds of the parts with one kernel, and its last division. Thread-safe.
class Speeds {
public:
  explicit Speeds(std::vector<double> weights) : perItem_(weights.size(), 0), weights_(std::move(weights)) {}

  /// A part has executed so many work-items in so many nanoseconds.
  void learn(std::size_t part, double items, double nanoseconds);
  bool areKnown() const;
  /// Nanoseconds that a part needs for so many work-items; 0 if it is not known.
  double timeOf(std::size_t part, double items) const;
  std::size_t fastest() const;

  /// Cuts so many units into one run for each part: where each part's begins, and at last `units`. Where the last cut
  /// of as many units is good enough it stays, so that content stays where it is.
  std::vector<std::size_t> cut(std::size_t units, std::size_t dimension);

  /// Whether to divide a launch that then saves so many nanoseconds, once content has been moved for so many. Time
  /// that is not saved is counted: when it would have paid for the way, the launch is divided.
  bool isWorth(double saved, double moving);

private:
  std::vector<double> shares() const;  ///< their sum is 1; with the mutex locked

  mutable std::mutex mutex_;
  std::vector<double> perItem_;  ///< nanoseconds; 0: not known
  std::vector<double> weights_;  ///< weights of the parts whatever the kernel
  std::vector<std::size_t> last_;
  std::size_t lastDimension_ = 0;
  double missed_ = 0;
};

}  // namespace clarity::device::joined
