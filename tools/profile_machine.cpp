// SPDX-License-Identifier: Apache-2.0
// This file keeps the machine's rates.
#include "profile_machine.h"

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

bool readRates(const std::filesystem::path& file, MachineRates& rates, unsigned& measured) try {
  std::ifstream stream(file);
  if (!stream) return false;
  const auto json = nlohmann::json::parse(stream);
  MachineRates kept{.processor = json.at("processor"),
                    .threads = json.at("threads"),
                    .stream = json.at("stream"),
                    .streamBy = {},
                    .fma = json.at("fma"),
                    .fmaBy = json.at("fmaBy")};
  if (kept.threads != processorCount() || kept.stream <= 0 || kept.fma <= 0) return false;
  rates = kept;
  measured = json.at("measured");
  return true;
} catch (const nlohmann::json::exception&) {
  return false;
}

}  // namespace

MachineRates keptMachineRates() {
  const std::filesystem::path folder = cacheFolder(), file = folder / "machine-rates.json";
  MachineRates rates;
  unsigned measured = 0;
  if (!folder.empty() && readRates(file, rates, measured) && measured >= measurements) return rates;
  Progress progress(1);
  progress.step("measuring the machine");
  MachineMeter meter(Effort::Quick);
  meter.measure();
  progress.clear();
  const MachineRates before = rates;
  rates = meter.rates();
  rates.stream = std::max(rates.stream, before.stream);
  rates.fma = std::max(rates.fma, before.fma);
  if (folder.empty()) return rates;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::ofstream(file) << nlohmann::json{
      {"processor", rates.processor}, {"threads", rates.threads}, {"measured", measured + 1},
      {"stream", rates.stream},       {"fma", rates.fma},         {"fmaBy", rates.fmaBy}};
  return rates;
}

}  // namespace clarity::tools
