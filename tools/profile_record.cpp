// SPDX-License-Identifier: Apache-2.0
// This file sums up what a record says of a process.
#include "profile_record.h"

#include "numbers.h"
#include "source_lines.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

template <class Summaries>
void sortByTime(Summaries& summaries) {
  std::ranges::sort(summaries, [](const auto& a, const auto& b) { return a.times.total > b.times.total; });
}

/// The entry of a name in a list that is kept in the order of first appearance.
template <class Entry>
Entry& entryOf(std::vector<Entry>& entries, std::unordered_map<std::string, std::size_t>& places,
               const std::string& name) {
  const auto [found, added] = places.try_emplace(name, entries.size());
  if (added) entries.emplace_back().name = name;
  return entries[found->second];
}

using Extent = std::array<std::uint64_t, 3>;
/// The places of summaries by kernel, sizes and GPU: there may be thousands.
using LaunchPlaces = std::map<std::tuple<std::string_view, Extent, Extent, std::string>, std::size_t>;

void addLaunch(ProfileSummary& summary, LaunchPlaces& places, const ProfiledProcess& process,
               const ProfiledCommand& command) {
  const auto [place, isNew] = places.try_emplace(
      {command.kernel, command.global, command.local, gpuOf(process, command)}, summary.kernels.size());
  if (isNew) {
    KernelSummary& fresh = summary.kernels.emplace_back();
    fresh.kernel = command.kernel;
    fresh.dimensions = command.dimensions;
    fresh.global = command.global;
    fresh.local = command.local;
    fresh.gpu = std::get<std::string>(place->first);
  }
  KernelSummary* const found = &summary.kernels[place->second];
  // Counted code takes longer: the launch is not one to measure.
  if (const ProfiledCount* const count = countOf(process, command)) {
    found->work = *count;
    return;
  }
  found->times.add(command.time());
  found->waits.add(command.waited());
  summary.kernelTime += command.time();
  summary.ofKernels[command.kernel].launches += command.time();
}

/// The time in which each kernel's own data was moved: transfers of its command-queue ahead of a launch, or behind the
/// last one.
void addTransfersOfKernels(ProfileSummary& summary, const ProfiledProcess& process) {
  std::map<std::size_t, std::pair<std::uint64_t, std::string_view>> queues;  // transfers since the launch of a kernel
  for (const ProfiledCommand& command : process.commands) {
    if (!command.hasRun()) continue;
    auto& [moved, last] = queues[command.queue];
    if (command.kernel.empty()) {
      moved += command.bytes == 0 ? 0 : command.time();
      continue;
    }
    last = command.kernel;
    summary.ofKernels[command.kernel].transfers += std::exchange(moved, 0);
  }
  for (const auto& [queue, last] : queues)
    if (!last.second.empty()) summary.ofKernels[std::string(last.second)].transfers += last.first;
}

void addCompiles(ProfileSummary& summary, const std::vector<ProfiledCompile>& compiles) {
  std::unordered_map<std::string_view, KernelSummary*> kernels;  // the first of each name
  for (KernelSummary& each : summary.kernels) kernels.try_emplace(each.kernel, &each);
  for (const ProfiledCompile& compile : compiles) {
    const auto addTo = [&](CompileSummary& its) {
      its.times.add(compile.time());
      its.cached += compile.isCached;
    };
    if (compile.isCounted) {
      addTo(summary.compiles[CompileSummary::ofProfile]);
      continue;
    }
    addTo(summary.compiles[compile.what]);
    summary.compileTime += compile.time();
    const auto found = kernels.find(compile.name);
    if (compile.name.empty() || found == kernels.end()) continue;
    if (compile.isOwnCode()) addTo(found->second->compiles);  // what a GPU's driver makes of it is no other compile
    summary.ofKernels[compile.name].compiles += compile.time();
  }
}

std::string sizesText(const std::array<std::uint64_t, 3>& sizes, unsigned dimensions) {
  std::string text;
  for (unsigned d = 0; d < std::max(dimensions, 1u); ++d) text += fmt::format("{}{}", d == 0 ? "" : "x", sizes[d]);
  return text;
}

/// The bytes that the nearest cache moves. A multiprocessor's serves whole sectors to warps, and has the local memory:
/// 128 bytes of it each time that it is asked.
double bytesOfFirstCache(const ProfiledCount& work) {
  if (!work.isOnGpu()) return work.bytes() + work.localBytes;
  constexpr double sector = 32, allBanks = 128;
  double bytes = 0;
  for (const ProfiledCountedLine& line : work.lines) bytes += line.sectors * sector + line.passes * allBanks;
  return bytes;
}

