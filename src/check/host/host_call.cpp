// SPDX-License-Identifier: Apache-2.0
// This file knows the parameters of entry points.
#include "check/host/host_call.h"

#include <algorithm>
#include <unordered_map>

namespace clarity::check {
namespace {

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

using CallInfos = std::unordered_map<std::string_view, CallInfo>;

CallInfos makeCallInfos() {
  CallInfos all{
#define READS(form, parameter, place) {AccessKind::Read, CallAccess::Form::form, parameter, place},
#define WRITES(form, parameter, place) {AccessKind::Write, CallAccess::Form::form, parameter, place},
#define NO_ACCESS
#define API_ENTRY(function, words) {#function, {#function, wordsOf(words), {}}},
#define API_BY_NAME(function, words) API_ENTRY(function, words)
#define API_COMMAND(function, words, command, accesses) {#function, {#function, wordsOf(words), {accesses}}},
#define API_COMMAND_BY_NAME(function, words, command, accesses) {#function, {#function, wordsOf(words), {accesses}}},
#include "support/api.def"
#undef READS
#undef WRITES
#undef NO_ACCESS
  };
  std::size_t number = 0;
  for (auto& [name, info] : all) info.number = ++number;
  return all;
}

const CallInfos& callInfos() {
  static const auto& all = *new CallInfos(makeCallInfos());
  return all;
}

const CallInfo& unknown() {
  static const auto& it = *new CallInfo{.name = "a function of an extension", .parameters = {}, .accesses = {}};
  return it;
}

}  // namespace

int CallInfo::indexOf(std::string_view parameter) const {
  const auto found = std::ranges::find(parameters, parameter);
  return found == parameters.end() ? -1 : static_cast<int>(found - parameters.begin());
}

const CallInfo& callInfo(std::string_view name) {
  const auto found = callInfos().find(name);
  return found == callInfos().end() ? unknown() : found->second;
}

std::vector<const CallInfo*> allCallInfos() {
  std::vector<const CallInfo*> all(callInfos().size() + 1, &unknown());
  for (const auto& [name, info] : callInfos()) all[info.number] = &info;
  return all;
}

std::string_view className(ValueKind kind) {
  switch (kind) {
    case ValueKind::Platform: return "platform";
    case ValueKind::Device: return "device";
    case ValueKind::Context: return "context";
    case ValueKind::Queue: return "command-queue";
    case ValueKind::Memory: return "memory object";
    case ValueKind::Program: return "program";
    case ValueKind::Kernel: return "kernel";
    case ValueKind::Event: return "event";
    case ValueKind::Sampler: return "sampler";
    case ValueKind::CommandBuffer: return "command-buffer";
    case ValueKind::Semaphore: return "semaphore";
    default: return "value";
  }
}

bool HostCall::isBlockingTransfer() const {
  for (const std::string_view name : {"blocking_read", "blocking_write", "blocking_map", "blocking_copy", "blocking"})
    if (has(name)) return at<cl_bool>(name) != CL_FALSE;
  return false;
}

const std::uint64_t* HostCall::givenHandle() const {
  return hasValue && at("arg_size") == sizeof(cl_mem) ? at<const std::uint64_t*>("arg_value") : nullptr;
}

std::span<const cl_event> HostCall::waitList() const {
  const bool isWait = is("clWaitForEvents") || is("clEnqueueWaitForEvents");
  const auto* const list = at<const cl_event*>(isWait ? "event_list" : "event_wait_list");
  const auto count = at<cl_uint>(isWait ? "num_events" : "num_events_in_wait_list");
  return list ? std::span(list, count) : std::span<const cl_event>();
}

}  // namespace clarity::check
