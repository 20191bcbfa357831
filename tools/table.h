// SPDX-License-Identifier: Apache-2.0
// This file declares a table of text for people: columns as wide as their content, numbers aligned right.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace clarity::tools {

class Table {
public:
  enum class Align { Left, Right };
  /// Colour of a cell on terminals that show colours.
  enum class Mark { None, Good, Bad, Faint };
  struct Cell {
    std::string text;
    Mark mark = Mark::None;
    Cell(std::string text, Mark mark = Mark::None) : text(std::move(text)), mark(mark) {}
    Cell(const char* text, Mark mark = Mark::None) : text(text), mark(mark) {}
  };

  /// A heading may have a second line, for the unit.
  void addColumn(std::string heading, std::string unit = {}, Align align = Align::Right);
  /// Missing cells at the end are empty.
  void addRow(std::vector<Cell> cells);
  void addRule();

  /// At most `screen` columns wide: a wider table is cut into several below each other.
  std::string text(bool colour, size_t screen) const;
  /// The rows alone, without headings and without colour.
  std::string rowsText() const;

private:
  struct Column {
    std::string heading, unit;
    Align align;
  };
  using Part = std::vector<size_t>;  // numbers of columns
  std::vector<size_t> widths() const;
  std::vector<Part> parts(const std::vector<size_t>& widths, size_t screen) const;
  std::string rows(const std::vector<size_t>& widths, const Part& part, bool colour) const;
  std::string line(const std::vector<Cell>& cells, const std::vector<size_t>& widths, const Part& part,
                   bool colour) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;  // a row without cells is a horizontal line
};
}  // namespace clarity::tools
