// SPDX-License-Identifier: Apache-2.0
// This file loads machine code into this process.
#pragma once

#include "compiler/compiler.h"

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
};

/// Links an ELF object against the runtime's functions and makes `symbol` callable; nullptr and a text in `error`
/// when it is damaged or needs what is not there. Any thread.
std::unique_ptr<LoadedCode> loadObject(std::string_view object, const char* symbol, std::string& error);

}  // namespace clarity::compiler
