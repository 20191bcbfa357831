// SPDX-License-Identifier: Apache-2.0
// This file counts launches that run stand-in code.
#include "device/cuda/stand_ins.h"

#include <algorithm>
#include <utility>

namespace clarity::device::cuda {
namespace {

/// Instructions of a small kernel, calls inlined. Chosen: those of tutorials have fewer, those whose loops unroll to
/// code that takes half a second have more.
constexpr std::uint64_t mostOfSmall = 150;
/// Launches of one shape before its own code is made, and so many times as long as that takes. Chosen: programs that
/// look for the best size of their launches try many sizes, each a few times, and what is compiled beside them takes
/// processors from them.
constexpr std::uint32_t launchesBeforeOwn = 4;
constexpr double timesBeforeOwn = 3;

}  // namespace

bool mayBeSlowToMake(const compiler::KernelInfo& kernel) { return kernel.instructions > mostOfSmall; }

void StandIns::begin(std::size_t kernel, const compiler::Shape& shape) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find_if(
      served_, [&](const Served& served) { return served.kernel == kernel && served.shape == shape; });
  if (known == served_.end()) served_.push_back({.kernel = kernel, .shape = shape});
}

bool StandIns::serve(std::size_t kernel, const compiler::Shape& shape) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(served_,
                             [&](const Served& served) { return served.kernel == kernel && served.shape == shape; });
}

bool StandIns::isWorthOwnCode(std::size_t kernel, const compiler::Shape& shape, double seconds) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find_if(
      served_, [&](const Served& served) { return served.kernel == kernel && served.shape == shape; });
  if (known == served_.end() || ++known->launches < launchesBeforeOwn || known->isOwnBegun) return false;
  const std::chrono::duration<double> age = std::chrono::steady_clock::now() - known->since;
  return known->isOwnBegun = age.count() >= timesBeforeOwn * seconds;
}

Preparations::One::One(std::shared_ptr<Preparations> all) : all_(std::move(all)) {
  const std::lock_guard lock(all_->mutex_);
  ++all_->count_;
}

Preparations::One::~One() {
  const std::lock_guard lock(all_->mutex_);
  --all_->count_;
  all_->ended_.notify_all();
}

void Preparations::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return count_ == 0; });
}

}  // namespace clarity::device::cuda
