// SPDX-License-Identifier: Apache-2.0
// This file listens to the compiler.
#include "profile/compile_log.h"

#include "compiler/driver/compile_times.h"
#include "profile/kept_records.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <string>

namespace clarity::profile {

void keepCompiles() {
  compiler::listenToCompiles([](const compiler::CompileTimes& times) {
    keptRecords<CompileRecord>().add({std::string(times.what), std::string(times.kernel),
                                      static_cast<std::uint64_t>(::syscall(SYS_gettid)), times.begin, times.end,
                                      times.fromCache, times.isQuick, times.isCounted});
  });
}

std::deque<CompileRecord> compiles() { return keptRecords<CompileRecord>().all(); }

}  // namespace clarity::profile
