// SPDX-License-Identifier: Apache-2.0
// This file holds the options of the driver (config.def). The environment is read here and nowhere else, once.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace clarity::core {

/// All options of config.def.
struct Config {
  using text = std::string;
#define CONFIG_OPTION(type, member, name, initial, documentation) type member = initial;
#include "core/config.def"
#undef CONFIG_OPTION

  /// The folder of the compiled-code cache with its default put in; empty if nothing is to be stored.
  std::string resolvedCacheFolder;
  /// Whether text on a terminal may have colours: NO_COLOR is not set, and TERM names a terminal that is not "dumb".
  bool colours = false;
  /// The MPI whose launcher has started this process as one of several ranks: openmpi, mpich; empty: none has.
  std::string mpi;
};

/// An option as users know it.
struct ConfigOption {
  const char* name;
  const char* documentation;
  std::string initial;  ///< the default
  std::string value;    ///< the value in this process
};

/// Reads the options through `variable`, which returns null for one that is not set. A value that cannot be understood
/// leaves the default and adds a sentence to `complaints`.
Config readConfig(const std::function<const char*(const char* name)>& variable, std::string& complaints);

/// The options of this process, read from the environment at the first call.
const Config& config();

/// A sentence for each of these variables, `NAME=value`, whose name begins as those of options do and is none of them,
/// of the command `clarity` or of tests (CLARITY_TEST_).
std::vector<std::string> unknownVariables(std::span<const char* const> variables);
/// The same of this process's environment; nothing of that of a program with more rights than its user.
std::vector<std::string> unknownVariables();

/// Every option with its documentation and the value it has in `config`.
std::vector<ConfigOption> describeConfig(const Config& config);

}  // namespace clarity::core
