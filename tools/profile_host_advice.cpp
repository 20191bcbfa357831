// SPDX-License-Identifier: Apache-2.0
// This file has the rules about the time that the host and the device spend without each other.
#include "profile_host_advice.h"

#include "numbers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace clarity::tools {

Intervals joined(Intervals intervals) {
  std::ranges::sort(intervals);
  Intervals result;
  for (const auto& [begin, end] : intervals) {
    if (result.empty() || begin > result.back().second)
      result.emplace_back(begin, end);
    else
      result.back().second = std::max(result.back().second, end);
  }
  return result;
}

std::uint64_t lengthOf(const Intervals& intervals) {
  std::uint64_t length = 0;
  for (const auto& [begin, end] : intervals) length += end - begin;
  return length;
}

Intervals without(const Intervals& from, const Intervals& what) {
  Intervals result;
  auto other = what.begin();
  for (auto [begin, end] : from) {
    while (other != what.end() && other->second <= begin) ++other;
    for (auto cut = other; cut != what.end() && cut->first < end; ++cut) {
      if (cut->first > begin) result.emplace_back(begin, cut->first);
      begin = std::max(begin, cut->second);
    }
    if (begin < end) result.emplace_back(begin, end);
  }
  return result;
}

Intervals busyTimes(const ProfiledProcess& process) {
  Intervals busy;
  for (const ProfiledCommand& command : process.commands)
    if (command.hasEnded()) busy.emplace_back(command.started, command.ended);
  for (const ProfiledCompile& compile : process.compiles) busy.emplace_back(compile.begin, compile.end);
  return joined(std::move(busy));
}

std::uint64_t longPauseOf(const ProfiledProcess& process) {
  constexpr std::uint64_t usual = 20'000, ofBindings = 150'000;
  const bool hasPlaces = std::ranges::any_of(process.threads, [](const ProfiledThread& thread) {
    return std::ranges::any_of(thread.calls, [](const ProfiledCall& call) { return !call.place.empty(); });
  });
  return hasPlaces ? ofBindings : usual;
}

Times gapsOfLaunches(const ProfiledProcess& process) {
  std::vector<Intervals> queues(process.queues.size());
  for (const ProfiledCommand& command : process.commands)
    if (command.hasEnded() && !command.kernel.empty() && command.queue < queues.size())
      queues[command.queue].emplace_back(command.started, command.ended);
  std::vector<std::uint64_t> returns;  // of calls that wait
  for (const ProfiledThread& thread : process.threads)
    for (const ProfiledCall& call : thread.calls)
      if (waitsForCommands(call)) returns.push_back(call.end);
  std::ranges::sort(returns);
  Times gaps;
  for (Intervals& launches : queues) {
    std::ranges::sort(launches);
    for (std::size_t i = 1; i < launches.size(); ++i) {
      const std::uint64_t end = launches[i].first, begin = std::min(launches[i - 1].second, end);
      const auto next = std::ranges::lower_bound(returns, begin);
      if (next == returns.end() || *next > end) gaps.add(end - begin);
    }
  }
  return gaps;
}

std::string placeOfCalls(const ProfiledProcess& process, const std::function<bool(const ProfiledCall&)>& isIt) {
  constexpr std::uint64_t leastOfPlace = 4;  // a fourth of their time
  std::map<std::string, std::uint64_t> places;
  std::uint64_t all = 0;
  for (const ProfiledThread& thread : process.threads)
    for (const ProfiledCall& each : thread.calls)
      if (isIt(each)) {
        all += each.time();
        if (!each.place.empty()) places[each.place] += each.time();
      }
  const auto most = std::ranges::max_element(places, {}, &std::pair<const std::string, std::uint64_t>::second);
  return most != places.end() && leastOfPlace * most->second >= all ? most->first : std::string();
}

namespace {

constexpr std::uint64_t spinning = 5'000;  ///< between two questions of a loop that does nothing else

bool asksForStatus(const ProfiledCall& call) {
  constexpr std::string_view status = "param_name=4563";  // CL_EVENT_COMMAND_EXECUTION_STATUS
  return call.name == "clGetEventInfo" && call.arguments.find(status) != std::string::npos;
}

/// Questions for the status of one command, with no other call in between.
struct Questions {
  std::uint64_t begin = 0, end = 0, count = 0;
};
std::vector<Questions> questionsOf(const ProfiledThread& thread) {
  std::vector<Questions> all;
  const ProfiledCall* last = nullptr;
  for (const ProfiledCall& call : thread.calls) {
    const ProfiledCall* const before = std::exchange(last, &call);
    if (!asksForStatus(call)) continue;
    if (before && before->name == call.name && before->arguments == call.arguments && !all.empty()) {
      all.back().end = call.end;
      all.back().count += call.count;
    } else {
      all.push_back({call.begin, call.end, call.count});
    }
  }
  return all;
}

}  // namespace

