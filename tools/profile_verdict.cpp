// SPDX-License-Identifier: Apache-2.0
// This file finds what bounds a kernel. The reasons that lie outside of its code come first.
#include "profile_verdict.h"

#include "numbers.h"
#include "profile_balance.h"
#include "profile_gpu.h"
#include "profile_host_advice.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

constexpr double leastWaste = 0.2;   ///< the part of a launch that is lost for want of work to divide
constexpr double mostOfCache = 0.6;  ///< the part of a cache's rate
constexpr double leastOfSamples = 0.5, leastWait = 1.5;  ///< a kernel's part in a loop; its chain's time by its work's

/// The loop of machine code in which the kernel spends its time; null: in none, or it is not known.
const MachineLoop* hottestLoop(const ProfiledProcess& process, const KernelSummary& kernel) {
  const auto code = process.codes.find(kernel.kernel);
  if (code == process.codes.end()) return nullptr;
  std::map<unsigned, std::uint64_t> times;
  std::uint64_t all = 0;
  for (const ProfiledLine& line : process.lines) {
    if (line.kernel != kernel.kernel) continue;
    times[line.line] += line.time;
    all += line.time;
  }
  const MachineLoop* most = nullptr;
  for (const MachineLoop& loop : code->second.loops) {
    std::uint64_t own = times[0];  // instructions of no line may be of any loop
    for (const auto& [line, count] : loop.lines)
      if (const auto time = times.find(line); time != times.end()) own += time->second;
    // A loop has several forms: the one for most work-items at a time runs most.
    if (static_cast<double>(own) < leastOfSamples * static_cast<double>(all) || own == 0) continue;
    if (!most || loop.work > most->work) most = &loop;
  }
  return most;
}

void addBeyond(Verdict& verdict, const ProfileSummary& summary, const KernelSummary& kernel) {
  const auto its = summary.ofKernels.find(kernel.kernel);
  if (its == summary.ofKernels.end()) return;
  const auto [launches, compiles, transfers] = its->second;
  if (launches == 0) return;
  if (std::max(transfers, compiles) <= launches) return;
  verdict.beyond = compiles > transfers ? "compiles" : "transfers";
  verdict.beyondTime = std::max(transfers, compiles);
}

void addLatency(Verdict& verdict, const ProfiledProcess& process, const KernelSummary& kernel) {
  const MachineLoop* const loop = hottestLoop(process, kernel);
  if (!loop || loop->chain < leastWait * loop->work) return;
  verdict.bound = "latency";
  verdict.line = loop->line;
  verdict.reason = loop->throughLoads ? "each iteration loads from where the one before has loaded"
                                      : fmt::format(
                                            "each iteration needs what the one before computes, for {:.0f} cycles; its "
                                            "instructions alone would take {:.0f}",
                                            loop->chain, loop->work);
}

std::string boundOf(const ProfiledProcess& process, const ProfileSummary& summary, const KernelSummary& kernel,
                    std::string& reason) {
  if (kernel.times.count() == 0) return {};  // its only launches were counted
  if (kernel.times.median() < shortLaunch) return "launches";
  const MachineLimits* const machine = limitsOf(summary, kernel);
  const auto units = machine ? machine->threads : processorCount();
  const ProfiledGpuLaunch* const gpu = gpuLaunchOf(process, kernel);
  if (gpu ? gpu->blocks < gpu->multiprocessors : kernel.workGroups() < units && kernel.gpu.empty())
    return "few work-groups";
  if (const std::optional<Balance> balance = balanceOf(process, kernel); balance && balance->waste >= leastWaste) {
    reason = fmt::format("one thread executes {:.0f} % of it", 100 * balance->partOfLongest);
    return "imbalance";
  }
  const std::optional<Use> use = useOf(summary, kernel);
  if (!use || !machine) return {};
  if (!use->ofHoldingCache && use->isAtMemory() && use->ofMemory >= use->ofArithmetic) return "memory";
  if (use->isAtArithmetic()) return "arithmetic";
  const auto cache = std::ranges::find_if(
      use->parts, [](const Use::Part& each) { return each.limit.starts_with('L') && each.part >= mostOfCache; });
  return cache == use->parts.end() ? "nothing" : cache->limit;
}

}  // namespace

