// SPDX-License-Identifier: Apache-2.0
// This file finds the sample programs, runs them and reads what they report.
#include "bench.h"
#include "child.h"
#include "command.h"
#include "counts.h"
#include "files.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace clarity::tools {
namespace fs = std::filesystem;
namespace {

// The last lines of a program's output, indented.
std::string lastWords(const std::string& text) {
  std::vector<std::string> lines;
  for (std::string& line : split(text, '\n'))
    if (!line.empty()) lines.push_back(std::move(line));
  const size_t shown = std::min<size_t>(lines.size(), 6);
  std::string result;
  for (size_t i = lines.size() - shown; i < lines.size(); ++i) result += "\n    " + lines[i];
  return result;
}

// A smaller problem for --quick: the default size is in the sample's help: "--size N  elements [2^24]".
std::vector<std::string> quickOptions(const fs::path& program, const ChildOptions& options) {
  std::vector<std::string> words = {"--repeat", "2"};
  const ChildResult help = runChild({program.string(), "--help"}, options);
  for (const std::string& line : split(help.output, '\n')) {
    const size_t word = line.find_first_not_of(' ');
    const size_t open = line.rfind('['), close = line.rfind(']');
    if (word == std::string::npos || !std::string_view(line).substr(word).starts_with("--size ") ||
        open == std::string::npos || close == std::string::npos || close < open)
      continue;
    const auto size = parseCount(line.substr(open + 1, close - open - 1));
    if (!size) continue;
    // Large sizes are lengths of vectors, smaller ones widths of square matrices.
    if (*size >= (size_t{1} << 18))
      words.insert(words.end(), {"--size", std::to_string(*size / 32)});
    else if (*size >= 256)
      words.insert(words.end(), {"--size", std::to_string(*size / 4)});
  }
  return words;
}

// One row of a sample's report. Nothing for any other line.
std::optional<SampleRow> parseRow(const std::string& line) {
  if (!line.starts_with("{")) return std::nullopt;
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("sample")) return std::nullopt;
  const auto number = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  const auto text = [&](const char* key) {
    const auto found = json.find(key);
    return found == json.end() || found->is_null() ? std::string()
           : found->is_string()                    ? found->get<std::string>()
                                                   : found->dump();
  };
  SampleRow row{text("sample"),  text("case"),    text("size"), number("kernel_ms"),
                number("flops"), number("bytes"), false};
  const auto verified = json.find("verified");
  row.verified = verified != json.end() && verified->is_boolean() && verified->get<bool>();
  return row;
}

}  // namespace

std::vector<fs::path> findSamples(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw Failure(fmt::format("there is no folder '{}' of samples", folder.string()));
  std::vector<fs::path> programs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.is_regular_file(error) && ::access(entry.path().c_str(), X_OK) == 0 && entry.path().extension() != ".so")
      programs.push_back(fs::absolute(entry.path()));
  std::ranges::sort(programs);
  return programs;
}

fs::path defaultSamplesFolder() {
  const fs::path here = ownExecutable().parent_path();
  std::error_code error;
  // The build tree, then the folders of an installation.
  for (const char* place : {"../samples", "../lib/clarity/samples", "samples"})
    if (const fs::path folder = (here / place).lexically_normal(); fs::is_directory(folder, error)) return folder;
  return {};
}

namespace {

SampleOutcome runOnce(const fs::path& program, const Contender& contender, bool quick, double limitSeconds) {
  // Samples may write files, so they run in a new folder. They find their input files by themselves.
  const TemporaryFolder folder;
  ChildOptions options{contender.environment, folder.path(), limitSeconds};
  // Few launches of a small problem: they are to be of the code that all later ones get, whether it is in the cache or
  // not.
  if (quick && !std::getenv("CLARITY_FIRST_LAUNCH")) options.environment["CLARITY_FIRST_LAUNCH"] = "full";
  std::vector<std::string> words = {program.string(), "--report", "json"};
  if (contender.deviceNumber != 0)
    for (const std::string& word : {std::string("--device"), std::to_string(contender.deviceNumber)})
      words.push_back(word);
  if (quick) std::ranges::copy(quickOptions(program, options), std::back_inserter(words));
  const ChildResult child = runChild(words, options);

  SampleOutcome outcome{program.filename().string(), {}, {}};
  for (const std::string& line : split(child.output, '\n'))
    if (auto row = parseRow(line)) outcome.rows.push_back(std::move(*row));
  const bool anyWrong = std::ranges::any_of(outcome.rows, [](const SampleRow& row) { return !row.verified; });
  if (child.timedOut || child.status > 1 || (child.status == 1 && !anyWrong))
    outcome.failure = child.ending() + lastWords(child.errors.empty() ? child.output : child.errors);
  else if (outcome.rows.empty())
    outcome.failure = "it wrote no report" + lastWords(child.errors);
  else if (anyWrong)
    outcome.failure = "a result is wrong" + lastWords(child.errors);
  return outcome;
}

}  // namespace

SampleOutcome runSample(const fs::path& program, const Contender& contender, bool quick, double limitSeconds) {
  SampleOutcome outcome = runOnce(program, contender, quick, limitSeconds);
  if (!quick || !outcome.failure.empty()) return outcome;
  // Measurements of microseconds are easily disturbed: the shorter of two runs, and how far they are apart.
  const SampleOutcome second = runOnce(program, contender, quick, limitSeconds);
  if (!second.failure.empty() || second.rows.size() != outcome.rows.size()) return second;
  for (size_t i = 0; i < outcome.rows.size(); ++i) {
    SampleRow& row = outcome.rows[i];
    const double one = row.milliseconds, other = second.rows[i].milliseconds;
    if (one <= 0 || other <= 0) continue;
    row.milliseconds = std::min(one, other);
    row.spread = std::max(one, other) / row.milliseconds;
  }
  return outcome;
}

}  // namespace clarity::tools
