// SPDX-License-Identifier: Apache-2.0
// This file makes the instructions of a tile: once for all lanes, as vectors, or lane by lane.
#include "compiler/packets/packet_builder.h"

#include "builtins/builtins.h"
#include "compiler/analysis/index_bounds.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/collectives.h"
#include "compiler/primitives.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <bit>

namespace clarity::compiler {
namespace {

/// Of an instruction for the lanes of a tile.
constexpr unsigned mostCopies = 16;

bool representable(const llvm::Type& type) {
  if (type.isIntegerTy()) return type.getIntegerBitWidth() == 1 || (type.getIntegerBitWidth() <= 64 && std::has_single_bit(type.getIntegerBitWidth()) && type.getIntegerBitWidth() >= 8);
  return type.isFloatTy() || type.isDoubleTy() || type.isHalfTy() || type.isPointerTy();
}

/// A structure whose fields fit into vectors: the result of a compare-and-exchange, or of arithmetic with overflow.
bool isPair(const llvm::Type& type) {
  const auto* structure = llvm::dyn_cast<llvm::StructType>(&type);
  return structure && structure->getNumElements() <= 4 && llvm::all_of(structure->elements(), [](const llvm::Type* element) { return representable(*element); });
}

bool vectorForm(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::CastInst, llvm::SelectInst, llvm::FreezeInst, llvm::GetElementPtrInst>(instruction);
}

/// Effects once a work-item, and results of its own.
bool mustRunInEveryLane(const llvm::Instruction& instruction) {
  if (instruction.isAtomic()) return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isVolatile();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->isVolatile();
  return false;
}

}  // namespace

const llvm::Instruction* PacketBuilder::obstacle(const PacketPlan& plan) {
  for (const llvm::BasicBlock& block : *plan.items().entry->getParent()) {
    if (!plan.contains(block)) continue;
    const llvm::Instruction* terminator = block.getTerminator();
    if (!llvm::isa<llvm::BranchInst, llvm::ReturnInst, llvm::UnreachableInst>(terminator)) return terminator;
    for (const llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::AllocaInst>(instruction)) return &instruction;  // of a size that is only known when running
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        if (call->isInlineAsm() || call->isMustTailCall()) return call;
        if (primitiveOf(*call) == Primitive::Barrier) return call;
      }
      const bool varies = plan.variesAlong(instruction) || plan.variesAcross(instruction);
      if (!varies || instruction.getType()->isVoidTy()) continue;
      if (representable(*instruction.getType())) continue;
      if (isPair(*instruction.getType()) && llvm::all_of(instruction.users(), [&](const llvm::User* user) { return llvm::isa<llvm::ExtractValueInst>(user) && llvm::cast<llvm::Instruction>(user)->getParent() == &block; })) continue;
      return &instruction;
    }
    // Operands that are no instructions are the same in all lanes; what is stored may still be no element of a vector.
    for (const llvm::Instruction& instruction : block)
      for (const llvm::Use& operand : instruction.operands())
        if (llvm::isa<llvm::Instruction>(operand) && plan.form(*operand) == Form::Vector && !representable(*operand->getType()) &&
            !llvm::isa<llvm::ExtractValueInst>(instruction))
          return &instruction;
  }
  return nullptr;
}

void PacketBuilder::emitBlock(llvm::BasicBlock& block) {
  current_ = &block;
  local_.clear();
  localVectors_.clear();
  parts_.clear();
  blockLanes_ = loadLanes(block);
  findGroups(block);
  for (llvm::PHINode& phi : block.phis()) emitPhi(phi);
  for (llvm::Instruction& instruction : block)
    if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator()) emit(instruction);
  emitBranches(block);
}

void PacketBuilder::emitPhi(llvm::PHINode& phi) {
  const bool isVector = plan_.form(phi) == Form::Vector;
  for (const unsigned cell : cellsOf(phi)) {
    if (packetOf(cell) != 0 && plan_.form(phi) == Form::Linear) {
      define(phi, cell, emitLinearValue(phi, cell));
      continue;
    }
    llvm::AllocaInst*& variable = incoming_[{&phi, cell}];
    if (!variable) variable = makeVariable(isVector ? storageOf(phi.getType()) : phi.getType(), phi.getName() + ".in");
    llvm::Value* value = builder_.CreateLoad(variable->getAllocatedType(), variable, phi.getName());
    if (isVector && phi.getType()->isIntegerTy(1)) value = unpackLanes(value);
    define(phi, cell, value);
  }
}

