// SPDX-License-Identifier: Apache-2.0
// This file puts a plan into words.
#include "compiler/packets/report.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/primitives.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>

#include <cctype>
#include <map>

namespace clarity::compiler {
namespace {

unsigned lineOf(const llvm::Instruction& instruction) { return instruction.getDebugLoc() ? instruction.getDebugLoc().getLine() : 0; }

/// The name in OpenCL C. Integers of LLVM have no sign: `isUnsigned` is what else is known.
std::string nameOf(const llvm::Type& type, bool isUnsigned = false) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) return nameOf(*vector->getElementType(), isUnsigned) + std::to_string(vector->getNumElements());
  if (type.isHalfTy()) return "half";
  if (type.isFloatTy()) return "float";
  if (type.isDoubleTy()) return "double";
  if (type.isPointerTy()) return "pointer";
  if (type.isStructTy()) return "structure";
  if (type.isArrayTy()) return "array";
  const std::string sign = isUnsigned ? "u" : "";
  switch (type.isIntegerTy() ? type.getIntegerBitWidth() : 0) {
    case 1: return "bool";
    case 8: return sign + "char";
    case 16: return sign + "short";
    case 32: return sign + "int";
    case 64: return sign + "long";
    default: break;
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  type.print(out);
  return text;
}

/// Whether a pointer comes from a kernel argument whose elements are declared as unsigned integers of this type's size.
bool declaredUnsigned(const llvm::Value& pointer, const llvm::Type& type) {
  const auto* argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(&pointer, 0));
  const llvm::MDNode* names = argument ? argument->getParent()->getMetadata("kernel_arg_base_type") : nullptr;
  if (!names || argument->getArgNo() >= names->getNumOperands()) return false;
  const auto* text = llvm::dyn_cast<llvm::MDString>(names->getOperand(argument->getArgNo()));
  return text && text->getString().take_while([](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }) == nameOf(*type.getScalarType(), true);
}

/// "'a'" for an access through a kernel argument or to a named variable.
std::string placeOf(const llvm::Value& pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(&pointer, 0);
  if (llvm::isa<llvm::AllocaInst>(object)) return "private memory";
  if (const auto* call = llvm::dyn_cast<llvm::Instruction>(object); call && primitiveOf(*call) == Primitive::KeptMemory) return "a value kept across a barrier";
  if (const auto* call = llvm::dyn_cast<llvm::Instruction>(object); call && primitiveOf(*call) == Primitive::LocalMemory) return "local memory";
  return object->hasName() ? fmt::format("'{}'", std::string_view(object->getName())) : "memory";
}

class Report {
public:
  explicit Report(const PacketPlan& plan) : plan_(plan) { look(plan.run()); }

  std::string text(unsigned region) const {
    const PacketShape& shape = plan_.shape();
    std::string result = fmt::format("  region {}{}: packets of {} work-items along {}", region, range(), shape.lanes, "xyz"[shape.along]);
    if (shape.cells() > 1) result += fmt::format(", tiles of {} row{} of {} packet{}", shape.rows, shape.rows == 1 ? "" : "s", shape.packets, shape.packets == 1 ? "" : "s");
    result += '\n';
    for (const auto& [line, remarks] : remarks_)
      for (const std::string& remark : remarks) result += line ? fmt::format("    line {}: {}\n", line, remark) : fmt::format("    {}\n", remark);
    return result;
  }

private:
  std::string range() const {
    unsigned first = 0, last = 0;
    for (const auto& [line, remarks] : remarks_) {
      if (line && !first) first = line;
      if (line) last = line;
    }
    if (!first) return "";
    return first == last ? fmt::format(", line {}", first) : fmt::format(", lines {} to {}", first, last);
  }

  void look(const Level& level) {
    for (const Step& step : level.steps) {
      if (step.loop) {
        look(*step.loop);
        continue;
      }
      lookAtBranch(level, *step.block);
      const bool guarded = underMask(*step.block);
      for (const llvm::Instruction& instruction : *step.block) look(instruction, guarded);
    }
  }

  bool underMask(const llvm::BasicBlock& block) const {
    const BlockPlan& plan = plan_.of(block);
    if (plan.level->linear && plan.guarded()) return true;
    for (const Level* level = plan.level; level; level = level->parent) {
      if (level->masked) return true;
      if (level->parent && level->parent->linear && underMask(*level->loop->getLoopPreheader())) return true;
    }
    return false;
  }

