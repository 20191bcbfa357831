// SPDX-License-Identifier: Apache-2.0
// This file holds the pages of docs/check, which the build writes into check_pages.inc.
#include "check_pages.h"

#include "files.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace clarity::tools {
namespace {

constexpr CheckPage pages[] = {
#include "check_pages.inc"
};

}  // namespace

std::span<const CheckPage> checkPages() { return pages; }

std::string_view checkPage(std::string_view kind) {
  const auto* const found = std::ranges::find(pages, kind, &CheckPage::kind);
  return found == std::end(pages) ? std::string_view() : found->text;
}

std::string checkPageUri(std::string_view kind) {
  namespace fs = std::filesystem;
  const fs::path name = std::string(kind) + ".md";
  // bin and share beside each other, or a folder of a build in the sources.
  for (fs::path folder = ownExecutable().parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    for (const char* const place : {"share/doc/clarity-opencl/docs/check", "docs/check"}) {
      std::error_code error;
      if (const fs::path page = folder / place / name; fs::exists(page, error)) return "file://" + page.string();
    }
  return {};
}

}  // namespace clarity::tools
