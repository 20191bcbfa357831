// SPDX-License-Identifier: Apache-2.0
// This file declares functions that run when the process ends.
#pragma once

#include <string_view>

namespace clarity::support {

/// Runs `handler` when exit() is called or main() returns, before static objects of the application that were
/// constructed before this call are destroyed. Replaces std::atexit, which does nothing in the driver
/// (static_objects.cpp).
void atProcessEnd(void (*handler)());
/// Runs `handler` when quick_exit() is called.
void atQuickProcessEnd(void (*handler)());

/// The status that the process ends with: the argument of exit(). 0 until handlers have begun to run.
int exitStatus() noexcept;

/// Whether such handlers have begun to run. From then on no thread of the driver calls the application: objects that a
/// callback uses may have been destroyed.
bool processEnds() noexcept;
/// Has processEnds() tell the truth from now on; otherwise only what atProcessEnd() registers does.
void noticeProcessEnd();

/// In the text of an error: the driver has ended a launch that was running when the process ended.
inline constexpr std::string_view endedWithProcess = "was ended with the process";

/// Whether the static objects of LLVM and clang are never destroyed, so that threads may use them while the process
/// ends: only in the driver that links both statically (api/static_objects.cpp).
inline bool staticObjectsArePermanent = false;

}  // namespace clarity::support
