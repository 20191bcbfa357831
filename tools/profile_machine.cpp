// SPDX-License-Identifier: Apache-2.0
// This file keeps the machine's limits.
#include "profile_machine.h"

#include "child.h"
#include "driver.h"
#include "files.h"
#include "progress.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

/// The driver's cache (docs/options.md#the-cache); empty: nothing is kept.
std::filesystem::path cacheFolder() {
  const auto variable = [](const char* name) {
    const char* const value = ::secure_getenv(name);
    return std::string_view(value ? value : "");
  };
  if (variable("CLARITY_CACHE") == "0") return {};
  if (const std::string_view own = variable("CLARITY_CACHE_DIR"); !own.empty()) return own;
  if (const std::string_view xdg = variable("XDG_CACHE_HOME"); xdg.starts_with('/'))
    return std::filesystem::path(xdg) / "clarity";
  if (const std::string_view home = variable("HOME"); home.starts_with('/'))
    return std::filesystem::path(home) / ".cache" / "clarity";
  return {};
}

/// So often they are measured, each time in a profile of its own, and the best is kept: other programs may run
/// meanwhile.
constexpr unsigned measurements = 3;

nlohmann::json jsonOf(const MachineCeilings& ceilings) {
  nlohmann::json caches = nlohmann::json::array();
  for (const MachineCeilings::Cache& cache : ceilings.caches)
    caches.push_back({{"level", cache.level}, {"bytes", cache.bytes}, {"rate", cache.rate}});
  return {
      {"caches", caches}, {"doubles", ceilings.doubles}, {"halves", ceilings.halves}, {"integers", ceilings.integers}};
}

MachineCeilings ceilingsOf(const nlohmann::json& json) {
  MachineCeilings ceilings{
      .caches = {}, .doubles = json.at("doubles"), .halves = json.at("halves"), .integers = json.at("integers")};
  for (const nlohmann::json& cache : json.at("caches"))
    ceilings.caches.push_back({.level = cache.at("level"), .bytes = cache.at("bytes"), .rate = cache.at("rate")});
  return ceilings;
}

/// The best of two measurements.
MachineCeilings best(const MachineCeilings& a, MachineCeilings b) {
  b.doubles = std::max(a.doubles, b.doubles);
  b.halves = std::max(a.halves, b.halves);
  b.integers = std::max(a.integers, b.integers);
  for (MachineCeilings::Cache& cache : b.caches)
    for (const MachineCeilings::Cache& other : a.caches)
      if (other.level == cache.level) cache.rate = std::max(cache.rate, other.rate);
  return b;
}

/// The limits of a GPU as `clarity measure` prints them, which is what is kept.
MachineLimits gpuLimitsOf(const std::string& name, const nlohmann::json& json) {
  MachineLimits limits;
  limits.processor = name;
  limits.threads = json.at("threads");
  limits.stream = json.at("stream");
  limits.fma = json.at("fma");
  limits.ceilings = ceilingsOf(json);
  return limits;
}

/// An object; an empty one if the file is not there or not readable.
nlohmann::json readObject(const std::filesystem::path& file) {
  std::ifstream stream(file);
  nlohmann::json json = nlohmann::json::parse(stream, nullptr, false);
  return json.is_object() ? json : nlohmann::json::object();
}

bool readRates(const std::filesystem::path& file, MachineLimits& rates, unsigned& measured) try {
  std::ifstream stream(file);
  if (!stream) return false;
  const auto json = nlohmann::json::parse(stream);
  MachineLimits kept;
  kept.processor = json.at("processor");
  kept.threads = json.at("threads");
  kept.stream = json.at("stream");
  kept.fma = json.at("fma");
  kept.fmaBy = json.at("fmaBy");
  kept.ceilings = ceilingsOf(json.at("ceilings"));
  if (kept.threads != processorCount() || kept.stream <= 0 || kept.fma <= 0) return false;
  rates = kept;
  measured = json.at("measured");
  return true;
} catch (const nlohmann::json::exception&) {
  return false;
}

}  // namespace

MachineLimits keptMachineLimits() {
  const std::filesystem::path folder = cacheFolder(), file = folder / "machine-rates.json";
  MachineLimits rates;
  unsigned measured = 0;
  if (!folder.empty() && readRates(file, rates, measured) && measured >= measurements) return rates;
  Progress progress(1);
  progress.step("measuring the machine");
  MachineMeter meter(Effort::Quick);
  meter.measure();
  const MachineCeilings ceilings = best(rates.ceilings, meter.ceilings());
  progress.clear();
  const MachineRates before = rates;
  rates = {meter.rates(), ceilings};
  rates.stream = std::max(rates.stream, before.stream);
  // A vector has twice as many floats as doubles, which are measured more often.
  rates.fma = std::max({rates.fma, before.fma, 2 * ceilings.doubles});
  if (folder.empty()) return rates;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::ofstream(file) << nlohmann::json{{"processor", rates.processor},
                                        {"threads", rates.threads},
                                        {"measured", measured + 1},
                                        {"stream", rates.stream},
                                        {"fma", rates.fma},
                                        {"fmaBy", rates.fmaBy},
                                        {"ceilings", jsonOf(rates.ceilings)}};
  return rates;
}

std::optional<MachineLimits> keptGpuLimits(const std::string& name) try {
  const std::filesystem::path folder = cacheFolder(), file = folder / "gpu-rates.json";
  nlohmann::json all = folder.empty() ? nlohmann::json::object() : readObject(file);
  if (all.contains(name)) return gpuLimitsOf(name, all[name]);
  Progress progress(1);
  progress.step("measuring the GPU");
  // A process of its own, which is not profiled and whose driver compiles at once.
  Environment environment = environmentFor({});
  environment["CLARITY_PROFILE"] = std::nullopt;
  environment["CLARITY_FIRST_LAUNCH"] = "full";
  const ChildResult child =
      runChild({ownExecutable().string(), "measure", "limits", "--name", name}, {environment, {}, 60});
  progress.clear();
  const auto json = nlohmann::json::parse(child.output, nullptr, false);
  if (child.status != 0 || !json.is_object() || json.empty()) return std::nullopt;
  const MachineLimits limits = gpuLimitsOf(name, json);
  if (folder.empty()) return limits;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  all[name] = json;
  std::ofstream(file) << all;
  return limits;
} catch (const nlohmann::json::exception&) {
  return std::nullopt;
} catch (const Failure&) {
  return std::nullopt;  // a profile is worth reading without them
}

}  // namespace clarity::tools
