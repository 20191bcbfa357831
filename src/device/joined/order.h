// SPDX-License-Identifier: Apache-2.0
// This file is the order of a joined device's operations: which of them have not ended, and what a later one has to
// wait for on each part.
#pragma once

#include "device/joined/memory.h"
#include "device/stream.h"

#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace clarity::device::joined {

class JoinedOperation;

/// For each part, the operations that must have ended before one that comes later may run there.
using Tails = std::vector<std::vector<std::shared_ptr<Submission>>>;

/// One for a device. Thread-safe.
class Order {
public:
  /// Operations that one comes after, as they were when it was added.
  struct Earlier {
    std::size_t count = 0;  ///< JoinedOperation::earlierEnded() is called so often
    bool allRun = true;     ///< they wait for nothing but operations of the parts
    Tails tails;
  };
  /// Adds an operation that comes after others. Those that are not known have ended.
  Earlier add(Submission& added, JoinedOperation& operation, std::span<Submission* const> after, PartIndex parts);
  /// All operations of its parts have been submitted; `tails` is what comes after it has to wait for.
  void runs(const Submission& added, const JoinedOperation& operation, Tails tails);
  /// It has ended: its complete() has returned, and the object may be gone. `added` is compared only.
  void ended(const Submission* added, const JoinedOperation* operation) noexcept;

private:
  struct Known {
    const JoinedOperation* operation = nullptr;
    bool runs = false;
    Tails tails;
    std::vector<JoinedOperation*> later;
  };
  std::mutex mutex_;
  std::unordered_multimap<const Submission*, Known> known_;
};

}  // namespace clarity::device::joined