void PacketBuilder::emit(llvm::Instruction& instruction) {
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return emitCall(*call);
  if (mustRunInEveryLane(instruction)) {
    const bool together = oneForAll(instruction);
    for (unsigned cell = 0; cell < plan_.shape().cells(); ++cell) {
      if (together) emitOneForAll(llvm::cast<llvm::AtomicRMWInst>(instruction), cell);
      else emitForEachLane(instruction, cell, lane(cell));
    }
    return;
  }
  if (const auto group = groupOf_.find(&instruction); group != groupOf_.end()) {
    if (group->second->trigger == &instruction) emitGroup(*group->second);
    return;
  }
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return emitLoad(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return emitStore(*store);
  if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction); extract && isPair(*extract->getAggregateOperand()->getType()))
    return emitExtract(*extract);
  if (instruction.getType()->isVoidTy()) {  // a fence
    emitScalar(instruction, 0);
    return;
  }
  const Form form = plan_.form(instruction);
  for (const unsigned cell : cellsOf(instruction)) {
    if (form == Form::Scalar) emitScalar(instruction, cell);
    else if (form == Form::Linear) define(instruction, cell, emitLinearValue(instruction, cell));
    else if (vectorForm(instruction)) emitVector(instruction, cell);
    else emitForEachLane(instruction, cell, lanesFor(instruction, cell));
  }
}

void PacketBuilder::emitScalar(llvm::Instruction& instruction, unsigned cell) {
  llvm::Instruction* clone = instruction.clone();
  for (llvm::Use& operand : clone->operands()) operand.set(scalar(*operand, cell));
  builder_.Insert(clone, instruction.getName());
  if (!instruction.getType()->isVoidTy()) define(instruction, cell, clone);
}

/// The first lane's value; that of the next packet differs by a constant.
llvm::Value* PacketBuilder::emitLinearValue(llvm::Instruction& instruction, unsigned cell) {
  if (const unsigned packet = packetOf(cell)) {
    llvm::Value* first = made(instruction, plan_.shape().cell(rowOf(cell), 0));
    return advance(first, wrappingProduct(plan_.stride(instruction), std::int64_t{packet} * lanes_), instruction);
  }
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction); address && interleaved(*address)) return addresses(*address, cell);
  if (plan_.mayWrap(instruction) && llvm::isa<llvm::ZExtInst>(instruction) && plan_.stride(instruction) > 0)
    return extendNearZero(llvm::cast<llvm::CastInst>(instruction), cell);
  // What holds for every lane that comes here may not hold for a first lane that does not: there an `or` adds. Ids are ids in all lanes.
  const bool byFewer = !blockLanes_.empty() || (plan_.usedByFewer(instruction) && !isId(instruction));
  const bool adds = instruction.getOpcode() == llvm::Instruction::Or && llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint();
  if (adds && byFewer)
    return builder_.CreateAdd(scalar(*instruction.getOperand(0), cell), scalar(*instruction.getOperand(1), cell), instruction.getName());
  llvm::Instruction* clone = instruction.clone();
  for (llvm::Use& operand : clone->operands()) operand.set(scalar(*operand, cell));
  if (byFewer) clone->dropPoisonGeneratingFlags();
  builder_.Insert(clone, instruction.getName());
  return clone;
}

/// An unsigned index that starts over at 0 somewhere in the row of packets counts as negative before that: only lanes behind
/// the jump can mean an address.
llvm::Value* PacketBuilder::extendNearZero(llvm::CastInst& extension, unsigned cell) {
  const llvm::Value& narrow = *extension.getOperand(0);
  llvm::Value* first = scalar(narrow, cell);
  llvm::Value* last = advance(first, wrappingProduct(plan_.stride(narrow), plan_.shape().width() - 1), narrow);
  llvm::Value* wide = builder_.CreateZExt(first, extension.getType(), extension.getName());
  const std::uint64_t all = std::uint64_t{1} << narrow.getType()->getIntegerBitWidth();
  llvm::Value* negative = builder_.CreateSub(wide, llvm::ConstantInt::get(extension.getType(), all));
  return builder_.CreateSelect(builder_.CreateICmpULT(last, first), negative, wide);
}

