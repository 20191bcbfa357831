// SPDX-License-Identifier: Apache-2.0
// This file keeps what each thread of a device did.
#pragma once

#include "profile/byte_log.h"
#include "profile/recorder.h"

#include <cstdint>
#include <mutex>
#include <vector>

namespace clarity::profile {

/// The StoredSpans of one thread.
struct WorkerLog {
  std::mutex mutex;  ///< guards what follows
  std::uint64_t thread = 0;
  ByteLog spans;
  bool isOver = false;  ///< nothing is added any more
};

/// From now on spans are kept; `kernels` numbers their kernels.
void keepSpans(KernelNames& kernels);
/// Ends it. Those until now, which nothing changes any more.
std::vector<const WorkerLog*> endSpans();

}  // namespace clarity::profile
