// SPDX-License-Identifier: Apache-2.0
// This file calls the work-item functions.
#include "compiler/spirv/builtin_variables.h"

#include "compiler/spirv/function_reader.h"

#include <llvm/IR/Constants.h>

namespace clarity::compiler::spirv {
namespace {

struct Query {
  BuiltIn builtin;
  const char* name;    ///< mangled
  bool hasDimension;   ///< one call for each of three components
  unsigned bits;       ///< bits of the function's result
  std::uint64_t rest;  ///< beyond three dimensions
};

constexpr Query queries[] = {
    {BuiltIn::NumWorkgroups, "_Z14get_num_groupsj", true, 64, 1},
    {BuiltIn::WorkgroupSize, "_Z14get_local_sizej", true, 64, 1},
    {BuiltIn::WorkgroupId, "_Z12get_group_idj", true, 64, 0},
    {BuiltIn::LocalInvocationId, "_Z12get_local_idj", true, 64, 0},
    {BuiltIn::GlobalInvocationId, "_Z13get_global_idj", true, 64, 0},
    {BuiltIn::LocalInvocationIndex, "_Z19get_local_linear_idv", false, 64, 0},
    {BuiltIn::WorkDim, "_Z12get_work_dimv", false, 32, 0},
    {BuiltIn::GlobalSize, "_Z15get_global_sizej", true, 64, 1},
    {BuiltIn::EnqueuedWorkgroupSize, "_Z23get_enqueued_local_sizej", true, 64, 1},
    {BuiltIn::GlobalOffset, "_Z17get_global_offsetj", true, 64, 0},
    {BuiltIn::GlobalLinearId, "_Z20get_global_linear_idv", false, 64, 0},
    {BuiltIn::SubgroupSize, "_Z18get_sub_group_sizev", false, 32, 0},
    {BuiltIn::SubgroupMaxSize, "_Z22get_max_sub_group_sizev", false, 32, 0},
    {BuiltIn::NumSubgroups, "_Z18get_num_sub_groupsv", false, 32, 0},
    {BuiltIn::NumEnqueuedSubgroups, "_Z27get_enqueued_num_sub_groupsv", false, 32, 0},
    {BuiltIn::SubgroupId, "_Z16get_sub_group_idv", false, 32, 0},
    {BuiltIn::SubgroupLocalInvocationId, "_Z22get_sub_group_local_idv", false, 32, 0},
};

/// The masks of the sub-group: functions of uint4.
struct MaskQuery {
  BuiltIn builtin;
  const char* name;
};

constexpr MaskQuery maskQueries[] = {
    {BuiltIn::SubgroupEqMask, "_Z21get_sub_group_eq_maskv"}, {BuiltIn::SubgroupGeMask, "_Z21get_sub_group_ge_maskv"},
    {BuiltIn::SubgroupGtMask, "_Z21get_sub_group_gt_maskv"}, {BuiltIn::SubgroupLeMask, "_Z21get_sub_group_le_maskv"},
    {BuiltIn::SubgroupLtMask, "_Z21get_sub_group_lt_maskv"},
};

llvm::Value* ask(FunctionReader& function, const Query& query, unsigned dimension, llvm::Type* type) {
  llvm::IRBuilder<>& builder = function.builder();
  if (dimension > 2) return llvm::ConstantInt::get(type, query.rest);
  llvm::SmallVector<llvm::Value*, 1> arguments;
  if (query.hasDimension) arguments.push_back(builder.getInt32(dimension));
  llvm::CallInst* const call = function.call(query.name, builder.getIntNTy(query.bits), arguments, Effect::None);
  return builder.CreateZExtOrTrunc(call, type);
}

llvm::Value* valueOf(FunctionReader& function, const Query& query, llvm::Type* type) {
  llvm::IRBuilder<>& builder = function.builder();
  auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  auto* const array = llvm::dyn_cast<llvm::ArrayType>(type);
  llvm::Type* const component = vector ? vector->getElementType() : array ? array->getElementType() : type;
  require(component->isIntegerTy(), function.current(), "a builtin variable has the wrong type");
  if (component == type) return ask(function, query, 0, type);
  const std::uint64_t count = vector ? vector->getNumElements() : array->getNumElements();
  require(count <= 16, function.current(), "a builtin variable has {} components", count);
  llvm::Value* value = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value* const part = ask(function, query, i, component);
    value =
        vector ? builder.CreateInsertElement(value, part, std::uint64_t(i)) : builder.CreateInsertValue(value, part, i);
  }
  return value;
}

}  // namespace

llvm::Value* builtinVariable(FunctionReader& function, const Instruction& variable, BuiltIn builtin) {
  llvm::IRBuilder<>& builder = function.builder();
  llvm::Type* const type = function.module().typeOfVariable(variable);
  llvm::Value* value = nullptr;
  for (const Query& query : queries)
    if (query.builtin == builtin) value = valueOf(function, query, type);
  for (const MaskQuery& query : maskQueries)
    if (query.builtin == builtin)
      value = function.call(query.name, llvm::FixedVectorType::get(builder.getInt32Ty(), 4), {});
  require(value && value->getType() == type, variable, "there is no builtin variable {} of this type",
          nameOf(OperandKind::BuiltIn_, static_cast<std::uint32_t>(builtin)));
  llvm::AllocaInst* const place = function.variable(type);
  builder.CreateStore(value, place);
  // Some translators put such variables into the storage class CrossWorkgroup; optimisations see through the cast.
  return builder.CreateAddrSpaceCast(place, function.type(variable.type).llvm);
}

llvm::Value* samplerOf(FunctionReader& function, const Instruction& constant) {
  // The bits of sampler_t's values in OpenCL C: CLK_NORMALIZED_COORDS_TRUE 1, CLK_FILTER_NEAREST 0x10.
  constexpr unsigned addressing[] = {0, 2, 4, 6, 8};  // None, ClampToEdge, Clamp, Repeat, RepeatMirrored
  const auto mode = constant.as<SamplerAddressingMode>(0);
  const unsigned filter = constant.as<SamplerFilterMode>(2) == SamplerFilterMode::Linear ? 0x20 : 0x10;
  const unsigned bits = addressing[static_cast<unsigned>(mode)] | (constant[1] ? 1 : 0) | filter;
  return function.call(samplerFunction, function.type(constant.type).llvm, {function.builder().getInt32(bits)});
}

}  // namespace clarity::compiler::spirv
