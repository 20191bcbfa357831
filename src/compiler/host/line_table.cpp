// SPDX-License-Identifier: Apache-2.0
// This file writes line tables while the code generator prints instructions, and reads them.
#include "compiler/host/line_table.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/CodeGen/AsmPrinter.h>
#include <llvm/CodeGen/AsmPrinterHandler.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineInstr.h>
#include <llvm/CodeGen/MachineMemOperand.h>
#include <llvm/CodeGen/PseudoSourceValue.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCExpr.h>
#include <llvm/MC/MCSectionELF.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/Support/DataExtractor.h>
#include <llvm/Support/LEB128.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// Whether the instruction can fault for what the source says: not the code generator's own use of the stack and of
/// constants.
bool mayFault(const llvm::MachineInstr& instruction) {
  if (instruction.isMetaInstruction()) return false;
  if (instruction.isCall() || instruction.hasUnmodeledSideEffects()) return true;
  if (!instruction.mayLoadOrStore()) return false;
  const auto isOwn = [](const llvm::MachineMemOperand* memory) {
    const llvm::PseudoSourceValue* what = memory->getPseudoValue();
    return what && (what->isStack() || what->isConstantPool() || what->kind() == llvm::PseudoSourceValue::FixedStack);
  };
  return instruction.memoperands_empty() || !llvm::all_of(instruction.memoperands(), isOwn);
}

void addLocations(const llvm::Value& pointer, const llvm::Function& function,
                  llvm::SmallVectorImpl<const llvm::DILocation*>& locations) {
  for (const llvm::User* user : pointer.users()) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
    const llvm::DILocation* location = load && load->getFunction() == &function ? load->getDebugLoc().get() : nullptr;
    if (location && !llvm::is_contained(locations, location)) locations.push_back(location);
  }
}

/// The instruction's location. One that a load became part of has its own: there the load's counts, if only one load
/// reads there.
const llvm::DILocation* locationOf(const llvm::MachineInstr& instruction) {
  const llvm::DILocation* own = instruction.getDebugLoc().get();
  const bool isFolded = !instruction.mayStore() && !instruction.isCall() && !instruction.canFoldAsLoad();
  if (!instruction.mayLoad() || (own && !isFolded)) return own;
  llvm::SmallVector<const llvm::DILocation*, 4> loads;
  for (const llvm::MachineMemOperand* memory : instruction.memoperands())
    if (const llvm::Value* pointer = memory->getValue())
      addLocations(*pointer, instruction.getMF()->getFunction(), loads);
  return loads.size() == 1 ? loads.front() : own;
}

/// The call at which the location's function was inlined; nullptr: nowhere. Clang makes two functions of a kernel, of
/// which one calls the other: that is no call of the program.
const llvm::DILocation* callOf(const llvm::DILocation& location) {
  const llvm::DILocation* call = location.getInlinedAt();
  const llvm::DISubprogram* callee = location.getScope()->getSubprogram();
  const llvm::DISubprogram* caller = call ? call->getScope()->getSubprogram() : nullptr;
  const bool isKernelItself = caller && callee && caller->getName() == callee->getName() &&
                              caller->getLine() == callee->getLine() && caller->getFile() == callee->getFile();
  return isKernelItself ? callOf(*call) : call;
}

class Writer final : public llvm::AsmPrinterHandler {
public:
  Writer(llvm::AsmPrinter& printer, const char* entry, TableOf of)
      : printer_(printer), entry_(entry), takesAll_(of == TableOf::All) {}

  void beginFunction(const llvm::MachineFunction* function) override {
    if (!section_) section_ = function->getSection();
    // The assembler knows distances within a section only.
    covered_ = function->getSection() == section_;
    if (function->getName() == entry_) coversEntry_ = covered_;
    last_ = 0;
    // LLVM's own tables, which are written behind this handler, have the same places.
    if (takesAll_) moveToLoads(*const_cast<llvm::MachineFunction*>(function));
  }

  void beginInstruction(const llvm::MachineInstr* instruction) override {
    if (!covered_ || instruction->isMetaInstruction()) return;
    const bool faults = mayFault(*instruction);
    if (!faults && !takesAll_) return;
    const llvm::DILocation* const location = faults ? locationOf(*instruction) : instruction->getDebugLoc().get();
    // Instructions that the code generator adds belong to what they stand beside.
    if (!faults && (!location || location->getLine() == 0)) return;
    const unsigned place = indexOf(location);
    if (place != last_) addRow(place);
  }

