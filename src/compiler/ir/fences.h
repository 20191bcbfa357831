// SPDX-License-Identifier: Apache-2.0
// This file holds the flags of Primitive::Barrier that the compiler itself passes.
#pragma once

namespace clarity::compiler {

inline constexpr unsigned localFence = 1;  ///< CLK_LOCAL_MEM_FENCE

}  // namespace clarity::compiler
