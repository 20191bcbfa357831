// SPDX-License-Identifier: Apache-2.0
// This file has the pages on what `clarity check` finds (docs/check), which are part of the command.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace clarity::tools {

/// Registers `clarity explain`.
void addExplainCommand(CLI::App& app);

struct CheckPage {
  std::string_view kind, text;  ///< text: Markdown
};

/// By name.
std::span<const CheckPage> checkPages();
/// Empty: there is none.
std::string_view checkPage(std::string_view kind);
/// A file: URI of the page as it is installed, or in the sources beside this build; empty: it is in neither.
std::string checkPageUri(std::string_view kind);

}  // namespace clarity::tools