  /// The last instruction has been printed; what follows is another function, or data.
  void markFunctionEnd() override {
    if (covered_ && last_ != 0) addRow(0);
  }

  void endFunction(const llvm::MachineFunction*) override {}

  void endModule() override {
    if (rows_.empty() || !coversEntry_) return;
    llvm::MCContext& context = printer_.OutContext;
    llvm::MCStreamer& out = *printer_.OutStreamer;
    out.switchSection(context.getELFSection(lineTableSection, llvm::ELF::SHT_PROGBITS, 0));
    writeNumber(strings_.size());
    for (const llvm::StringRef text : strings_) {
      writeNumber(text.size());
      bytes_ += text;
    }
    writeNumber(placesWritten_);
    bytes_ += places_;
    writeNumber(rows_.size());
    out.emitBytes(bytes_);
    const llvm::MCSymbol* before = context.getOrCreateSymbol(entry_);
    for (const Row& row : rows_) {
      const llvm::MCExpr* const distance = llvm::MCBinaryExpr::createSub(
          llvm::MCSymbolRefExpr::create(row.label, context), llvm::MCSymbolRefExpr::create(before, context), context);
      if (&row == rows_.data())
        out.emitSLEB128Value(distance);
      else
        out.emitULEB128Value(distance);
      out.emitULEB128IntValue(row.place);
      before = row.label;
    }
  }

private:
  struct Row {
    llvm::MCSymbol* label;
    unsigned place;
  };

  static void moveToLoads(llvm::MachineFunction& function) {
    for (llvm::MachineBasicBlock& block : function)
      for (llvm::MachineInstr& instruction : block)
        if (!instruction.isMetaInstruction() && mayFault(instruction))
          if (const llvm::DILocation* const location = locationOf(instruction)) instruction.setDebugLoc(location);
  }

  void addRow(unsigned place) {
    llvm::MCSymbol* const label = printer_.OutContext.createTempSymbol();
    printer_.OutStreamer->emitLabel(label);
    rows_.push_back({label, place});
    last_ = place;
  }

  void writeNumber(std::uint64_t value) {
    llvm::raw_string_ostream out(bytes_);
    llvm::encodeULEB128(value, out);
  }

  unsigned stringIndex(llvm::StringRef text) {
    const auto [found, added] = stringIndices_.try_emplace(text, static_cast<unsigned>(strings_.size()));
    if (added) strings_.push_back(text);
    return found->second;
  }

  /// One more than the index of the place; 0: none.
  unsigned indexOf(const llvm::DILocation* location) {
    if (!location) return 0;
    if (const unsigned known = indices_.lookup(location)) return known;
    const unsigned outer = indexOf(callOf(*location));
    const llvm::DISubprogram* function = location->getScope()->getSubprogram();
    llvm::raw_string_ostream out(places_);
    llvm::encodeULEB128(stringIndex(function ? function->getName() : llvm::StringRef()), out);
    llvm::encodeULEB128(stringIndex(location->getFilename()), out);
    llvm::encodeULEB128(location->getLine(), out);
    llvm::encodeULEB128(location->getColumn(), out);
    llvm::encodeULEB128(outer, out);
    return indices_[location] = ++placesWritten_;
  }

  llvm::AsmPrinter& printer_;
  const char* entry_;
  const bool takesAll_;
  const llvm::MCSection* section_ = nullptr;
  bool covered_ = false, coversEntry_ = false;
  unsigned last_ = 0;
  llvm::DenseMap<const llvm::DILocation*, unsigned> indices_;
  llvm::StringMap<unsigned> stringIndices_;
  std::vector<llvm::StringRef> strings_;
  std::string places_, bytes_;
  unsigned placesWritten_ = 0;
  std::vector<Row> rows_;
};

/// Writes comments at changes of the place.
class Comments final : public llvm::AsmPrinterHandler {
public:
  explicit Comments(llvm::AsmPrinter& printer) : printer_(printer) {}

  void beginFunction(const llvm::MachineFunction*) override { last_ = nullptr; }

