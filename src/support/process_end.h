// SPDX-License-Identifier: Apache-2.0
// This file says what runs when the process ends.
#pragma once

namespace clarity::support {

/// Runs `handler` when exit() is called or main() returns, before the application's static objects go that were made
/// before this call. For the driver this takes the place of std::atexit, which does nothing in it (static_objects.cpp).
void atProcessEnd(void (*handler)());

/// Whether such handlers have begun to run. No thread of ours calls the application from then on: what the callback uses
/// may be gone.
bool processEnds() noexcept;

/// Whether the static objects of LLVM and clang stay when the process ends, so that threads may be using them: in the driver that has
/// both inside, and nowhere else (api/static_objects.cpp).
inline bool staticObjectsStay = false;

}  // namespace clarity::support
