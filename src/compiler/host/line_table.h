// SPDX-License-Identifier: Apache-2.0
// This file is the line table of machine code: for every instruction that may fault, or with -cl-clarity-debug-info for
// every one, its place in the source. It lies in a section of the object that is never mapped, and is read after a
// fault or for profiles only.
//
// The table is a sequence of LEB128 numbers: a count of strings, each with its length and bytes; a count of places,
// each a function and a file (indices of strings), line, column and the place that it was inlined into (its index plus
// one, always one of those before; 0: none); a count of rows, each the distance to the row before it and a place (index
// plus one; 0: unknown). The first row's distance is from the entry, and signed.
#pragma once

#include "compiler/host/source_place.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace llvm {
class AsmPrinterHandler;
class AsmPrinter;
}  // namespace llvm

namespace clarity::compiler {

/// The name of the section.
inline constexpr char lineTableSection[] = ".clarity.lines";

/// The instructions that a table has places of.
enum class TableOf : std::uint8_t { Faults, All };

/// The handler that writes the table beside the code that the printer writes. `entry` is the function that rows count
/// from.
std::unique_ptr<llvm::AsmPrinterHandler> lineTableWriter(llvm::AsmPrinter& printer, const char* entry, TableOf of);

/// The handler that writes a comment "@ FILE:LINE:COLUMN in FUNCTION" into assembly wherever the place changes.
std::unique_ptr<llvm::AsmPrinterHandler> placeComments(llvm::AsmPrinter& printer);

/// A row of a table: instructions from `offset` on, counted from the entry, up to the next row, are of `place`, whose
/// line is 0 where it is unknown.
struct LineRow {
  std::int64_t offset = 0;
  SourcePlace place;
};
std::vector<LineRow> rowsOf(std::string_view table);

/// The place of the instruction that many bytes behind the entry, and the calls through which it was inlined, innermost
/// first. Empty if the table does not know it, or is damaged.
std::vector<SourcePlace> placesOf(std::string_view table, std::int64_t offset);

}  // namespace clarity::compiler
