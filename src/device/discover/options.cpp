// SPDX-License-Identifier: Apache-2.0
// This file checks the options by name, as users set them (core/config.def).
#include "device/options.h"

#include "compiler/host/target.h"
#include "device/cluster/join_cluster.h"
#include "device/cuda/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <thread>

namespace clarity::device {
namespace {

/// More threads than this many for each processor only wait for each other.
constexpr std::uint32_t mostThreadsOfProcessor = 64;

std::string_view withoutBlanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

/// The mistake in one of the kinds of devices, or nothing.
std::string objectionToKind(std::string_view kind, bool isSecond) {
  if (isSecond)
    return fmt::format(
        "'{}' is named twice and counts once; for two devices on one machine, divide it with clCreateSubDevices", kind);
  if (kind == "cpu") return {};
  if (kind == "nvidia") return cuda::objection();
  const auto joined = joinedKinds(kind);
  if (!joined) return fmt::format("'{}' is not understood; there are: cpu, nvidia, cluster, joined(...)", kind);
  const std::vector<std::string_view> parts = kindsIn(*joined);
  for (const std::string_view part : parts) {
    if (joinedKinds(part)) return fmt::format("'{}': a part of a joined device is none itself", kind);
    if (part != parts[0]) return fmt::format("'{}': devices with different processors cannot be joined", kind);
    if (std::string objection = objectionToKind(part, false); !objection.empty())
      return fmt::format("'{}': {}", kind, objection);
  }
  return {};
}

void correctKinds(Options& options, std::vector<std::string>& complaints) {
  std::set<std::string_view> seen;
  std::string kept;
  for (const std::string_view kind : kindsIn(options.kinds)) {
    const bool isSecond = !seen.insert(kind).second;
    if ((kind == "cluster" || joinedKinds(kind) == "cluster") && !isSecond) {
      // Some nodes may have come, and others not.
      for (const std::string& each : cluster::join(options))
        complaints.push_back(fmt::format("CLARITY_DEVICES='{}': {}", options.kinds, each));
      if (cluster::isJoined()) kept.append(kept.empty() ? "" : ",").append(kind);
      continue;
    }
    const std::string objection = objectionToKind(kind, isSecond);
    if (objection.empty())
      kept.append(kept.empty() ? "" : ",").append(kind);
    else
      complaints.push_back(fmt::format("CLARITY_DEVICES='{}': {}", options.kinds, objection));
  }
  if (kept.empty()) {
    complaints.push_back(
        fmt::format("CLARITY_DEVICES='{}' names no device that is here: the CPU takes their place", options.kinds));
    kept = "cpu";
  }
  options.kinds = std::move(kept);
}

void correctProcessor(Options& options, std::vector<std::string>& complaints) {
  const std::string objection = compiler::objectionTo(options.cpu);
  if (objection.empty()) return;
  complaints.push_back(
      fmt::format("CLARITY_CPU='{}' {}; code is generated for the native processor", options.cpu, objection));
  options.cpu = "native";
}

void correctThreads(Options& options, std::vector<std::string>& complaints) {
  const std::uint32_t processors = std::max(std::thread::hardware_concurrency(), 1u);
  const std::uint32_t most = processors * mostThreadsOfProcessor;
  if (options.threads <= most) return;
  complaints.push_back(fmt::format("CLARITY_THREADS={} is more than {} for each of the {} processors; it becomes {}",
                                   options.threads, mostThreadsOfProcessor, processors, most));
  options.threads = most;
}

void correctType(Options& options, std::vector<std::string>& complaints) {
  if (deviceType(options.type) != 0) return;
  complaints.push_back(fmt::format(
      "CLARITY_DEVICE_TYPE='{}' is not understood; there are: cpu, gpu, accelerator; it stays cpu", options.type));
  options.type = "cpu";
}

void correctFirstLaunch(Options& options, std::vector<std::string>& complaints) {
  if (options.firstLaunch == "quick" || options.firstLaunch == "full") return;
  complaints.push_back(fmt::format(
      "CLARITY_FIRST_LAUNCH='{}' is not understood; there are: quick, full; it stays quick", options.firstLaunch));
  options.firstLaunch = "quick";
}

/// A word, or numbers with colons between them.
void correctJoined(Options& options, std::vector<std::string>& complaints) {
  const std::string& joined = options.joined;
  const bool isList = !joined.empty() && joined.find_first_not_of("0123456789:") == std::string::npos;
  if (joined == "measured" || joined == "random" || isList) return;
  complaints.push_back(fmt::format(
      "CLARITY_JOINED='{}' is not understood; there are: measured, random, 1:1; it stays measured", joined));
  options.joined = "measured";
}

}  // namespace

std::vector<std::string_view> kindsIn(std::string_view list) {
  std::vector<std::string_view> kinds;
  std::size_t begin = 0, depth = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    if (at < list.size() && list[at] == '(') ++depth;
    if (at < list.size() && list[at] == ')' && depth > 0) --depth;
    if (at < list.size() && (list[at] != ',' || depth > 0)) continue;
    kinds.push_back(withoutBlanks(list.substr(begin, at - begin)));
    begin = at + 1;
  }
  return kinds;
}

std::optional<std::string_view> joinedKinds(std::string_view kind) {
  constexpr std::string_view begin = "joined(";
  if (!kind.starts_with(begin) || !kind.ends_with(')')) return std::nullopt;
  return kind.substr(begin.size(), kind.size() - begin.size() - 1);
}

std::vector<std::string> correct(Options& options) {
  std::vector<std::string> complaints;
  correctKinds(options, complaints);
  correctProcessor(options, complaints);
  correctThreads(options, complaints);
  correctType(options, complaints);
  correctFirstLaunch(options, complaints);
  correctJoined(options, complaints);
  return complaints;
}

}  // namespace clarity::device
