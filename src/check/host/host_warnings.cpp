// SPDX-License-Identifier: Apache-2.0
// This file reads in the compiler's log what a program never looks at: warnings of formats that do not fit the
// arguments of printf, which print wrong numbers or what is in memory by chance.
#include "check/host/host_checks.h"

#include <charconv>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace clarity::check {
namespace {

/// "program.cl:3:19: warning: ... [-Wformat]", followed by the line of the source.
struct Warning {
  compiler::Site place;
  std::string text;
};

std::optional<std::uint32_t> numberAtEnd(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  std::uint32_t number = 0;
  const std::string_view digits = text.substr(colon + 1);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ptr != digits.data() + digits.size())
    return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

std::optional<Warning> warningIn(std::string_view line) {
  constexpr std::string_view word = ": warning: ", option = " [-Wformat";
  const std::size_t begin = line.find(word), end = line.rfind(option);
  if (begin == line.npos || end == line.npos || end < begin) return std::nullopt;
  // Formats that are no literals are not known.
  if (line.substr(end).find("nonliteral") != line.npos) return std::nullopt;
  std::string_view position = line.substr(0, begin);
  const auto column = numberAtEnd(position), number = numberAtEnd(position);
  if (!column || !number) return std::nullopt;
  Warning warning;
  warning.place.file = position;
  warning.place.line = *number;
  warning.place.column = *column;
  warning.text = line.substr(begin + word.size(), end - begin - word.size());
  return warning;
}

/// The source in a line of the log such as "    3 |   printf(...);".
void addSource(std::string_view line, compiler::Site& place) {
  constexpr std::string_view bar = " | ";
  const std::size_t at = line.find(bar);
  if (at == line.npos) return;
  const std::string_view text = line.substr(at + bar.size());
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return;
  place.indent = static_cast<std::uint32_t>(begin);
  place.text = text.substr(begin);
}

class WarningCheck final : public HostCheck {
public:
  explicit WarningCheck(HostScene& scene) : scene_(scene) {}

  void after(const HostCall& call) override {
    if (call.error != CL_SUCCESS) return;
    // A callback gets the program before a kernel is made of it.
    const bool isBuilt = call.is("clBuildProgram") || call.is("clCompileProgram");
    if (isBuilt ? call.at("pfn_notify") == 0 : call.info.begins("clCreateKernel")) look(call);
  }

private:
  void look(const HostCall& call) {
    for (const std::string& log : scene_.services.logsOf(call.at<cl_program>("program"))) {
      if (log.find("[-Wformat") == log.npos || !seen_.insert(log).second) continue;
      std::istringstream lines(log);
      std::optional<Warning> last;
      for (std::string line; std::getline(lines, line);) {
        if (last) {
          addSource(line, last->place);
          report(*std::exchange(last, std::nullopt));
        }
        last = warningIn(line);
      }
      if (last) report(*last);
    }
  }

  /// One finding for each line: the compiler may have two sentences about one mistake.
  void report(const Warning& warning) {
    if (!places_.emplace(warning.place.file, warning.place.line).second) return;
    Finding finding;
    finding.kind = Kind::PrintfFormat;
    finding.summary = "the format of a printf does not fit its arguments";
    finding.party = {warning.place, "the compiler's log says: " + warning.text};
    if (scene_.groups & static_cast<unsigned>(Group::Host)) scene_.reporter.add(finding);
  }

  HostScene& scene_;
  std::set<std::string> seen_;
  std::set<std::pair<std::string, std::uint32_t>> places_;
};

}  // namespace

HostCheckRef warningCheck(HostScene& scene) { return std::make_unique<WarningCheck>(scene); }

}  // namespace clarity::check
