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
  size_t deviceNumber;  ///< the device's number in the platform
  bool isCpu = true;    ///< the device
};

/// Queries the driver's name, version and devices in a new process, and chooses one of these (device_choice.h). Throws
/// Failure with the output of that process, or with the devices if none is meant.
Contender identify(const std::string& icd, const std::string& device);

/// One kernel of one sample under one driver.
struct SampleRow {
  std::string sample, kernel, size;
  double milliseconds = 0;  ///< 0: not timed
  double flops = 0, bytes = 0;
  bool verified = false;
  double spread = 1;  ///< the longer time of two runs by the shorter, with --quick

  /// Whether the time says little.
  bool isUnsteady() const { return spread >= 2; }
  double seconds() const { return milliseconds * 1e-3; }
};

/// All of one sample under one driver.
struct SampleOutcome {
  std::string sample;
  std::vector<SampleRow> rows;
  std::string failure;  ///< empty, or how it ended and the last lines of its output
};

/// The sample programs of a folder, by name.
std::vector<std::filesystem::path> findSamples(const std::filesystem::path& folder);
/// The default folder of the samples; empty if there is none.
std::filesystem::path defaultSamplesFolder();
SampleOutcome runSample(const std::filesystem::path& program, const Contender& contender, bool quick,
                        double limitSeconds);

/// A measured time or rate of the driver itself.
struct SystemRow {
  std::string group;  ///< "latency" or "transfer"
  std::string name;
  std::optional<double> seconds;         ///< less is better
  std::optional<double> bytesPerSecond;  ///< more is better
  std::optional<double> memcpy;          ///< the rate of memcpy on all processors, measured in turn with it
};

std::vector<SystemRow> measureLatency(const Contender& contender, bool quick);
std::vector<SystemRow> measureTransfer(const Contender& contender, bool quick);
/// The rates of a device that is not the CPU, by a copy and a kernel of the driver's.
MachineRates measureDevice(const Contender& contender);

/// The results of one run of `clarity bench`. The first contender is the one under test.
struct BenchReport {
  MachineRates machine;  ///< rates of the device of the first contender
  std::vector<Contender> contenders;
  std::vector<std::vector<SampleOutcome>> samples;  ///< outcomes of each sample, by contender
  std::vector<std::vector<SystemRow>> systems;      ///< by contender
  std::vector<std::string> systemFailures;          ///< by contender; empty if nothing failed

  /// Whether every result of the contender under test is correct.
  bool allRight() const;
};

std::string reportText(const BenchReport& report, bool colour);
nlohmann::ordered_json reportJson(const BenchReport& report);

}  // namespace clarity::tools