/// Lane by lane, each with a guard of its own: what a vector's lanes that nobody needs are divided by is anybody's guess
/// once LLVM has simplified the vector.
llvm::Value* PacketBuilder::divideEachLane(llvm::BinaryOperator& division, unsigned cell) {
  llvm::Value* dividends = vector(*division.getOperand(0), cell);
  llvm::Value* divisors = vector(*division.getOperand(1), cell);
  llvm::Type* type = division.getType();
  const bool isSigned = division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  llvm::Value* result = llvm::PoisonValue::get(vectorOf(type));
  for (unsigned i = 0; i < lanes_; ++i) {
    llvm::Value* dividend = builder_.CreateFreeze(builder_.CreateExtractElement(dividends, i));
    llvm::Value* divisor = builder_.CreateFreeze(builder_.CreateExtractElement(divisors, i));
    llvm::Value* bad = builder_.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0));
    if (isSigned) {
      llvm::Value* smallest = builder_.CreateICmpEQ(dividend, llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth())));
      bad = builder_.CreateOr(bad, builder_.CreateAnd(smallest, builder_.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type))));
    }
    divisor = builder_.CreateSelect(bad, llvm::ConstantInt::get(type, 1), divisor);
    result = builder_.CreateInsertElement(result, builder_.CreateBinOp(division.getOpcode(), dividend, divisor), i);
  }
  return result;
}

/// Integer division of up to 32 bits by way of double, whose quotient is exact enough to be cut off: processors divide
/// vectors of floating-point numbers, but not of integers.
llvm::Value* PacketBuilder::divide(llvm::BinaryOperator& division, unsigned cell) {
  const unsigned bits = division.getType()->getScalarSizeInBits();
  if (llvm::isa<llvm::Constant>(division.getOperand(1))) return nullptr;
  note(division, {.how = bits > 32 ? How::EachLane : How::Double});
  if (bits > 32) return divideEachLane(division, cell);
  const bool isSigned = division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  const bool remainder = division.getOpcode() == llvm::Instruction::SRem || division.getOpcode() == llvm::Instruction::URem;
  llvm::Type* wide = vectorOf(builder_.getDoubleTy());
  llvm::Value* dividend = vector(*division.getOperand(0), cell);
  llvm::Value* divisor = vector(*division.getOperand(1), cell);
  const auto toDouble = [&](llvm::Value* value) { return isSigned ? builder_.CreateSIToFP(value, wide) : builder_.CreateUIToFP(value, wide); };
  llvm::Value* quotient = builder_.CreateFDiv(toDouble(dividend), toDouble(divisor));
  quotient = isSigned ? builder_.CreateFPToSI(quotient, dividend->getType()) : builder_.CreateFPToUI(quotient, dividend->getType());
  return remainder ? builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor)) : quotient;
}

void PacketBuilder::emitVector(llvm::Instruction& instruction, unsigned cell) {
  if (instruction.isIntDivRem())
    if (llvm::Value* quotient = divide(llvm::cast<llvm::BinaryOperator>(instruction), cell)) {
      define(instruction, cell, quotient);
      return;
    }
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction); address && interleaved(*address)) {
    define(instruction, cell, addresses(*address, cell));
    return;
  }
  llvm::Instruction* clone = instruction.clone();
  clone->mutateType(vectorOf(instruction.getType()));
  const bool isAddress = llvm::isa<llvm::GetElementPtrInst>(instruction);
  bool anyVector = false;
  for (unsigned i = 0; i < clone->getNumOperands(); ++i) {
    const llvm::Value& operand = *instruction.getOperand(i);
    const bool keepScalar = (isAddress || (llvm::isa<llvm::SelectInst>(instruction) && i == 0)) && plan_.form(operand) == Form::Scalar;
    clone->setOperand(i, keepScalar ? scalar(operand, cell) : vector(operand, cell));
    anyVector |= clone->getOperand(i)->getType()->isVectorTy();
  }
  if (isAddress && !anyVector) clone->setOperand(0, vector(*instruction.getOperand(0), cell));
  builder_.Insert(clone, instruction.getName());
  define(instruction, cell, clone);
}

// --- calls -----------------------------------------------------------------------------------------------------------

