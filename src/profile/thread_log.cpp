// SPDX-License-Identifier: Apache-2.0
// This file writes calls and commands in the form of a record.
#include "profile/records.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace clarity::profile {
namespace {

using check::HostCall;
using check::Value;
using check::ValueKind;

/// Calls of a thread that are kept.
constexpr std::uint32_t mostCalls = 4'000'000;
/// Numbers of a call beside its arguments.
constexpr std::size_t headNumbers = 8;
/// Numbers of a command beside what it waits for.
constexpr std::size_t commandNumbers = 20;

void begin(EntryUse& use, const HostCall& call) {
  use.isKnown = true;
  use.count = static_cast<std::uint8_t>(std::min(call.arguments.size(), EntryUse::most));
  for (std::size_t i = 0; i < use.count; ++i) {
    use.kinds[i] = call.arguments[i].kind;
    use.hasTexts |= use.kinds[i] == ValueKind::Text;
  }
}

/// Whether the arguments are those of the last call, which they are from now on.
bool takeSame(EntryUse& use, const HostCall& call) {
  bool isSame = true;
  for (std::size_t i = 0; i < use.count; ++i) {
    isSame &= use.arguments[i] == call.arguments[i].bits;
    use.arguments[i] = call.arguments[i].bits;
  }
  return isSame && !use.hasTexts;  // the same address may have another text
}

std::uint32_t textNumber(NumberedTexts& texts, const char* text) {
  constexpr std::size_t most = 200;
  return text ? texts.numberOf(std::string(std::string_view(text).substr(0, most))) : 0;
}

std::uint64_t wordOf(cl_int number) { return static_cast<std::uint64_t>(std::int64_t{number}); }

}  // namespace

ThreadLog::ThreadLog(std::uint32_t itsNumber, std::size_t entryPoints)
    : thread(static_cast<std::uint64_t>(::syscall(SYS_gettid))), number(itsNumber), uses(entryPoints) {}

std::uint32_t ThreadLog::addCall(const HostCall& call, const EntryPlan& plan, std::uint64_t end, std::uint32_t place,
                                 NumberedTexts& texts) {
  if (callCount >= mostCalls) {
    ++dropped;
    return callCount;
  }
  EntryUse& use = uses[call.info.number];
  const bool wasKnown = use.isKnown;
  if (!wasKnown) [[unlikely]]
    profile::begin(use, call);
  const bool isSame = takeSame(use, call) && wasKnown;
  if (isSame && plan.isQuery && repeats(call, end, place)) return callCount - 1;
  addQuery();
  const bool isFailed = call.error != CL_SUCCESS;
  if (isSame && plan.isQuery && !isFailed) {
    query_ = {.entryPoint = call.info.number,
              .place = place,
              .begin = running.begin,
              .end = end,
              .count = 1,
              .inside = end - running.begin};
    return callCount++;
  }
  const unsigned flags = (isSame ? sameArguments : 0u) | (isFailed ? failedCall : 0u) | (place != 0 ? hasPlace : 0u);
  std::byte* to = putHead(calls.room((headNumbers + EntryUse::most) * mostNumberBytes), flags, call.info.number,
                          running.begin, end);
  if (isFailed) to = putDifference(to, wordOf(call.error), 0);
  if (place != 0) to = putNumber(to, place);
  if (!isSame) {
    to = putNumber(to, use.count);
    for (std::size_t i = 0; i < use.count; ++i) {
      const Value& value = call.arguments[i];
      to = putNumber(to, use.kinds[i] == ValueKind::Text ? textNumber(texts, value.as<const char*>()) : value.bits);
    }
  }
  calls.add(to);
  return callCount++;
}

/// Counts the call with the last one.
bool ThreadLog::repeats(const HostCall& call, std::uint64_t end, std::uint32_t place) {
  if (query_.count == 0 || query_.entryPoint != call.info.number || query_.place != place || call.error != CL_SUCCESS)
    return false;
  ++query_.count;
  query_.end = end;
  query_.inside += end - running.begin;
  return true;
}

