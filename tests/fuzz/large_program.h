// SPDX-License-Identifier: Apache-2.0
// This file makes large random programs, of 400 to 1,500 lines, of the kind that makes compilers slow: a structure of 1
// to 3 KB in private memory that is kept across barriers, and functions that get a pointer to it.
#pragma once

#include <cstdint>

#include "program.h"

namespace clarity::fuzz {

/// The same seed gives the same program on every machine. Its work-items diverge, and all of them reach every barrier.
Program generateLarge(std::uint64_t seed);

}  // namespace clarity::fuzz