void PacketBuilder::emitCall(llvm::CallInst& call) {
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (intrinsic->isAssumeLikeIntrinsic()) return;
    const bool pure = llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID());
    if (pure && plan_.form(call) != Form::Scalar) {
      for (const unsigned cell : cellsOf(call)) define(call, cell, vectorIntrinsic(*intrinsic, cell));
      return;
    }
  }
  if (const auto asked = collectiveOf(call, subGroupPrefix)) return emitSubGroup(call, *asked);
  const bool once = primitiveOf(call) || (call.doesNotAccessMemory() && !call.isConvergent());
  if (once && plan_.form(call) == Form::Scalar) {
    for (const unsigned cell : cellsOf(call)) emitScalar(call, cell);
    return;
  }
  if (once) {
    for (const unsigned cell : cellsOf(call)) {
      if (llvm::Value* value = vectorMath(call, cell)) define(call, cell, value);
      else emitForEachLane(call, cell, lanesFor(call, cell));
    }
    return;
  }
  for (unsigned cell = 0; cell < plan_.shape().cells(); ++cell) emitForEachLane(call, cell, lane(cell));
}

llvm::Value* PacketBuilder::vectorIntrinsic(llvm::IntrinsicInst& call, unsigned cell) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  llvm::SmallVector<llvm::Value*, 4> arguments;
  llvm::SmallVector<llvm::Type*, 2> types;
  if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr)) types.push_back(vectorOf(call.getType()));
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const llvm::Value& argument = *call.getArgOperand(i);
    const bool keepScalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr);
    arguments.push_back(keepScalar ? scalar(argument, cell) : vector(argument, cell));
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i), nullptr)) types.push_back(arguments.back()->getType());
  }
  llvm::Function* function = llvm::Intrinsic::getOrInsertDeclaration(function_.getParent(), id, types);
  llvm::CallInst* made = builder_.CreateCall(function, arguments, call.getName());
  if (llvm::isa<llvm::FPMathOperator>(made)) made->copyFastMathFlags(&call);
  return made;
}

/// The form of a runtime function for several numbers at once, a register's worth a call.
llvm::Value* PacketBuilder::vectorMath(llvm::CallInst& call, unsigned cell) {
  const llvm::Function* function = call.getCalledFunction();
  if (!function || !function->getName().starts_with("__clarity_")) return nullptr;
  const unsigned elementBits = call.getType()->getScalarSizeInBits();
  const unsigned most = std::min(lanes_, elementBits ? target_.bits / elementBits : 0);
  const builtins::VectorMath* form = nullptr;
  for (const builtins::VectorMath& candidate : builtins::vectorMath())
    if (function->getName() == candidate.scalar && candidate.lanes <= most && (!form || candidate.lanes > form->lanes)) form = &candidate;
  if (!form || form->lanes < 2) return nullptr;
  llvm::SmallVector<llvm::Value*, 3> whole;
  for (const llvm::Use& argument : call.args()) whole.push_back(vector(*argument, cell));
  llvm::SmallVector<llvm::Type*, 3> types;
  for (const llvm::Value* argument : whole) types.push_back(llvm::FixedVectorType::get(argument->getType()->getScalarType(), form->lanes));
  llvm::Type* result = llvm::FixedVectorType::get(call.getType(), form->lanes);
  llvm::FunctionCallee callee = function_.getParent()->getOrInsertFunction(form->name, llvm::FunctionType::get(result, types, false));
  if (auto* declaration = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    declaration->setDoesNotAccessMemory();
    declaration->setDoesNotThrow();
    declaration->setWillReturn();
  }
  llvm::Value* joined = lanes_ == form->lanes ? nullptr : llvm::PoisonValue::get(vectorOf(call.getType()));
  for (unsigned first = 0; first < lanes_; first += form->lanes) {
    llvm::SmallVector<llvm::Value*, 3> arguments;
    for (llvm::Value* argument : whole)
      arguments.push_back(joined ? builder_.CreateExtractVector(llvm::FixedVectorType::get(argument->getType()->getScalarType(), form->lanes), argument, first) : argument);
    llvm::Value* part = builder_.CreateCall(callee, arguments);
    if (!joined) return part;
    joined = builder_.CreateInsertVector(joined->getType(), joined, part, first);
  }
  return joined;
}

void PacketBuilder::emitExtract(llvm::ExtractValueInst& extract) {
  const llvm::Value& structure = *extract.getAggregateOperand();
  if (plan_.form(structure) == Form::Scalar) {
    for (const unsigned cell : cellsOf(extract)) emitScalar(extract, cell);
    return;
  }
  for (const unsigned cell : cellsOf(extract)) define(extract, cell, parts_[{&structure, cellFor(structure, cell), extract.getIndices()[0]}]);
}

/// What an instruction gives that runs lane by lane: its fields, or the one value.
llvm::SmallVector<llvm::Type*, 2> PacketBuilder::fieldsOf(const llvm::Instruction& instruction) {
  llvm::Type* type = instruction.getType();
  llvm::SmallVector<llvm::Type*, 2> fields;
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) fields.append(structure->element_begin(), structure->element_end());
  else if (!type->isVoidTy()) fields.push_back(type);
  return fields;
}

