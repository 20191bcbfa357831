// SPDX-License-Identifier: Apache-2.0
// This file runs work that no caller waits for immediately (asynchronous builds, code for later launches) on background
// threads.
#pragma once

#include <functional>

namespace clarity::support {

/// Runs `work` on a new thread, or on the calling thread if none can be created. Static objects of the process are not
/// destroyed before the work is done. `work` must not throw.
void runInBackground(std::function<void()> work);

/// The same for optional work: in order of submission, on as many threads as there are processors. Work that has not
/// begun when the process ends is dropped, and so is all of it if no thread can be created.
void runWhenIdle(std::function<void()> work);

/// From now on the end of the process waits for these threads before it destroys the static objects that exist at the
/// time of the call. To be called after creating static objects that threads started earlier may use.
void waitBeforeObjectsGo();

/// From now on fork() calls `wait` in the parent first, which may wait for background work: it can still begin and end
/// meanwhile. False if there is no memory for that.
bool waitBeforeForks(void (*wait)());

/// While one exists, the end of the process waits before it destroys static objects. Threads that must not use them
/// afterwards ask processEnds() then: once the end has begun, nothing is waited for.
class ProcessEndDelay {
public:
  ProcessEndDelay();
  ~ProcessEndDelay();
  ProcessEndDelay(const ProcessEndDelay&) = delete;
  ProcessEndDelay& operator=(const ProcessEndDelay&) = delete;
};

}  // namespace clarity::support