double instructionsOf(const ProfiledCount& work) {
  double all = 0;
  for (const ProfiledCountedLine& line : work.lines) all += line.instructions;
  return all;
}
/// Instructions/s that the warps of a GPU begin: as many as multiply-adds of float.
double instructionRate(const MachineLimits& gpu) {
  constexpr double operationsOfWarp = 2 * 32;
  return gpu.fma / operationsOfWarp;
}

void addMachines(ProfileSummary& summary) {
  std::set<std::string_view> asked;  // once each: a GPU of another machine cannot be measured
  for (const KernelSummary& kernel : summary.kernels) {
    if (!kernel.work || !asked.insert(kernel.gpu).second) continue;
    if (kernel.gpu.empty())
      summary.machines[kernel.gpu] = keptMachineLimits();
    else if (const std::optional<MachineLimits> limits = keptGpuLimits(kernel.gpu))
      summary.machines[kernel.gpu] = *limits;
  }
}

}  // namespace

const ProfiledCount* countOf(const ProfiledProcess& process, const ProfiledCommand& command) {
  return command.count == ProfiledCommand::notCounted ? nullptr : &process.counts[command.count];
}

std::string nanosecondsText(std::uint64_t time) { return timeText(static_cast<double>(time) * 1e-9); }

std::uint64_t Times::median() const {
  if (all.empty()) return 0;
  std::vector<std::uint64_t> sorted = all;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  return *middle;
}
std::uint64_t Times::least() const { return all.empty() ? 0 : std::ranges::min(all); }
std::uint64_t Times::most() const { return all.empty() ? 0 : std::ranges::max(all); }

std::string KernelSummary::sizes() const {
  return fmt::format("{} / {}", sizesText(global, dimensions), sizesText(local, dimensions));
}

std::uint64_t KernelSummary::workGroups() const {
  std::uint64_t groups = 1;
  for (unsigned d = 0; d < 3; ++d)
    groups *= (global[d] + std::max<std::uint64_t>(local[d], 1) - 1) / std::max<std::uint64_t>(local[d], 1);
  return groups;
}

const MachineLimits* limitsOf(const ProfileSummary& summary, const KernelSummary& kernel) {
  const auto found = summary.machines.find(kernel.gpu);
  return found == summary.machines.end() ? nullptr : &found->second;
}

std::string gpuOf(const ProfiledProcess& process, const ProfiledCommand& command) {
  if (command.queue >= process.queues.size()) return {};
  const ProfiledQueue& queue = process.queues[command.queue];
  return queue.isOnGpu ? queue.device : std::string();
}

std::optional<Use> useOf(const ProfileSummary& summary, const KernelSummary& kernel) {
  const MachineLimits* const machine = limitsOf(summary, kernel);
  if (!kernel.work || kernel.times.median() == 0 || !(machine || kernel.work->isOnGpu())) return std::nullopt;
  const ProfiledCount& work = *kernel.work;
  const double seconds = static_cast<double>(kernel.times.median()) * 1e-9;
  Use use;
  use.bytesPerSecond = work.bytes() / seconds;
  use.operationsPerSecond = work.operations() / seconds;
  if (!machine) return use;
  const auto add = [&](std::string limit, double amount, double rate) {
    if (amount == 0 || rate == 0) return 0.0;
    use.parts.push_back({.limit = std::move(limit), .part = amount / seconds / rate});
    return use.parts.back().part;
  };
  // Accesses of the same memory may be served by a cache: every buffer moves once at least, if all of it is used.
  const double moved = std::min(work.bytes(), work.bufferBytes);
  double nearer = 0;  // bytes of the caches of the level before
  constexpr double mostOfCache = 0.75;
  for (const MachineCeilings::Cache& cache : machine->ceilings.caches) {
    const bool isFirst = nearer == 0;
    if (isFirst || work.bufferBytes > nearer)
      add(fmt::format("L{}", cache.level), isFirst ? bytesOfFirstCache(work) : moved, cache.rate);
    nearer = static_cast<double>(cache.bytes);
    if (!use.ofHoldingCache && work.bufferBytes > 0 && work.bufferBytes <= mostOfCache * nearer && !use.parts.empty())
      use.ofHoldingCache = use.parts.back().part;
  }
  use.ofMemory = add("memory", moved, machine->stream);
  const MachineCeilings& of = machine->ceilings;
  use.ofArithmetic = add("float", work.floats, machine->fma) + add("double", work.doubles, of.doubles) +
                     add("half", work.halves, of.halves);
  if (work.isOnGpu()) use.ofInstructions = add("instructions", instructionsOf(work), instructionRate(*machine));
  // Simple operations are quicker than the multiplications that this limit is about.
  constexpr double surelyInteger = 1;
  if (const double part = add("int", work.integers, of.integers); part >= surelyInteger)
    use.ofArithmetic = std::max(use.ofArithmetic, part);
  return use;
}

