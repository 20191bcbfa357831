// SPDX-License-Identifier: Apache-2.0
// This file walks through the operands of an instruction as the grammar lists them.
#include "compiler/spirv/check_operands.h"

namespace clarity::compiler::spirv {
namespace {

class OperandWalk {
public:
  OperandWalk(const Instruction& instruction, std::uint32_t bound) : instruction_(instruction), bound_(bound) {}

  void read(std::span<const OperandRow> rows) {
    for (const OperandRow& row : rows) {
      if (row.quantifier == Quantifier::One) {
        readOne(row.kind);
      } else if (row.quantifier == Quantifier::Optional) {
        if (!atEnd()) readOne(row.kind);
      } else {
        while (!atEnd()) readOne(row.kind);
      }
    }
  }

  bool atEnd() const { return at_ == instruction_.count(); }
  std::size_t place() const { return at_; }

private:
  std::uint32_t word() {
    require(!atEnd(), instruction_, "it has {} operands and needs more", at_);
    return instruction_[at_++];
  }

  void readId() {
    const std::uint32_t id = word();
    require(id != 0 && id < bound_, instruction_, "operand {} is the id {}; ids are from 1 to {}", at_, id, bound_ - 1);
  }

  void readEnumeration(OperandKind kind) {
    const std::uint32_t value = word();
    if (isMask(kind)) {
      for (std::uint32_t bit = 1; bit != 0; bit <<= 1)
        if (value & bit) readEnumerant(kind, bit);
    } else {
      readEnumerant(kind, value);
    }
  }

  void readEnumerant(OperandKind kind, std::uint32_t value) {
    if (const EnumerantRow* const row = findEnumerant(kind, value)) return read(row->parameters());
    if (kind == OperandKind::Decoration_ || kind == OperandKind::LoopControl_ || kind == OperandKind::SourceLanguage_ ||
        kind == OperandKind::FPFastMathMode_ || kind == OperandKind::FunctionControl_) {
      if (kind == OperandKind::Decoration_ || kind == OperandKind::LoopControl_) at_ = instruction_.count();
      return;
    }
    refuse(instruction_, "operand {} has the unknown value 0x{:x}", at_, value);
  }

  void readOne(OperandKind kind) {
    switch (kind) {
      case OperandKind::IdRef_:
      case OperandKind::IdScope_:
      case OperandKind::IdMemorySemantics_: return readId();
      case OperandKind::LiteralString_: at_ += literalString(instruction_, at_).words; return;
      case OperandKind::LiteralContextDependentNumber_:
        word();
        at_ = instruction_.count();
        return;
      case OperandKind::PairLiteralIntegerIdRef_: at_ = instruction_.count(); return;
      case OperandKind::PairIdRefLiteralInteger_:
        readId();
        word();
        return;
      case OperandKind::PairIdRefIdRef_:
        readId();
        readId();
        return;
      // Some operands of extended instructions are numbers: those that are ids are looked up where they are used.
      case OperandKind::LiteralExtInstInteger_:
      case OperandKind::LiteralSpecConstantOpInteger_:
        word();
        at_ = instruction_.count();
        return;
      default: break;
    }
    if (isEnumeration(kind)) return readEnumeration(kind);
    word();
  }

  const Instruction& instruction_;
  std::uint32_t bound_;
  std::size_t at_ = 0;
};

}  // namespace

void checkOperands(const Instruction& instruction, const OpcodeRow& row, std::uint32_t bound) {
  OperandWalk walk(instruction, bound);
  walk.read(row.operands());
  require(walk.atEnd(), instruction, "it has {} operands, and only {} mean anything", instruction.count(),
          walk.place());
}

}  // namespace clarity::compiler::spirv
