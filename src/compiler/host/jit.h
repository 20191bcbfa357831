// SPDX-License-Identifier: Apache-2.0
// This file loads machine code into this process.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace clarity::compiler {

/// An object in memory, executable until destroyed.
class LoadedCode {
public:
  virtual ~LoadedCode() = default;
  const void* entry = nullptr;
  std::size_t entryBytes = 0;
  std::string lines;  ///< line_table.h
};

/// The address of a symbol that an object needs; nullptr if it is the runtime's or unknown.
using FindSymbol = std::function<void*(std::string_view)>;

/// Links an ELF object against what `find` knows and the runtime's functions, and makes the kernel's entry callable
/// (entrySymbolOf()); nullptr and a text in `error` when it is damaged or needs what is not there. Any thread.
std::unique_ptr<LoadedCode> loadObject(std::string_view object, std::string_view kernel, const FindSymbol& find,
                                       std::string& error);

/// Whether the runtime has a function of this name for generated code.
bool isRuntimeSymbol(std::string_view name);

}  // namespace clarity::compiler
