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

}  // namespace

void addEntries(ProfiledProcess& process, const nlohmann::json& json) {
  for (const nlohmann::json& each : json.at("compiles")) process.compiles.push_back(compileOf(each));
  for (const nlohmann::json& each : json.at("counts")) process.counts.push_back(countOf(each));
  for (const nlohmann::json& each : json.value("gpuLaunches", nlohmann::json::array()))
    process.gpuLaunches.push_back(gpuLaunchOf(each));
}

}  // namespace clarity::tools
