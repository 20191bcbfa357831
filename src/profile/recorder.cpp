// SPDX-License-Identifier: Apache-2.0
// This file keeps calls by thread and commands by event.
#include "profile/recorder.h"

#include "check/host/host_python.h"
#include "compiler/driver/compiler.h"
#include "device/executable.h"
#include "profile/entry_plan.h"
#include "profile/records.h"
#include "profile/sampler.h"
#include "support/clock.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>

namespace clarity::profile {
namespace {

using check::HostCall;
using check::Value;
using check::ValueKind;

std::uint64_t valueAt(const HostCall& call, int parameter) {
  return parameter < 0 ? 0 : call.arguments[static_cast<std::size_t>(parameter)].bits;
}
template <class T>
T valueAt(const HostCall& call, int parameter) {
  return parameter < 0 ? T{} : call.arguments[static_cast<std::size_t>(parameter)].as<T>();
}
std::uint64_t bytesOf(const HostCall& call, const EntryPlan& plan) {
  if (const auto size = valueAt(call, plan.size)) return size;
  const auto* const region = valueAt<const std::size_t*>(call, plan.region);
  return region ? std::uint64_t{region[0]} * region[1] * region[2] : 0;
}

/// Whether this process is a child of fork(), which has objects and threads of its own.
std::atomic<bool> isForked{false};

}  // namespace

struct Recorder::State {
  State(std::string itsFile, const Services& itsServices) : file(std::move(itsFile)), services(itsServices) {}

  const std::string file;
  const Services services;
  const std::uint64_t begin = support::hostTime();
  KernelNames kernels;
  NumberedTexts texts, places;

  std::mutex mutex;  ///< guards what follows; behind that of a log
  std::deque<ThreadLog> threads;
  std::vector<QueueRecord> queues;
  std::vector<std::string> sources;
  std::vector<BuildRecord> builds;
  std::unordered_map<std::uint64_t, std::size_t> sourceOf;  ///< by program
  bool isOver = false;
  std::mutex finishing;  ///< ahead of all others: who comes second waits for the record

  /// The log of this thread.
  ThreadLog& log() {
    thread_local ThreadLog* own = nullptr;
    if (!own) [[unlikely]] {
      const std::lock_guard lock(mutex);
      own = &threads.emplace_back(static_cast<std::uint32_t>(threads.size()), entryPlans().size());
    }
    return *own;
  }

  /// A place for what becomes of the first command of a call.
  device::CommandOutcome* placeFor(const device::Launch* launch) {
    ThreadLog& its = log();
    RunningCall& running = its.running;
    if (!std::exchange(running.enqueues, false)) return nullptr;
    {
      const std::lock_guard lock(its.mutex);
      running.command = its.newCommand();
    }
    running.command->queued = running.begin;
    running.kernel = 0;
    if (!launch) return running.command;
    running.kernel = kernels.numberOf(launch->info->name);
    running.local = launch->range.local;
    return running.command;
  }

  void noteSource(const HostCall& call) {
    constexpr std::size_t mostSources = 64, mostBytes = std::size_t{1} << 20;
    const auto* const strings = call.at<const char* const*>("strings");
    const auto* const lengths = call.at<const std::size_t*>("lengths");
    std::string text;
    for (cl_uint i = 0; i < call.at<cl_uint>("count") && text.size() < mostBytes; ++i)
      text += lengths && lengths[i] != 0 ? std::string_view(strings[i], lengths[i]) : std::string_view(strings[i]);
    const std::lock_guard lock(mutex);
    sourceOf.erase(call.result.bits);
    auto found = std::ranges::find(sources, text);
    if (found == sources.end()) {
      if (sources.size() >= mostSources || text.size() >= mostBytes) return;
      found = sources.insert(found, std::move(text));
    }
    sourceOf[call.result.bits] = static_cast<std::size_t>(found - sources.begin());
  }

  void noteBuild(const HostCall& call) {
    constexpr std::size_t mostBuilds = 256;
    const auto* const options = call.at<const char*>("options");
    const std::lock_guard lock(mutex);
    const auto source = sourceOf.find(call.at("program"));
    if (source == sourceOf.end()) return;
    BuildRecord build{.source = source->second, .options = options ? options : ""};
    std::erase(builds, build);  // the newest one is the last
    if (builds.size() < mostBuilds) builds.push_back(std::move(build));
  }

  void noteQueue(cl_command_queue queue) {
    QueueRecord fresh = services.queueOf(queue);
    std::erase_if(queues, [&](const QueueRecord& each) { return each.handle == fresh.handle; });
    queues.push_back(std::move(fresh));
  }

  std::uint32_t placeNumber(ThreadLog& to) {
    const void* const place = check::pythonPlace();
    if (place == to.lastPlace) return to.lastPlaceNumber;
    const compiler::Site* const site = place ? check::pythonSite(place) : nullptr;
    std::uint32_t number = 0;
    if (site) number = places.numberOf(fmt::format("{}:{}", site->file, site->line));
    to.lastPlace = place;
    return to.lastPlaceNumber = number;
  }

