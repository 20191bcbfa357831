// SPDX-License-Identifier: Apache-2.0
// This file is `clarity explain`: the page on a kind of mistake that `clarity check` finds.
#include "check_pages.h"
#include "command.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

/// Without what is for other readers: comments of Markdown.
std::string plain(std::string_view page) {
  std::string text;
  while (!page.empty()) {
    const std::size_t end = std::min(page.size(), page.find('\n') + 1);
    const std::string_view line = page.substr(0, end);
    page.remove_prefix(end);
    if (line.starts_with("<!--")) continue;
    if (line == "\n" && text.ends_with("\n\n")) continue;
    text += line;
  }
  return text;
}

void explain(const std::string& kind) {
  if (kind.empty()) {
    for (const CheckPage& page : checkPages()) {
      const std::string_view title = page.text.substr(0, page.text.find('\n'));
      fmt::print("{}\n", title.substr(title.find_first_not_of("# ")));
    }
    return;
  }
  const std::string_view page = checkPage(kind);
  if (page.empty()) {
    std::vector<std::string> known;
    for (const CheckPage& each : checkPages()) known.emplace_back(each.kind);
    throw UsageError(
        fmt::format("there is no kind '{}'{}; `clarity explain` lists them", kind, didYouMean(kind, known)));
  }
  fmt::print("{}", plain(page));
}

}  // namespace

void addExplainCommand(CLI::App& app) {
  auto kind = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("explain", "Explain a kind of mistake that `clarity check` finds");
  sub->add_option("KIND", *kind, "The word in brackets behind a finding; without it, the kinds are listed")
      ->type_name("");
  sub->footer(
      "Examples:\n"
      "  clarity explain\n"
      "  clarity explain out-of-bounds");
  sub->callback([kind] { explain(*kind); });
}

}  // namespace clarity::tools
