// SPDX-License-Identifier: Apache-2.0
// This file reads the groups of attributes of bitcode.
#include "compiler/workarounds/attribute_indices.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/LLVMBitCodes.h>
#include <llvm/Bitstream/BitstreamReader.h>
#include <llvm/Support/Error.h>

#include <cstdint>

namespace clarity::compiler {
namespace {

/// Index 0 is the result, 2^32 - 1 the function itself.
bool isPossible(std::uint64_t index) { return index <= 65'536 || index == 0xffffffffu; }

/// Enters every block on the way to the groups. An error ends the search.
llvm::Expected<bool> search(llvm::BitstreamCursor& cursor) {
  llvm::SmallVector<std::uint64_t, 64> record;
  while (!cursor.AtEndOfStream()) {
    llvm::Expected<llvm::BitstreamEntry> entry = cursor.advance();
    if (!entry) return entry.takeError();
    if (entry->Kind == llvm::BitstreamEntry::Error) return false;
    if (entry->Kind == llvm::BitstreamEntry::EndBlock) continue;
    if (entry->Kind == llvm::BitstreamEntry::SubBlock) {
      const bool isOnTheWay =
          entry->ID == llvm::bitc::MODULE_BLOCK_ID || entry->ID == llvm::bitc::PARAMATTR_GROUP_BLOCK_ID;
      if (llvm::Error error = isOnTheWay ? cursor.EnterSubBlock(entry->ID) : cursor.SkipBlock())
        return std::move(error);
      continue;
    }
    record.clear();
    llvm::Expected<unsigned> code = cursor.readRecord(entry->ID, record);
    if (!code) return code.takeError();
    // Records of the module itself with this code have one element.
    if (*code == llvm::bitc::PARAMATTR_GRP_CODE_ENTRY && record.size() >= 3 && !isPossible(record[1])) return true;
  }
  return false;
}

}  // namespace

bool namesParametersBeyondReason(llvm::StringRef bitcode) {
  llvm::Expected<std::vector<llvm::BitcodeModule>> modules =
      llvm::getBitcodeModuleList(llvm::MemoryBufferRef(bitcode, "program"));
  if (!modules) {
    llvm::consumeError(modules.takeError());
    return false;
  }
  for (const llvm::BitcodeModule& module : *modules) {
    llvm::BitstreamCursor cursor(module.getBuffer());
    llvm::Expected<bool> found = search(cursor);
    if (!found)
      llvm::consumeError(found.takeError());
    else if (*found)
      return true;
  }
  return false;
}

}  // namespace clarity::compiler
