// SPDX-License-Identifier: Apache-2.0
// This file writes findings as JSON.
#include "check/report/reporter.h"

#include <nlohmann/json.hpp>

namespace clarity::check {
namespace {

using Json = nlohmann::ordered_json;

Json placeOf(const compiler::Site& place) {
  Json result;
  result["file"] = place.file;
  result["line"] = place.line;
  result["column"] = place.column;
  result["text"] = place.text;
  for (const compiler::SiteCall& call : place.calls)
    result["calls"].push_back(
        {{"function", call.function}, {"file", call.file}, {"line", call.line}, {"column", call.column}});
  return result;
}

Json jsonOf(const Party& party) { return {{"place", placeOf(party.place)}, {"what", party.what}}; }

/// Names in sources may have any bytes.
std::string inOneLine(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string json(const Finding& finding, std::uint64_t number) {
  const KindText& kind = textOf(finding.kind);
  Json result;
  result["finding"] = number;
  result["kind"] = kind.name;
  result["title"] = kind.title;
  result["summary"] = finding.summary;
  if (!finding.kernel.empty()) result["kernel"] = finding.kernel;
  if (!finding.object.empty()) result["object"] = finding.object;
  result["place"] = placeOf(finding.party.place);
  result["what"] = finding.party.what;
  for (const Party& other : finding.others) result["others"].push_back(jsonOf(other));
  if (finding.creation.place.line != 0)
    result["created"] = {{"place", placeOf(finding.creation.place)}, {"what", finding.creation.what}};
  if (finding.launch.place.line != 0)
    result["launch"] = {{"place", placeOf(finding.launch.place)}, {"what", finding.launch.what}};
  else if (!finding.launch.what.empty())
    result["launch"] = {{"what", finding.launch.what}};
  result["help"] = finding.help.empty() ? std::string(kind.help) : finding.help;
  return inOneLine(result);
}

std::string jsonOfPart(const Finding& finding, std::uint64_t number) {
  Json result;
  result["finding"] = number;
  result["others"].push_back(jsonOf(finding.party));
  for (const Party& other : finding.others) result["others"].push_back(jsonOf(other));
  return inOneLine(result);
}

}  // namespace clarity::check
