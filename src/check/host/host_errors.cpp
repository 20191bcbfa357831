// SPDX-License-Identifier: Apache-2.0
// This file tells errors that the program acts on from those that it ignores.
//
// An error counts as looked at if the source of the call says so, if an exception of a library that wraps OpenCL takes
// it to the program, if the next thing that the program does is another try, if it asks why a build failed, or if it
// only releases its objects and ends. It does not if the program uses what it did not get, or goes on with further
// commands; nor if the source says that the error goes nowhere, and the program ends as if all were well.
#include "check/host/host_checks.h"
#include "check/host/host_place.h"
#include "support/process_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::check {
namespace {

constexpr std::size_t mostPending = 1000;

/// Whether an error answers a question that programs ask.
bool isAnswer(const HostCall& call) {
  if (call.info.begins("clGet"))
    return call.error == CL_INVALID_VALUE || call.error == CL_DEVICE_NOT_FOUND ||
           call.error == CL_KERNEL_ARG_INFO_NOT_AVAILABLE || call.error == CL_INVALID_OPERATION;
  if (call.info.begins("clRelease")) return call.arguments[0].bits == 0;
  return call.is("clCreateSubDevices") || call.is("clUnloadCompiler") || call.info.begins("clIcd") ||
         call.is("clSetCommandQueueProperty") || call.is("clCreateContextFromType");
}

/// Calls that do the same by other means have one name.
std::string_view familyOf(const HostCall& call) {
  for (const std::string_view prefix : {"clCreateProgram", "clCreateBuffer", "clCreateImage", "clCreateCommandQueue",
                                        "clCreateContext", "clCreateSubDevices"})
    if (call.info.begins(prefix)) return prefix;
  return call.info.name;
}

bool isCreation(const HostCall& call) { return isHandle(call.result.kind); }

bool isBuild(std::string_view name) {
  return name == "clBuildProgram" || name == "clCompileProgram" || name == "clLinkProgram";
}

/// Calls that say nothing of whether the program believes that all is well.
bool isNeutral(const HostCall& call) {
  return call.info.begins("clGet") || call.info.begins("clRelease") || call.info.begins("clRetain") ||
         call.info.name.find("Free") != std::string_view::npos;
}

class ErrorCheck final : public HostCheck {
public:
  explicit ErrorCheck(HostScene& scene) : scene_(scene) {}