std::optional<Advice> adviseOnSleep(const ProfiledProcess& process) {
  constexpr std::uint64_t often = 8;
  const Intervals busy = busyTimes(process);
  std::uint64_t count = 0, idle = 0;
  for (const ProfiledThread& thread : process.threads)
    for (const Questions& each : questionsOf(thread)) {
      if (each.count < 2 || (each.end - each.begin) / each.count <= spinning) continue;
      ++count;
      idle += lengthOf(without({{each.begin, each.end}}, busy));
    }
  if (count < often) return std::nullopt;
  return Advice{
      .title = "The host sleeps or works between questions whether a command has ended",
      .evidence = fmt::format("{} times it asked again later, and for {} of the time between the questions nothing ran",
                              count, nanosecondsText(idle)),
      .cure =
          "Wait with clWaitForEvents or clFinish, which return when the command ends, or enqueue what comes next "
          "before the host does something else.",
      .place = placeOfCalls(process, asksForStatus),
      .gain = idle};
}

std::optional<Advice> adviseOnPolling(const ProfiledProcess& process) {
  constexpr std::uint64_t often = 1000;
  std::uint64_t count = 0, time = 0;
  std::map<std::string, std::uint64_t> places;
  for (const ProfiledThread& thread : process.threads)
    for (const ProfiledCall& call : thread.calls) {
      if (!asksForStatus(call) || call.count < 2) continue;
      if ((call.end - call.begin) / call.count > spinning) continue;  // it sleeps, or works, between two questions
      count += call.count;
      time += call.end - call.begin;
      if (!call.place.empty()) places[call.place] += call.count;
    }
  if (count < often) return std::nullopt;
  const auto most = std::ranges::max_element(places, {}, &std::pair<const std::string, std::uint64_t>::second);
  return Advice{.title = "The host asks again and again whether a command has ended",
                .evidence = fmt::format("clGetEventInfo was called {} times for it, in {}: a processor that kernels "
                                        "could use",
                                        count, nanosecondsText(time)),
                .cure =
                    "Wait with clWaitForEvents or clFinish: the thread that waits executes work-groups meanwhile. "
                    "Or have it told by clSetEventCallback.",
                .place = most == places.end() ? std::string() : most->first,
                .gain = time / std::max(std::thread::hardware_concurrency(), 1u)};
}

namespace {

/// Whether it asks for what stays the same, such as properties. Commands and wait states change.
bool asksForConstant(const ProfiledCall& call) {
  return call.name.starts_with("clGet") && call.name.find("Event") == std::string::npos;
}

}  // namespace

std::optional<Advice> adviseOnQuestions(const ProfiledProcess& process) {
  constexpr std::uint64_t often = 1000, repeats = 8;
  std::map<std::pair<std::string, std::string>, std::uint64_t> questions;
  std::map<std::string, std::uint64_t> times;  // by call
  std::uint64_t count = 0, idle = 0;
  const Intervals busy = busyTimes(process);
  for (const ProfiledThread& thread : process.threads) {
    Intervals calls;
    for (const ProfiledCall& call : thread.calls) {
      if (!asksForConstant(call)) continue;
      questions[{call.name, call.arguments}] += call.count;
      times[call.name] += call.inside;
      count += call.count;
      calls.emplace_back(call.begin, call.begin + call.inside);
    }
    idle += lengthOf(without(joined(std::move(calls)), busy));
  }
  if (count < often || count < repeats * questions.size()) return std::nullopt;
  const std::string& most =
      std::ranges::max_element(times, {}, &std::pair<const std::string, std::uint64_t>::second)->first;
  return Advice{.title = "The host asks the same questions again and again: " + most,
                .evidence = fmt::format("{} questions of {} kinds; for {} of their time nothing ran", count,
                                        questions.size(), nanosecondsText(idle)),
                .cure =
                    "Ask once, ahead of the loop, and keep the answers: properties of devices, programs, kernels and "
                    "memory objects stay as they are.",
                .place = placeOfCalls(process, [&](const ProfiledCall& call) { return call.name == most; }),
                .gain = idle};
}

std::optional<Advice> adviseOnFirstLaunches(const ProfiledProcess& process) {
  constexpr std::size_t often = 8;
  Intervals waits, runs;
  for (const ProfiledThread& thread : process.threads)
    for (const ProfiledCall& call : thread.calls)
      if (waitsForCommands(call)) waits.emplace_back(call.begin, call.end);
  for (const ProfiledCommand& command : process.commands)
    if (command.hasEnded()) runs.emplace_back(command.started, command.ended);
  const Intervals waitsAlone = without(joined(std::move(waits)), joined(std::move(runs)));
  std::set<std::string> launched, kernels;
  for (const ProfiledCommand& command : process.commands) launched.insert(command.kernel);
  Intervals compiles;
  for (const ProfiledCompile& compile : process.compiles) {
    if (!compile.isOwnCode() || compile.isCached || !launched.contains(compile.name)) continue;
    const Intervals its{{compile.begin, compile.end}};
    if (lengthOf(without(its, waitsAlone)) >= compile.time()) continue;
    kernels.insert(compile.name);
    compiles.push_back(its[0]);
  }
  if (kernels.size() < often) return std::nullopt;
  compiles = joined(std::move(compiles));
  const std::uint64_t time = lengthOf(compiles) - lengthOf(without(compiles, waitsAlone));
  return Advice{.title = "First launches wait until their kernels are compiled",
                .evidence = fmt::format("code of {} kernels was made while the host waited and nothing ran, for {}",
                                        kernels.size(), nanosecondsText(time)),
                .cure =
                    "Enqueue the first launches without a wait in between: kernels are then compiled at the same "
                    "time, while others run. Later runs find the code in the driver's cache if that is on.",
                .place = {},
                .gain = time};
}