  void lookAtBranch(const Level& level, const llvm::BasicBlock& block) {
    if (!plan_.branchesApart(block)) return;
    const bool leaves = level.loop && llvm::any_of(llvm::successors(&block), [&](const llvm::BasicBlock* next) { return !level.loop->contains(next); });
    const unsigned line = lineOf(*block.getTerminator());
    if (!leaves) add(line, "work-items part here: both ways run, under masks, each if anybody takes it");
    else if (plan_.steady(level)) add(line, "work-items leave the loop in different turns: no masks until the first has left");
    else add(line, "work-items leave the loop in different turns: under masks until the last has left");
  }

  void look(const llvm::Instruction& instruction, bool guarded) {
    if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) return lookAtAccess(instruction, *pointer, guarded);
    if (instruction.isAtomic()) return add(lineOf(instruction), fmt::format("{}, atomic: lane by lane", placeOf(*instruction.getOperand(0))));
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || primitiveOf(*call)) return lookAtArithmetic(instruction);
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call)) {
      if (!intrinsic->isAssumeLikeIntrinsic() && !llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()))
        add(lineOf(instruction), fmt::format("{}: lane by lane", std::string_view(llvm::Intrinsic::getBaseName(intrinsic->getIntrinsicID()))));
      return;
    }
    const llvm::Function* callee = call->getCalledFunction();
    const std::string name = callee ? callee->getName().str() : "a function";
    if (call->doesNotAccessMemory()) return;  // runtime math has forms for vectors
    add(lineOf(instruction), fmt::format("call of {}, which is not inlined: lane by lane", name.starts_with("cl.") ? name.substr(3) : name));
  }

  void lookAtArithmetic(const llvm::Instruction& instruction) {
    if (instruction.isIntDivRem() && plan_.form(instruction) == Form::Vector && instruction.getType()->getScalarSizeInBits() > 32 &&
        !llvm::isa<llvm::Constant>(instruction.getOperand(1)))
      add(lineOf(instruction), "64-bit integer division: lane by lane");
  }

  void lookAtAccess(const llvm::Instruction& access, const llvm::Value& pointer, bool guarded) {
    const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&pointer);
    if (slot && slot->getMetadata(uniformSlotMetadata)) return;  // a register of the group
    const bool isLoad = llvm::isa<llvm::LoadInst>(access);
    llvm::Type& type = *llvm::getLoadStoreType(&access);
    const auto bytes = static_cast<std::int64_t>(access.getDataLayout().getTypeAllocSize(&type).getFixedValue());
    std::string how;
    if (access.isAtomic() || access.isVolatile()) {
      how = "lane by lane";
    } else if (plan_.form(pointer) == Form::Scalar) {
      how = "one address for all work-items of a packet";
    } else if (plan_.form(pointer) == Form::Vector) {
      how = isLoad ? "gathered, as addresses follow no constant stride" : "scattered, as addresses follow no constant stride";
    } else {
      const std::int64_t stride = plan_.stride(pointer);
      if (stride == bytes) how = "consecutive";
      else if (stride == -bytes) how = "consecutive, in reverse";
      else if (stride == 0) how = "one address for all work-items of a packet";
      else if (stride % bytes == 0) how = fmt::format("strided by {} elements", stride / bytes);
      else how = fmt::format("strided by {} bytes", stride);
    }
    add(lineOf(access), fmt::format("{} {} {}: {}{}", isLoad ? "loads" : "stores", nameOf(type, declaredUnsigned(pointer, type)), (isLoad ? "from " : "to ") + placeOf(pointer), how, guarded ? ", under a mask" : ""));
  }

  void add(unsigned line, std::string remark) {
    std::vector<std::string>& known = remarks_[line];
    if (!llvm::is_contained(known, remark)) known.push_back(std::move(remark));
  }

  const PacketPlan& plan_;
  std::map<unsigned, std::vector<std::string>> remarks_;
};

}  // namespace

std::string describePackets(unsigned region, const PacketPlan& plan) { return Report(plan).text(region); }

std::string describeScalar(unsigned region, const llvm::Instruction* obstacle) {
  if (!obstacle) return fmt::format("  region {}: one work-item at a time, as too few stand side by side\n", region);
  const unsigned line = lineOf(*obstacle);
  const std::string where = line ? fmt::format(" (line {})", line) : "";
  return fmt::format("  region {}: one work-item at a time, as '{}' of type {} has no form for lanes{}\n", region, obstacle->getOpcodeName(), nameOf(*obstacle->getType()), where);
}

}  // namespace clarity::compiler