  void addCommand(ThreadLog& to, const HostCall& call, const EntryPlan& plan, KeptCommand& command,
                  std::uint32_t number) {
    const auto count = static_cast<std::size_t>(valueAt(call, plan.waitCount));
    const auto* const list = valueAt<const cl_event*>(call, plan.waits);
    std::vector<std::uint64_t> waitsFor;
    for (const cl_event earlier : list ? std::span(list, count) : std::span<const cl_event>())
      if (const auto* const kept = static_cast<const KeptCommand*>(services.outcomeOf(earlier)))
        waitsFor.push_back((std::uint64_t{kept->thread} << 32) | kept->number);
    to.addCommand(command, number, shapeOf(to.running, call, plan), waitsFor);
  }

  CommandShape shapeOf(const RunningCall& running, const HostCall& call, const EntryPlan& plan) {
    CommandShape shape{.queue = valueAt(call, plan.queue),
                       .global = {1, 1, 1},
                       .local = {1, 1, 1},
                       .bytes = bytesOf(call, plan),
                       .kernel = 0,
                       .entryPoint = static_cast<std::uint16_t>(call.info.number),
                       .dimensions = 0,
                       .isBlocking = valueAt<cl_bool>(call, plan.blocking) != CL_FALSE};
    if (!plan.isLaunch) return shape;
    LaunchFacts facts{.kernel = running.kernel, .local = {}};
    std::ranges::copy(running.local, facts.local.begin());
    if (facts.kernel == 0) facts = services.launchOf(call, kernels);
    shape.kernel = facts.kernel;
    shape.local = facts.local;
    shape.dimensions = plan.dimensions < 0 ? 1 : static_cast<std::uint8_t>(valueAt(call, plan.dimensions));
    const auto* const global = valueAt<const std::size_t*>(call, plan.globalSize);
    for (std::size_t d = 0; global && d < std::min<std::size_t>(shape.dimensions, 3); ++d) shape.global[d] = global[d];
    return shape;
  }
};

Recorder::Recorder(std::string file, const Services& services)
    : state_(std::make_unique<State>(std::move(file), services)) {
  static_cast<void>(::pthread_atfork(nullptr, nullptr, [] { isForked = true; }));
  keepSpans(state_->kernels);
  static State& state = *state_;
  device::commandListener = [](const device::Launch* launch) noexcept -> device::CommandOutcome* {
    try {
      return state.placeFor(launch);
    } catch (const std::exception&) {
      return nullptr;  // without memory for a record there is no record
    }
  };
}

Recorder::~Recorder() = default;

void Recorder::before(const HostCall& call) noexcept try {
  RunningCall& running = state_->log().running;
  const EntryPlan& plan = planOf(call);
  if (plan.makes == EntryPlan::Makes::Command) {
    running.enqueues = true;
    running.command = nullptr;
  }
  running.begin = support::hostTime();
} catch (const std::exception&) {
  // Without memory for a record the call goes on as it is.
}

void Recorder::after(const HostCall& call) noexcept try {
  const std::uint64_t end = support::hostTime();
  if (isForked.load(std::memory_order_relaxed)) return;
  using Makes = EntryPlan::Makes;
  State& state = *state_;
  ThreadLog& log = state.log();
  const EntryPlan& plan = planOf(call);
  const std::uint32_t place = state.placeNumber(log);
  RunningCall& running = log.running;
  running.enqueues = false;
  KeptCommand* const command = std::exchange(running.command, nullptr);
  {
    const std::lock_guard lock(log.mutex);
    const std::uint32_t number = log.addCall(call, plan, end, place, state.texts);
    if (command && call.error == CL_SUCCESS) state.addCommand(log, call, plan, *command, number);
  }
  if (call.error != CL_SUCCESS || plan.makes == Makes::Nothing) return;
  if (plan.makes == Makes::Source) state.noteSource(call);
  if (plan.makes == Makes::Build) state.noteBuild(call);
  if (plan.makes == Makes::Queue && call.result.bits != 0) {
    static const bool begun = beginSampling();
    static_cast<void>(begun);
    const std::lock_guard lock(state.mutex);
    state.noteQueue(call.result.as<cl_command_queue>());
  }
} catch (const std::exception&) {
  // Without memory for a record there is no record.
}

void Recorder::finish(const Ending& ending) noexcept try {
  if (isForked.load(std::memory_order_relaxed)) return;
  State& state = *state_;
  const std::lock_guard whole(state.finishing);
  endSampling();
  std::vector<ThreadLog*> logs;
  {
    const std::lock_guard lock(state.mutex);
    if (std::exchange(state.isOver, true)) return;
    for (ThreadLog& log : state.threads) logs.push_back(&log);
  }
  // Threads may still make calls: a log is locked ahead of what all have in common.
  std::vector<std::unique_lock<support::SpinLock>> locks;
  std::vector<ByteLog> commands;
  std::uint64_t dropped = 0;
  for (ThreadLog* const log : logs) {
    locks.emplace_back(log->mutex);
    commands.push_back(log->finish());
    dropped += log->dropped;
  }
  const std::lock_guard lock(state.mutex);
  append(state.file, {.begin = state.begin,
                      .end = support::hostTime(),
                      .ending = ending,
                      .threads = {logs.begin(), logs.end()},
                      .commands = std::move(commands),
                      .workers = endSpans(),
                      .queues = &state.queues,
                      .kernels = state.kernels.all(),
                      .texts = state.texts.all(),
                      .places = state.places.all(),
                      .sources = &state.sources,
                      .builds = &state.builds,
                      .dropped = dropped});
} catch (const std::exception&) {
}

}  // namespace clarity::profile
