// SPDX-License-Identifier: Apache-2.0
// This file keeps calls by thread and commands by event.
#include "profile/recorder.h"

#include "check/host/host_python.h"
#include "profile/records.h"
#include "profile/sampler.h"
#include "support/clock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <unordered_map>
#include <utility>

namespace clarity::profile {
namespace {

using check::HostCall;
using check::Value;
using check::ValueKind;

/// Calls of a thread that are kept: some hundred bytes each.
constexpr std::size_t mostCalls = 2'000'000;
/// Commands that are looked at, whether they have ended, whenever one is enqueued.
constexpr std::size_t lookedAt = 16;

bool makesCommand(const HostCall& call) { return call.info.begins("clEnqueue") && call.has("event"); }

bool makesQueue(const HostCall& call) { return call.info.begins("clCreateCommandQueue"); }

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

std::uint64_t bytesOf(const HostCall& call) {
  if (const auto size = call.at("size")) return size;
  const auto* const region = call.at<const std::size_t*>("region");
  return region ? std::uint64_t{region[0]} * region[1] * region[2] : 0;
}

void append(const std::string& file, const std::string& line) {
  const int to = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (to < 0) {
    std::perror(("clarity: the profile cannot be written to '" + file + "'").c_str());
    return;
  }
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t now = ::write(to, line.data() + written, line.size() - written);
    if (now <= 0) break;
    written += static_cast<std::size_t>(now);
  }
  ::close(to);
}

}  // namespace

struct Recorder::State {
  State(std::string itsFile, const Services& itsServices) : file(std::move(itsFile)), services(itsServices) {}

  const std::string file;
  const Services services;
  const pid_t process = ::getpid();
  const std::uint64_t begin = support::hostTime();

  std::mutex mutex;  ///< guards what follows
  std::deque<ThreadLog> threads;
  std::deque<CommandRecord> commands;
  std::vector<QueueRecord> queues;
  std::vector<std::string> kernels, sources;
  std::vector<BuildRecord> builds;
  std::unordered_map<std::uint64_t, std::size_t> sourceOf;  ///< by program
  std::unordered_map<std::string, std::uint32_t> kernelNumbers;
  struct Pending {
    cl_event event;
    std::size_t command;
  };
  std::deque<Pending> pending;
  std::unordered_map<std::uint64_t, std::size_t> commandOf;  ///< by event, of those that may still be waited for
  std::atomic<std::uint64_t> dropped{0};

  /// The log of this thread.
  ThreadLog& log() {
    thread_local ThreadLog* own = nullptr;
    if (!own) {
      const std::lock_guard lock(mutex);
      own = &threads.emplace_back();
      own->thread = static_cast<std::uint64_t>(::syscall(SYS_gettid));
    }
    return *own;
  }

