// SPDX-License-Identifier: Apache-2.0
// This file is the scenario of processes that may have only so much address space or data: every call does what it
// should or returns an error.
#include "run.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <new>
#include <system_error>

namespace clarity::stress {
namespace {

rlim_t mappedBytes() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

void limitBytes(int resource, rlim_t bytes) {
  const rlimit limits{bytes, RLIM_INFINITY};
  if (setrlimit(resource, &limits) != 0) throw Failure("setrlimit() failed");
}

}  // namespace

void memoryLimits(Run& run) {
  constexpr std::size_t mebibyte = 1 << 20;
  run.expectGood(run.start([](Random random) {
    const int resource = random.chance(50) ? RLIMIT_AS : RLIMIT_DATA;
    const rlim_t more = random.below(400 * mebibyte);
    const bool late = random.chance(40);  // the driver has been loaded, and its range of addresses is reserved
    try {
      if (late) Model(Session(random.word()), random.split()).check();
      limitBytes(resource, mappedBytes() + more);
      operateOnThreads(random.split(), random.between(1, 3), random.between(5, 60));
    } catch (const Refused& refused) {
      if (!refused.isOfResources()) throw;
    } catch (const std::bad_alloc&) {
      // This program's own.
    } catch (const std::system_error&) {
      // No memory for a thread of this program's.
    }
    // With memory again everything is as it was, unless the loader has found no driver: it looks once.
    limitBytes(resource, RLIM_INFINITY);
    cl_uint platforms = 0;
    if (clGetPlatformIDs(0, nullptr, &platforms) == CL_SUCCESS) operateOnThreads(random.split(), 2, 20);
  }));
}

}  // namespace clarity::stress
