// SPDX-License-Identifier: Apache-2.0
// This file finds commands that may never run: in command-queues that are not flushed, behind user events that no
// thread ends; and calls in callbacks that wait for what the callback may hold up.
#include "check/host_checks.h"

#include <fmt/format.h>

#include <algorithm>
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
      if (command->flushed || command->knownAt != 0 || !queues.insert(command->queue).second) continue;
      scene_.report(
          Kind::NotFlushed, command->site,
          fmt::format("the program ends, and commands of {} may never have run",
                      scene_.objects.nameOf(ValueKind::Queue, command->queue)),
          fmt::format("neither this {} nor what comes after it in the command-queue was flushed or waited for",
                      command->site.name()));
    }
  }

private:
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
      if (earlier->isUser() || earlier->flushed || earlier->knownAt != 0) continue;
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

  HostScene& scene_;
};

}  // namespace

HostCheckRef progressCheck(HostScene& scene) { return std::make_unique<ProgressCheck>(scene); }

}  // namespace clarity::check