  std::uint32_t numberOf(const std::string& kernel) {
    const auto [found, added] = kernelNumbers.try_emplace(kernel, static_cast<std::uint32_t>(kernels.size() + 1));
    if (added) kernels.push_back(kernel);
    return found->second;
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

  /// Takes the times of commands that have ended, of the oldest ones.
  void collect(std::size_t most) {
    for (std::size_t i = 0; i < std::min(most, pending.size());) {
      if (!take(pending[i])) {
        ++i;
        continue;
      }
      if (i != 0) std::swap(pending[i], pending.front());
      pending.pop_front();
    }
  }

  /// Whether the command has ended.
  bool take(const Pending& it) {
    const cl_int status = services.statusOf(it.event);
    if (status > CL_COMPLETE) return false;
    CommandRecord& command = commands[it.command];
    command.status = status;
    command.times = services.timesOf(it.event);
    services.releaseEvent(it.event);
    return true;
  }

  /// The number of the call in the log of its thread.
  std::size_t add(ThreadLog& to, const HostCall& call, std::uint64_t end) {
    const std::lock_guard lock(to.mutex);
    if (to.calls.size() >= mostCalls) {
      dropped.fetch_add(1, std::memory_order_relaxed);
      return to.calls.size();
    }
    CallRecord& kept = to.calls.emplace_back();
    kept.info = &call.info;
    kept.begin = to.running.begin;
    kept.end = end;
    kept.firstArgument = to.arguments.size();
    kept.error = call.error;
    kept.result = call.result.bits;
    kept.hasResult = call.result.kind != ValueKind::Number || call.result.bits != 0;
    kept.python = check::pythonPlace();
    for (const Value& value : call.arguments) {
      to.arguments.push_back(value);
      if (value.kind != ValueKind::Text) continue;
      const auto* const text = value.as<const char*>();
      to.arguments.back().bits = to.texts.size();
      to.texts.emplace_back(text ? std::string_view(text).substr(0, 200) : std::string_view("null"));
    }
    return to.calls.size() - 1;
  }

  void addCommand(const HostCall& call, const ThreadLog& its, std::size_t number) {
    const auto* const place = call.at<cl_event*>("event");
    if (!place || !*place) return;
    const cl_event event = *place;
    services.retainEvent(event);
    CommandRecord command;
    command.info = &call.info;
    command.thread = its.thread;
    command.call = number;
    command.isBlocking = call.isBlockingTransfer();
    command.bytes = bytesOf(call);
    const bool isLaunch = call.is("clEnqueueNDRangeKernel") || call.is("clEnqueueTask");
    LaunchFacts facts;
    if (isLaunch) facts = services.launchOf(call);
    command.local = facts.local;
    command.dimensions = call.is("clEnqueueNDRangeKernel") ? call.at<cl_uint>("work_dim") : isLaunch ? 1 : 0;
    const auto* const global = call.at<const std::size_t*>("global_work_size");
    command.global = {1, 1, 1};
    for (cl_uint d = 0; global && d < command.dimensions; ++d) command.global[d] = global[d];

    const std::lock_guard lock(mutex);
    command.queue = call.at("command_queue") ? call.at("command_queue") : 0;
    if (isLaunch) command.kernel = numberOf(facts.kernel);
    for (const cl_event earlier : call.waitList())
      if (const auto found = commandOf.find(reinterpret_cast<std::uint64_t>(earlier)); found != commandOf.end())
        command.after.push_back(found->second);
    const std::size_t own = commands.size();
    commandOf[reinterpret_cast<std::uint64_t>(event)] = own;
    commands.push_back(std::move(command));
    collect(lookedAt);
    pending.push_back({event, own});
  }
};

Recorder::Recorder(std::string file, const Services& services)
    : state_(std::make_unique<State>(std::move(file), services)) {}

Recorder::~Recorder() = default;

void Recorder::before(HostCall& call) noexcept try {
  RunningCall& running = state_->log().running;
  if (makesCommand(call)) {
    running.wantsEvent = call.at("event") != 0;
    running.event = nullptr;
    if (!running.wantsEvent) call.set("event", &running.event);
  } else if (makesQueue(call)) {
    if (call.is("clCreateCommandQueue"))
      call.set("properties", call.at("properties") | CL_QUEUE_PROFILING_ENABLE);
    else if (const cl_queue_properties* more =
                 withTimes(call.at<const cl_queue_properties*>("properties"), running.properties))
      call.set("properties", more);
  }
  running.begin = support::hostTime();
} catch (const std::exception&) {
  // Without memory for a record the call goes on as it is.
}

void Recorder::after(const HostCall& call) noexcept try {
  const std::uint64_t end = support::hostTime();
  State& state = *state_;
  if (state.process != ::getpid()) return;  // a child of fork() has objects and threads of its own
  ThreadLog& log = state.log();
  const std::size_t number = state.add(log, call, end);
  if (call.error != CL_SUCCESS) return;
  if (call.is("clCreateProgramWithSource")) state.noteSource(call);
  if (call.is("clBuildProgram") || call.is("clCompileProgram")) state.noteBuild(call);
  if (makesQueue(call) && call.result.bits != 0) {
    static const bool samples = beginSampling();
    static_cast<void>(samples);
    const std::lock_guard lock(state.mutex);
    state.noteQueue(call.result.as<cl_command_queue>());
  }
  if (!makesCommand(call)) return;
  state.addCommand(call, log, number);
  const RunningCall& running = log.running;
  if (!running.wantsEvent && running.event) state.services.forgetEvent(running.event);
} catch (const std::exception&) {
  // Without memory for a record there is no record.
}

void Recorder::finish() noexcept try {
  State& state = *state_;
  if (state.process != ::getpid()) return;
  endSampling();
  const std::lock_guard lock(state.mutex);
  state.collect(state.pending.size());
  Record record{.begin = state.begin,
                .end = support::hostTime(),
                .threads = &state.threads,
                .commands = &state.commands,
                .queues = &state.queues,
                .kernels = &state.kernels,
                .sources = &state.sources,
                .builds = &state.builds,
                .dropped = state.dropped};
  append(state.file, jsonOf(record) + "\n");
} catch (const std::exception&) {
}

}  // namespace clarity::profile
