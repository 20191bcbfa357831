// SPDX-License-Identifier: Apache-2.0
// This file finds in a profile what costs time without need. Each finding is there only where the times of the run
// show it, and says by what.
#include "profile_advice.h"

#include "numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

/// A finding must be able to save this part of the run, and this time.
constexpr double leastShare = 0.05;
constexpr std::uint64_t leastGain = 200'000;
constexpr std::size_t mostFindings = 5;

/// So often something happens "in a loop".
constexpr std::size_t often = 8;

class Adviser {
public:
  Adviser(const ProfiledProcess& process, const ProfileSummary& summary) : process_(process), summary_(summary) {}

  std::vector<Advice> all() {
    buildsInLoop();
    objectsInLoop();
    waitsForEach();
    blockingTransfers();
    copiesOnCpu();
    smallTransfers();
    shortLaunches();
    fewWorkGroups();
    kernelsCompiledOften();
    std::erase_if(found_, [&](const Advice& each) {
      return each.gain < leastGain ||
             static_cast<double>(each.gain) < leastShare * static_cast<double>(process_.time());
    });
    for (Advice& each : kernelAdviceFor(process_, summary_)) add(std::move(each));
    std::ranges::sort(found_, std::greater{}, &Advice::gain);
    found_.resize(std::min(found_.size(), mostFindings));
    return std::move(found_);
  }

private:
  void add(Advice advice) { found_.push_back(std::move(advice)); }

  const CallSummary* call(std::string_view name) const {
    const auto found = std::ranges::find(summary_.calls, name, &CallSummary::name);
    return found == summary_.calls.end() ? nullptr : &*found;
  }

  std::size_t launches() const {
    std::size_t count = 0;
    for (const KernelSummary& kernel : summary_.kernels) count += kernel.times.count();
    return count;
  }

  bool hasCpuOnly() const {
    return std::ranges::none_of(
        process_.queues, [](const ProfiledQueue& queue) { return queue.device.find("NVIDIA") != std::string::npos; });
  }

  /// The place of the calls of this name, where one place makes most of them.
  std::string placeOf(const std::function<bool(const ProfiledCall&)>& isIt) const {
    std::map<std::string, std::size_t> places;
    std::size_t count = 0;
    for (const ProfiledThread& thread : process_.threads)
      for (const ProfiledCall& each : thread.calls)
        if (isIt(each)) {
          ++count;
          if (!each.place.empty()) ++places[each.place];
        }
    const auto most = std::ranges::max_element(places, {}, &std::pair<const std::string, std::size_t>::second);
    return most != places.end() && 2 * most->second >= count ? most->first : std::string();
  }
  std::string placeOf(std::string_view name) const {
    return placeOf([&](const ProfiledCall& each) { return each.name == name; });
  }

  void buildsInLoop() {
    const CallSummary* const builds = call("clBuildProgram");
    if (!builds || builds->times.count() < often) return;
    const std::uint64_t gain = builds->times.total - builds->times.most();
    add({.title = "Programs are built again and again",
         .evidence = fmt::format("clBuildProgram was called {} times, {} in all; {} launches came of it",
                                 builds->times.count(), nanosecondsText(builds->times.total), launches()),
         .cure = "Build each program once, keep its kernels, and pass what changes as arguments in place of -D.",
         .place = placeOf("clBuildProgram"),
         .gain = gain});
  }

  /// Objects of one kind: the calls that create and release them. Some kinds have the latter in common.
  struct ObjectKind {
    const char *create, *release, *objects;
  };
  static constexpr ObjectKind objectKinds[] = {
      {"clCreateBuffer", "clReleaseMemObject", "buffers"},
      {"clCreateImage", "clReleaseMemObject", "images"},
      {"clCreateKernel", "clReleaseKernel", "kernels"},
      {"clCreateContext", "clReleaseContext", "contexts"},
      {"clCreateCommandQueueWithProperties", "clReleaseCommandQueue", "command-queues"},
      {"clCreateCommandQueue", "clReleaseCommandQueue", "command-queues"}};

  /// The time that releases of the kind took: its part of them, by how many objects were created.
  std::uint64_t releasesOf(const ObjectKind& kind) const {
    const CallSummary* const released = call(kind.release);
    if (!released) return 0;
    double own = 0, all = 0;
    for (const ObjectKind& each : objectKinds) {
      const CallSummary* const created = call(each.create);
      if (!created || std::string_view(each.release) != kind.release) continue;
      const auto count = static_cast<double>(created->times.count());
      all += count;
      if (std::string_view(each.create) == kind.create) own = count;
    }
    return static_cast<std::uint64_t>(static_cast<double>(released->times.total) * own / all);
  }

