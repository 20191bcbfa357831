// SPDX-License-Identifier: Apache-2.0
// This file speaks gdb's JIT interface ("JIT Compilation Interface" in gdb's manual), and gives perf_files.h the code.
#include "compiler/host/known_code.h"

#include "compiler/host/line_table.h"
#include "compiler/host/perf_files.h"

#include <llvm/BinaryFormat/ELF.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Names and layout are gdb's: it sets a breakpoint in the function, and reads the list at it. LLVM defines both; the
// driver exports them.
extern "C" {
struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  std::uint64_t symfile_size;
};
struct jit_descriptor {
  std::uint32_t version;
  std::uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};
extern jit_descriptor __jit_debug_descriptor;
void __jit_debug_register_code();
}

namespace clarity::compiler {
namespace {

std::atomic<bool> isKnown{false}, areRangesKept{false};

enum Action : std::uint32_t { Register = 1, Unregister = 2 };

std::mutex& listMutex() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

/// The code of an entry, and its line table.
struct KeptRange {
  std::uint64_t begin, bytes;
  std::string kernel, lines;
};
/// Guarded by listMutex().
std::vector<KeptRange>& ranges() {
  static auto& all = *new std::vector<KeptRange>;
  return all;
}

void tell(jit_code_entry& entry, Action action) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = &entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = 0;
  __jit_debug_descriptor.relevant_entry = nullptr;
}

/// Sections and symbols of an object that the code generator has written. Everything is within the file.
class Elf {
public:
  explicit Elf(std::vector<char>& file) : file_(file) {
    const auto* const header = at<llvm::ELF::Elf64_Ehdr>(0);
    if (!header || header->e_shentsize != sizeof(llvm::ELF::Elf64_Shdr)) return;
    for (std::size_t i = 0; i < header->e_shnum; ++i)
      if (auto* const section = at<llvm::ELF::Elf64_Shdr>(header->e_shoff + i * sizeof(llvm::ELF::Elf64_Shdr)))
        sections_.push_back(section);
  }

  /// Calls `visit(name, symbol)` for each function that the object defines.
  template <class Visit>
  void functions(Visit visit) {
    for (const llvm::ELF::Elf64_Shdr* table : sections_) {
      if (table->sh_type != llvm::ELF::SHT_SYMTAB || table->sh_link >= sections_.size()) continue;
      for (std::uint64_t offset = 0; offset + sizeof(llvm::ELF::Elf64_Sym) <= table->sh_size;
           offset += sizeof(llvm::ELF::Elf64_Sym)) {
        const auto* const symbol = at<llvm::ELF::Elf64_Sym>(table->sh_offset + offset);
        if (symbol && symbol->getType() == llvm::ELF::STT_FUNC && symbol->st_shndx < sections_.size())
          visit(text(sections_[table->sh_link]->sh_offset + symbol->st_name), *symbol);
      }
    }
  }

  llvm::ELF::Elf64_Shdr& section(std::size_t index) { return *sections_[index]; }

private:
  template <class T>
  T* at(std::uint64_t offset) {
    return offset <= file_.size() && file_.size() - offset >= sizeof(T) ? reinterpret_cast<T*>(file_.data() + offset)
                                                                        : nullptr;
  }
  std::string_view text(std::uint64_t offset) const {
    if (offset >= file_.size()) return {};
    return {file_.data() + offset, ::strnlen(file_.data() + offset, file_.size() - offset)};
  }

  std::vector<char>& file_;
  std::vector<llvm::ELF::Elf64_Shdr*> sections_;
};

}  // namespace

void keepCodeKnown() { isKnown.store(true, std::memory_order_relaxed); }
void keepCodeRanges() { areRangesKept.store(true, std::memory_order_relaxed); }
bool codeIsKnown() { return isKnown.load(std::memory_order_relaxed) || areRangesKept.load(std::memory_order_relaxed); }

std::vector<SourcePlace> knownPlacesOf(const void* instruction, std::string& kernel) {
  const auto address = reinterpret_cast<std::uint64_t>(instruction);
  const std::lock_guard lock(listMutex());
  // The last code that was loaded at an address has run there for longest.
  for (auto each = ranges().rbegin(); each != ranges().rend(); ++each) {
    if (address < each->begin || address >= each->begin + each->bytes) continue;
    kernel = each->kernel;
    return placesOf(each->lines, static_cast<std::int64_t>(address - each->begin));
  }
  return {};
}

struct KnownCode::Debugged {
  std::vector<char> file;
  jit_code_entry entry{};
};

KnownCode::KnownCode(const LoadedObject& code) {
  if (areRangesKept.load(std::memory_order_relaxed)) {
    const std::lock_guard lock(listMutex());
    ranges().push_back({reinterpret_cast<std::uint64_t>(code.entry), code.entryBytes, std::string(code.symbol),
                        std::string(code.lines)});
  }
  if (!isKnown.load(std::memory_order_relaxed)) return;
  debugged_ = std::make_unique<Debugged>();
  debugged_->file.assign(code.object.begin(), code.object.end());
  Elf elf(debugged_->file);
  std::optional<llvm::ELF::Elf64_Sym> own;
  elf.functions([&](std::string_view name, const llvm::ELF::Elf64_Sym& symbol) {
    if (name == code.symbol) own = symbol;
  });
  if (!own) {
    debugged_.reset();
    return;
  }
  const std::uint64_t section = reinterpret_cast<std::uint64_t>(code.entry) - own->st_value;
  elf.section(own->st_shndx).sh_addr = section;
  std::vector<NamedCode> named;
  elf.functions([&](std::string_view name, const llvm::ELF::Elf64_Sym& symbol) {
    if (symbol.st_shndx == own->st_shndx) named.push_back({name, section + symbol.st_value, symbol.st_size});
  });
  writePerfFiles(named, rowsOf(code.lines), reinterpret_cast<std::uint64_t>(code.entry));

  jit_code_entry& entry = debugged_->entry;
  entry.symfile_addr = debugged_->file.data();
  entry.symfile_size = debugged_->file.size();
  const std::lock_guard lock(listMutex());
  entry.next_entry = __jit_debug_descriptor.first_entry;
  if (entry.next_entry) entry.next_entry->prev_entry = &entry;
  __jit_debug_descriptor.first_entry = &entry;
  tell(entry, Register);
}

KnownCode::~KnownCode() {
  if (!debugged_) return;
  jit_code_entry& entry = debugged_->entry;
  const std::lock_guard lock(listMutex());
  (entry.prev_entry ? entry.prev_entry->next_entry : __jit_debug_descriptor.first_entry) = entry.next_entry;
  if (entry.next_entry) entry.next_entry->prev_entry = entry.prev_entry;
  tell(entry, Unregister);
}

}  // namespace clarity::compiler
