// SPDX-License-Identifier: Apache-2.0
// This file runs work that an application's callback ends (asynchronous builds) on threads of ours.
#pragma once

#include <functional>

namespace clarity::core {

/// Runs `work` on a thread of its own, or right here if no thread can be had. The process does not end its static
/// objects before the work is done. `work` must not throw.
void runInBackground(std::function<void()> work);

}  // namespace clarity::core
