// SPDX-License-Identifier: Apache-2.0
// This file declares what `clarity bench` measures and how it is reported.
#pragma once

#include "driver.h"
#include "machine.h"
#include "progress.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace clarity::tools {

/// A driver under measurement.
struct Contender {
  Environment environment;
  std::string platform, device, version;
};

/// Asks the driver who it is, in a process of its own. Throws Failure with what that process said.
Contender identify(const std::string& icd);

/// One kernel of one sample under one driver.
struct SampleRow {
  std::string sample, kernel, size;
  double milliseconds = 0;  ///< 0: not timed
  double flops = 0, bytes = 0;
  bool verified = false;

  double seconds() const { return milliseconds * 1e-3; }
};

/// All of one sample under one driver.
struct SampleOutcome {
  std::string sample;
  std::vector<SampleRow> rows;
  std::string failure;  ///< empty, or how it ended and the last words it said
};

/// The sample programs of a folder, by name.
std::vector<std::filesystem::path> findSamples(const std::filesystem::path& folder);
/// Where the samples are if the user does not say; empty if they are nowhere.
std::filesystem::path defaultSamplesFolder();
/// `whileRunning` is called a few times a second.
SampleOutcome runSample(const std::filesystem::path& program, const Contender& contender, bool quick, double limitSeconds,
                        const std::function<void()>& whileRunning);

/// A measured time or rate that is no sample's.
struct SystemRow {
  std::string group;  ///< "latency" or "transfer"
  std::string name;
  std::optional<double> seconds;         ///< less is better
  std::optional<double> bytesPerSecond;  ///< more is better
  std::optional<double> memcpy;          ///< what memcpy on all processors did beside it
};

std::vector<SystemRow> measureLatency(const Contender& contender, bool quick, const std::function<void()>& whileRunning);
std::vector<SystemRow> measureTransfer(const Contender& contender, bool quick, const std::function<void()>& whileRunning);

/// All that a run of `clarity bench` found out. The first contender is the one under test.
struct BenchReport {
  MachineRates machine;
  std::vector<Contender> contenders;
  std::vector<std::vector<SampleOutcome>> samples;  ///< of each sample, by contender
  std::vector<std::vector<SystemRow>> systems;      ///< by contender
  std::vector<std::string> systemFailures;          ///< by contender; empty where there were none

  /// Every result of the contender under test is right.
  bool allRight() const;
};

std::string reportText(const BenchReport& report, bool colour);
nlohmann::ordered_json reportJson(const BenchReport& report);

}  // namespace clarity::tools
