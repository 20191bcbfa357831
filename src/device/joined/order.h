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
  /// Operations that one comes after.
  struct Earlier {
    std::size_t count = 0;    ///< JoinedOperation::earlierEnded() is called so often
    std::size_t notRun = 0;   ///< so many of them wait for anything but operations of the parts
    bool hasAllTails = true;  ///< whether all of those that run have tails
    Tails tails;
  };
  /// Adds an operation that comes after others, and says so in its Earlier. Those that are not known have ended. True:
  /// all others run; otherwise JoinedOperation::earlierRun() is called when they do.
  bool add(Submission& added, JoinedOperation& operation, std::span<Submission* const> after, PartIndex parts);
  /// All operations of its parts have been submitted; `tails` is what comes after it has to wait for. Without memory
  /// for them nothing runs behind it.
  void runs(const Submission& added, const JoinedOperation& operation, const Tails& tails) noexcept;
  /// It has ended: its complete() has returned, and the object may be gone. `added` is compared only.
  void ended(const Submission* added, const JoinedOperation* operation) noexcept;

private:
  struct Known {
    const JoinedOperation* operation = nullptr;
    bool runs = false, hasTails = true;
    Tails tails;
    std::vector<JoinedOperation*> later;
  };
  using KnownOperations = std::unordered_multimap<const Submission*, Known>;
  /// known_.end() if it has ended. The mutex is locked.
  KnownOperations::iterator find(const Submission* added, const JoinedOperation* operation);
  /// Operations whose earlier ones have come to run, by JoinedOperation::nextReady.
  struct Ready {
    JoinedOperation *first = nullptr, *last = nullptr;
    void add(JoinedOperation& operation) noexcept;
  };
  /// One of the operations that those after it wait for has come to run, or has ended. The mutex is locked.
  static void release(Known& known, Ready& ready) noexcept;
  /// Calls earlierRun(), not inside another such call: each may lead to the next, and there may be thousands.
  static void go(Ready ready) noexcept;

  std::mutex mutex_;
  KnownOperations known_;
};

}  // namespace clarity::device::joined
