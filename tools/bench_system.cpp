// SPDX-License-Identifier: Apache-2.0
// This file measures launches, builds and transfers of a driver, each in a new process of this command.
#include "bench.h"
#include "child.h"
#include "command.h"
#include "device_choice.h"
#include "files.h"
#include "numbers.h"

#include <fmt/format.h>

namespace clarity::tools {
namespace {

using Json = nlohmann::json;

Json measure(const Contender& contender, const std::string& what, bool quick) {
  std::vector<std::string> words = {ownExecutable().string(), "measure", what, "--device",
                                    std::to_string(contender.deviceNumber)};
  if (quick) words.emplace_back("--quick");
  const ChildResult child = runChild(words, {contender.environment, {}, 300});
  if (child.status != 0) throw Failure(fmt::format("measuring {}: {}\n{}", what, child.ending(), child.errors));
  Json json = Json::parse(child.output, nullptr, false);
  if (json.is_discarded())
    throw Failure(fmt::format("measuring {}: its report cannot be read:\n{}", what, child.output));
  return json;
}

// The same driver with its cache in a new folder (CLARITY_CACHE_DIR; POCL_CACHE_DIR for a comparison with PoCL).
Contender withCache(const Contender& contender, const std::filesystem::path& folder) {
  Contender result = contender;
  result.environment["CLARITY_CACHE_DIR"] = folder.string();
  result.environment["POCL_CACHE_DIR"] = folder.string();
  return result;
}

std::vector<SystemRow> rowsOf(const Json& list, const std::string& group) {
  std::vector<SystemRow> rows;
  for (const Json& entry : list) {
    SystemRow row{group, entry.at("name"), {}, {}, {}};
    if (entry.contains("seconds")) row.seconds = entry["seconds"].get<double>();
    if (entry.contains("bytes_per_second")) row.bytesPerSecond = entry["bytes_per_second"].get<double>();
    if (entry.contains("memcpy")) row.memcpy = entry["memcpy"].get<double>();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Contender identify(const std::string& icd, const std::string& device) {
  Contender contender{environmentFor(icd), {}, {}, {}, 0};
  const ChildResult child =
      runChild({ownExecutable().string(), "measure", "identity"}, {contender.environment, {}, 60});
  const Json json = Json::parse(child.output, nullptr, false);
  if (child.status != 0 || json.is_discarded()) {
    std::string words = child.errors;
    while (words.ends_with('\n')) words.pop_back();
    throw Failure(fmt::format("the driver{} does not work ({}):\n  {}", icd.empty() ? "" : fmt::format(" '{}'", icd),
                              child.ending(), words));
  }
  contender.platform = json.at("platform");
  std::vector<DeviceName> names;
  for (const Json& each : json.at("devices")) names.push_back({each.at("name"), each.at("vendor"), each.at("type")});
  contender.deviceNumber = chooseDevice(device, names, icd.empty());
  const Json& chosen = json["devices"][contender.deviceNumber];
  contender.isCpu = chosen.at("type").get<cl_ulong>() & CL_DEVICE_TYPE_CPU;
  contender.device = chosen.at("name");
  contender.version = chosen.at("driver_version");
  return contender;
}

std::vector<SystemRow> measureLatency(const Contender& contender, bool quick) {
  const TemporaryFolder folder;
  std::vector<SystemRow> rows = rowsOf(measure(withCache(contender, folder.path()), "latency", quick), "latency");
  std::vector<double> load, cold, filled;
  const int repetitions = quick ? 3 : 9;
  for (int i = 0; i < repetitions; ++i) {
    const Contender fresh = withCache(contender, folder.path() / fmt::format("cold-{}", i));
    std::filesystem::create_directories(*fresh.environment.at("CLARITY_CACHE_DIR"));
    const Json first = measure(fresh, "first-result", false);
    const Json second = measure(fresh, "first-result", false);
    load.push_back(second.at("load"));
    cold.push_back(first.at("first_result"));
    filled.push_back(second.at("first_result"));
  }
  rows.push_back({"latency", "source to first result, new process, cold cache", median(cold), {}, {}});
  rows.push_back({"latency", "source to first result, new process, filled cache", median(filled), {}, {}});
  rows.push_back({"latency", "driver load: platform to context and queue", median(load), {}, {}});
  return rows;
}

MachineRates measureDevice(const Contender& contender) {
  const Json json = measure(contender, "limits", false);
  return {.processor = contender.device,
          .threads = json.at("threads"),
          .stream = json.at("stream"),
          .streamBy = "loads, or clEnqueueCopyBuffer, read and written",
          .fma = json.at("fma"),
          .fmaBy = "fma"};
}

std::vector<SystemRow> measureTransfer(const Contender& contender, bool quick) {
  return rowsOf(measure(contender, "transfer", quick), "transfer");
}

}  // namespace clarity::tools
