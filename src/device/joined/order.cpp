// SPDX-License-Identifier: Apache-2.0
// This file keeps the operations that have not ended.
#include "device/joined/order.h"

#include "device/joined/joined_operation.h"

#include <algorithm>
#include <utility>

namespace clarity::device::joined {
namespace {

/// Each once, and none that has ended: operations that have several ways to an earlier one would double it each time.
void reduce(std::vector<std::shared_ptr<Submission>>& tails) {
  std::erase_if(tails, [](const auto& each) { return each->ended(); });
  std::ranges::sort(tails);
  const auto same = std::ranges::unique(tails);
  tails.erase(same.begin(), same.end());
}

void append(Tails& to, const Tails& from) {
  for (PartIndex part = 0; part < from.size(); ++part) {
    to[part].insert(to[part].end(), from[part].begin(), from[part].end());
    reduce(to[part]);
  }
}

}  // namespace

void Order::Ready::add(JoinedOperation& operation) noexcept {
  (last ? last->nextReady : first) = &operation;
  last = &operation;
}

bool Order::add(Submission& added, JoinedOperation& operation, std::span<Submission* const> after, PartIndex parts) {
  Earlier earlier;
  earlier.tails.resize(parts);
  const std::lock_guard lock(mutex_);
  std::vector<Known*> found;
  for (const Submission* const each : after) {
    const auto [first, last] = known_.equal_range(each);
    for (auto at = first; at != last; ++at) found.push_back(&at->second);
  }
  for (Known* const each : found) {
    each->later.reserve(each->later.size() + found.size());  // `after` may name it several times
    append(earlier.tails, each->tails);
  }
  known_.emplace(&added, Known{.operation = &operation, .tails = {}, .later = {}});
  // Nothing finds no memory from here on.
  for (Known* const each : found) {
    each->later.push_back(&operation);
    earlier.notRun += each->runs ? 0 : 1;
    earlier.hasAllTails &= each->hasTails;
  }
  earlier.count = found.size();
  operation.comesAfter(std::move(earlier));
  return operation.earlier().notRun == 0;
}

Order::KnownOperations::iterator Order::find(const Submission* added, const JoinedOperation* operation) {
  const auto [first, last] = known_.equal_range(added);
  const auto found = std::find_if(first, last, [&](const auto& each) { return each.second.operation == operation; });
  return found == last ? known_.end() : found;
}

void Order::release(Known& known, Ready& ready) noexcept {
  known.runs = true;
  for (JoinedOperation* const each : known.later) {
    Earlier& earlier = each->earlier();
    earlier.hasAllTails &= known.hasTails && guarded([&] { append(earlier.tails, known.tails); });
    if (--earlier.notRun == 0) ready.add(*each);
  }
}

void Order::go(Ready ready) noexcept {
  thread_local Ready* outer = nullptr;
  if (!ready.first) return;
  if (outer) {
    (outer->last ? outer->last->nextReady : outer->first) = ready.first;
    outer->last = ready.last;
    return;
  }
  outer = &ready;
  while (JoinedOperation* const next = ready.first) {
    ready.first = std::exchange(next->nextReady, nullptr);
    if (!ready.first) ready.last = nullptr;
    next->earlierRun(Start::AtOnce);
  }
  outer = nullptr;
}

void Order::runs(const Submission& added, const JoinedOperation& operation, const Tails& tails) noexcept {
  Ready ready;
  {
    const std::lock_guard lock(mutex_);
    const auto found = find(&added, &operation);
    if (found == known_.end()) return;
    found->second.hasTails = static_cast<bool>(guarded([&] { found->second.tails = tails; }));
    release(found->second, ready);
  }
  go(ready);
}

void Order::ended(const Submission* added, const JoinedOperation* operation) noexcept {
  std::vector<JoinedOperation*> later;
  Ready ready;
  {
    const std::lock_guard lock(mutex_);
    const auto found = find(added, operation);
    if (found == known_.end()) return;
    if (!found->second.runs) release(found->second, ready);
    later = std::move(found->second.later);
    known_.erase(found);
  }
  go(ready);
  for (JoinedOperation* const each : later) each->earlierEnded();
}

}  // namespace clarity::device::joined
