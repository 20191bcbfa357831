// SPDX-License-Identifier: Apache-2.0
// This file is copies and fills in memory that the CPU accesses, at the rate of all cores.
#pragma once

#include "device/host/workers.h"
#include "device/stream.h"

#include <cstddef>

namespace clarity::device::host {

/// A function that is called ahead of each copy, and of each fill of a row, with a null pointer for `from`: for a
/// device that notes what has been written. One a process, from any thread.
using TransferObserver = void (*)(const std::byte* to, const std::byte* from, std::size_t bytes);
void observeTransfers(TransferObserver);

/// Success, or a sentence if the application's memory cannot be read, or written: drivers and libraries that get such
/// an address end the process. It looks at each page.
Result canAccess(const std::byte* host, std::size_t bytes, bool writes);
/// A fault (an invalid pointer of the application) is a Result.
Result copy(Workers&, std::byte* to, const std::byte* from, std::size_t bytes);
/// `rect` for its region and pitches.
Result copyRect(Workers&, std::byte* to, const std::byte* from, const RectCopy& rect);
/// `fill` for its pattern, rows and pitches.
Result fill(Workers&, std::byte* to, const Fill& fill);

}  // namespace clarity::device::host
