// SPDX-License-Identifier: Apache-2.0
// This file implements the text table.
#include "table.h"

#include <algorithm>
#include <numeric>
#include <string_view>

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

std::string Table::line(const std::vector<Cell>& cells, const std::vector<size_t>& widths, const Part& part,
                        bool colour) const {
  std::string result;
  for (size_t i : part) {
    const Cell& cell = cells[i];
    const std::string pad(widths[i] - width(cell.text), ' ');
    const bool painted = colour && cell.mark != Mark::None;
    const std::string text = painted ? escape(cell.mark) + cell.text + "\x1b[0m" : cell.text;
    if (!result.empty()) result += "  ";
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

// Tables that are too wide are cut into several below each other, which all begin with the columns that name a row:
// those aligned left up to the first that is not.
std::vector<Table::Part> Table::parts(const std::vector<size_t>& widths, size_t screen) const {
  Part names;
  while (names.size() < columns_.size() && columns_[names.size()].align == Align::Left) names.push_back(names.size());
  const auto widthOf = [&](const Part& part) {
    size_t total = part.empty() ? 0 : 2 * (part.size() - 1);
    for (size_t i : part) total += widths[i];
    return total;
  };
  std::vector<Part> result{names};
  for (size_t i = names.size(); i < columns_.size(); ++i) {
    // A column without a heading is the unit of the one before it.
    Part group{i};
    while (i + 1 < columns_.size() && columns_[i + 1].heading.empty()) group.push_back(++i);
    Part with = result.back();
    with.insert(with.end(), group.begin(), group.end());
    if (widthOf(with) > screen && result.back().size() > names.size()) {
      with = names;
      with.insert(with.end(), group.begin(), group.end());
      result.push_back(with);
    } else {
      result.back() = with;
    }
  }
  return result;
}

std::string Table::rows(const std::vector<size_t>& widths, const Part& part, bool colour) const {
  size_t total = part.empty() ? 0 : 2 * (part.size() - 1);
  for (size_t i : part) total += widths[i];
  std::string result;
  for (const auto& row : rows_)
    result += row.empty() ? std::string(total, '-') + "\n" : line(row, widths, part, colour);
  return result;
}

std::string Table::rowsText() const {
  Part all(columns_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return rows(widths(), all, false);
}

std::string Table::text(bool colour, size_t screen) const {
  std::vector<Cell> headings, units;
  for (const Column& column : columns_) {
    headings.emplace_back(column.heading);
    units.emplace_back(column.unit);
  }
  const std::vector<size_t> wanted = widths();
  std::string result;
  for (const Part& part : parts(wanted, screen)) {
    if (!result.empty()) result += "\n";
    size_t total = part.empty() ? 0 : 2 * (part.size() - 1);
    for (size_t i : part) total += wanted[i];
    result += line(headings, wanted, part, colour);
    if (std::ranges::any_of(part, [&](size_t i) { return !columns_[i].unit.empty(); }))
      result += line(units, wanted, part, colour);
    result += std::string(total, '-') + "\n" + rows(wanted, part, colour);
  }
  return result;
}

}  // namespace clarity::tools
