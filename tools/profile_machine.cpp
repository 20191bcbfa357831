// SPDX-License-Identifier: Apache-2.0
// This file keeps the machine's rates.
#include "profile_machine.h"

#include "progress.h"

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

bool readRates(const std::filesystem::path& file, MachineRates& rates) try {
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
  return true;
} catch (const nlohmann::json::exception&) {
  return false;
}

}  // namespace

MachineRates keptMachineRates() {
  const std::filesystem::path folder = cacheFolder(), file = folder / "machine-rates.json";
  MachineRates rates;
  if (!folder.empty() && readRates(file, rates)) return rates;
  Progress progress(1);
  progress.step("measuring the machine, once");
  MachineMeter meter(Effort::Quick);
  meter.measure();
  progress.clear();
  rates = meter.rates();
  if (folder.empty()) return rates;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::ofstream(file) << nlohmann::json{{"processor", rates.processor},
                                        {"threads", rates.threads},
                                        {"stream", rates.stream},
                                        {"fma", rates.fma},
                                        {"fmaBy", rates.fmaBy}};
  return rates;
}

}  // namespace clarity::tools
