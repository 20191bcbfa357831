// SPDX-License-Identifier: Apache-2.0
// This file replaces functions of the C library where the program and its libraries have their addresses.
#include "profile/interrupts.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace clarity::profile {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t wholeAddress = R_X86_64_GLOB_DAT, functionAddress = R_X86_64_JUMP_SLOT;
#elif defined(__aarch64__)
constexpr std::uint32_t wholeAddress = R_AARCH64_GLOB_DAT, functionAddress = R_AARCH64_JUMP_SLOT;
#else
constexpr std::uint32_t wholeAddress = ~0u, functionAddress = ~0u;
#endif

std::uintptr_t pageBytes() { return static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)); }
std::uintptr_t wholePages(std::uintptr_t address) { return address & ~(pageBytes() - 1); }

/// A loaded object, as its dynamic section describes it.
struct LoadedObject {
  std::uintptr_t base = 0;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const std::byte* relocations[2] = {};
  std::size_t bytes[2] = {};
  std::uintptr_t readOnly = 0, readOnlyEnd = 0;  ///< once it has been loaded

  explicit LoadedObject(const dl_phdr_info& info) : base(info.dlpi_addr) {
    const ElfW(Dyn)* dynamic = nullptr;
    for (std::size_t i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr) & header = info.dlpi_phdr[i];
      if (header.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(base + header.p_vaddr);
      if (header.p_type == PT_GNU_RELRO) {
        readOnly = base + header.p_vaddr;
        readOnlyEnd = wholePages(readOnly + header.p_memsz);  // variables may follow in the last page
      }
    }
    for (; dynamic && dynamic->d_tag != DT_NULL; ++dynamic) read(*dynamic);
  }

  void read(const ElfW(Dyn) & entry) {
    // The loader has made addresses of most of them.
    const std::uintptr_t address = entry.d_un.d_ptr < base ? base + entry.d_un.d_ptr : entry.d_un.d_ptr;
    switch (entry.d_tag) {
      case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(address); break;
      case DT_STRTAB: names = reinterpret_cast<const char*>(address); break;
      case DT_JMPREL: relocations[0] = reinterpret_cast<const std::byte*>(address); break;
      case DT_PLTRELSZ: bytes[0] = entry.d_un.d_val; break;
      case DT_RELA: relocations[1] = reinterpret_cast<const std::byte*>(address); break;
      case DT_RELASZ: bytes[1] = entry.d_un.d_val; break;
      default: break;
    }
  }
};

bool contains(const dl_phdr_info& info, const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (std::size_t i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr) & header = info.dlpi_phdr[i];
    const std::uintptr_t begin = info.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && at >= begin && at < begin + header.p_memsz) return true;
  }
  return false;
}

void write(const LoadedObject& object, std::uintptr_t place, std::uintptr_t value) {
  auto* const begin = reinterpret_cast<void*>(wholePages(place));
  const bool isReadOnly = place >= object.readOnly && place < object.readOnlyEnd;
  if (isReadOnly && ::mprotect(begin, pageBytes(), PROT_READ | PROT_WRITE) != 0) return;
  __atomic_store_n(reinterpret_cast<std::uintptr_t*>(place), value, __ATOMIC_RELEASE);
  if (isReadOnly) ::mprotect(begin, pageBytes(), PROT_READ);
}

struct Replacement {
  std::string_view name;
  const void* instead;
};

int replaceIn(dl_phdr_info* info, std::size_t, void* data) {
  const auto& [name, instead] = *static_cast<const Replacement*>(data);
  if (contains(*info, reinterpret_cast<const void*>(&replaceFunction))) return 0;  // this library means the function
  const LoadedObject object(*info);
  if (!object.symbols || !object.names) return 0;
  for (const int list : {0, 1})
    for (std::size_t at = 0; at + sizeof(ElfW(Rela)) <= object.bytes[list]; at += sizeof(ElfW(Rela))) {
      ElfW(Rela) entry;
      std::memcpy(&entry, object.relocations[list] + at, sizeof entry);
      const std::uint32_t type = ELF64_R_TYPE(entry.r_info);
      if (type != wholeAddress && type != functionAddress) continue;
      const ElfW(Sym) & symbol = object.symbols[ELF64_R_SYM(entry.r_info)];
      // An object that defines the name itself means a function of its own.
      if (symbol.st_shndx == SHN_UNDEF && name == object.names + symbol.st_name)
        write(object, object.base + entry.r_offset, reinterpret_cast<std::uintptr_t>(instead));
    }
  return 0;
}

}  // namespace

void replaceFunction(std::string_view name, const void* instead) {
  Replacement replacement{name, instead};
  ::dl_iterate_phdr(replaceIn, &replacement);
}

}  // namespace clarity::profile
