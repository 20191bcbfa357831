// SPDX-License-Identifier: Apache-2.0
// This file registers functions that run when a thread ends.
#pragma once

namespace clarity::support {

/// Has `function(argument)` called when the calling thread ends: the last one registered first, after the destructors
/// of other libraries' thread_local objects. Functions may register others. Not called on a thread that ends the
/// process.
///
/// False, and the function is never called, if there is no memory. The first few of a thread need none. (The C
/// library's function for thread_local objects ends the process instead; the linker leads the driver's here.)
bool atThreadEnd(void (*function)(void*), void* argument) noexcept;

}  // namespace clarity::support
