// SPDX-License-Identifier: Apache-2.0
// This file prints the times of passes.
#include "compiler/pipeline/pass_times.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/raw_ostream.h>

#include <time.h>
#include <algorithm>
#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

double milliseconds(std::chrono::nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

}  // namespace

std::chrono::nanoseconds threadTime() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void PassTimes::print(const std::string& title) const {
  std::vector<std::pair<std::string, Times>> sorted(times_.begin(), times_.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(), [](const auto& each) { return each.second.time; });
  std::chrono::nanoseconds total{};
  for (const auto& [name, each] : sorted) total += each.time;
  llvm::errs() << fmt::format("Passes of {}: {:.2f} ms\n     ms      %  runs  pass\n", title, milliseconds(total));
  for (const auto& [name, each] : sorted)
    llvm::errs() << fmt::format("{:7.3f} {:6.1f} {:5}  {}\n", milliseconds(each.time),
                                100 * milliseconds(each.time) / milliseconds(total), each.runs, name);
}

}  // namespace clarity::compiler