  void objectsInLoop() {
    for (const ObjectKind& kind : objectKinds) {
      const CallSummary* const created = call(kind.create);
      if (!created || created->times.count() < 4 * often || 2 * created->times.count() < launches()) continue;
      const std::uint64_t total = created->times.total + releasesOf(kind);
      add({.title = fmt::format("New {} are created for every launch", kind.objects),
           .evidence = fmt::format("{} was called {} times for {} launches; with {} {} in all", kind.create,
                                   created->times.count(), launches(), kind.release, nanosecondsText(total)),
           .cure = fmt::format("Create the {} once, before the loop, and use them again.", kind.objects),
           .place = placeOf(kind.create),
           .gain = total});
    }
  }

  /// Time in which the host waited, no command ran and nothing was compiled.
  std::uint64_t idleIn(const std::function<bool(const ProfiledCall&)>& isIt, std::size_t& count) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> busy;
    for (const ProfiledCommand& command : process_.commands)
      if (command.hasEnded()) busy.emplace_back(command.started, command.ended);
    for (const ProfiledCompile& compile : process_.compiles) busy.emplace_back(compile.begin, compile.end);
    std::ranges::sort(busy);
    std::uint64_t idle = 0;
    for (const ProfiledThread& thread : process_.threads)
      for (const ProfiledCall& each : thread.calls) {
        if (!isIt(each)) continue;
        ++count;
        std::uint64_t covered = 0;
        auto at = std::ranges::lower_bound(busy, std::pair{each.begin, std::uint64_t{0}});
        if (at != busy.begin()) --at;
        for (std::uint64_t until = each.begin; at != busy.end() && at->first < each.end; ++at) {
          const std::uint64_t begin = std::max(at->first, until), end = std::min(at->second, each.end);
          if (end > begin) covered += end - begin;
          until = std::max(until, end);
        }
        idle += each.time() - std::min(covered, each.time());
      }
    return idle;
  }

  void waitsForEach() {
    std::size_t waits = 0;
    const auto isWait = [](const ProfiledCall& each) {
      return each.name == "clFinish" || each.name == "clWaitForEvents";
    };
    const std::uint64_t idle = idleIn(isWait, waits);
    if (waits < 4 * often || 2 * waits < launches()) return;
    add({.title = "The host waits after every launch",
         .evidence = fmt::format("{} waits for {} launches; for {} of them nothing ran", waits, launches(),
                                 nanosecondsText(idle)),
         .cure =
             "Enqueue all launches of a step, which an in-order command-queue keeps in order, and wait once, for the "
             "result.",
         .place = placeOf(isWait),
         .gain = idle});
  }

  void blockingTransfers() {
    std::size_t waits = 0;
    const auto isBlocking = [](const ProfiledCall& each) {
      return waitsForCommands(each) && each.name.starts_with("clEnqueue");
    };
    const std::uint64_t idle = idleIn(isBlocking, waits);
    if (waits < 4 * often) return;
    add({.title = "Blocking transfers in a loop",
         .evidence = fmt::format("{} blocking transfers for {} launches; for {} of them nothing ran", waits, launches(),
                                 nanosecondsText(idle)),
         .cure = "Enqueue them without blocking and wait once; keep what only kernels use in buffers.",
         .place = placeOf(isBlocking),
         .gain = idle});
  }

  void copiesOnCpu() {
    if (!hasCpuOnly()) return;
    constexpr std::uint64_t large = 1 << 20;
    std::uint64_t total = 0, bytes = 0;
    std::size_t count = 0;
    for (const ProfiledCommand& command : process_.commands) {
      const bool isCopy = command.name == "clEnqueueReadBuffer" || command.name == "clEnqueueWriteBuffer";
      if (!isCopy || !command.hasEnded() || command.bytes < large) continue;
      total += command.time();
      bytes += command.bytes;
      ++count;
    }
    if (count < 2) return;
    add({.title = "Large buffers are copied on a device that shares the host's memory",
         .evidence = fmt::format("{} reads and writes of {}B took {}", count, siText(static_cast<double>(bytes)),
                                 nanosecondsText(total)),
         .cure =
             "Map the buffers (clEnqueueMapBuffer), or create them with CL_MEM_USE_HOST_PTR: nothing is copied then.",
         .place = placeOf([](const ProfiledCall& each) {
           return each.name == "clEnqueueReadBuffer" || each.name == "clEnqueueWriteBuffer";
         }),
         .gain = total});
  }

  void smallTransfers() {
    constexpr std::uint64_t small = 4096;
    std::uint64_t total = 0;
    std::size_t count = 0;
    for (const ProfiledCommand& command : process_.commands) {
      if (command.kernel.empty() && command.bytes > 0 && command.bytes <= small && command.hasEnded() &&
          command.thread < process_.threads.size() && command.call < process_.threads[command.thread].calls.size()) {
        total += process_.threads[command.thread].calls[command.call].time();
        ++count;
      }
    }
    if (count < 16 * often) return;
    add({.title = "Many small transfers",
         .evidence =
             fmt::format("{} transfers and fills of at most 4 KiB took the host {}", count, nanosecondsText(total)),
         .cure = "Transfer what lies together at once, or pass a few numbers as arguments of the kernel.",
         .place = {},
         .gain = total - total / 16});
  }

  void shortLaunches() {
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    const KernelSummary* most = nullptr;
    for (const KernelSummary& kernel : summary_.kernels) {
      if (kernel.times.median() >= shortLaunch || kernel.times.count() < 16 * often) continue;
      if (!most || kernel.times.count() > most->times.count()) most = &kernel;
    }
    if (!most) return;
    for (const ProfiledCommand& command : process_.commands)
      if (command.hasEnded() && !command.kernel.empty()) {
        first = std::min(first, command.queued);
        last = std::max(last, command.ended);
      }
    if (last <= first || last - first <= summary_.kernelTime) return;
    add({.title = fmt::format("Launches of '{}' are too small", most->kernel),
         .evidence = fmt::format("{} launches of {} work-items take {} each; from the first to the last {} passed, of "
                                 "which kernels ran {}",
                                 most->times.count(), most->workItems(), nanosecondsText(most->times.median()),
                                 nanosecondsText(last - first), nanosecondsText(summary_.kernelTime)),
         .cure =
             "Give each launch more work: several steps in one kernel, several inputs in one NDRange; or record the "
             "launches in a command-buffer (cl_khr_command_buffer).",
         .place = placeOf("clEnqueueNDRangeKernel"),
         .gain = last - first - summary_.kernelTime});
  }

  void fewWorkGroups() {
    const std::uint64_t units = std::max(std::thread::hardware_concurrency(), 1u);
    if (units < 2 || !hasCpuOnly()) return;
    for (const KernelSummary& kernel : summary_.kernels) {
      if (kernel.workGroups() >= units || kernel.times.median() < shortLaunch) continue;
      if (kernel.workItems() == 1) continue;  // more than the size of work-groups is wrong (adviseOnSingleItems)
      add({.title = fmt::format("'{}' has fewer work-groups than there are processors", kernel.kernel),
           .evidence = fmt::format(
               "{} of {} work-items in {}: {} of {} processors work",
               kernel.workGroups() == 1 ? "one work-group" : fmt::format("{} work-groups", kernel.workGroups()),
               kernel.local[0] * kernel.local[1] * kernel.local[2], kernel.sizes(), kernel.workGroups(), units),
           .cure = "Use smaller work-groups, or more work-items: a work-group runs on one processor.",
           .place = placeOf("clEnqueueNDRangeKernel"),
           .gain = kernel.times.total - kernel.times.total * kernel.workGroups() / units});
    }
  }

  void kernelsCompiledOften() {
    for (const KernelSummary& kernel : summary_.kernels) {
      const CompileSummary& compiles = kernel.compiles;
      const std::size_t made = compiles.times.count() - compiles.cached;
      // Programs that are built again compile their kernels again, too.
      const auto sizes = std::ranges::count(summary_.kernels, kernel.kernel, &KernelSummary::kernel);
      if (made < often || 2 * static_cast<std::size_t>(sizes) < made) continue;
      add({.title = fmt::format("'{}' is compiled for many work-group sizes", kernel.kernel),
           .evidence = fmt::format("code was made {} times, {} in all", made, nanosecondsText(compiles.times.total)),
           .cure = "Launch it with few different work-group sizes, and round the global size up with a check in the "
                   "kernel.",
           .place = placeOf("clEnqueueNDRangeKernel"),
           .gain = compiles.times.total - compiles.times.total / made});
    }
  }

  const ProfiledProcess& process_;
  const ProfileSummary& summary_;
  std::vector<Advice> found_;
};

}  // namespace

std::vector<Advice> adviceFor(const ProfiledProcess& process, const ProfileSummary& summary) {
  return Adviser(process, summary).all();
}

}  // namespace clarity::tools
