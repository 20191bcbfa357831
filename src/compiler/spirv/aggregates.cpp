// SPDX-License-Identifier: Apache-2.0
// This file takes structures and arrays apart.
#include "compiler/spirv/aggregates.h"

#include "compiler/spirv/types.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler::spirv {
namespace {

/// Calls `visit` for each number of a type with its indices and its offset in bytes. Empty structures count as parts,
/// of which an array without size may have any number.
class PartWalk {
public:
  using Visit = llvm::function_ref<void(llvm::Type*, llvm::ArrayRef<unsigned>, std::uint64_t)>;

  PartWalk(const llvm::DataLayout& layout, const Instruction& user, Visit visit)
      : layout_(layout), user_(user), visit_(visit) {}

  void walk(llvm::Type* type, std::uint64_t offset = 0) {
    if (auto* const structure = llvm::dyn_cast<llvm::StructType>(type)) {
      const llvm::StructLayout& places = *layout_.getStructLayout(structure);
      if (structure->getNumElements() == 0) count();
      for (unsigned i = 0; i < structure->getNumElements(); ++i)
        inside(i, structure->getElementType(i), offset + places.getElementOffset(i));
    } else if (auto* const array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      const std::uint64_t step = layout_.getTypeAllocSize(array->getElementType()).getFixedValue();
      for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
        inside(static_cast<unsigned>(i), array->getElementType(), offset + i * step);
    } else {
      count();
      visit_(type, indices_, offset);
    }
  }

private:
  void count() { require(++parts_ <= mostParts, user_, "its value has more than {} parts", mostParts); }

  void inside(unsigned index, llvm::Type* type, std::uint64_t offset) {
    indices_.push_back(index);
    walk(type, offset);
    indices_.pop_back();
  }

  const llvm::DataLayout& layout_;
  const Instruction& user_;
  Visit visit_;
  llvm::SmallVector<unsigned, 4> indices_;
  std::uint64_t parts_ = 0;
};

const llvm::DataLayout& layoutOf(llvm::IRBuilderBase& builder) {
  return builder.GetInsertBlock()->getModule()->getDataLayout();
}

llvm::Value* at(llvm::IRBuilderBase& builder, llvm::Value* pointer, std::uint64_t offset) {
  return offset == 0 ? pointer : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset);
}

}  // namespace

llvm::Value* loadParts(llvm::IRBuilderBase& builder, llvm::Type* type, llvm::Value* pointer, llvm::Align alignment,
                       const Instruction& user, MarkAccess mark) {
  llvm::Value* value = llvm::PoisonValue::get(type);
  PartWalk(layoutOf(builder), user, [&](llvm::Type* part, llvm::ArrayRef<unsigned> indices, std::uint64_t offset) {
    llvm::LoadInst* const load =
        builder.CreateAlignedLoad(part, at(builder, pointer, offset), llvm::commonAlignment(alignment, offset));
    mark(*load);
    value = indices.empty() ? load : builder.CreateInsertValue(value, load, indices);
  }).walk(type);
  return value;
}

void storeParts(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::Value* pointer, llvm::Align alignment,
                const Instruction& user, MarkAccess mark) {
  PartWalk(layoutOf(builder), user, [&](llvm::Type*, llvm::ArrayRef<unsigned> indices, std::uint64_t offset) {
    llvm::Value* const part = indices.empty() ? value : builder.CreateExtractValue(value, indices);
    mark(*builder.CreateAlignedStore(part, at(builder, pointer, offset), llvm::commonAlignment(alignment, offset)));
  }).walk(value->getType());
}

}  // namespace clarity::compiler::spirv
