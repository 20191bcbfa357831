// SPDX-License-Identifier: Apache-2.0
// This file reads the options of config.def.
#include "core/config.h"

#include "support/nearest.h"
#include "support/write.h"

#include <fmt/format.h>

#include <sys/auxv.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

namespace clarity::core {
namespace {

/// Parsers of the values of each type of option; false if the text means nothing.
bool parse(std::string_view text, std::string& value) {
  value = text;
  return true;
}

bool parse(std::string_view text, unsigned& value) {
  unsigned parsed = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, parsed);
  if (error != std::errc{} || stop != end || text.empty()) return false;
  value = parsed;
  return true;
}

bool parse(std::string_view text, bool& value) {
  for (const std::string_view no : {"0", "no", "off", "false"})
    if (text == no) return value = false, true;
  for (const std::string_view yes : {"1", "yes", "on", "true"})
    if (text == yes) return value = true, true;
  return false;
}

constexpr const char* expected(const std::string&) { return "a text"; }
constexpr const char* expected(unsigned) { return "a number from 0 to 4294967295"; }
constexpr const char* expected(bool) { return "0, no, off, false, 1, yes, on or true"; }

std::string show(const std::string& value) { return value; }
std::string show(unsigned value) { return std::to_string(value); }
std::string show(bool value) { return value ? "1" : "0"; }

/// The folder of compiled code when the user names none (XDG Base Directory Specification); empty if there is no home
/// either.
std::string defaultCacheFolder(const std::function<const char*(const char*)>& variable) {
  const char* const xdg = variable("XDG_CACHE_HOME");
  // The specification ignores a relative path.
  if (xdg && xdg[0] == '/') return std::string(xdg) + "/clarity";
  const char* const home = variable("HOME");
  if (home && home[0] == '/') return std::string(home) + "/.cache/clarity";
  return {};
}

/// Launchers tell their ranks where they are. Slurm's does so for either MPI, by PMIx or by PMI-2.
std::string mpiOf(const std::function<const char*(const char*)>& variable) {
  for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"})
    if (variable(name)) return "openmpi";
  return variable("PMI_RANK") || variable("PMI_FD") ? "mpich" : "";
}

}  // namespace

Config readConfig(const std::function<const char*(const char*)>& variable, std::string& complaints) {
  Config config;
  const auto read = [&](const char* name, auto& value) {
    const char* const text = variable(name);
    if (!text || !*text) return;
    if (!parse(text, value))
      complaints += fmt::format("{}='{}' is not understood: {} is expected; it stays {}\n", name, text, expected(value),
                                show(value));
  };
#define CONFIG_OPTION(type, member, name, initial, documentation) read(name, config.member);
#include "core/config.def"
#undef CONFIG_OPTION

  if (config.cache) {
    config.resolvedCacheFolder = config.cacheFolder.empty() ? defaultCacheFolder(variable) : config.cacheFolder;
  }
  config.mpi = mpiOf(variable);
  const char* const noColour = variable("NO_COLOR");
  const char* const terminal = variable("TERM");
  config.colours = !(noColour && *noColour) && terminal && *terminal && std::strcmp(terminal, "dumb") != 0;
  return config;
}

const Config& config() {
  // Never destroyed: it is read by whatever runs at the end of the process.
  static const Config* const instance = [] {
    std::string complaints;
    // Not where the program has more rights than its user (setuid): folders and files are named here.
    auto* const made =
        new Config(readConfig([](const char* name) -> const char* { return ::secure_getenv(name); }, complaints));
    if (!complaints.empty()) support::writeToStandardError("clarity: " + complaints);
    return made;
  }();
  return *instance;
}

std::vector<std::string> unknownVariables(std::span<const char* const> variables) {
  constexpr std::string_view prefix = "CLARITY_";
  // Compared without the prefix: it would make all of them similar.
  std::vector<std::string> known;
#define CONFIG_OPTION(type, member, name, initial, documentation) \
  known.emplace_back(std::string_view(name).substr(prefix.size()));
#include "core/config.def"
#undef CONFIG_OPTION

  std::vector<std::string> sentences;
  for (const std::string_view entry : variables) {
    const std::string_view name = entry.substr(0, entry.find('='));
    if (!name.starts_with(prefix)) continue;
    const std::string_view rest = name.substr(prefix.size());
    if (rest == "ICD" || rest.starts_with("TEST_") || std::ranges::find(known, rest) != known.end()) continue;
    const std::string near = support::nearest(rest, known);
    const std::string meant = near.empty() ? "" : fmt::format(" (did you mean '{}{}'?)", prefix, near);
    sentences.push_back(fmt::format("there is no option {}{}; 'clarity info --options' lists all", name, meant));
  }
  return sentences;
}

std::vector<std::string> unknownVariables() {
  if (::getauxval(AT_SECURE) != 0 || !environ) return {};
  std::size_t count = 0;
  while (environ[count]) ++count;
  return unknownVariables({environ, count});
}

std::vector<ConfigOption> describeConfig(const Config& config) {
  const Config initial;
  std::vector<ConfigOption> options;
#define CONFIG_OPTION(type, member, name, unused, documentation) \
  options.push_back({name, documentation, show(initial.member), show(config.member)});
#include "core/config.def"
#undef CONFIG_OPTION
  return options;
}

}  // namespace clarity::core
