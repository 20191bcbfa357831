// SPDX-License-Identifier: Apache-2.0
// This file declares how the command has the driver check a program, reads what it found, and writes it for other
// tools.
#pragma once

#include "files.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace clarity::tools {

/// Refuses a list in which something is not what CLARITY_CHECK takes. `option`: that it was given to.
void requireKnownChecks(std::string_view option, std::string_view list);

/// Has the drivers of this process and of its children check what they run. To be made before the first OpenCL call.
class CheckRecord {
public:
  /// `what`: CLARITY_CHECK, such as "all" or "memory,races".
  explicit CheckRecord(const std::string& what);

  /// The extent of a check.
  struct Coverage {
    unsigned processes = 0;         ///< that made OpenCL calls
    std::uint64_t launches = 0;     ///< launches of checked kernels
    std::set<std::string> leftOut;  ///< kernels that ran and were not checked
  };
  Coverage coverage() const;

  /// The findings until now, with how often; an object for each distinct mistake.
  nlohmann::ordered_json findings() const;

private:
  TemporaryFolder folder_;
  std::filesystem::path file_;
};

/// Formats of files that other tools read. `program` is what was checked.
std::string sarifOf(const nlohmann::ordered_json& findings, const std::string& program);
std::string junitOf(const nlohmann::ordered_json& findings, const std::string& program);

}  // namespace clarity::tools
