// SPDX-License-Identifier: Apache-2.0
// This file tells how much is left of the calling thread's stack.
#pragma once

#include <cstddef>

namespace clarity::support {

/// Whether the calling thread can use `bytes` more of the stack that it was created with. False on any other stack,
/// such as that of a coroutine, whose end is not known. Asks the system once for each thread.
bool stackHasRoom(std::size_t bytes) noexcept;

}  // namespace clarity::support