void PacketBuilder::defineFields(llvm::Instruction& instruction, unsigned cell, llvm::ArrayRef<llvm::Value*> fields) {
  if (instruction.getType()->isStructTy())
    for (unsigned i = 0; i < fields.size(); ++i) parts_[{&instruction, cell, i}] = fields[i];
  else if (!fields.empty())
    define(instruction, cell, fields[0]);
}

/// All lanes come: one copy after the other, whose lanes are known.
void PacketBuilder::emitInEveryLane(llvm::Instruction& instruction, unsigned cell) {
  llvm::SmallVector<llvm::Value*, 2> results;
  for (llvm::Type* field : fieldsOf(instruction)) results.push_back(llvm::PoisonValue::get(vectorOf(field)));
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    llvm::Instruction* clone = instruction.clone();
    for (llvm::Use& operand : clone->operands())
      if (llvm::isa<llvm::Instruction>(operand)) operand.set(inLane(*operand, cell, builder_.getInt64(lane)));
    builder_.Insert(clone);
    for (unsigned i = 0; i < results.size(); ++i) {
      llvm::Value* part = instruction.getType()->isStructTy() ? builder_.CreateExtractValue(clone, i) : clone;
      results[i] = builder_.CreateInsertElement(results[i], part, lane);
    }
  }
  defineFields(instruction, cell, results);
}

void PacketBuilder::emitForEachLane(llvm::Instruction& instruction, unsigned cell, llvm::Value* here) {
  note(instruction, {.how = How::EachLane, .masked = here != nullptr});
  if (!here && !llvm::isa<llvm::CallInst>(instruction) && lanes_ * plan_.shape().cells() <= mostCopies) return emitInEveryLane(instruction, cell);
  const auto* structure = llvm::dyn_cast<llvm::StructType>(instruction.getType());
  const llvm::SmallVector<llvm::Type*, 2> fields = fieldsOf(instruction);
  llvm::Type* wide = builder_.getInt64Ty();
  llvm::Value* bits = llvm::ConstantInt::get(wide, lanes_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes_) - 1);
  if (here) bits = builder_.CreateZExt(builder_.CreateBitCast(here, builder_.getIntNTy(lanes_)), wide);
  // Forms that the loop needs are made ahead of it.
  for (const llvm::Use& operand : instruction.operands()) {
    if (!llvm::isa<llvm::Instruction>(operand)) continue;
    if (plan_.form(*operand) == Form::Vector) vector(*operand, cell);
    else scalar(*operand, cell);
  }
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* loop = newBlock("packet.lane");
  llvm::BasicBlock* run = newBlock("packet.lane.run");
  llvm::BasicBlock* after = newBlock("packet.lanes.done");
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  llvm::PHINode* left = builder_.CreatePHI(wide, 2, "lanes.left");
  left->addIncoming(bits, before);
  llvm::SmallVector<llvm::Value*, 2> results;
  for (llvm::Type* field : fields) {
    llvm::PHINode* result = builder_.CreatePHI(vectorOf(field), 2);
    result->addIncoming(llvm::PoisonValue::get(vectorOf(field)), before);
    results.push_back(result);
  }
  builder_.CreateCondBr(builder_.CreateICmpNE(left, llvm::ConstantInt::get(wide, 0)), run, after);

  builder_.SetInsertPoint(run);
  llvm::Value* lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder_.getTrue());
  llvm::Instruction* clone = instruction.clone();
  for (llvm::Use& operand : clone->operands())
    if (llvm::isa<llvm::Instruction>(operand)) operand.set(inLane(*operand, cell, lane));
  builder_.Insert(clone);
  for (unsigned i = 0; i < results.size(); ++i) {
    llvm::Value* part = structure ? builder_.CreateExtractValue(clone, i) : clone;
    llvm::cast<llvm::PHINode>(results[i])->addIncoming(builder_.CreateInsertElement(results[i], part, lane), run);
  }
  left->addIncoming(builder_.CreateAnd(left, builder_.CreateSub(left, llvm::ConstantInt::get(wide, 1))), run);
  builder_.CreateBr(loop);
  after->moveAfter(&function_.back());
  builder_.SetInsertPoint(after);
  defineFields(instruction, cell, results);
}

}  // namespace clarity::compiler
