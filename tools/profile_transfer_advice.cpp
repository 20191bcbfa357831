// SPDX-License-Identifier: Apache-2.0
// This file has the rules about what is copied and filled: too much, too often, or in too small parts.
#include "numbers.h"
#include "profile_host_advice.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

struct Moved {
  std::size_t count = 0;
  std::uint64_t bytes = 0, time = 0;
};
/// Large commands of these calls.
Moved movedBy(const ProfiledProcess& process, std::initializer_list<std::string_view> names) {
  constexpr std::uint64_t large = 64 << 10;
  Moved moved;
  for (const ProfiledCommand& command : process.commands) {
    if (std::ranges::find(names, command.name) == names.end() || !command.hasEnded() || command.bytes < large) continue;
    ++moved.count;
    moved.bytes += command.bytes;
    moved.time += command.time();
  }
  return moved;
}

std::optional<Advice> adviseOnContent(const ProfiledProcess& process, std::string_view call, const char* title,
                                      const char* cure) {
  constexpr std::size_t often = 8, mostLaunches = 4;  // of a command
  const Moved moved = movedBy(process, {call});
  const auto launches = static_cast<std::size_t>(std::ranges::count_if(
      process.commands, [](const ProfiledCommand& command) { return command.hasEnded() && !command.kernel.empty(); }));
  if (moved.count < often || launches < often || mostLaunches * moved.count < launches) return std::nullopt;
  return Advice{
      .title = title,
      .evidence = fmt::format("{} commands of {} took {}, for {} launches", moved.count,
                              siText(static_cast<double>(moved.bytes), "B"), nanosecondsText(moved.time), launches),
      .cure = cure,
      .place = placeOfCalls(process, [&](const ProfiledCall& each) { return each.name == call; }),
      .gain = moved.time};
}

}  // namespace

std::optional<Advice> adviseOnCopies(const ProfiledProcess& process) {
  return adviseOnContent(process, "clEnqueueCopyBuffer", "Buffers are copied from one launch to the next",
                         "Give the next launch the other buffer (clSetKernelArg) in place of a copy of its content: "
                         "two buffers take turns.");
}

std::optional<Advice> adviseOnFills(const ProfiledProcess& process) {
  return adviseOnContent(process, "clEnqueueFillBuffer", "Buffers are filled again for every launch",
                         "Leave out the fill where kernels write every element before one reads it; else let the "
                         "kernel that comes first write in place of adding.");
}

namespace {

bool hasCpuOnly(const ProfiledProcess& process) {
  return std::ranges::none_of(process.queues, &ProfiledQueue::isOnGpu);
}

std::optional<Advice> adviseOnCopiesOnCpu(const ProfiledProcess& process, std::string_view what,
                                          std::initializer_list<std::string_view> calls, std::string_view map) {
  if (!hasCpuOnly(process)) return std::nullopt;
  const Moved moved = movedBy(process, calls);
  if (moved.count < 2) return std::nullopt;
  return Advice{.title = fmt::format("Large {} are copied on a device that shares the host's memory", what),
                .evidence = fmt::format("{} reads and writes of {} took {}", moved.count,
                                        siText(static_cast<double>(moved.bytes), "B"), nanosecondsText(moved.time)),
                .cure = fmt::format("Map the {} ({}), or create them with CL_MEM_USE_HOST_PTR: nothing is copied then.",
                                    what, map),
                .place = placeOfCalls(process,
                                      [&](const ProfiledCall& each) {
                                        return std::ranges::find(calls, std::string_view(each.name)) != calls.end();
                                      }),
                .gain = moved.time};
}

bool isSmallTransfer(const ProfiledProcess& process, const ProfiledCommand& command) {
  constexpr std::uint64_t small = 4096;
  return command.kernel.empty() && command.bytes > 0 && command.bytes <= small && command.hasEnded() &&
         command.thread < process.threads.size() && command.call < process.threads[command.thread].calls.size();
}

/// The calls of small transfers of a thread. The time from one to the next is of the transfer: bindings of other
/// languages take it. At most one other call lies between them, such as the release of an event.
class SmallTransfers {
public:
  void add(std::size_t number, const ProfiledCall& call, std::uint64_t longPause) {
    const bool follows = !calls_.empty() && number - last_ <= 2 && call.begin > calls_.back().second &&
                         call.begin - calls_.back().second < longPause;
    calls_.emplace_back(follows ? calls_.back().second : call.begin, call.end);
    last_ = number;
  }
  Intervals take() { return joined(std::move(calls_)); }

private:
  Intervals calls_;
  std::size_t last_ = 0;
};

}  // namespace

