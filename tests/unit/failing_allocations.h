// SPDX-License-Identifier: Apache-2.0
// This file makes `operator new` of this thread fail, for tests of what is to hold when there is no memory.
#pragma once

namespace clarity::test {

/// While it exists, the first `before` allocations of this thread succeed and the next one throws std::bad_alloc; those
/// after it succeed.
class FailingAllocation {
public:
  explicit FailingAllocation(int before);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  /// Whether it has come to the one that fails.
  bool hasFailed() const;
};

}  // namespace clarity::test
