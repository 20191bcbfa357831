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

/// A fault (an invalid pointer of the application) is a Result.
Result copy(Workers&, std::byte* to, const std::byte* from, std::size_t bytes);
/// `rect` for its region and pitches.
Result copyRect(Workers&, std::byte* to, const std::byte* from, const RectCopy& rect);
/// `fill` for its pattern, rows and pitches.
Result fill(Workers&, std::byte* to, const Fill& fill);

}  // namespace clarity::device::host