  void after(const HostCall& call) override {
    for (std::size_t i = 0; i < pending_.size();) {
      const Verdict verdict = judge(pending_[i], call);
      if (verdict == Verdict::Ignored) report(pending_[i], &call);
      if (verdict == Verdict::Open)
        ++i;
      else
        pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    scene_.hasFailed |= call.error != CL_SUCCESS && !isAnswer(call);
    if (call.error == CL_SUCCESS || isAnswer(call) || isConsequence(call) || pending_.size() >= mostPending) return;
    Pending pending;
    pending.site = CallSite(call);
    pending.words = scene_.objects.inWords(call);
    pending.sentence = call.sentence;
    pending.use = errorUse(call.frames, call.info.name);
    // An object that was not created may be used all the same.
    if (pending.use == ErrorUse::LookedAt && !isBuild(call.info.name) && !isCreation(call)) return;
    pending.error = call.error;
    pending.family = familyOf(call);
    pending.made = isCreation(call) ? call.result.kind : ValueKind::Number;
    pending.kernel = call.is("clSetKernelArg") ? call.at("kernel") : 0;
    pending.index = call.at<cl_uint>("arg_index");
    pending.asked = call.arguments[0].bits;
    pending.program = isBuild(call.info.name) ? call.at("program") : 0;
    pending_.push_back(std::move(pending));
  }

  void known(HostCommand& command) override {
    scene_.hasFailed |= command.status < 0;
    if (command.status < 0 && command.status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && command.event)
      failed_.push_back({command.shared_from_this(), scene_.services.failureOf(command.event)});
  }

  void finish(int exitStatus) override {
    if (exitStatus == 0)
      for (const Pending& pending : pending_)
        if (pending.use == ErrorUse::Dropped) report(pending, nullptr);
    for (const Failed& failed : failed_)
      // Commands that still ran when the process ended were ended by the driver.
      if (!failed.command->failureSeen && !failed.text.contains(support::endedWithProcess))
        scene_.report(Kind::CommandError, failed.command->site, "a command ended with an error that no call asked for",
                      failed.text);
  }

private:
  struct Pending {
    CallSite site;
    std::string words, sentence;
    cl_int error = CL_SUCCESS;
    std::string_view family;
    ValueKind made = ValueKind::Number;  ///< the class of the object that was not created
    std::uint64_t kernel = 0;            ///< whose argument was not set
    cl_uint index = 0;
    std::uint64_t program = 0;  ///< that was not built
    std::uint64_t asked = 0;    ///< the first argument
    ErrorUse use = ErrorUse::Unknown;
    bool isPast = false;  ///< the program has done something else
  };
  struct Failed {
    CommandRef command;
    std::string text;
  };
  enum class Verdict { Open, LookedAt, Ignored };

  /// A verdict on an error from a later call.
  static Verdict judge(Pending& pending, const HostCall& call) {
    if (pending.site.thread != call.thread) return Verdict::Open;
    if (isHandle(pending.made)) {
      for (const Value& argument : call.arguments)
        if (argument.kind == pending.made && argument.bits == 0 && !call.info.begins("clRelease"))
          return Verdict::Ignored;
      const bool isNullArgument = pending.made == ValueKind::Memory && call.givenHandle() && *call.givenHandle() == 0;
      if (isNullArgument) return Verdict::Ignored;
      // Objects that are not used are not missed. Another try comes next.
      if (isNeutral(call) || pending.isPast) return Verdict::Open;
      pending.isPast = true;
      return familyOf(call) == pending.family && call.error == CL_SUCCESS ? Verdict::LookedAt : Verdict::Open;
    }
    if (pending.program) {
      if (call.is("clGetProgramBuildInfo") || call.is("clGetProgramInfo"))
        return isAskedByClasses(pending, call) ? Verdict::Open : Verdict::LookedAt;
      if (call.at("program") == pending.program && call.info.begins("clCreateKernel")) return Verdict::Ignored;
      return call.error == CL_SUCCESS && isBuild(call.info.name) ? Verdict::LookedAt : Verdict::Open;
    }
    if (pending.kernel) {
      if (call.at("kernel") != pending.kernel) return Verdict::Open;
      if (call.is("clSetKernelArg") && call.at<cl_uint>("arg_index") == pending.index && call.error == CL_SUCCESS)
        return Verdict::LookedAt;
      return call.info.begins("clEnqueue") ? Verdict::Ignored : Verdict::Open;
    }
    // Why a wait failed is asked of the events.
    if (pending.family == "clWaitForEvents" && call.is("clGetEventInfo")) return Verdict::LookedAt;
    if (isNeutral(call)) return Verdict::Open;
    if (familyOf(call) == pending.family) return call.error == CL_SUCCESS ? Verdict::LookedAt : Verdict::Open;
    const bool goesOn =
        call.info.begins("clEnqueue") || call.is("clFinish") || call.is("clWaitForEvents") || call.is("clFlush");
    return goesOn ? Verdict::Ignored : Verdict::Open;
  }

  /// The classes of opencl.hpp ask for the log of every build, for an exception that they may not make.
  static bool isAskedByClasses(const Pending& pending, const HostCall& call) {
    if (!isOfClasses(call.frames)) return false;
    const compiler::Site asks = placeOf(call.frames), builds = placeOf(pending.site.frames);
    return asks.line != 0 && asks.line == builds.line && asks.file == builds.file;
  }

  /// Whether the call only failed because of one that was reported, or is another mistake's.
  bool isConsequence(const HostCall& call) {
    if (scene_.lastReported == call.number) {
      if (call.is("clSetKernelArg")) unset_.push_back(call.at("kernel"));
      return true;
    }
    // A question that fails twice for the same reason is one mistake.
    const bool isAsked = call.info.begins("clGet") && std::ranges::any_of(pending_, [&](const Pending& pending) {
                           return pending.site.info == &call.info && pending.error == call.error &&
                                  pending.asked == call.arguments[0].bits;
                         });
    if (isAsked) return true;
    for (const Value& argument : call.arguments) {
      if (!isHandle(argument.kind)) continue;
      if (argument.bits == 0 && std::ranges::find(missing_, argument.kind) != missing_.end()) return true;
    }
    if (call.info.begins("clCreateKernel")) return std::ranges::find(unbuilt_, call.at("program")) != unbuilt_.end();
    if (call.error == CL_INVALID_KERNEL_ARGS) return std::ranges::find(unset_, call.at("kernel")) != unset_.end();
    if (call.error == CL_INVALID_MEM_OBJECT && call.givenHandle())
      if (*call.givenHandle() == 0 && std::ranges::find(missing_, ValueKind::Memory) != missing_.end()) {
        unset_.push_back(call.at("kernel"));
        return true;
      }
    return call.error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && !failed_.empty();
  }

  void report(const Pending& pending, const HostCall* next) {
    if (isHandle(pending.made)) missing_.push_back(pending.made);
    if (pending.program) {
      unbuilt_.push_back(pending.program);
      missing_.push_back(ValueKind::Kernel);
    }
    if (pending.kernel) unset_.push_back(pending.kernel);
    if (pending.family.starts_with("clRelease")) scene_.notReleased.insert(pending.asked);
    std::vector<HostScene::Other> others;
    if (next)
      others.push_back({CallSite(*next),
                        "the program goes on here as if the call had done its work: " + std::string(next->info.name)});
    const std::string end = next ? "" : "; the program ends as if all were well";
    // The sentence begins with the name of the call and its error.
    const std::size_t name = pending.sentence.find(": ");
    const std::string reason = name == std::string::npos
                                   ? fmt::format("error {}", pending.error)
                                   : pending.sentence.substr(name + 2, pending.sentence.find('\n') - name - 2);
    scene_.report(Kind::ApiError, pending.site, fmt::format("the program ignores the error of {}", pending.site.name()),
                  pending.words + " returned " + reason + end, others);
  }

  HostScene& scene_;
  std::vector<Pending> pending_;
  std::vector<Failed> failed_;
  std::vector<ValueKind> missing_;              ///< classes of objects that were not created, as reported
  std::vector<std::uint64_t> unbuilt_, unset_;  ///< programs and kernels of reported errors
};

}  // namespace

HostCheckRef errorCheck(HostScene& scene) { return std::make_unique<ErrorCheck>(scene); }

}  // namespace clarity::check
