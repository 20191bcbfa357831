// SPDX-License-Identifier: Apache-2.0
// This file is an instruction that threads of a warp execute together.
#pragma once

#include "decoding.h"
#include "warp.h"

#include <array>

namespace clarity::ptx {

/// The instruction that each thread executes.
using Each = std::array<const Instruction*, warpSize>;
using Exchange = void (*)(Warp&, const Each&, Lanes);

/// The instruction waits for the threads of the mask at a slot. It keeps from[0] to from[2], `target` and `to`.
void useTogether(Decoding&, Exchange, std::int32_t mask);

}  // namespace clarity::ptx
