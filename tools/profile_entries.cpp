// SPDX-License-Identifier: Apache-2.0
// This file reads those entries of a record that are JSON and name nothing else.
#include "profile_entries.h"

#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

ProfiledCompile compileOf(const nlohmann::json& json) {
  ProfiledCompile compile;
  compile.what = json.at("what");
  compile.name = json.at("name");
  compile.thread = json.at("thread");
  compile.begin = json.at("begin");
  compile.end = json.at("end");
  compile.isCached = json.at("cached");
  compile.isQuick = json.at("quick");
  compile.isCounted = json.value("counted", false);
  return compile;
}

ProfiledCountedLine lineOf(const nlohmann::json& json) {
  ProfiledCountedLine line;
  line.line = json.at("line");
  line.executions = json.at("executions");
  line.instructions = json.at("instructions");
  const double threads = json.at("threadInstructions");
  line.activeThreads = line.instructions == 0 ? 0 : threads / line.instructions;
  line.requests = json.at("requests");
  line.sectors = json.at("sectors");
  line.leastSectors = json.at("leastSectors");
  line.localRequests = json.at("localRequests");
  line.passes = json.at("passes");
  line.leastPasses = json.at("leastPasses");
  return line;
}

ProfiledCount countOf(const nlohmann::json& json) {
  ProfiledCount count;
  count.kernel = json.at("kernel");
  count.global = json.at("global");
  count.begin = json.at("begin");
  count.end = json.at("end");
  count.floats = json.at("floats");
  count.doubles = json.at("doubles");
  count.halves = json.value("halves", 0.0);
  count.integers = json.value("integers", 0.0);
  count.read = json.at("read");
  count.written = json.at("written");
  count.localBytes = json.at("localBytes");
  count.bufferBytes = json.at("buffers");
  count.activeLanes = json.value("activeLanes", 0.0);
  count.lanes = json.value("lanes", 0.0);
  count.local = json.value("local", count.local);
  for (const nlohmann::json& each : json.value("lines", nlohmann::json::array())) count.lines.push_back(lineOf(each));
  return count;
}

ProfiledGpuLaunch gpuLaunchOf(const nlohmann::json& json) {
  return {.kernel = json.at("kernel"),
          .global = json.at("global"),
          .local = json.value("local", std::array<std::uint64_t, 3>{}),
          .blocks = json.at("blocks"),
          .threads = json.at("threads"),
          .registers = json.at("registers"),
          .privateBytes = json.at("privateBytes"),
          .sharedBytes = json.at("sharedBytes"),
          .together = json.at("together"),
          .multiprocessors = json.at("multiprocessors"),
          .mostThreads = json.at("mostThreads")};
}

/// How far a command is from the time of a count; 0: it has its middle inside.
std::uint64_t distanceOf(const ProfiledCommand& command, const ProfiledCount& count) {
  const std::uint64_t middle = command.started + command.time() / 2;
  return middle < count.begin ? count.begin - middle : middle > count.end ? middle - count.end : 0;
}

/// The launch that a count is of. On the CPU it has the count's time inside. A GPU executes no other meanwhile; its
/// clock may be some microseconds off.
ProfiledCommand* launchOf(ProfiledProcess& process, const ProfiledCount& count) {
  ProfiledCommand* nearest = nullptr;
  for (ProfiledCommand& command : process.commands) {
    if (command.kernel != count.kernel || command.global != count.global || !command.hasEnded()) continue;
    if (!count.isOnGpu()) {
      if (count.begin >= command.started && count.end <= command.ended) return &command;
      continue;
    }
    if (command.local != count.local) continue;
    if (!nearest || distanceOf(command, count) < distanceOf(*nearest, count)) nearest = &command;
  }
  return nearest;
}

}  // namespace

void addEntries(ProfiledProcess& process, const nlohmann::json& json) {
  for (const nlohmann::json& each : json.at("compiles")) process.compiles.push_back(compileOf(each));
  for (const nlohmann::json& each : json.at("counts")) process.counts.push_back(countOf(each));
  for (std::size_t i = 0; i < process.counts.size(); ++i)
    if (ProfiledCommand* const launch = launchOf(process, process.counts[i])) launch->count = i;
  for (const nlohmann::json& each : json.value("gpuLaunches", nlohmann::json::array()))
    process.gpuLaunches.push_back(gpuLaunchOf(each));
  process.stagedBytes = json.value("stagedBytes", std::uint64_t{0});
}

}  // namespace clarity::tools
