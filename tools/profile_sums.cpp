// SPDX-License-Identifier: Apache-2.0
// This file writes the sums of a profile as JSON.
#include "profile_advice.h"
#include "profile_gpu.h"
#include "profile_output.h"
#include "profile_verdict.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

using SumsJson = nlohmann::ordered_json;

SumsJson timesJson(const Times& times) {
  return {{"count", times.count()},
          {"total_ns", times.total},
          {"min_ns", times.least()},
          {"median_ns", times.median()},
          {"max_ns", times.most()}};
}

SumsJson callsJson(const std::vector<CallSummary>& calls) {
  SumsJson list = SumsJson::array();
  for (const CallSummary& call : calls) {
    SumsJson each = timesJson(call.times);
    each["name"] = call.name;
    each["errors"] = call.errors;
    list.push_back(std::move(each));
  }
  return list;
}

SumsJson adviceJson(const ProfiledProcess& process, const ProfileSummary& summary) {
  SumsJson list = SumsJson::array();
  for (const Advice& each : adviceFor(process, summary))
    list.push_back({{"title", each.title},
                    {"place", each.place},
                    {"evidence", each.evidence},
                    {"cure", each.cure},
                    {"kernel", each.kernel},
                    {"line", each.line},
                    {"source", each.source},
                    {"gain_ns", each.gain}});
  return list;
}

SumsJson workJson(const ProfiledCount& work, const Use& use) {
  SumsJson parts = SumsJson::object();
  for (const Use::Part& each : use.parts) parts[each.limit] = each.part;
  SumsJson lines = SumsJson::array();
  for (const ProfiledCountedLine& each : work.lines)
    lines.push_back({{"line", each.line},
                     {"executions", each.executions},
                     {"instructions", each.instructions},
                     {"active_threads", each.activeThreads},
                     {"requests", each.requests},
                     {"sectors", each.sectors},
                     {"least_sectors", each.leastSectors},
                     {"local_requests", each.localRequests},
                     {"passes", each.passes},
                     {"least_passes", each.leastPasses}});
  return {{"bytes_read", work.read},
          {"bytes_written", work.written},
          {"local_bytes", work.localBytes},
          {"float_operations", work.floats},
          {"double_operations", work.doubles},
          {"half_operations", work.halves},
          {"int_operations", work.integers},
          {"lanes", work.lanes},
          {"active_lanes", work.activeLanes},
          {"bytes_per_second", use.bytesPerSecond},
          {"operations_per_second", use.operationsPerSecond},
          {"of_memory", use.ofMemory},
          {"of_arithmetic", use.ofArithmetic},
          {"of_limits", std::move(parts)},
          {"lines", std::move(lines)}};
}

SumsJson gpuJson(const ProfiledGpuLaunch& launch) {
  return {{"registers", launch.registers},
          {"private_bytes", launch.privateBytes},
          {"shared_bytes", launch.sharedBytes},
          {"blocks", launch.blocks},
          {"threads", launch.threads},
          {"blocks_at_once", launch.together},
          {"multiprocessors", launch.multiprocessors},
          {"occupancy", launch.occupancy()},
          {"waves", launch.waves()}};
}

SumsJson verdictJson(const Verdict& verdict) {
  SumsJson json{{"by", verdict.bound}, {"reason", verdict.reason}, {"line", verdict.line}};
  if (!verdict.beyond.empty()) json["beyond"] = {{"by", verdict.beyond}, {"time_ns", verdict.beyondTime}};
  return json;
}

SumsJson processJson(const ProfiledProcess& process) {
  const ProfileSummary summary = summaryOf(process);
  SumsJson json{{"process", process.id}, {"command", process.command}, {"time_ns", process.time()}};
  json["ending"] = {{"signal", process.signal}, {"status", process.status}, {"at_once", process.endsAtOnce}};
  json["parts"] = SumsJson::object();
  for (const auto& [name, part] : partsOfRun(process)) json["parts"][name] = part;
  json["kernels"] = SumsJson::array();
  for (const KernelSummary& kernel : summary.kernels) {
    SumsJson each = timesJson(kernel.times);
    each["kernel"] = kernel.kernel;
    each["global"] = kernel.global;
    each["local"] = kernel.local;
    each["waiting"] = timesJson(kernel.waits);
    each["compile_ns"] = kernel.compiles.times.total;
    each["bound"] = verdictJson(verdictOn(process, summary, kernel));
    if (const ProfiledGpuLaunch* const launch = gpuLaunchOf(process, kernel)) each["gpu"] = gpuJson(*launch);
    if (const std::optional<Use> use = useOf(summary, kernel)) each["work"] = workJson(*kernel.work, *use);
    json["kernels"].push_back(std::move(each));
  }
  json["lines"] = SumsJson::array();
  for (const ProfiledLine& line : process.lines)
    json["lines"].push_back({{"kernel", line.kernel},
                             {"file", line.file},
                             {"line", line.line},
                             {"function", line.function},
                             {"sampled_ns", line.time},
                             {"source", line.text}});
  json["transfers"] = SumsJson::array();
  for (const TransferSummary& transfer : summary.transfers) {
    SumsJson each = timesJson(transfer.times);
    each["name"] = transfer.name;
    each["bytes"] = transfer.bytes;
    each["blocking"] = transfer.blocking;
    json["transfers"].push_back(std::move(each));
  }
  json["waits"] = callsJson(summary.waits);
  json["calls"] = callsJson(summary.calls);
  json["compiles"] = SumsJson::object();
  for (const auto& [kind, its] : summary.compiles) {
    json["compiles"][kind] = timesJson(its.times);
    json["compiles"][kind]["cached"] = its.cached;
  }
  json["advice"] = adviceJson(process, summary);
  return json;
}

}  // namespace

std::string profileJson(const std::vector<ProfiledProcess>& processes) {
  SumsJson all = SumsJson::array();
  for (const ProfiledProcess& process : processes) all.push_back(processJson(process));
  return all.dump(2) + "\n";
}

}  // namespace clarity::tools
