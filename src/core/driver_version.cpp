// SPDX-License-Identifier: Apache-2.0
// This file identifies the driver for programs that keep binaries.
#include "core/driver_version.h"

#include "compiler/driver/build_name.h"
#include "core/config.h"

#include <fmt/format.h>

namespace clarity::core {

std::string driverVersion(const std::string& version) {
  const Config& options = config();
  std::string text = fmt::format("{} (build {}", version, compiler::buildName());
  if (!options.check.empty())
    text += ", checks " + options.check;
  else if (!options.observe.empty())
    text += ", observes " + options.observe;
  if (options.debug) text += ", debugs";
  return text + ")";
}

}  // namespace clarity::core