namespace {

/// The times in which a thread has memory mapped: from the return of the call that maps to the one that ends it.
Intervals mappedTimes(const ProfiledProcess& process) {
  Intervals mapped;
  for (const ProfiledThread& thread : process.threads) {
    const ProfiledCall* map = nullptr;
    for (const ProfiledCall& call : thread.calls) {
      if (call.name.starts_with("clEnqueueMap") || call.name == "clEnqueueSVMMap") map = &call;
      if (call.name != "clEnqueueUnmapMemObject" && call.name != "clEnqueueSVMUnmap") continue;
      if (map && map->end < call.begin) mapped.emplace_back(map->end, call.begin);
      map = nullptr;
    }
  }
  return joined(std::move(mapped));
}

/// The times between the first and the last launch in which nothing runs and the host is in no call.
Intervals timesOfHost(const ProfiledProcess& process) {
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for (const ProfiledCommand& command : process.commands)
    if (command.hasEnded() && !command.kernel.empty()) {
      first = std::min(first, command.started);
      last = std::max(last, command.ended);
    }
  if (first >= last) return {};
  Intervals calls;
  for (const ProfiledThread& thread : process.threads)
    for (const ProfiledCall& call : thread.calls) calls.emplace_back(call.begin, call.end);
  return without(without({{first, last}}, busyTimes(process)), joined(std::move(calls)));
}

}  // namespace

namespace {

/// The call behind which the host works longest.
std::string placeOfWork(const ProfiledProcess& process, const Intervals& work) {
  std::map<std::string, std::uint64_t> places;
  for (const ProfiledThread& thread : process.threads)
    for (const ProfiledCall& call : thread.calls) {
      if (call.place.empty()) continue;
      const auto next = std::ranges::lower_bound(work, call.end, {}, &std::pair<std::uint64_t, std::uint64_t>::first);
      if (next != work.end() && next->first == call.end) places[call.place] += next->second - next->first;
    }
  const auto most = std::ranges::max_element(places, {}, &std::pair<const std::string, std::uint64_t>::second);
  return most == places.end() ? std::string() : "behind " + most->first;
}

}  // namespace

std::optional<Advice> adviseOnHostWork(const ProfiledProcess& process) {
  constexpr std::size_t leastSteps = 8, mostLaunches = 64;  // of a step
  const std::uint64_t leastOfStep = longPauseOf(process);
  std::uint64_t kernels = 0, launches = 0;
  for (const ProfiledCommand& command : process.commands)
    if (command.hasEnded() && !command.kernel.empty()) {
      kernels += command.time();
      ++launches;
    }
  Intervals alone = timesOfHost(process);
  std::erase_if(alone, [&](const auto& each) { return each.second - each.first < leastOfStep; });
  // A thread that the system interrupts now and then does not work.
  if (alone.size() < std::max<std::size_t>(leastSteps, launches / mostLaunches)) return std::nullopt;
  const std::uint64_t time = lengthOf(alone), mapped = time - lengthOf(without(alone, mappedTimes(process)));
  Advice advice{.title = "The device waits for the host's own work",
                .evidence = fmt::format("between launches nothing ran for {}, {} times, while the host was in no call "
                                        "of OpenCL; kernels ran for {}",
                                        nanosecondsText(time), alone.size(), nanosecondsText(kernels)),
                .cure =
                    "Enqueue the next step before the host works on the result of the last one (two sets of "
                    "buffers in turn), or do that work in a kernel.",
                .place = placeOfWork(process, alone),
                .gain = std::min(time, kernels)};
  if (2 * mapped < time) return advice;
  advice.title = "The device waits while the host reads and writes mapped memory";
  advice.evidence = fmt::format(
      "between launches nothing ran for {}, {} times, of which memory was mapped for {}; "
      "kernels ran for {}",
      nanosecondsText(time), alone.size(), nanosecondsText(mapped), nanosecondsText(kernels));
  advice.cure =
      "Leave in buffers what only kernels use: map what the host must see, once, behind the last step; do in a kernel "
      "what the host does with the rest.";
  advice.gain = mapped;
  return advice;
}

}  // namespace clarity::tools
