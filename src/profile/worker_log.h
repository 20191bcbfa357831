// SPDX-License-Identifier: Apache-2.0
// This file keeps what each thread of a device did.
#pragma once

#include "profile/byte_log.h"
#include "profile/recorder.h"
#include "support/spin_lock.h"

#include <cstdint>
#include <vector>

namespace clarity::profile {

/// The spans of one thread (record_format.h).
struct WorkerLog {
  support::SpinLock mutex;  ///< guards what follows
  std::uint64_t thread = 0;
  ByteLog spans;
  std::uint64_t lastEnd = 0;
  bool isOver = false;  ///< nothing is added any more
};

/// From now on spans are kept; `kernels` numbers their kernels.
void keepSpans(KernelNames& kernels);
/// Ends it. Those until now, which nothing changes any more.
std::vector<const WorkerLog*> endSpans();

}  // namespace clarity::profile
