// SPDX-License-Identifier: Apache-2.0
// This file is the scenario of processes that may open only so many files, or write only so much to one: compiled code
// is then not kept, and the results are the same.
#include "run.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

namespace clarity::stress {
namespace {

void limitCount(int resource, rlim_t most) {
  rlimit limits{};
  getrlimit(resource, &limits);
  limits.rlim_cur = std::min(most, limits.rlim_max);
  if (setrlimit(resource, &limits) != 0) throw Failure("setrlimit() failed");
}

/// Opens files until no more can be.
void useUpFiles() {
  while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0) {
  }
}

}  // namespace

void fileLimits(Run& run) {
  run.expectGood(run.start([](Random random) {
    if (random.chance(50)) {
      limitCount(RLIMIT_FSIZE, random.below(random.chance(50) ? 100 : 20'000));
      return operateOnThreads(random.split(), 2, 30);
    }
    const auto loaded = std::make_unique<Session>(0);
    limitCount(RLIMIT_NOFILE, random.between(4, 40));
    if (random.chance(50)) useUpFiles();
    operateOnThreads(random.split(), 2, 30);
  }));
}

}  // namespace clarity::stress