  void beginInstruction(const llvm::MachineInstr* instruction) override {
    const llvm::DILocation* const location = instruction->isMetaInstruction() ? nullptr : locationOf(*instruction);
    if (!location || location->getLine() == 0 || location == last_) return;
    last_ = location;
    const llvm::DISubprogram* const function = location->getScope()->getSubprogram();
    printer_.OutStreamer->emitRawComment(
        llvm::Twine("@ ") + location->getFilename() + ":" + llvm::Twine(location->getLine()) + ":" +
            llvm::Twine(location->getColumn()) + " in " + (function ? function->getName() : llvm::StringRef()),
        /*TabPrefix=*/false);
  }

  void endFunction(const llvm::MachineFunction*) override {}
  void endModule() override {}

private:
  llvm::AsmPrinter& printer_;
  const llvm::DILocation* last_ = nullptr;
};

/// A table as far as its strings and places; rows are read one by one.
class Reader {
public:
  explicit Reader(std::string_view table) : data_(llvm::StringRef(table), true, 8), at_(0) {
    const std::uint64_t strings = count(table.size());
    for (std::uint64_t i = 0; i < strings && at_; ++i) {
      const std::uint64_t size = data_.getULEB128(at_);
      strings_.push_back(data_.getBytes(at_, size));
    }
    const std::uint64_t places = count(table.size());
    for (std::uint64_t i = 0; i < places && at_; ++i) {
      Place place;
      for (std::uint64_t* member : {&place.function, &place.file, &place.line, &place.column, &place.outer})
        *member = data_.getULEB128(at_);
      places_.push_back(place);
    }
    rows_ = count(table.size());
  }
  ~Reader() { llvm::consumeError(at_.takeError()); }

  /// One more than the index of the place; 0: unknown.
  std::uint64_t placeAt(std::int64_t offset) {
    std::int64_t row = 0;
    std::uint64_t place = 0;
    for (std::uint64_t i = 0; i < rows_ && at_; ++i) {
      row += i == 0 ? data_.getSLEB128(at_) : static_cast<std::int64_t>(data_.getULEB128(at_));
      if (!at_ || row > offset) break;
      place = data_.getULEB128(at_);
    }
    return place;
  }

  /// All rows, each with its innermost place.
  std::vector<LineRow> all() {
    std::vector<LineRow> rows;
    std::int64_t offset = 0;
    for (std::uint64_t i = 0; i < rows_ && at_; ++i) {
      offset += i == 0 ? data_.getSLEB128(at_) : static_cast<std::int64_t>(data_.getULEB128(at_));
      const std::uint64_t place = data_.getULEB128(at_);
      if (!at_) break;
      const std::vector<SourcePlace> places = chain(place);
      rows.push_back({offset, places.empty() ? SourcePlace{} : places.front()});
    }
    return rows;
  }

  std::vector<SourcePlace> chain(std::uint64_t place) const {
    std::vector<SourcePlace> result;
    while (place != 0 && place <= places_.size()) {
      const Place& known = places_[place - 1];
      if (known.outer >= place) break;
      if (known.line != 0)
        result.push_back({text(known.function), text(known.file), static_cast<std::uint32_t>(known.line),
                          static_cast<std::uint32_t>(known.column)});
      place = known.outer;
    }
    return result;
  }

private:
  struct Place {
    std::uint64_t function, file, line, column, outer;
  };

  /// Not more than there are bytes.
  std::uint64_t count(std::uint64_t most) { return std::min(data_.getULEB128(at_), most); }
  std::string text(std::uint64_t index) const {
    return index < strings_.size() ? strings_[index].str() : std::string();
  }

  llvm::DataExtractor data_;
  llvm::DataExtractor::Cursor at_;
  std::vector<llvm::StringRef> strings_;
  std::vector<Place> places_;
  std::uint64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<llvm::AsmPrinterHandler> lineTableWriter(llvm::AsmPrinter& printer, const char* entry, TableOf of) {
  return std::make_unique<Writer>(printer, entry, of);
}

std::unique_ptr<llvm::AsmPrinterHandler> placeComments(llvm::AsmPrinter& printer) {
  return std::make_unique<Comments>(printer);
}

std::vector<LineRow> rowsOf(std::string_view table) { return Reader(table).all(); }

std::vector<SourcePlace> placesOf(std::string_view table, std::int64_t offset) {
  Reader reader(table);
  return reader.chain(reader.placeAt(offset));
}

}  // namespace clarity::compiler