std::string titleOf(const ProfiledCompile& compile) {
  if (compile.name.empty()) return compile.what;
  const std::string what = compile.what == "code" ? "compile" : "assemble";
  return what + (compile.isCounted ? " for the profile: " : " ") + compile.name;
}

std::string ProfiledProcess::endingText() const {
  std::string text;
  if (signal != 0) {
    const char* const name = ::sigabbrev_np(signal);
    const char* const meaning = ::sigdescr_np(signal);
    text = fmt::format("Ended by {} ({})", name ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal),
                       meaning ? meaning : "unknown");
  } else if (endsAtOnce) {
    text = status < 0 ? "Ended by quick_exit()" : fmt::format("Ended by _exit({})", status);
  } else if (status != 0) {
    text = fmt::format("Ended with exit code {}", status);
  } else {
    return {};
  }
  const auto isOpen = [](const ProfiledCommand& command) { return command.status > 0; };
  const auto open = std::ranges::count_if(commands, isOpen);
  if (open == 0) return text + "; this is what ran until then";
  const ProfiledCommand& first = *std::ranges::find_if(commands, isOpen);
  return text + fmt::format(
                    "; this is what ran until then, without {} command{} that had not ended, the first of them "
                    "{}",
                    open, open == 1 ? "" : "s",
                    first.kernel.empty() ? first.name : fmt::format("kernel '{}'", first.kernel));
}

std::uint64_t ProfiledProcess::sampledTime() const {
  std::uint64_t time = 0;
  for (const ProfiledLine& line : lines) time += line.time;
  return time;
}

std::string sourceOf(const ProfiledProcess& process, const ProfiledLine& line) {
  // A program's source is what the application gave; that of `clarity exec` and headers are files.
  std::error_code error;
  if (!line.file.empty() && std::filesystem::is_regular_file(line.file, error)) {
    std::ifstream file(line.file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  for (const std::string& source : process.sources)
    if (const std::size_t at = source.find(line.kernel); at != source.npos && source.find('(', at) != source.npos)
      return asNumbered(source, line.kernel);
  return {};
}

bool waitsForCommands(const ProfiledCall& call) {
  if (call.name == "clFinish" || call.name == "clWaitForEvents") return true;
  for (const std::string_view parameter :
       {"blocking_read=1", "blocking_write=1", "blocking_map=1", "blocking_copy=1", "blocking=1"})
    if (call.arguments.find(parameter) != std::string::npos) return true;
  return false;
}

ProfileSummary summaryOf(const ProfiledProcess& process) {
  ProfileSummary summary;
  std::unordered_map<std::string, std::size_t> transfers, waits, calls;
  LaunchPlaces launches;
  for (const ProfiledCommand& command : process.commands) {
    if (!command.hasRun()) continue;
    if (!command.kernel.empty()) {
      addLaunch(summary, launches, process, command);
    } else if (command.bytes != 0) {
      TransferSummary& its = entryOf(summary.transfers, transfers, command.name);
      its.times.add(command.time());
      its.bytes += command.bytes;
      its.blocking += command.isBlocking;
      summary.transferTime += command.time();
    }
  }
  for (const ProfiledThread& thread : process.threads)
    for (const ProfiledCall& call : thread.calls) {
      CallSummary& its = entryOf(summary.calls, calls, call.name);
      its.times.add(call.time(), call.count);
      its.errors += call.error != 0;
      if (!waitsForCommands(call)) continue;
      entryOf(summary.waits, waits, call.name).times.add(call.time());
      summary.waitTime += call.time();
    }
  sortByTime(summary.kernels);
  addMachines(summary);
  addCompiles(summary, process.compiles);
  addTransfersOfKernels(summary, process);
  sortByTime(summary.transfers);
  sortByTime(summary.waits);
  sortByTime(summary.calls);
  return summary;
}

}  // namespace clarity::tools
