// SPDX-License-Identifier: Apache-2.0
// This file reads the records that the driver writes, and writes SARIF and JUnit.
#include "check_record.h"

#include "check_pages.h"
#include "command.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clarity::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string escapedXml(std::string_view text) {
  std::string result;
  for (const char letter : text) switch (letter) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += static_cast<unsigned char>(letter) < 0x20 && letter != '\n' && letter != '\t' ? ' ' : letter;
    }
  return result;
}

std::string textOf(const Json& finding) {
  std::string text = finding.value("summary", "") + "\n" + finding.value("what", "");
  for (const Json& other : finding.value("others", Json::array()))
    text += fmt::format("\n{}:{}: {}", other["place"].value("file", ""), other["place"].value("line", 0u),
                        other.value("what", ""));
  if (const Json launch = finding.value("launch", Json::object()); launch.contains("place"))
    text += fmt::format("\n{}:{}: enqueued here: {}", launch["place"].value("file", ""),
                        launch["place"].value("line", 0u), launch.value("what", ""));
  return text + "\n" + finding.value("help", "");
}

Json sarifPlace(const Json& place, const std::string& text) {
  Json region = {{"startLine", std::max(place.value("line", 1u), 1u)}};
  if (const auto column = place.value("column", 0u)) region["startColumn"] = column;
  Json result = {
      {"physicalLocation", {{"artifactLocation", {{"uri", place.value("file", "")}}}, {"region", std::move(region)}}}};
  if (!text.empty()) result["message"] = {{"text", text}};
  return result;
}

}  // namespace

void requireKnownChecks(std::string_view option, std::string_view list) {
  static const std::vector<std::string> known = {"all",      "bounds",     "memory", "uninitialised", "races",
                                                 "barriers", "arithmetic", "host",   "overflow",      "not-finite"};
  for (bool more = true; more;) {
    const std::string word(list.substr(0, list.find(',')));
    more = word.size() < list.size();
    list.remove_prefix(std::min(list.size(), word.size() + 1));
    if (std::ranges::find(known, word) == known.end())
      throw UsageError(fmt::format("{}: there is no '{}'{}, only {}", option, word, didYouMean(word, known),
                                   fmt::join(known, ", ")));
  }
}

CheckRecord::CheckRecord(const std::string& what) : file_(folder_.path() / "findings.json") {
  ::setenv("CLARITY_CHECK", what.c_str(), 1);
  ::setenv("CLARITY_CHECK_FILE", file_.c_str(), 1);
}

CheckRecord::Coverage CheckRecord::coverage() const {
  Coverage coverage;
  if (!std::filesystem::exists(file_)) return coverage;
  std::istringstream lines(readText(file_));
  for (std::string line; std::getline(lines, line);) {
    const Json entry = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!entry.is_object()) continue;
    coverage.processes += entry.contains("process");
    if (!entry.contains("launches")) continue;
    if (entry.value("checked", true))
      coverage.launches += entry.value("launches", std::uint64_t{0});
    else
      coverage.leftOut.insert(entry.value("kernel", ""));
  }
  return coverage;
}

Json CheckRecord::findings() const {
  Json all = Json::array();
  if (!std::filesystem::exists(file_)) return all;
  std::istringstream lines(readText(file_));
  // Numbers are those of one process; a child of the program counts from 1 again.
  std::map<std::uint64_t, std::size_t> places;
  for (std::string line; std::getline(lines, line);) {
    Json entry = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!entry.is_object() || !entry.contains("finding")) continue;
    const auto number = entry["finding"].get<std::uint64_t>();
    if (const auto known = places.find(number); !entry.contains("kind")) {
      if (known == places.end()) continue;
      if (entry.contains("count")) all[known->second]["count"] = entry["count"];
      for (Json& other : entry.value("others", Json::array())) all[known->second]["others"].push_back(std::move(other));
      continue;
    }
    places[number] = all.size();
    entry.erase("finding");
    entry["count"] = 1;
    all.push_back(std::move(entry));
  }
  return all;
}

namespace {

Json ruleOf(const std::string& kind, const Json& finding) {
  Json help = {{"text", finding.value("help", "")}};
  if (const std::string_view page = checkPage(kind); !page.empty()) help["markdown"] = page;
  Json rule = {{"id", kind}, {"shortDescription", {{"text", finding.value("title", "")}}}, {"help", std::move(help)}};
  if (const std::string uri = checkPageUri(kind); !uri.empty()) rule["helpUri"] = uri;
  return rule;
}

}  // namespace

std::string sarifOf(const Json& findings, const std::string& program) {
  Json rules = Json::array(), results = Json::array();
  std::map<std::string, std::size_t> known;
  for (const Json& finding : findings) {
    const std::string kind = finding.value("kind", "");
    if (known.try_emplace(kind, known.size()).second) rules.push_back(ruleOf(kind, finding));
    Json result = {{"ruleId", kind},
                   {"ruleIndex", known[kind]},
                   {"level", "error"},
                   {"message", {{"text", finding.value("summary", "") + ": " + finding.value("what", "")}}},
                   {"locations", Json::array({sarifPlace(finding["place"], "")})},
                   {"occurrenceCount", finding.value("count", 1u)}};
    for (const Json& other : finding.value("others", Json::array()))
      if (other["place"].value("line", 0u))
        result["relatedLocations"].push_back(sarifPlace(other["place"], other["what"]));
    if (finding.contains("launch") && finding["launch"].contains("place"))
      result["relatedLocations"].push_back(
          sarifPlace(finding["launch"]["place"], "enqueued here: " + finding["launch"].value("what", "")));
    if (finding.contains("created"))
      result["relatedLocations"].push_back(sarifPlace(finding["created"]["place"], finding["created"]["what"]));
    results.push_back(std::move(result));
  }
  const Json driver = {{"name", "clarity check"}, {"version", CLARITY_VERSION}, {"rules", std::move(rules)}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"invocations", Json::array({{{"commandLine", program}, {"executionSuccessful", true}}})},
                    {"results", std::move(results)}};
  const Json all = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return all.dump(2) + "\n";
}

std::string junitOf(const Json& findings, const std::string& program) {
  const std::string suite = escapedXml(program);
  std::string text =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n",
                  suite, std::max<std::size_t>(findings.size(), 1), findings.size());
  if (findings.empty()) text += fmt::format("  <testcase classname=\"clarity check\" name=\"{}\"/>\n", suite);
  for (const Json& finding : findings) {
    const Json& place = finding["place"];
    text += fmt::format("  <testcase classname=\"clarity check.{}\" name=\"{}:{}: {}\">\n",
                        escapedXml(finding.value("kind", "")), escapedXml(place.value("file", "")),
                        place.value("line", 0u), escapedXml(finding.value("summary", "")));
    text += fmt::format("    <failure type=\"{}\" message=\"{}\">{}</failure>\n  </testcase>\n",
                        escapedXml(finding.value("kind", "")), escapedXml(finding.value("summary", "")),
                        escapedXml(textOf(finding)));
  }
  return text + "</testsuite>\n";
}

}  // namespace clarity::tools
