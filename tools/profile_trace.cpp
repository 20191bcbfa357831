// SPDX-License-Identifier: Apache-2.0
// This file writes a profile in the Trace Event format (Google's document of that name), which Perfetto and
// chrome://tracing open: a track for each thread of the host, each that executes kernels and each command-queue, and
// arrows from calls to the commands that they enqueued and from commands to those that waited for them.
#include "profile_output.h"
#include "profile_record.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

using TraceJson = nlohmann::ordered_json;

/// Tracks of command-queues follow all threads, whose numbers are below 2^22 on Linux.
constexpr std::uint64_t firstQueueTrack = std::uint64_t{1} << 23, tracksOfQueue = 256;

class Trace {
public:
  std::string write(const std::vector<ProfiledProcess>& processes) {
    for (const ProfiledProcess& process : processes) add(process);
    std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    for (std::size_t i = 0; i < events_.size(); ++i) text += (i == 0 ? "" : ",\n") + events_[i].dump();
    return text + "\n]}\n";
  }

private:
  void add(const ProfiledProcess& process) {
    process_ = &process;
    name("process_name", 0, process.command);
    for (const ProfiledThread& thread : process.threads) {
      name("thread_name", thread.id, fmt::format("host thread {}", thread.id));
      for (const ProfiledCall& call : thread.calls) addCall(thread, call);
    }
    for (const ProfiledCompile& compile : process.compiles) {
      TraceJson& event = complete(titleOf(compile), "compile", compile.thread, compile.begin, compile.end);
      event["args"] = {{"cached", compile.isCached}, {"quick", compile.isQuick}, {"counted", compile.isCounted}};
    }
    for (const ProfiledWorker& worker : process.workers) addWorker(worker);
    addCommands();
  }

  /// A thread of the host that executes kernels while it waits has them inside of the call.
  void addWorker(const ProfiledWorker& worker) {
    if (std::ranges::find(process_->threads, worker.id, &ProfiledThread::id) == process_->threads.end())
      name("thread_name", worker.id, fmt::format("worker {}", worker.id));
    for (const ProfiledSpan& span : worker.spans) {
      TraceJson& event = complete(span.kernel, "work", worker.id, span.begin, span.end);
      event["args"] = {{"from", span.first}, {"count", span.count}, {"of", span.all}};
    }
  }

  /// Microseconds, as the format has them.
  double at(std::uint64_t time) const {
    return time < process_->begin
               ? 0
               : static_cast<double>(time - process_->begin) / 1e3;  // divided: 2.51, not 2.5100000000000002
  }

  void name(const char* kind, std::uint64_t track, const std::string& text) {
    events_.push_back({{"ph", "M"}, {"name", kind}, {"pid", process_->id}, {"tid", track}, {"args", {{"name", text}}}});
  }

  TraceJson& complete(const std::string& title, const char* category, std::uint64_t track, std::uint64_t begin,
                      std::uint64_t end) {
    events_.push_back({{"ph", "X"},
                       {"name", title},
                       {"cat", category},
                       {"pid", process_->id},
                       {"tid", track},
                       {"ts", at(begin)},
                       {"dur", static_cast<double>(end - begin) / 1e3}});
    return events_.back();
  }

  void addCall(const ProfiledThread& thread, const ProfiledCall& call) {
    TraceJson& event = complete(call.name, "call", thread.id, call.begin, call.end);
    event["args"] = {{"arguments", call.arguments}};
    if (!call.place.empty()) event["args"]["at"] = call.place;
    if (call.error != 0) event["args"]["error"] = call.error;
  }

  void addCommands() {
    // Commands of one queue that run at the same time get tracks side by side.
    std::vector<std::vector<std::uint64_t>> ends(process_->queues.size());
    std::vector<std::uint64_t> tracks(process_->commands.size());
    for (std::size_t i = 0; i < process_->commands.size(); ++i) {
      const ProfiledCommand& command = process_->commands[i];
      if (!command.hasEnded()) continue;
      std::vector<std::uint64_t>& its = ends[command.queue];
      auto free = std::ranges::find_if(its, [&](std::uint64_t end) { return end <= command.started; });
      if (free == its.end()) {
        if (its.size() < tracksOfQueue) {
          name("thread_name", firstQueueTrack + command.queue * tracksOfQueue + its.size(),
               fmt::format("command-queue {}: {}", command.queue + 1, process_->queues[command.queue].device));
          its.push_back(0);
        }
        free = its.end() - 1;
      }
      *free = command.ended;
      tracks[i] = firstQueueTrack + command.queue * tracksOfQueue + static_cast<std::uint64_t>(free - its.begin());
      addCommand(command, i, tracks[i]);
      for (const std::size_t earlier : command.after)
        if (earlier < i && tracks[earlier] != 0)
          arrow(fmt::format("{}.{}", earlier, i), "wait list", tracks[earlier], process_->commands[earlier].ended,
                tracks[i], command.started);
    }
  }

  void addCommand(const ProfiledCommand& command, std::size_t number, std::uint64_t track) {
    const std::string title = command.kernel.empty() ? command.name.substr(9) : command.kernel;
    TraceJson& event = complete(title, "command", track, command.started, command.ended);
    TraceJson& details = event["args"];
    if (countOf(*process_, command)) details["counted"] = true;
    details["queued_us"] = at(command.queued);
    details["submitted_us"] = at(command.submitted);
    if (command.bytes != 0) details["bytes"] = command.bytes;
    if (!command.kernel.empty()) {
      details["global"] = command.global;
      details["local"] = command.local;
    }
    if (command.status < 0) details["error"] = command.status;
    if (command.thread >= process_->threads.size()) return;
    const ProfiledThread& thread = process_->threads[command.thread];
    if (command.call < thread.calls.size())
      arrow(fmt::format("call {}", number), "enqueued", thread.id, thread.calls[command.call].begin, track,
            command.started);
  }

  void arrow(const std::string& id, const char* title, std::uint64_t from, std::uint64_t begin, std::uint64_t to,
             std::uint64_t end) {
    const TraceJson common{{"name", title}, {"cat", "flow"}, {"id", id}, {"pid", process_->id}};
    TraceJson start = common, finish = common;
    start.update({{"ph", "s"}, {"tid", from}, {"ts", at(begin)}});
    finish.update({{"ph", "f"}, {"bp", "e"}, {"tid", to}, {"ts", at(end)}});
    events_.push_back(std::move(start));
    events_.push_back(std::move(finish));
  }

  const ProfiledProcess* process_ = nullptr;
  std::vector<TraceJson> events_;
};

}  // namespace

std::string profileTrace(const std::vector<ProfiledProcess>& processes) { return Trace().write(processes); }

}  // namespace clarity::tools
