// SPDX-License-Identifier: Apache-2.0
// This file keeps the operations that have not ended.
#include "device/joined/order.h"

#include "device/joined/joined_operation.h"

#include <utility>

namespace clarity::device::joined {

Order::Earlier Order::add(Submission& added, JoinedOperation& operation, std::span<Submission* const> after,
                          PartIndex parts) {
  Earlier earlier;
  earlier.tails.resize(parts);
  const std::lock_guard lock(mutex_);
  std::vector<Known*> found;
  for (const Submission* const each : after) {
    const auto [first, last] = known_.equal_range(each);
    for (auto at = first; at != last; ++at) found.push_back(&at->second);
  }
  for (Known* const each : found) {
    each->later.reserve(each->later.size() + 1);
    for (PartIndex part = 0; part < each->tails.size(); ++part)
      earlier.tails[part].insert(earlier.tails[part].end(), each->tails[part].begin(), each->tails[part].end());
  }
  known_.emplace(&added, Known{.operation = &operation, .runs = false, .tails = {}, .later = {}});
  // Nothing finds no memory from here on.
  for (Known* const each : found) {
    each->later.push_back(&operation);
    earlier.allRun &= each->runs;
  }
  earlier.count = found.size();
  operation.expectEarlier(found.size());
  return earlier;
}

void Order::runs(const Submission& added, const JoinedOperation& operation, Tails tails) {
  const std::lock_guard lock(mutex_);
  const auto [first, last] = known_.equal_range(&added);
  for (auto at = first; at != last; ++at)
    if (at->second.operation == &operation) {
      at->second.tails = std::move(tails);
      at->second.runs = true;
      return;
    }
}

void Order::ended(const Submission* added, const JoinedOperation* operation) noexcept {
  std::vector<JoinedOperation*> later;
  {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = known_.equal_range(added);
    for (auto found = first; found != last; ++found)
      if (found->second.operation == operation) {
        later = std::move(found->second.later);
        known_.erase(found);
        break;
      }
  }
  for (JoinedOperation* const each : later) each->earlierEnded();
}

}  // namespace clarity::device::joined
