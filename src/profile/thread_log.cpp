// SPDX-License-Identifier: Apache-2.0
// This file writes calls and commands in the form of a record.
#include "profile/records.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace clarity::profile {
namespace {

using check::HostCall;
using check::Value;
using check::ValueKind;

/// Calls of a thread that are kept.
constexpr std::uint32_t mostCalls = 4'000'000;
/// Nanoseconds that fit into StoredCall::time.
constexpr std::uint64_t mostTime = ~std::uint32_t{0};
constexpr std::size_t wordBytes = sizeof(std::uint64_t);

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

}  // namespace

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
  const std::uint64_t begin = running.begin;
  const bool isRepeated =
      isSame && query && query->entryPoint == call.info.number && call.error == CL_SUCCESS && place == lastQueryPlace;
  if (isRepeated && repeat(end)) return callCount - 1;
  const std::uint8_t arguments = isSame ? std::uint8_t{0} : use.count;
  StoredCall kept{.begin = begin,
                  .time = static_cast<std::uint32_t>(end - begin),
                  .entryPoint = static_cast<std::uint16_t>(call.info.number),
                  .arguments = arguments,
                  .flags = static_cast<std::uint8_t>(isSame ? StoredCall::sameArguments : 0)};
  std::array<std::uint64_t, 5 + EntryUse::most> words;
  std::size_t count = 0;
  const auto add = [&](bool is, StoredCall::Flag flag, std::uint64_t word) {
    if (!is) return;
    kept.flags |= flag;
    words[count++] = word;
  };
  add(end - begin > mostTime, StoredCall::isLong, end);
  add(call.error != CL_SUCCESS, StoredCall::failed, static_cast<std::uint64_t>(std::int64_t{call.error}));
  add(place != 0, StoredCall::hasPlace, place);
  add(isRepeated, StoredCall::isRepeated, 1);
  if (isRepeated) words[count++] = end - begin;
  for (std::size_t i = 0; i < kept.arguments; ++i) {
    const Value& value = call.arguments[i];
    words[count++] = use.kinds[i] == ValueKind::Text ? textNumber(texts, value.as<const char*>()) : value.bits;
  }
  std::byte* const at = calls.add(sizeof kept + count * wordBytes);
  auto* const stored = new (at) StoredCall(kept);
  std::memcpy(at + sizeof kept, words.data(), count * wordBytes);
  query = plan.isQuery && call.error == CL_SUCCESS ? stored : nullptr;
  lastQueryPlace = place;
  return callCount++;
}

/// Counts the query once more. False: it is kept as a single call, or takes too long.
bool ThreadLog::repeat(std::uint64_t end) {
  if (!(query->flags & StoredCall::isRepeated) || (query->flags & StoredCall::isLong)) return false;
  if (end - query->begin > mostTime) return false;
  query->time = static_cast<std::uint32_t>(end - query->begin);
  std::array<std::uint64_t, 2> words;
  auto* const at = reinterpret_cast<std::byte*>(query + 1) + (query->flags & StoredCall::hasPlace ? wordBytes : 0);
  std::memcpy(words.data(), at, sizeof words);
  ++words[0];
  words[1] += end - running.begin;
  std::memcpy(at, words.data(), sizeof words);
  return true;
}

StoredCommand* ThreadLog::addCommand(const StoredShape& itsShape, std::size_t words) {
  const bool isNew = commandCount == 0 || !(itsShape == shape);
  const std::size_t behind = (isNew ? sizeof itsShape : 0) + words * wordBytes;
  std::byte* const at = commands.add(sizeof(StoredCommand) + behind);
  auto* const command = new (at) StoredCommand{};
  command->status = CL_QUEUED;
  command->isNew = isNew;
  if (isNew) {
    shape = itsShape;
    std::memcpy(at + sizeof *command, &shape, sizeof shape);
  }
  ++commandCount;
  return command;
}

}  // namespace clarity::profile
