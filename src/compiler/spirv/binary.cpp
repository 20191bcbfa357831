// SPDX-License-Identifier: Apache-2.0
// This file divides a module into instructions.
#include "compiler/spirv/binary.h"

#include "compiler/ir/spirv_facts.h"
#include "compiler/spirv/check_operands.h"

#include <bit>
#include <cstring>

namespace clarity::compiler::spirv {
namespace {

constexpr std::size_t headerWords = 5;
constexpr std::uint32_t leastVersion = 0x00010000, mostVersion = 0x00010600;

std::vector<std::uint32_t> wordsOf(std::string_view bytes) {
  if (bytes.size() % 4 != 0)
    throw Refusal{fmt::format("its size is {} bytes, which is not a multiple of 4", bytes.size())};
  if (bytes.size() < 4 * headerWords)
    throw Refusal{fmt::format("its size is {} bytes; the header alone has {}", bytes.size(), 4 * headerWords)};
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == std::byteswap(spirvMagic))
    for (std::uint32_t& word : words) word = std::byteswap(word);
  if (words[0] != spirvMagic)
    throw Refusal{fmt::format("its first word is 0x{:08x}, not the magic number 0x{:08x}", words[0], spirvMagic)};
  return words;
}

/// The instruction that begins at a word, whose number of words is known to be there.
Instruction instructionAt(std::span<const std::uint32_t> words, std::uint32_t number, std::uint32_t bound) {
  Instruction instruction;
  instruction.op = static_cast<Op>(words[0] & 0xffff);
  instruction.number = number;
  const OpcodeRow* const row = findOpcode(words[0] & 0xffff);
  if (!row) throw Refusal{fmt::format("instruction {} has the unknown opcode {}", number, words[0] & 0xffff)};
  instruction.operands = words.subspan(1);
  const auto takeId = [&](const char* what) {
    require(!instruction.operands.empty(), instruction, "it has no {}", what);
    const std::uint32_t id = instruction.operands[0];
    require(id != 0 && id < bound, instruction, "its {} is the id {}; ids are from 1 to {}", what, id, bound - 1);
    instruction.operands = instruction.operands.subspan(1);
    return id;
  };
  if (row->hasType) instruction.type = takeId("type");
  if (row->hasResult) instruction.result = takeId("result");
  checkOperands(instruction, *row, bound);
  return instruction;
}

/// The instruction that another one continues with more operands (SPV_INTEL_long_composites); Nop for all others.
Op continuedBy(Op op) {
  switch (op) {
    case Op::TypeStructContinuedINTEL: return Op::TypeStruct;
    case Op::ConstantCompositeContinuedINTEL: return Op::ConstantComposite;
    case Op::SpecConstantCompositeContinuedINTEL: return Op::SpecConstantComposite;
    case Op::CompositeConstructContinuedINTEL: return Op::CompositeConstruct;
    default: return Op::Nop;
  }
}

void append(Binary& binary, const Instruction& instruction) {
  const Op continued = continuedBy(instruction.op);
  if (continued == Op::Nop) {
    binary.instructions.push_back(instruction);
    return;
  }
  require(!binary.instructions.empty() && binary.instructions.back().op == continued, instruction,
          "it does not follow {}", nameOf(continued));
  Instruction& whole = binary.instructions.back();
  const bool isJoined = !binary.joined.empty() && whole.operands.data() == binary.joined.back().data();
  if (!isJoined) binary.joined.emplace_back(whole.operands.begin(), whole.operands.end());
  binary.joined.back().insert(binary.joined.back().end(), instruction.operands.begin(), instruction.operands.end());
  whole.operands = binary.joined.back();
}

}  // namespace

Binary parseBinary(std::string_view bytes) {
  Binary binary;
  binary.words = wordsOf(bytes);
  const std::span<const std::uint32_t> words = binary.words;
  binary.version = words[1];
  if (binary.version < leastVersion || binary.version > mostVersion || (binary.version & 0xff) != 0)
    throw Refusal{fmt::format("its version is 0x{:08x}; 1.0 to 1.6 are read", binary.version)};
  binary.generator = words[2];
  binary.bound = words[3];
  if (binary.bound == 0 || binary.bound > mostIds)
    throw Refusal{fmt::format("its bound of ids is {}; it must be from 1 to {}", binary.bound, mostIds)};
  if (words[4] != 0) throw Refusal{fmt::format("its schema is {}, not 0", words[4])};
  std::size_t count = 0;
  for (std::size_t at = headerWords; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) ++count;
  binary.instructions.reserve(count);
  std::uint32_t number = 0;
  for (std::size_t at = headerWords; at < words.size();) {
    ++number;
    const std::size_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at)
      throw Refusal{fmt::format("instruction {} ({}) has {} words, the module {} more", number,
                                nameOf(static_cast<Op>(words[at] & 0xffff)), count, words.size() - at)};
    append(binary, instructionAt(words.subspan(at, count), number, binary.bound));
    at += count;
  }
  return binary;
}

}  // namespace clarity::compiler::spirv