std::string shortText(const Verdict& verdict) {
  const std::string launch =
      verdict.line == 0 ? verdict.bound : fmt::format("{}, line {}", verdict.bound, verdict.line);
  const bool hasLimit = !launch.empty() && launch != "nothing";
  if (verdict.beyond.empty()) return hasLimit || launch.empty() ? launch : "no limit is near";
  return verdict.beyond + (hasLimit ? fmt::format(" (its launches: {})", launch) : std::string());
}

std::string longText(const Verdict& verdict, std::uint64_t launches) {
  std::string text = verdict.bound == "nothing" ? "no limit is near" : "bound by " + verdict.bound;
  if (verdict.bound.empty()) text.clear();
  if (verdict.line != 0) text += fmt::format(", line {}", verdict.line);
  if (!verdict.reason.empty()) text += ": " + verdict.reason;
  if (verdict.beyond.empty()) return text;
  const std::string beyond = fmt::format("bound by {}: they take {}, and its launches {}", verdict.beyond,
                                         nanosecondsText(verdict.beyondTime), nanosecondsText(launches));
  if (verdict.bound.empty() || verdict.bound == "nothing") return beyond;
  return beyond + (verdict.bound == "launches" ? std::string() : "; the launches are " + text);
}

Verdict verdictOn(const ProfiledProcess& process, const ProfileSummary& summary, const KernelSummary& kernel) {
  Verdict verdict;
  verdict.bound = boundOf(process, summary, kernel, verdict.reason);
  if (verdict.bound == "nothing") addLatency(verdict, process, kernel);
  addBeyond(verdict, summary, kernel);
  return verdict;
}

namespace {

/// The time that a launch would have taken if it had not been counted: the median of those of the same sizes. Where
/// there is no other, all of its time on CPUs, at most three times too much, and none of it on GPUs, whose counted code
/// may take much longer.
std::uint64_t ownTimeOf(const ProfiledProcess& process, const ProfiledCommand& command) {
  if (!countOf(process, command)) return command.time();
  Times alike;
  for (const ProfiledCommand& other : process.commands)
    if (other.hasRun() && other.kernel == command.kernel && other.global == command.global &&
        other.local == command.local && !countOf(process, other) && gpuOf(process, other) == gpuOf(process, command))
      alike.add(other.time());
  if (alike.count() > 0) return alike.median();
  return gpuOf(process, command).empty() ? command.time() : 0;
}

}  // namespace

std::vector<std::pair<std::string, double>> partsOfRun(const ProfiledProcess& process) {
  Intervals kernels, transfers, compiles, calls, counting, all{{process.begin, process.end}};
  for (const ProfiledCommand& command : process.commands) {
    if (!command.hasRun()) continue;
    if (command.kernel.empty()) {
      transfers.emplace_back(command.started, command.ended);
      continue;
    }
    // The program asked for a launch that was counted, too: only what counting adds is the profile's.
    const std::uint64_t own = command.started + std::min(command.time(), ownTimeOf(process, command));
    kernels.emplace_back(command.started, own);
    if (own < command.ended) counting.emplace_back(own, command.ended);
  }
  for (const ProfiledCompile& compile : process.compiles)
    (compile.isCounted ? counting : compiles).emplace_back(compile.begin, compile.end);
  for (const ProfiledThread& thread : process.threads)
    for (const ProfiledCall& call : thread.calls)
      if (call.name.starts_with("clEnqueue") || call.name.starts_with("clSetKernelArg") || call.name == "clFlush" ||
          waitsForCommands(call))
        calls.emplace_back(call.begin, call.end);
  std::vector<std::pair<std::string, double>> parts;
  Intervals left = all;
  const auto take = [&](const char* name, Intervals those) {
    Intervals rest = without(left, joined(std::move(those)));
    const auto time = static_cast<double>(lengthOf(left) - lengthOf(rest));
    parts.emplace_back(name, process.time() == 0 ? 0 : time / static_cast<double>(process.time()));
    left = std::move(rest);
  };
  take("kernels", std::move(kernels));
  take("transfers", std::move(transfers));
  take("compiles", std::move(compiles));
  take("counting", std::move(counting));
  take("launches", std::move(calls));
  take("host", std::move(all));
  const auto key = [](const std::pair<std::string, double>& part) {
    return std::pair(part.first != "counting", part.second);
  };
  std::ranges::sort(parts, std::greater{}, key);
  return parts;
}

}  // namespace clarity::tools
