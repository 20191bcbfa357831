// SPDX-License-Identifier: Apache-2.0
// This file replaces address spaces: types of globals and functions by new objects, types inside functions in place.
#include "compiler/nvptx/address_spaces.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace clarity::compiler::nvptx {
namespace {

unsigned spaceOfPtx(unsigned space) { return space == 4 ? genericSpace : space == 2 ? globalSpace : space; }

class TypesOfPtx final : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type* remapType(llvm::Type* type) override {
    llvm::Type*& known = known_[type];
    if (!known) {
      llvm::Type* made = make(type);
      return known_[type] = made;
    }
    return known;
  }

private:
  llvm::Type* make(llvm::Type* type) {
    if (auto* pointer = llvm::dyn_cast<llvm::PointerType>(type))
      return llvm::PointerType::get(type->getContext(), spaceOfPtx(pointer->getAddressSpace()));
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type))
      return llvm::VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      llvm::SmallVector<llvm::Type*, 8> elements;
      for (llvm::Type* element : structure->elements()) elements.push_back(remapType(element));
      if (llvm::ArrayRef(elements) == structure->elements()) return type;
      return llvm::StructType::get(type->getContext(), elements, structure->isPacked());
    }
    if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
      llvm::SmallVector<llvm::Type*, 8> parameters;
      for (llvm::Type* parameter : function->params()) parameters.push_back(remapType(parameter));
      return llvm::FunctionType::get(remapType(function->getReturnType()), parameters, function->isVarArg());
    }
    return type;
  }

  llvm::DenseMap<llvm::Type*, llvm::Type*> known_;
};

class Remapper {
public:
  explicit Remapper(llvm::Module& module) : module_(module) {}

  void run() {
    constantsToInstructions();
    std::vector<llvm::GlobalVariable*> variables;
    std::vector<llvm::Function*> functions;
    for (llvm::GlobalVariable& variable : module_.globals()) variables.push_back(&variable);
    for (llvm::Function& function : module_) functions.push_back(&function);
    for (llvm::GlobalVariable* variable : variables) declare(*variable);
    for (llvm::Function* function : functions) declare(*function);
    for (llvm::GlobalVariable* variable : variables) define(*variable);
    for (llvm::Function* function : functions) {
      define(*function);
      remapAttributes(*llvm::cast<llvm::Function>(values_.lookup(function)));
    }
    // Old objects refer to each other.
    for (llvm::Function* function : functions)
      if (values_.lookup(function) != function) function->dropAllReferences();
    for (llvm::Function* function : functions) {
      llvm::Value* fresh = values_.lookup(function);
      if (fresh == function) continue;
      function->replaceAllUsesWith(llvm::PoisonValue::get(function->getType()));
      function->eraseFromParent();
    }
    for (llvm::GlobalVariable* variable : variables) {
      if (values_.lookup(variable) == variable) continue;
      variable->replaceAllUsesWith(llvm::PoisonValue::get(variable->getType()));
      variable->eraseFromParent();
    }
    for (llvm::Function& function : llvm::make_early_inc_range(module_))
      if (const auto fresh = llvm::Intrinsic::remangleIntrinsicFunction(&function)) {
        function.replaceAllUsesWith(*fresh);
        function.eraseFromParent();
      }
  }

private:
  /// A constant expression with a cast between address spaces that become one has no valid form; an instruction goes.
  void constantsToInstructions() {
    llvm::SmallVector<llvm::Constant*, 16> constants;
    for (llvm::GlobalVariable& variable : module_.globals()) constants.push_back(&variable);
    llvm::convertUsersOfConstantsToInstructions(constants);
    for (llvm::Function& function : module_)
      for (llvm::Instruction& instruction : llvm::instructions(function))
        for (llvm::Use& operand : instruction.operands())
          if (isCastOfNull(operand)) operand.set(llvm::Constant::getNullValue(operand->getType()));
  }

  /// A null pointer of one address space cast to another is null there: in OpenCL C all of them are.
  static bool isCastOfNull(const llvm::Value* value) {
    const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(value);
    return cast && cast->getOpcode() == llvm::Instruction::AddrSpaceCast && cast->getOperand(0)->isNullValue();
  }

  void declare(llvm::GlobalVariable& variable) {
    llvm::Type* type = types_.remapType(variable.getValueType());
    const unsigned space = spaceOfPtx(variable.getAddressSpace());
    if (type == variable.getValueType() && space == variable.getAddressSpace()) {
      values_[&variable] = &variable;
      return;
    }
    auto* fresh = new llvm::GlobalVariable(module_, type, variable.isConstant(), variable.getLinkage(), nullptr, "",
                                           &variable, variable.getThreadLocalMode(), space);
    fresh->copyAttributesFrom(&variable);
    fresh->takeName(&variable);
    values_[&variable] = fresh;
  }

  void define(llvm::GlobalVariable& variable) {
    auto* fresh = llvm::cast<llvm::GlobalVariable>(values_.lookup(&variable));
    if (fresh == &variable || !variable.hasInitializer()) return;
    fresh->setInitializer(llvm::MapValue(variable.getInitializer(), values_, llvm::RF_None, &types_));
  }

  void declare(llvm::Function& function) {
    auto* type = llvm::cast<llvm::FunctionType>(types_.remapType(function.getFunctionType()));
    if (type == function.getFunctionType()) {
      values_[&function] = &function;
      return;
    }
    auto* fresh = llvm::Function::Create(type, function.getLinkage(), "", module_);
    fresh->copyAttributesFrom(&function);
    // By setName, not takeName: an intrinsic is recognised when its name is set.
    const std::string name = function.getName().str();
    function.setName("");
    fresh->setName(name);
    values_[&function] = fresh;
    for (unsigned i = 0; i < function.arg_size(); ++i) {
      fresh->getArg(i)->takeName(function.getArg(i));
      values_[function.getArg(i)] = fresh->getArg(i);
    }
  }

  void define(llvm::Function& function) {
    auto& fresh = *llvm::cast<llvm::Function>(values_.lookup(&function));
    if (&fresh != &function) {
      fresh.splice(fresh.begin(), &function);
      fresh.copyMetadata(&function, 0);
    }
    if (fresh.isDeclaration()) return;
    llvm::RemapFunction(fresh, values_, llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges, &types_);
    // RF_NoModuleLevelChanges keeps globals: they are replaced here.
    for (llvm::Instruction& instruction : llvm::instructions(fresh))
      for (llvm::Use& use : instruction.operands())
        if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(use.get()))
          if (llvm::Value* other = values_.lookup(global)) use.set(other);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(fresh)))
      if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
          cast && cast->getSrcTy() == cast->getDestTy()) {
        cast->replaceAllUsesWith(cast->getOperand(0));
        cast->eraseFromParent();
      }
  }

  /// Types that attributes name, as byval(T) does; those of calls are mapped with the instructions.
  void remapAttributes(llvm::Function& function) {
    llvm::AttributeList all = function.getAttributes();
    for (const unsigned index : all.indexes())
      for (const llvm::Attribute& attribute : all.getAttributes(index))
        if (llvm::Type* type = attribute.isTypeAttribute() ? attribute.getValueAsType() : nullptr)
          all = all.replaceAttributeTypeAtIndex(module_.getContext(), index, attribute.getKindAsEnum(),
                                                types_.remapType(type));
    function.setAttributes(all);
  }

  llvm::Module& module_;
  TypesOfPtx types_;
  llvm::ValueToValueMapTy values_;
};

}  // namespace

llvm::PreservedAnalyses PtxAddressSpacesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  Remapper(module).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler::nvptx
