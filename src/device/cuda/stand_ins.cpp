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

void StandIns::begin(const KernelShape& own) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(served_, own, &Served::own) == served_.end()) served_.push_back({.own = own});
}

bool StandIns::serve(const KernelShape& own) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::find(served_, own, &Served::own) != served_.end();
}

bool StandIns::isWorthOwnCode(const KernelShape& own, double seconds) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(served_, own, &Served::own);
  if (known == served_.end() || ++known->launches < launchesBeforeOwn || known->isOwnBegun) return false;
  const std::chrono::duration<double> age = std::chrono::steady_clock::now() - known->since;
  return known->isOwnBegun = age.count() >= timesBeforeOwn * seconds;
}

Preparations::Pending::Pending(std::shared_ptr<Preparations> all, KernelShape code)
    : all_(std::move(all)), code_(std::move(code)) {
  const std::lock_guard lock(all_->mutex_);
  isFirst_ = std::ranges::find(all_->pending_, code_) == all_->pending_.end();
  if (isFirst_) all_->pending_.push_back(code_);
}

Preparations::Pending::~Pending() {
  if (!isFirst_) return;
  const std::lock_guard lock(all_->mutex_);
  std::erase(all_->pending_, code_);
  all_->ended_.notify_all();
}

std::shared_ptr<const Preparations::Pending> Preparations::begin(std::shared_ptr<Preparations> all, KernelShape code) {
  auto pending = std::make_shared<const Pending>(std::move(all), std::move(code));
  return pending->isFirst_ ? std::move(pending) : nullptr;
}

void Preparations::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return pending_.empty(); });
}

}  // namespace clarity::device::cuda
