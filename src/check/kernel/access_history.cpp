// SPDX-License-Identifier: Apache-2.0
// This file finds pages of histories and divides them.
#include "check/kernel/access_history.h"

#include <utility>

namespace clarity::check {

void AccessHistory::clear() {
  pages_.clear();
  recent_ = {};
}

AccessHistory::Page& AccessHistory::pageOf(std::uint64_t address) {
  const std::uint64_t number = address / pageBytes;
  auto& [known, page] = recent_[number % recentPages];
  if (page && known == number) return *page;
  std::unique_ptr<Page>& found = pages_[number];
  if (!found) found = std::make_unique<Page>();
  known = number;
  page = found.get();
  return *page;
}

void AccessHistory::divide(Page& page) {
  std::vector<History> bytes(pageBytes);
  for (std::size_t i = 0; i < pageBytes; ++i) bytes[i] = page.elements[i / wordBytes];
  page.elements = std::move(bytes);
  page.unit = 1;
}

}  // namespace clarity::check
