// SPDX-License-Identifier: Apache-2.0
// This file is the scenario of processes that end while they compile and compute: they end as they were asked to, and
// what they leave in the cache serves the next one.
#include "run.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <thread>

namespace clarity::stress {
namespace {

std::atomic<bool> ending{false};

enum class How { Exit, ImmediateExit, QuickExit, ExitOfAThread, ExitInACallback, Exec, Killed };

void endAs(How how) {
  ending = true;
  switch (how) {
    case How::Exit: exit(0);
    case How::ImmediateExit: _exit(0);
    case How::QuickExit: quick_exit(0);
    case How::ExitOfAThread: std::thread([] { exit(0); }).join(); return;
    case How::Exec: execl("/bin/true", "true", nullptr); _exit(1);
    default:
      for (;;) pause();
  }
}

/// The process ends inside the callback of an event.
void exitInCallback() {
  const Session session(0);
  cl_int code = CL_SUCCESS;
  cl_event event = clCreateUserEvent(session.context, &code);
  need("clCreateUserEvent", code);
  need("clSetEventCallback", clSetEventCallback(
                                 event, CL_COMPLETE,
                                 [](cl_event, cl_int, void*) {
                                   ending = true;
                                   exit(0);
                                 },
                                 nullptr));
  need("clSetUserEventStatus", clSetUserEventStatus(event, CL_COMPLETE));
  for (;;) pause();
}

void computeUntilItEnds(Random random) {
  try {
    operateOnThreads(random, random.between(1, 4), std::numeric_limits<std::size_t>::max());
  } catch (const std::exception& error) {
    if (ending) return;  // commands are ended with the process
    std::fprintf(stderr, "%s\n", error.what());
    _exit(1);
  }
}

}  // namespace

void endings(Run& run) {
  constexpr How all[] = {How::Exit, How::ImmediateExit, How::QuickExit, How::ExitOfAThread, How::ExitInACallback,
                         How::Exec, How::Killed};
  const How how = run.random.oneOf(all);
  const auto after = static_cast<useconds_t>(run.random.below(run.random.chance(50) ? 20'000 : 300'000));
  const pid_t process = run.start([how, after](Random random) {
    // While it is being loaded, exit() on another thread destroys objects of the libraries that the driver needs, and
    // the driver cannot know.
    cl_platform_id platform = nullptr;
    need("clGetPlatformIDs", clGetPlatformIDs(1, &platform, nullptr));
    std::thread(computeUntilItEnds, random.split()).detach();
    usleep(after);
    if (how == How::ExitInACallback) exitInCallback();
    endAs(how);
  });
  if (how == How::Killed) {
    usleep(after);
    kill(process, SIGKILL);
    if (const test::Ending end = run.endingOf(process); !end.wasKilledBy(SIGKILL))
      throw Failure("a process that was to be killed ended with " + end.text() + ": " + run.lastWords());
  } else {
    run.expectGood(process);
  }
  run.expectGood(run.start([](Random random) { operateOnThreads(random, 2, 20); }));
}

}  // namespace clarity::stress
