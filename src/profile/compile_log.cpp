// SPDX-License-Identifier: Apache-2.0
// This file listens to the compiler.
#include "profile/compile_log.h"

#include "compiler/driver/compile_times.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>

namespace clarity::profile {
namespace {

struct Log {
  std::mutex mutex;
  std::deque<CompileRecord> records;
};
/// Never destroyed: threads compile until the process is gone.
Log& theLog() {
  static auto& log = *new Log;
  return log;
}

}  // namespace

void keepCompiles() {
  compiler::listenToCompiles([](const compiler::CompileTimes& times) {
    Log& log = theLog();
    const std::lock_guard lock(log.mutex);
    log.records.push_back({std::string(times.what), std::string(times.kernel),
                           static_cast<std::uint64_t>(::syscall(SYS_gettid)), times.begin, times.end, times.fromCache,
                           times.isQuick});
  });
}

std::deque<CompileRecord> compiles() {
  const std::lock_guard lock(theLog().mutex);
  return theLog().records;
}

}  // namespace clarity::profile
