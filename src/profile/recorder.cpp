// SPDX-License-Identifier: Apache-2.0
// This file keeps calls by thread and commands by event.
#include "profile/recorder.h"

#include "check/host/host_python.h"
#include "profile/entry_plan.h"
#include "profile/records.h"
#include "profile/sampler.h"
#include "support/clock.h"
#include "support/own_thread.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>

namespace clarity::profile {
namespace {

using check::HostCall;
using check::Value;
using check::ValueKind;

/// Commands that are looked at, whether they have ended, whenever one is enqueued.
constexpr std::size_t lookedAt = 8;
/// Between looks at the commands of threads that enqueue none.
constexpr std::chrono::milliseconds betweenLooks{20};

/// Events of commands that have ended, found in one look.
struct EndedEvents {
  void add(cl_event event) { events[count++] = event; }

  std::array<cl_event, lookedAt + 1> events;
  std::size_t count = 0;
};

/// The application's properties of a command-queue, with times; null: they are too many.
const cl_queue_properties* withTimes(const cl_queue_properties* given, std::array<cl_queue_properties, 32>& copy) {
  std::size_t count = 0;
  bool isThere = false;
  for (; given && given[count] != 0; count += 2) {
    if (count + 5 > copy.size()) return nullptr;
    copy[count] = given[count];
    copy[count + 1] = given[count + 1];
    if (given[count] != CL_QUEUE_PROPERTIES) continue;
    copy[count + 1] |= CL_QUEUE_PROFILING_ENABLE;
    isThere = true;
  }
  if (!isThere) {
    copy[count++] = CL_QUEUE_PROPERTIES;
    copy[count++] = CL_QUEUE_PROFILING_ENABLE;
  }
  copy[count] = 0;
  return copy.data();
}

std::uint64_t valueAt(const HostCall& call, int parameter) {
  return parameter < 0 ? 0 : call.arguments[static_cast<std::size_t>(parameter)].bits;
}
template <class T>
T valueAt(const HostCall& call, int parameter) {
  return parameter < 0 ? T{} : call.arguments[static_cast<std::size_t>(parameter)].as<T>();
}
template <class T>
void set(HostCall& call, int parameter, T value) {
  call.arguments[static_cast<std::size_t>(parameter)].bits = Value::of(value).bits;
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
  /// By event, of those that the application has seen: which thread's (the upper 32 bits), and which of them.
  std::unordered_map<std::uint64_t, std::uint64_t> commandOf;
  bool isOver = false;

  /// The log of this thread.
  ThreadLog& log() {
    thread_local ThreadLog* own = nullptr;
    if (!own) [[unlikely]] {
      const std::lock_guard lock(mutex);
      const auto number = static_cast<std::uint32_t>(threads.size());
      ThreadLog& fresh = threads.emplace_back();
      fresh.thread = static_cast<std::uint64_t>(::syscall(SYS_gettid));
      fresh.number = number;
      fresh.uses.resize(entryPlans().size());
      own = &fresh;
    }
    return *own;
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
    const auto handle = reinterpret_cast<std::uint64_t>(queue);
    std::erase_if(queues, [&](const QueueRecord& each) { return each.handle == handle; });
    queues.push_back({handle, services.deviceOf(queue), services.isOutOfOrder(queue)});
  }

  /// Takes the times of commands that have ended, of the oldest ones. Their events are to be released without the lock
  /// of the log: the last reference to an object leads to the application's callbacks, which make calls.
  EndedEvents collect(ThreadLog& from) const {
    EndedEvents ended;
    while (ended.count < lookedAt && !from.pending.empty() && take(from.pending.front())) {
      ended.add(from.pending.front().event);
      from.pending.pop_front();
    }
    // Those of other command-queues may have ended long before it.
    if (from.pending.size() <= lookedAt) return ended;
    PendingCommand& other = from.pending[from.commandCount % from.pending.size()];
    if (!take(other)) return ended;
    ended.add(other.event);
    other = from.pending.front();
    from.pending.pop_front();
    return ended;
  }
  void release(const EndedEvents& ended) const {
    for (std::size_t i = 0; i < ended.count; ++i) services.releaseEvent(ended.events[i]);
  }

  /// Whether the command has ended.
  bool take(const PendingCommand& it) const {
    const cl_int status = services.statusOf(it.event);
    if (status > CL_COMPLETE) return false;
    it.command->status = status;
    const CommandTimes times = services.timesOf(it.event);
    it.command->queued = times.queued;
    it.command->submitted = times.submitted;
    it.command->started = times.started;
    it.command->ended = times.ended;
    return true;
  }

  /// Releases the events of commands that have ended in threads that enqueue none: the application may wait for the end
  /// of a context. False when the record has been written.
  bool collectOfAll() {
    std::vector<ThreadLog*> logs;
    {
      const std::lock_guard lock(mutex);
      if (isOver) return false;
      for (ThreadLog& each : threads) logs.push_back(&each);
    }
    for (ThreadLog* const from : logs) {
      EndedEvents ended;
      do {
        {
          const std::lock_guard lock(from->mutex);
          ended = collect(*from);
          // Next time with another one first.
          if (ended.count == 0 && !from->pending.empty()) {
            const PendingCommand first = from->pending.front();
            from->pending.pop_front();
            from->pending.push_back(first);
          }
        }
        release(ended);
      } while (ended.count != 0);
    }
    return true;
  }

  bool beginCollecting() {
    support::runOnOwnThread([this]() noexcept {
      bool goesOn = true;
      while (goesOn) {
        std::this_thread::sleep_for(betweenLooks);
        try {
          goesOn = collectOfAll();
        } catch (const std::exception&) {
          // Without memory for it now, perhaps next time.
        }
      }
    });
    return true;
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

  void addCommand(ThreadLog& to, const HostCall& call, const EntryPlan& plan, std::uint32_t number) {
    const auto* const place = valueAt<cl_event*>(call, plan.event);
    if (!place || !*place) return;
    const cl_event event = *place;
    const auto waits = static_cast<std::size_t>(valueAt(call, plan.waitCount));
    const auto* const list = valueAt<const cl_event*>(call, plan.waits);
    const std::span<const cl_event> waitList = list ? std::span(list, waits) : std::span<const cl_event>();
    StoredCommand* const command = to.addCommand(shapeOf(call, plan), waitList.size());
    command->call = number;
    if (!waitList.empty() || to.running.wantsEvent) noteEvents(to, event, waitList, *command);
    services.retainEvent(event);
    to.pending.push_back({event, command});
  }

  StoredShape shapeOf(const HostCall& call, const EntryPlan& plan) {
    StoredShape shape{.queue = valueAt(call, plan.queue),
                      .global = {1, 1, 1},
                      .local = {1, 1, 1},
                      .bytes = bytesOf(call, plan),
                      .kernel = 0,
                      .entryPoint = static_cast<std::uint16_t>(call.info.number),
                      .dimensions = 0,
                      .isBlocking = valueAt<cl_bool>(call, plan.blocking) != CL_FALSE};
    if (!plan.isLaunch) return shape;
    const LaunchFacts facts = services.launchOf(call, kernels);
    shape.kernel = facts.kernel;
    shape.local = facts.local;
    shape.dimensions = plan.dimensions < 0 ? 1 : static_cast<std::uint8_t>(valueAt(call, plan.dimensions));
    const auto* const global = valueAt<const std::size_t*>(call, plan.globalSize);
    for (std::size_t d = 0; global && d < std::min<std::size_t>(shape.dimensions, 3); ++d) shape.global[d] = global[d];
    return shape;
  }

  /// Writes what the command waits for, and notes that its event may be waited for.
  void noteEvents(const ThreadLog& its, cl_event event, std::span<const cl_event> waitList, StoredCommand& command) {
    auto* to = reinterpret_cast<std::byte*>(&command + 1) + (command.isNew ? sizeof(StoredShape) : 0);
    const std::lock_guard lock(mutex);
    for (const cl_event earlier : waitList) {
      const auto found = commandOf.find(reinterpret_cast<std::uint64_t>(earlier));
      const std::uint64_t which = found == commandOf.end() ? ~std::uint64_t{0} : found->second;
      std::memcpy(to, &which, sizeof which);
      to += sizeof which;
    }
    command.after = static_cast<std::uint32_t>(waitList.size());
    if (its.running.wantsEvent)
      commandOf[reinterpret_cast<std::uint64_t>(event)] = (std::uint64_t{its.number} << 32) | (its.commandCount - 1);
  }
};

Recorder::Recorder(std::string file, const Services& services)
    : state_(std::make_unique<State>(std::move(file), services)) {
  static_cast<void>(::pthread_atfork(nullptr, nullptr, [] { isForked = true; }));
  keepSpans(state_->kernels);
}

Recorder::~Recorder() = default;

void Recorder::before(HostCall& call) noexcept try {
  RunningCall& running = state_->log().running;
  const EntryPlan& plan = planOf(call);
  if (plan.makes == EntryPlan::Makes::Command) {
    running.wantsEvent = valueAt(call, plan.event) != 0;
    running.event = nullptr;
    if (!running.wantsEvent) set(call, plan.event, &running.event);
  } else if (plan.makes == EntryPlan::Makes::Queue) {
    if (plan.isOldQueue)
      set(call, plan.properties, valueAt(call, plan.properties) | CL_QUEUE_PROFILING_ENABLE);
    else if (const cl_queue_properties* more =
                 withTimes(valueAt<const cl_queue_properties*>(call, plan.properties), running.properties))
      set(call, plan.properties, more);
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
  const bool makesCommand = plan.makes == Makes::Command && call.error == CL_SUCCESS;
  EndedEvents ended;
  {
    const std::lock_guard lock(log.mutex);
    const std::uint32_t number = log.addCall(call, plan, end, place, state.texts);
    if (makesCommand) {
      ended = state.collect(log);
      state.addCommand(log, call, plan, number);
    }
  }
  if (call.error != CL_SUCCESS || plan.makes == Makes::Nothing) return;
  const RunningCall& running = log.running;
  if (makesCommand && !running.wantsEvent && running.event) state.services.forgetEvent(running.event);
  if (plan.makes == Makes::Source) state.noteSource(call);
  if (plan.makes == Makes::Build) state.noteBuild(call);
  if (plan.makes == Makes::Queue && call.result.bits != 0) {
    static const bool begun = (beginSampling(), state.beginCollecting());
    static_cast<void>(begun);
    const std::lock_guard lock(state.mutex);
    state.noteQueue(call.result.as<cl_command_queue>());
  }
  // Last, as callbacks make calls of this thread.
  state.release(ended);
} catch (const std::exception&) {
  // Without memory for a record there is no record.
}

void Recorder::finish() noexcept try {
  if (isForked.load(std::memory_order_relaxed)) return;
  State& state = *state_;
  endSampling();
  std::vector<ThreadLog*> logs;
  {
    const std::lock_guard lock(state.mutex);
    if (std::exchange(state.isOver, true)) return;
    for (ThreadLog& log : state.threads) logs.push_back(&log);
  }
  // Threads may still make calls: a log is locked ahead of what all have in common.
  std::vector<std::unique_lock<std::mutex>> locks;
  std::uint64_t dropped = 0;
  for (ThreadLog* const log : logs) {
    locks.emplace_back(log->mutex);
    // Their events stay: the last reference to an object leads to the application's callbacks.
    for (const PendingCommand& each : log->pending) static_cast<void>(state.take(each));
    dropped += log->dropped;
  }
  const std::lock_guard lock(state.mutex);
  append(state.file, {.begin = state.begin,
                      .end = support::hostTime(),
                      .threads = {logs.begin(), logs.end()},
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
