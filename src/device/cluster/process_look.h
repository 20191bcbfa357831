// SPDX-License-Identifier: Apache-2.0
// This file looks for other processes of this machine.
#pragma once

#include <cstdint>

namespace clarity::device::cluster {

/// The namespace of this process's numbers; two processes that have the same can look for each other.
std::uint64_t processSpaceOfThisProcess();

/// Whether a process of the same namespace has ended, though the one that started it may not have noticed yet.
bool hasEnded(std::uint64_t process);

}  // namespace clarity::device::cluster
