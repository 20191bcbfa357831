// SPDX-License-Identifier: Apache-2.0
// This file runs work that nobody waits for at once (asynchronous builds, code for launches to come) on threads of ours.
#pragma once

#include <functional>

namespace clarity::support {

/// Runs `work` on a thread of its own, or right here if no thread can be had. The process does not end its static
/// objects before the work is done. `work` must not throw.
void runInBackground(std::function<void()> work);

/// The same for work that can be left undone: as many pieces at a time as there are processors, first come, first served.
/// What has not begun when the process ends is dropped, and so is everything if no thread can be had.
void runWhenIdle(std::function<void()> work);

/// The end of the process waits for these threads before static objects go that exist now. Called by who makes static objects that
/// threads use which may have been started before.
void waitBeforeObjectsGo();

}  // namespace clarity::support
