// SPDX-License-Identifier: Apache-2.0
// This file finds loads of the members of image descriptors and replaces them.
#include "compiler/transforms/descriptor_members.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/image_descriptor.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <cstddef>
#include <optional>

namespace clarity::compiler {
namespace {

struct MemberLoad {
  llvm::LoadInst* load;
  std::uint64_t offset;
};

/// The loads of an image's members at known offsets.
void findLoads(llvm::Value& pointer, std::uint64_t offset, llvm::SmallVectorImpl<MemberLoad>& loads) {
  for (llvm::User* user : pointer.users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (load->isSimple()) loads.push_back({load, offset});
    } else if (auto* address = llvm::dyn_cast<llvm::GEPOperator>(user)) {
      const llvm::DataLayout& layout = llvm::cast<llvm::Instruction>(user)->getDataLayout();
      llvm::APInt distance(layout.getIndexTypeSizeInBits(address->getType()), 0);
      if (address->accumulateConstantOffset(layout, distance))
        findLoads(*address, offset + distance.getZExtValue(), loads);
    }
  }
}

/// The value that the shape has for a member.
std::optional<std::uint64_t> valueOf(std::uint64_t offset, const ImageFacts& facts) {
  switch (offset) {
    case offsetof(ImageDescriptor, order): return facts.order;
    case offsetof(ImageDescriptor, type): return facts.type;
    case offsetof(ImageDescriptor, texelBytes): return facts.texelBytes;
    case offsetof(ImageDescriptor, reserved): return facts.offsetsFitInt ? 1 : 0;
    default: return std::nullopt;
  }
}

/// The least value of a member and the first that it cannot have (device::ImageProperties; 2^27 texels of a buffer).
std::optional<llvm::ConstantRange> rangeOf(std::uint64_t offset, bool small) {
  const auto range = [](std::uint64_t begin, std::uint64_t end) {
    return llvm::ConstantRange(llvm::APInt(32, begin), llvm::APInt(32, end));
  };
  switch (offset) {
    case offsetof(ImageDescriptor, width): return range(1, (1u << 27) + 1);
    case offsetof(ImageDescriptor, height): return range(1, 16385);
    case offsetof(ImageDescriptor, depth):
    case offsetof(ImageDescriptor, layers): return range(1, 2049);
    case offsetof(ImageDescriptor, rowPitch): return small ? std::optional(range(0, 1u << 31)) : std::nullopt;
    default: return std::nullopt;
  }
}

const char* nameOf(std::uint64_t offset) {
  switch (offset) {
    case offsetof(ImageDescriptor, texels): return ".texels";
    case offsetof(ImageDescriptor, slicePitch): return ".slice.pitch";
    case offsetof(ImageDescriptor, rowPitch): return ".row.pitch";
    case offsetof(ImageDescriptor, width): return ".width";
    case offsetof(ImageDescriptor, height): return ".height";
    case offsetof(ImageDescriptor, depth): return ".depth";
    case offsetof(ImageDescriptor, layers): return ".layers";
    default: return ".member";
  }
}

bool isImage(const llvm::Argument& argument) {
  return argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == constantAddressSpace &&
         argument.getDereferenceableBytes() == sizeof(ImageDescriptor);
}

struct Member {
  unsigned argument;
  std::uint64_t offset;
  llvm::Type* type;
  llvm::SmallVector<llvm::LoadInst*, 4> loads;
};

/// The function with parameters of these types behind its own.
llvm::Function& extended(llvm::Function& kernel, llvm::ArrayRef<Member> members) {
  llvm::SmallVector<llvm::Type*, 16> types(kernel.getFunctionType()->params());
  for (const Member& member : members) types.push_back(member.type);
  auto* type = llvm::FunctionType::get(kernel.getReturnType(), types, false);
  auto* longer = llvm::Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace());
  kernel.getParent()->getFunctionList().insert(kernel.getIterator(), longer);
  longer->copyAttributesFrom(&kernel);
  longer->copyMetadata(&kernel, 0);
  longer->splice(longer->begin(), &kernel);
  for (llvm::Argument& argument : kernel.args()) {
    longer->getArg(argument.getArgNo())->takeName(&argument);
    argument.replaceAllUsesWith(longer->getArg(argument.getArgNo()));
  }
  longer->takeName(&kernel);
  kernel.replaceAllUsesWith(longer);
  kernel.eraseFromParent();
  return *longer;
}

}  // namespace

bool foldMembers(llvm::Argument& image, const ImageFacts& facts) {
  llvm::SmallVector<MemberLoad, 16> loads;
  findLoads(image, 0, loads);
  bool changed = false;
  for (const auto& [load, offset] : loads) {
    const auto value = load->getType()->isIntegerTy(32) ? valueOf(offset, facts) : std::nullopt;
    if (!value) continue;
    load->replaceAllUsesWith(llvm::ConstantInt::get(load->getType(), *value));
    load->eraseFromParent();
    changed = true;
  }
  return changed;
}

void passMembers(llvm::Function& kernel) {
  llvm::SmallVector<Member, 8> members;
  const unsigned count = kernel.arg_size();
  for (llvm::Argument& argument : kernel.args()) {
    if (!isImage(argument)) continue;
    llvm::SmallVector<MemberLoad, 16> loads;
    findLoads(argument, 0, loads);
    llvm::stable_sort(loads, [](const MemberLoad& a, const MemberLoad& b) { return a.offset < b.offset; });
    const std::size_t first = members.size();
    for (const auto& [load, offset] : loads) {
      auto* known = std::find_if(members.begin() + first, members.end(), [&](const Member& member) {
        return member.offset == offset && member.type == load->getType();
      });
      if (known == members.end()) known = members.insert(known, {argument.getArgNo(), offset, load->getType(), {}});
      known->loads.push_back(load);
    }
  }
  if (members.empty()) return;
  llvm::Function& longer = extended(kernel, members);
  for (const auto& [i, member] : llvm::enumerate(members)) {
    llvm::Argument& parameter = *longer.getArg(count + i);
    parameter.setName(longer.getArg(member.argument)->getName() + nameOf(member.offset));
    parameter.addAttr(
        llvm::Attribute::get(longer.getContext(), imageMemberAttribute,
                             llvm::Twine(member.argument).str() + ":" + llvm::Twine(member.offset).str()));
    parameter.addAttr(llvm::Attribute::NoUndef);
    if (const auto range = rangeOf(member.offset, true); range && member.type->isIntegerTy(32))
      parameter.addAttr(llvm::Attribute::get(longer.getContext(), llvm::Attribute::Range, *range));
    for (llvm::LoadInst* load : member.loads) {
      load->replaceAllUsesWith(&parameter);
      load->eraseFromParent();
    }
  }
}

}  // namespace clarity::compiler
