// SPDX-License-Identifier: Apache-2.0
// This file is the scenario of processes that fork: while others of their threads compute, for children that call no
// OpenCL, and while nothing runs, for children that do.
#include "run.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

namespace clarity::stress {
namespace {

/// Waits for a child of the child.
void expectEnd(pid_t process, int code) {
  const test::Ending ending = test::endingOf(process);
  if (!ending.exitedWith(code)) throw Failure("a forked process ended with " + ending.text());
}

/// Calls no OpenCL.
[[noreturn]] void endSomehow(Random& random) {
  switch (random.below(3)) {
    case 0: _exit(0);
    case 1: execl("/bin/true", "true", nullptr); _exit(1);
    default: exit(0);
  }
}

void forkWhileOthersCompute(Random& random) {
  std::exception_ptr failure;
  {
    const std::jthread others([&, its = random.split()] {
      try {
        operateOnThreads(its, 3, 100);
      } catch (...) {
        failure = std::current_exception();
      }
    });
    for (std::size_t i = random.between(1, 6); i > 0; --i) {
      usleep(static_cast<useconds_t>(random.below(20'000)));
      Random its = random.split();
      const pid_t child = fork();
      if (child == 0) endSomehow(its);
      expectEnd(child, 0);
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// Both go on: the child with its parent's objects, with new ones, or with both.
void forkInBetween(Random& random) {
  const Session session(static_cast<unsigned>(random.below(8)));
  Model model(session, random.split());
  for (std::size_t i = random.below(30); i > 0; --i) model.step();
  model.check();
  Random its = random.split();
  const pid_t child = fork();
  if (child == 0) {
    int code = 0;
    try {
      if (its.chance(50)) {
        for (std::size_t i = random.below(30); i > 0; --i) model.step();
        model.check();
      }
      if (its.chance(50)) operateOnThreads(its.split(), 2, 30);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in a forked process: %s\n", error.what());
      code = 1;
    }
    if (its.chance(50)) _exit(code);
    exit(code);
  }
  for (std::size_t i = random.below(30); i > 0; --i) model.step();
  model.check();
  expectEnd(child, 0);
}

}  // namespace

void forks(Run& run) {
  run.expectGood(run.start([](Random random) {
    for (std::size_t i = random.between(1, 3); i > 0; --i)
      random.chance(50) ? forkWhileOthersCompute(random) : forkInBetween(random);
  }));
}

}  // namespace clarity::stress
