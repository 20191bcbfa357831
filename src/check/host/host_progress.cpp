// SPDX-License-Identifier: Apache-2.0
// This file finds commands that may never run: in command-queues that are not flushed, behind user events that no
// thread ends; and calls in callbacks that wait for what the callback may hold up.
#include "check/host/host_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace clarity::check {
namespace {

thread_local std::vector<CallSite> callbacksOfThread;

bool isWait(const HostCall& call) {
  return call.is("clFinish") || call.is("clWaitForEvents") ||
         (call.info.begins("clEnqueue") && call.isBlockingTransfer());
}

bool isBlockingBuild(const HostCall& call) {
  return (call.is("clBuildProgram") || call.is("clCompileProgram") || call.is("clLinkProgram")) &&
         !call.at("pfn_notify");
}

class ProgressCheck final : public HostCheck {
public:
  explicit ProgressCheck(HostScene& scene) : scene_(scene) {}

  void before(HostCall& call) override {
    if (!callbacksOfThread.empty() && (isWait(call) || isBlockingBuild(call)))
      scene_.report(Kind::BlockingInCallback, CallSite(call),
                    fmt::format("{} in a callback waits for commands", call.info.name), scene_.objects.inWords(call),
                    {{callbacksOfThread.back(), "the callback was registered here"}});
    flush(call);
    if (isWait(call)) requireProgress(call);
  }

  /// Commands that are not flushed need never begin. They usually do here, so that a loop that asks for their status
  /// would not be noticed: the first few times it is told that they have not.
  void answered(const HostCall& call) override {
    constexpr unsigned asLoopsDo = 4;
    if (!call.is("clGetEventInfo") || call.error != CL_SUCCESS || !call.at("param_value") ||
        call.at<cl_event_info>("param_name") != CL_EVENT_COMMAND_EXECUTION_STATUS)
      return;
    const CommandRef command = scene_.order.commandOf(call.at<cl_event>("event"));
    if (!command || command->knownAt != 0) return;
    const std::vector<HostCommand*> all = CommandOrder::withEarlier({command.get()});
    const auto open = std::ranges::find_if(all, [](const HostCommand* each) {
      return !each->isUser() && !each->isOfSeveralQueues() && !each->flushed && each->knownAt == 0;
    });
    auto* const status = call.at<cl_int*>("param_value");
    if (*status < 0) return;
    if (open == all.end()) return answerOnce(*command, *status);
    Poll& poll = polls_[command->enqueuedAt];
    if (poll.frames != call.frames) poll = {call.frames, 0};
    if (++poll.times < asLoopsDo) {
      *status = CL_QUEUED;
      return;
    }
    (*open)->flushed = true;  // once
    scene_.report(Kind::NotFlushed, (*open)->site,
                  "the program asks again and again for the status of a command that was not flushed",
                  fmt::format("{} was enqueued here to {}, and nothing submits it to the device", (*open)->site.name(),
                              scene_.objects.nameOf(ValueKind::Queue, (*open)->queue)),
                  {{CallSite(call), "the status is asked for here"}});
  }

  void after(const HostCall& call) override {
    if (!isWait(call)) return;
    scene_.waits.erase(call.number);
  }

  void callbackBegins(const CallSite& registered) override { callbacksOfThread.push_back(registered); }
  void callbackEnds() override { callbacksOfThread.pop_back(); }

  void finish(int exitStatus) override {
    if (exitStatus != 0) return;
    std::set<std::uint64_t> queues;
    for (const CommandRef& command : scene_.order.live()) {
      if (command->knownAt == 0)
        for (const CommandRef& earlier : command->earlier)
          if (earlier->isUser() && earlier->setAt == 0) reportUnset(*earlier, *command, "the program ends");
      if (command->flushed || command->knownAt != 0 || command->isOfSeveralQueues()) continue;
      // Waiting for a read that is reported already would have flushed what comes before it.
      const bool isReported = std::ranges::any_of(scene_.order.live(), [&](const CommandRef& other) {
        return other->queue == command->queue && scene_.notAwaited.contains(other->enqueuedAt);
      });
      if (isReported || !queues.insert(command->queue).second) continue;
      scene_.report(
          Kind::NotFlushed, command->site,
          fmt::format("the program ends, and commands of {} may never have run",
                      scene_.objects.nameOf(ValueKind::Queue, command->queue)),
          fmt::format("neither this {} nor what comes after it in the command-queue was flushed or waited for",
                      command->site.name()));
    }
  }

private:
  /// Who asks once, and goes on whatever the answer is, would nearly always be lucky.
  void answerOnce(const HostCommand& command, cl_int& status) {
    if (status == CL_COMPLETE && !command.isUser() && asked_.insert(command.enqueuedAt).second) status = CL_RUNNING;
  }

  /// Commands that the call has submitted to the device.
  void flush(const HostCall& call) {
    std::set<std::uint64_t> queues;
    if (call.is("clFlush") || call.is("clFinish") || call.is("clReleaseCommandQueue") ||
        (call.info.begins("clEnqueue") && call.isBlockingTransfer()))
      queues.insert(call.at("command_queue"));
    if (call.is("clWaitForEvents"))
      for (const cl_event event : call.waitList())
        if (const CommandRef command = scene_.order.commandOf(event)) queues.insert(command->queue);
    if (queues.empty()) return;
    for (const CommandRef& command : scene_.order.live())
      if (queues.contains(command->queue)) command->flushed = true;
  }

  void requireProgress(const HostCall& call) {
    std::set<HostCommand*> awaited;
    for (const cl_event event : call.waitList())
      if (const CommandRef command = scene_.order.commandOf(event)) awaited.insert(command.get());
    if (!call.is("clWaitForEvents"))
      for (const CommandRef& command : scene_.order.unknownOf(call.at("command_queue"))) awaited.insert(command.get());
    for (HostCommand* const earlier : CommandOrder::withEarlier({awaited.begin(), awaited.end()})) {
      if (earlier->isUser() && earlier->setAt == 0)
        scene_.waits[call.number].emplace_back(earlier->shared_from_this(), call);
      if (earlier->isUser() || earlier->isOfSeveralQueues() || earlier->flushed || earlier->knownAt != 0) continue;
      earlier->flushed = true;  // once
      scene_.report(Kind::NotFlushed, earlier->site,
                    fmt::format("{} waits for a command of another command-queue that was not flushed", call.info.name),
                    fmt::format("{} was enqueued here to {}", earlier->site.name(),
                                scene_.objects.nameOf(ValueKind::Queue, earlier->queue)),
                    {{CallSite(call), "the wait"}});
    }
  }

  void reportUnset(const HostCommand& event, const HostCommand& command, const std::string& when) const {
    scene_.report(Kind::UserEventUnset, event.site,
                  fmt::format("{}, and the status of a user event that a command waits for was never set", when),
                  "the user event was created here", {{command.site, "this command waits for it"}});
  }

  struct Poll {
    Frames frames{};
    unsigned times = 0;
  };

  HostScene& scene_;
  std::set<std::uint64_t> asked_;        ///< commands whose status has been asked for
  std::map<std::uint64_t, Poll> polls_;  ///< by command
};

}  // namespace

HostCheckRef progressCheck(HostScene& scene) { return std::make_unique<ProgressCheck>(scene); }

}  // namespace clarity::check
