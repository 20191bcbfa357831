// SPDX-License-Identifier: Apache-2.0
// This file reads the counters of counted code, and sums them up for the observer.
#include "device/cuda/counted_launch.h"

#include "device/cuda/operations.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace clarity::device::cuda {
namespace {

using compiler::nvptx::CountedPlace;
using Kind = CountedPlace::Kind;

/// The counters of a module, all copies together; nothing if they cannot be read.
std::vector<std::uint64_t> countersOf(const Code& code) {
  std::vector<std::uint64_t> all(code.countedBytes / sizeof(std::uint64_t));
  if (all.empty() || driver().memcpyDtoH(all.data(), code.counters, code.countedBytes) != 0) return {};
  const std::size_t one = all.size() / compiler::nvptx::countCopies;
  for (std::size_t i = one; i < all.size(); ++i) all[i % one] += all[i];
  all.resize(one);
  return all;
}

class Sums {
public:
  void add(const Code& code) {
    const std::vector<std::uint64_t> counters = countersOf(code);
    std::span<const std::uint64_t> left(counters);
    std::uint64_t warps = 0, threads = 0;
    for (const CountedPlace& place : code.counted) {
      if (!place.hasCounters()) {
        addLine(lines[place.line], place, warps, threads);
        continue;
      }
      if (left.size() < compiler::nvptx::countersOfPlace) return;
      const std::uint64_t first = left[0], second = left[1];
      left = left.subspan(compiler::nvptx::countersOfPlace);
      if (place.kind == Kind::Block) {
        warps = first;
        threads = second;
        continue;
      }
      addAccess(lines[place.line], place, warps, threads, first, second);
    }
  }

  std::map<std::uint32_t, ObservedLine> lines;
  ObservedCounts counts;

private:
  void addLine(ObservedLine& line, const CountedPlace& place, std::uint64_t warps, std::uint64_t threads) {
    line.executions = std::max(line.executions, warps);
    line.instructions += warps * place.instructions;
    line.threadInstructions += threads * place.instructions;
    counts.floats += threads * place.floats;
    counts.doubles += threads * place.doubles;
    counts.halves += threads * place.halves;
  }

  void addAccess(ObservedLine& line, const CountedPlace& place, std::uint64_t warps, std::uint64_t threads,
                 std::uint64_t units, std::uint64_t least) {
    const bool isShared = place.kind == Kind::Shared;
    (isShared ? line.localRequests : line.requests) += warps;
    (isShared ? line.passes : line.sectors) += units;
    (isShared ? line.leastPasses : line.leastSectors) += least;
    (isShared ? counts.localBytes : place.writes ? counts.bytesWritten : counts.bytesRead) += threads * place.bytes;
  }
};

}  // namespace

bool wantsCounts(const Launch& launch) {
  return launch.observer && launch.observer->instrumentation() == compiler::Instrumentation::Count &&
         launch.observer->instrumentationOf(launch) == compiler::Instrumentation::Count;
}

CountedLaunch::CountedLaunch(const Launch& launch, const LaunchCode& code, CuStream stream) : code_(code) {
  std::vector<ObservedMemory> buffers;
  for (const BufferArgument& buffer : launch.buffers)
    buffers.push_back({.argument = buffer.argument, .address = addressOf(buffer.memory), .bytes = buffer.bytes});
  observer_ = launch.observer->begin({.kernel = *launch.info,
                                      .range = launch.range,
                                      .sites = {},
                                      .buffers = buffers,
                                      .command = launch.command,
                                      .instrumentation = compiler::Instrumentation::Count});
  for (const Code* const each : {code.exact, code.any})
    if (each) (void)driver().memsetD8Async(each->counters, 0, each->countedBytes, stream);
}

void CountedLaunch::report() const {
  Sums sums;
  for (const Code* const each : {code_.exact, code_.any})
    if (each) sums.add(*each);
  for (auto& [number, line] : sums.lines) {
    line.line = number;
    observer_->line(line);
  }
  observer_->counts(sums.counts);
  observer_->end(true);
}

std::optional<LaunchCode> CudaExecutable::makeCounted(const Launch& launch, const LaunchCode& code) {
  compiler::Shape kind = kindOf(launch);
  kind.instrumentation = compiler::Instrumentation::Count;
  LaunchCode counted{.complete = true};
  Result result;
  if (code.exact) {
    const compiler::Shape exact =
        code.exact->tile.asWritten() ? host::exactShape(launch.range, kind) : ownShape(launch, kind);
    counted.exact = make(*launch.info, exact, result);
  }
  if (code.any && result) counted.any = make(*launch.info, kind, result);
  const bool isSame = !code.exact || (counted.exact && counted.exact->tile == code.exact->tile);
  if (!result || !isSame) return std::nullopt;
  return counted;
}

Result Operations::executeCounted(Launch& launch, const LaunchCode& code, Afterwards& afterwards, Issue& issue) {
  const std::optional<LaunchCode> counted = static_cast<CudaExecutable*>(launch.executable)->makeCounted(launch, code);
  if (!counted) {
    static_cast<void>(launch.observer->begin(
        {.kernel = *launch.info, .range = launch.range, .sites = {}, .buffers = {}}));  // it is not tried again
    return executeAs(launch, code, afterwards, issue);
  }
  // Other launches of the kernel are not to be between its begin and its end, on this stream or on others: they would
  // add to the same counters.
  static std::mutex counting;
  const std::lock_guard lock(counting);
  (void)driver().streamSynchronize(stream_);
  const CountedLaunch counters(launch, *counted, stream_);
  Result result = executeAs(launch, *counted, afterwards, issue);
  // It needs more registers than the launch's own code, and may need more than a block of this size can have.
  if (!result && !issue.hasBegun) return executeAs(launch, code, afterwards, issue);
  if (result && driver().streamSynchronize(stream_) == 0) counters.report();
  return result;
}

}  // namespace clarity::device::cuda
