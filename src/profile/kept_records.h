// SPDX-License-Identifier: Apache-2.0
// This file keeps records that any thread adds.
#pragma once

#include <deque>
#include <mutex>
#include <utility>

namespace clarity::profile {

/// The records of one kind. Thread-safe. Those of a process are never destroyed: threads add some until it is gone.
template <class Record>
class KeptRecords {
public:
  void add(Record record) {
    const std::lock_guard lock(mutex_);
    records_.push_back(std::move(record));
  }
  /// Those until now.
  std::deque<Record> all() const {
    const std::lock_guard lock(mutex_);
    return records_;
  }

private:
  mutable std::mutex mutex_;
  std::deque<Record> records_;  ///< guarded by mutex_
};

/// Those of this process.
template <class Record>
KeptRecords<Record>& keptRecords() {
  static auto& all = *new KeptRecords<Record>;
  return all;
}

}  // namespace clarity::profile
