// SPDX-License-Identifier: Apache-2.0
// This file finds in a profile what costs time without need. Each finding is there only where the times of the run
// show it, and says by what.
#include "profile_advice.h"

#include "numbers.h"
#include "profile_gpu.h"
#include "profile_host_advice.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
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
    contextsInLoop();
    waitsForEach();
    blockingTransfers();
    shortLaunches();
    fewWorkGroups();
    kernelsCompiledOften();
    for (std::optional<Advice> (*const rule)(const ProfiledProcess&) :
         {adviseOnPolling, adviseOnSleep, adviseOnQuestions, adviseOnFirstLaunches, adviseOnHostWork, adviseOnCopies,
          adviseOnFills, adviseOnBufferCopies, adviseOnImageCopies, adviseOnSmallTransfers, adviseOnPinning})
      if (std::optional<Advice> found = rule(process_)) add(std::move(*found));
    for (Advice& each : gpuAdviceFor(process_, summary_)) add(std::move(each));
    std::erase_if(found_, [&](const Advice& each) {
      return each.gain < leastGain ||
             static_cast<double>(each.gain) < leastShare * static_cast<double>(process_.time());
    });
    for (Advice& each : kernelAdviceFor(process_, summary_)) add(std::move(each));
    // Launches that ran at the same time take longer together than the run.
    for (Advice& each : found_) each.gain = std::min(each.gain, process_.time());
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

  bool hasCpuOnly() const { return std::ranges::none_of(process_.queues, &ProfiledQueue::isOnGpu); }

  std::string placeOf(const std::function<bool(const ProfiledCall&)>& isIt) const {
    return placeOfCalls(process_, isIt);
  }
  std::string placeOf(std::string_view name) const {
    return placeOf([&](const ProfiledCall& each) { return each.name == name; });
  }

  void buildsInLoop() {
    std::uint64_t total = 0, most = 0;
    std::size_t count = 0;
    std::string names, place;
    for (const char* const name :
         {"clBuildProgram", "clCompileProgram", "clLinkProgram", "clCreateProgramWithBinary"}) {
      const CallSummary* const builds = call(name);
      if (!builds) continue;
      total += builds->times.total;
      most += builds->times.most();
      count = std::max(count, builds->times.count());
      names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
      if (place.empty()) place = placeOf(name);
    }
    if (count < often) return;
    const std::uint64_t codes = codeMadeAgain(count);
    add({.title = "Programs are built again and again",
         .evidence = fmt::format(
             "{} {} called {} times, {} in all{}; {} launches came of it", names,
             names.find(',') == std::string::npos ? "was" : "were", count, nanosecondsText(total),
             codes == 0 ? std::string() : fmt::format(", and their kernels' code took {}", nanosecondsText(codes)),
             launches()),
         .cure = "Build each program once, keep its kernels, and pass what changes as arguments in place of -D.",
         .place = place,
         .gain = total - std::min(most, total) + codes});
  }

  /// The time in which code of kernels was made that had been there already, in programs of before.
  std::uint64_t codeMadeAgain(std::size_t builds) const {
    std::map<std::string, Times> codes;
    for (const ProfiledCompile& compile : process_.compiles)
      if (compile.isOwnCode()) codes[compile.name].add(compile.time());
    std::uint64_t again = 0;
    for (const auto& [kernel, times] : codes)
      if (2 * times.count() >= builds) again += times.total - times.total / times.count();
    return again;
  }

  /// Objects of one kind: the calls that create and release them. Some kinds have the latter in common.
  struct ObjectKind {
    const char *create, *release, *objects;
  };
  static constexpr ObjectKind objectKinds[] = {
      {"clCreateBuffer", "clReleaseMemObject", "buffers"},
      {"clCreateBufferWithProperties", "clReleaseMemObject", "buffers"},
      {"clCreateSubBuffer", "clReleaseMemObject", "sub-buffers"},
      {"clCreateImage", "clReleaseMemObject", "images"},
      {"clCreateImageWithProperties", "clReleaseMemObject", "images"},
      {"clCreateImage2D", "clReleaseMemObject", "images"},
      {"clCreateImage3D", "clReleaseMemObject", "images"},
      {"clSVMAlloc", "clSVMFree", "SVM allocations"},
      {"clCreateSampler", "clReleaseSampler", "samplers"},
      {"clCreateSamplerWithProperties", "clReleaseSampler", "samplers"},
      {"clCreateKernel", "clReleaseKernel", "kernels"},
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

  /// The time from the creation of a kernel to its launch in which nothing runs: what prepares a new kernel, such as
  /// questions about its arguments, and code that bindings of other languages generate for it.
  std::uint64_t preparationOfKernels() const {
    Intervals times;
    for (const ProfiledThread& thread : process_.threads) {
      const ProfiledCall* created = nullptr;
      for (const ProfiledCall& call : thread.calls) {
        if (call.name == "clCreateKernel") created = &call;
        if (created && call.name == "clEnqueueNDRangeKernel")
          times.emplace_back(std::exchange(created, nullptr)->end, call.begin);
      }
    }
    return lengthOf(without(joined(std::move(times)), busyTimes(process_)));
  }

  void objectsInLoop() {
    for (const ObjectKind& kind : objectKinds) {
      const CallSummary* const created = call(kind.create);
      if (!created || created->times.count() < 4 * often || 2 * created->times.count() < launches()) continue;
      std::uint64_t total = created->times.total + releasesOf(kind);
      std::string evidence = fmt::format("{} was called {} times for {} launches; with {} {} in all", kind.create,
                                         created->times.count(), launches(), kind.release, nanosecondsText(total));
      if (std::string_view(kind.objects) == "kernels") {
        const std::uint64_t more = preparationOfKernels();
        if (more > total)
          evidence += fmt::format(", and the host prepared them for {} before their launches", nanosecondsText(more));
        total += more;
      }
      add({.title = fmt::format("New {} are created for every launch", kind.objects),
           .evidence = std::move(evidence),
           .cure = fmt::format("Create the {} once, before the loop, and use them again.", kind.objects),
           .place = placeOf(kind.create),
           .gain = total});
    }
  }

  /// A context has programs, kernels and buffers of its own: all that is made in each is made again and again.
  void contextsInLoop() {
    std::size_t count = 0;
    for (const char* const name : {"clCreateContext", "clCreateContextFromType"})
      if (const CallSummary* const created = call(name)) count += created->times.count();
    if (count < often || 2 * launches() < count) return;
    std::uint64_t total = 0;  // of all but the first of each
    for (const CallSummary& each : summary_.calls)
      for (const char* const beginning : {"clCreate", "clBuild", "clCompile", "clLink", "clRelease"})
        if (each.name.starts_with(beginning)) total += each.times.total - each.times.most();
    total += codeMadeAgain(count);
    // Where each has a launch or two, these wait for the beginnings of its command-queue and code.
    std::size_t waits = 0;
    if (2 * count >= launches()) total += idleIn(isWait, waits);
    add({.title = "New contexts are created again and again",
         .evidence = fmt::format("{} contexts for {} launches; what is created, built and released again took {}",
                                 count, launches(), nanosecondsText(total)),
         .cure = "Create one context, with its command-queue, programs and kernels, when the application begins, and "
                 "use it until it ends.",
         .place = placeOf([](const ProfiledCall& each) { return each.name.starts_with("clCreateContext"); }),
         .gain = total});
  }

  /// Time in which the host waited, no command ran and nothing was compiled; and the time behind each wait until it has
  /// enqueued what comes next, which would have been there already.
  std::uint64_t idleIn(const std::function<bool(const ProfiledCall&)>& isIt, std::size_t& count) const {
    const Intervals busy = busyTimes(process_);
    std::uint64_t idle = 0, behind = 0, runs = 0;
    for (const ProfiledThread& thread : process_.threads) {
      Intervals waits, rests;
      const ProfiledCall* last = nullptr;
      for (const ProfiledCall& each : thread.calls) {
        if (last && each.name.starts_with("clEnqueue") && each.end - last->end < longPause_)
          rests.emplace_back(last->end, each.end);
        if (each.name.starts_with("clEnqueue")) last = nullptr;
        if (!isIt(each)) continue;
        ++count;
        waits.emplace_back(each.begin, each.end);
        last = &each;
      }
      idle += lengthOf(without(joined(std::move(waits)), busy));
      behind += lengthOf(without(joined(std::move(rests)), busy));
    }
    for (const ProfiledCommand& command : process_.commands)
      if (command.hasEnded()) runs += command.time();
    return idle + std::min(behind, runs);  // what is enqueued while commands run takes no time
  }

  static bool isWait(const ProfiledCall& call) { return call.name == "clFinish" || call.name == "clWaitForEvents"; }

  void waitsForEach() {
    std::size_t waits = 0;
    const std::uint64_t idle = idleIn(isWait, waits);
    if (waits < 4 * often || 2 * waits < launches()) return;
    add({.title = "The host waits after every launch",
         .evidence = fmt::format("{} waits for {} launches; for {} of them, and until more was enqueued, nothing ran",
                                 waits, launches(), nanosecondsText(idle)),
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
         .evidence =
             fmt::format("{} blocking transfers for {} launches; for {} of them, and until more was enqueued, nothing "
                         "ran",
                         waits, launches(), nanosecondsText(idle)),
         .cure = "Enqueue them without blocking and wait once; keep what only kernels use in buffers.",
         .place = placeOf(isBlocking),
         .gain = idle});
  }

  /// The time in which the host enqueues launches and nothing runs, of each call no more than a short launch takes: the
  /// system may interrupt one.
  std::uint64_t enqueuing() const {
    std::uint64_t time = 0;
    const Intervals busy = busyTimes(process_);
    for (const ProfiledThread& thread : process_.threads) {
      Intervals calls;
      for (const ProfiledCall& call : thread.calls)
        if (call.name == "clEnqueueNDRangeKernel" || call.name.starts_with("clSetKernelArg"))
          calls.emplace_back(call.begin, std::min(call.end, call.begin + shortLaunch));
      time += lengthOf(without(joined(std::move(calls)), busy));
    }
    return time;
  }

  void shortLaunches() {
    const KernelSummary* most = nullptr;
    std::size_t count = 0;
    for (const KernelSummary& kernel : summary_.kernels) {
      if (kernel.times.median() >= shortLaunch || kernel.times.count() < 16 * often) continue;
      count += kernel.times.count();
      if (!most || kernel.times.count() > most->times.count()) most = &kernel;
    }
    if (!most) return;
    const Times gaps = gapsOfLaunches(process_);
    std::uint64_t lost = 0;
    for (const std::uint64_t gap : gaps.all) lost += std::min(gap, longPause_);
    if (count < gaps.count()) lost = lost / gaps.count() * count;
    // Where they pile up, they follow each other closely, and the host takes the time.
    const std::uint64_t enqueued = enqueuing() / std::max<std::uint64_t>(launches(), 1) * count;
    add({.title = fmt::format("Launches of '{}' are too small", most->kernel),
         .evidence = fmt::format("{} launches of {} work-items take {} each, from the end of one to the start of "
                                 "the next pass {}, and the host enqueued them for {} in which nothing ran",
                                 most->times.count(), most->workItems(), nanosecondsText(most->times.median()),
                                 nanosecondsText(gaps.median()), nanosecondsText(enqueued)),
         .cure =
             "Give each launch more work: several steps in one kernel, several inputs in one NDRange; or record the "
             "launches in a command-buffer (cl_khr_command_buffer).",
         .place = placeOf("clEnqueueNDRangeKernel"),
         .gain = std::max(lost, enqueued)});
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
  /// Between calls of a loop: what is longer is work of the host's own.
  const std::uint64_t longPause_ = longPauseOf(process_);
  std::vector<Advice> found_;
};

}  // namespace

std::vector<Advice> adviceFor(const ProfiledProcess& process, const ProfileSummary& summary) {
  return Adviser(process, summary).all();
}

}  // namespace clarity::tools