std::byte* ThreadLog::putHead(std::byte* to, unsigned flags, std::size_t entryPoint, std::uint64_t begin,
                              std::uint64_t end) {
  *to++ = static_cast<std::byte>(flags);
  to = putNumber(to, entryPoint);
  to = putDifference(to, begin, lastBegin_);
  lastBegin_ = begin;
  return putNumber(to, end - begin);
}

/// Writes the query that may have been repeated.
void ThreadLog::addQuery() {
  if (query_.count == 0) return;
  const bool isOne = query_.count == 1;
  const unsigned flags = sameArguments | (query_.place != 0 ? hasPlace : 0u) | (isOne ? 0u : isRepeated);
  std::byte* to =
      putHead(calls.room(headNumbers * mostNumberBytes), flags, query_.entryPoint, query_.begin, query_.end);
  if (query_.place != 0) to = putNumber(to, query_.place);
  if (!isOne) to = putNumber(putNumber(to, query_.count), query_.inside);
  calls.add(to);
  query_.count = 0;
}

KeptCommand* ThreadLog::newCommand() {
  const std::size_t at = commandPlaces_ % commandsTogether;
  if (at == 0) commands_.push_back(std::make_unique<Commands>());
  ++commandPlaces_;
  KeptCommand& command = (*commands_.back())[at];
  command.thread = number;
  return &command;
}

void ThreadLog::addCommand(KeptCommand& command, std::uint32_t call, const CommandShape& shape,
                           std::span<const std::uint64_t> waitsFor) {
  if (shapes_.empty() || !(shapes_.back() == shape)) shapes_.push_back(shape);
  command.shape = static_cast<std::uint32_t>(shapes_.size() - 1);
  command.firstWait = static_cast<std::uint32_t>(waits_.size());
  command.waits = static_cast<std::uint32_t>(waitsFor.size());
  waits_.insert(waits_.end(), waitsFor.begin(), waitsFor.end());
  command.call = call;
  command.number = commandCount_++;
  command.isEnqueued = true;
}

std::byte* ThreadLog::put(std::byte* to, const KeptCommand& command, const KeptCommand& before) const {
  const cl_int status = command.status.load(std::memory_order_acquire);
  const bool isNew = command.number == 0 || command.shape != before.shape;
  const bool hasEnded = status <= CL_COMPLETE;
  *to++ = static_cast<std::byte>((isNew ? hasShape : 0u) | (status != CL_COMPLETE ? hasStatus : 0u) |
                                 (command.waits != 0 ? hasWaits : 0u));
  to = putDifference(to, command.call, before.call);
  to = putDifference(to, command.queued, before.queued);
  const std::uint64_t submitted = hasEnded ? command.submitted : 0, started = hasEnded ? command.started : 0;
  to = putDifference(to, submitted, command.queued);
  to = putDifference(to, started, submitted);
  to = putDifference(to, hasEnded ? command.ended : 0, started);
  if (status != CL_COMPLETE) to = putDifference(to, wordOf(status), 0);
  if (!isNew) return to;
  const CommandShape& shape = shapes_[command.shape];
  to = putNumber(to, shape.queue);
  for (const std::uint64_t size : shape.global) to = putNumber(to, size);
  for (const std::uint64_t size : shape.local) to = putNumber(to, size);
  to = putNumber(putNumber(to, shape.bytes), shape.kernel);
  return putNumber(putNumber(putNumber(to, shape.entryPoint), shape.dimensions), shape.isBlocking);
}

ByteLog ThreadLog::finish() {
  addQuery();
  ByteLog all;
  const KeptCommand none;
  const KeptCommand* before = &none;
  for (std::size_t i = 0; i < commandPlaces_; ++i) {
    const KeptCommand& command = (*commands_[i / commandsTogether])[i % commandsTogether];
    if (!command.isEnqueued) continue;
    std::byte* to =
        put(all.room((commandNumbers + 2 * std::size_t{command.waits}) * mostNumberBytes), command, *before);
    if (command.waits != 0) to = putNumber(to, command.waits);
    for (const std::uint64_t which : std::span(waits_).subspan(command.firstWait, command.waits))
      to = putNumber(putNumber(to, which >> 32), which & ~std::uint32_t{0});
    all.add(to);
    before = &command;
  }
  return all;
}

}  // namespace clarity::profile
