// SPDX-License-Identifier: Apache-2.0
// This file is one run of a scenario: its random choices, its folder, and the processes that it starts. The process of
// the runs itself never calls OpenCL, so each child begins as a program does.
#pragma once

#include "random.h"
#include "session.h"
#include "watched_child.h"

#include <sys/types.h>

#include <functional>
#include <string>

namespace clarity::stress {

class Run {
public:
  /// `folder` exists and is the run's own. `sharedCache`: the folder of compiled code that all runs share.
  Run(std::uint64_t seed, std::string folder, std::string sharedCache);

  Random random;
  const std::string folder;
  /// Where the children keep compiled code: mostly the shared folder, sometimes one of this run.
  const std::string cache;

  /// Starts a process that runs `body` with choices of its own and then ends as main() does. Its exit status is
  /// `good`; 1, and a sentence in the log, after Failure or Refused.
  pid_t start(const std::function<void(Random)>& body);
  /// Failure unless the process ends with exit status 0.
  void expectGood(pid_t process) const;
  /// How it ends. A hang is a Failure.
  test::Ending endingOf(pid_t process) const;
  /// The last line that the children have written to standard error.
  std::string lastWords() const;
};

/// A kind of stress.
struct Scenario {
  const char* name;
  const char* what;  ///< at most 44 characters
  void (*run)(Run&);
};

// One file each.
void threads(Run&);
void faults(Run&);
void forks(Run&);
void endings(Run&);
void memoryLimits(Run&);
void fileLimits(Run&);
void cacheAttacks(Run&);
void signals(Run&);

/// Random operations on several threads, which share contexts or have their own; Failure where a result is wrong.
void operateOnThreads(Random random, std::size_t threadCount, std::size_t steps);

}  // namespace clarity::stress
