// SPDX-License-Identifier: Apache-2.0
// This file implements the text table.
#include "table.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace clarity::tools {
namespace {

// Columns on the screen: one for each code point.
size_t width(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

const char* escape(Table::Mark mark) {
  switch (mark) {
    case Table::Mark::Good: return "\x1b[32m";
    case Table::Mark::Bad: return "\x1b[1;31m";
    case Table::Mark::Faint: return "\x1b[2m";
    case Table::Mark::None: break;
  }
  return "";
}

}  // namespace

void Table::addColumn(std::string heading, std::string unit, Align align) {
  columns_.push_back({std::move(heading), std::move(unit), align});
}

void Table::addRow(std::vector<Cell> cells) {
  cells.resize(columns_.size(), Cell(""));
  rows_.push_back(std::move(cells));
}

void Table::addRule() { rows_.emplace_back(); }

std::string Table::line(const std::vector<Cell>& cells, const std::vector<size_t>& widths, bool colour) const {
  std::string result;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Cell& cell = cells[i];
    const std::string pad(widths[i] - width(cell.text), ' ');
    const bool painted = colour && cell.mark != Mark::None;
    const std::string text = painted ? escape(cell.mark) + cell.text + "\x1b[0m" : cell.text;
    if (i > 0) result += "  ";
    result += columns_[i].align == Align::Left ? text + pad : pad + text;
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result + "\n";
}

std::vector<size_t> Table::widths() const {
  std::vector<size_t> result;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t wanted = std::max(width(columns_[i].heading), width(columns_[i].unit));
    for (const auto& row : rows_)
      if (!row.empty()) wanted = std::max(wanted, width(row[i].text));
    result.push_back(wanted);
  }
  return result;
}

std::string Table::rows(const std::vector<size_t>& widths, bool colour) const {
  size_t total = columns_.empty() ? 0 : 2 * (columns_.size() - 1);
  for (size_t w : widths) total += w;
  std::string result;
  for (const auto& row : rows_) result += row.empty() ? std::string(total, '-') + "\n" : line(row, widths, colour);
  return result;
}

std::string Table::rowsText() const { return rows(widths(), false); }

std::string Table::text(bool colour) const {
  std::vector<Cell> headings, units;
  for (const Column& column : columns_) {
    headings.emplace_back(column.heading);
    units.emplace_back(column.unit);
  }
  const std::vector<size_t> wanted = widths();
  size_t total = columns_.empty() ? 0 : 2 * (columns_.size() - 1);
  for (size_t w : wanted) total += w;
  std::string result = line(headings, wanted, colour);
  if (std::ranges::any_of(columns_, [](const Column& c) { return !c.unit.empty(); }))
    result += line(units, wanted, colour);
  return result + std::string(total, '-') + "\n" + rows(wanted, colour);
}

bool standardOutputHasColour() {
  const char* terminal = std::getenv("TERM");
  const char* without = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) && !(without && *without) && terminal && std::string_view(terminal) != "dumb";
}

}  // namespace clarity::tools
