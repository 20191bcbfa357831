// SPDX-License-Identifier: Apache-2.0
// This file asks the Python interpreter of the process, where there is one, which of its lines makes a call, and what
// its arrays hold. The interpreter's functions are looked up by name: nothing of it is linked.
#pragma once

#include "check/host/host_place.h"

#include <cstdint>
#include <memory>

namespace clarity::check {

/// The line of Python that makes the present call, as an entry of Frames; null: there is none. To be called without
/// locks, as the interpreter's own may be waited for.
const void* pythonPlace() noexcept;
/// The line of Python that such an entry means; null for addresses of code.
const compiler::Site* pythonSite(const void* frame);

/// The array (NumPy's, or Python's own) whose memory begins at an address, among the variables of the Python functions
/// that make the present call; null: there is none. Without locks, too.
std::shared_ptr<const GivenVariable> pythonArray(std::uint64_t address) noexcept;

}  // namespace clarity::check