std::optional<Advice> adviseOnBufferCopies(const ProfiledProcess& process) {
  return adviseOnCopiesOnCpu(process, "buffers", {"clEnqueueReadBuffer", "clEnqueueWriteBuffer"}, "clEnqueueMapBuffer");
}

std::optional<Advice> adviseOnImageCopies(const ProfiledProcess& process) {
  return adviseOnCopiesOnCpu(process, "images", {"clEnqueueReadImage", "clEnqueueWriteImage"}, "clEnqueueMapImage");
}

std::optional<Advice> adviseOnPinning(const ProfiledProcess& process) {
  const std::initializer_list<std::string_view> calls = {"clEnqueueReadBuffer",     "clEnqueueWriteBuffer",
                                                         "clEnqueueReadBufferRect", "clEnqueueWriteBufferRect",
                                                         "clEnqueueReadImage",      "clEnqueueWriteImage"};
  // The GPU copies at the bus's rate; with the copies of the host beside it, at 0.4 to 0.8 of that (docs/gpu.md).
  constexpr double partOfTime = 0.4;
  const Moved moved = movedBy(process, calls);
  if (moved.count < 2 || 2 * process.stagedBytes < moved.bytes) return std::nullopt;
  return Advice{
      .title = "The host's memory of large transfers is not pinned",
      .evidence =
          fmt::format("{} reads and writes of {} took {}; {} of them went through other memory, because the GPU "
                      "cannot access the program's",
                      moved.count, siText(static_cast<double>(moved.bytes), "B"), nanosecondsText(moved.time),
                      siText(static_cast<double>(std::min(process.stagedBytes, moved.bytes)), "B")),
      .cure =
          "Create a buffer with CL_MEM_ALLOC_HOST_PTR, map it once, and let the host read and write there: such "
          "memory is pinned, and transfers to and from it are direct.",
      .place = placeOfCalls(process,
                            [&](const ProfiledCall& each) {
                              return std::ranges::find(calls, std::string_view(each.name)) != calls.end();
                            }),
      .gain = static_cast<std::uint64_t>(partOfTime * static_cast<double>(moved.time))};
}

std::optional<Advice> adviseOnSmallTransfers(const ProfiledProcess& process) {
  constexpr std::size_t often = 128;
  std::vector<SmallTransfers> threads(process.threads.size());
  Intervals others;  // a blocking transfer waits for them, which is not its own time
  std::size_t count = 0;
  std::vector<const ProfiledCall*> all;
  const std::uint64_t longPause = longPauseOf(process);
  for (const ProfiledCommand& command : process.commands) {
    if (isSmallTransfer(process, command)) {
      const ProfiledCall& its = process.threads[command.thread].calls[command.call];
      threads[command.thread].add(command.call, its, longPause);
      all.push_back(&its);
      ++count;
    } else if (command.hasEnded()) {
      others.emplace_back(command.started, command.ended);
    }
  }
  if (count < often) return std::nullopt;
  others = joined(std::move(others));
  std::uint64_t total = 0;
  for (SmallTransfers& each : threads) total += lengthOf(without(each.take(), others));
  std::ranges::sort(all);
  return Advice{
      .title = "Many small transfers",
      .evidence = fmt::format("{} transfers and fills of at most 4 KiB took the host {}, without its wait for other "
                              "commands",
                              count, nanosecondsText(total)),
      .cure = "Transfer what lies together at once, or pass a few numbers as arguments of the kernel.",
      .place = placeOfCalls(process, [&](const ProfiledCall& call) { return std::ranges::binary_search(all, &call); }),
      .gain = total - total / 16};
}

}  // namespace clarity::tools
