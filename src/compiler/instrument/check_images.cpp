// SPDX-License-Identifier: Apache-2.0
// This file reads the types of images from the mangled names of the functions that a program calls.
#include "compiler/instrument/check_images.h"

#include "compiler/instrument/guards.h"
#include "compiler/instrument/hooks.h"
#include "compiler/instrument/library_calls.h"
#include "compiler/instrument/sites.h"
#include "compiler/ir/image_descriptor.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <array>
#include <cstddef>
#include <optional>

namespace clarity::compiler {
namespace {

/// A coordinate, and the field of the descriptor that it has to be below.
struct Axis {
  unsigned component;
  std::size_t sizeOffset;
};

struct ImageAccess {
  llvm::Value* image;
  llvm::Value* sampler;  ///< null: none
  llvm::Value* at;
  llvm::SmallVector<Axis, 3> axes;
  bool isWrite;
};

constexpr std::size_t width = offsetof(ImageDescriptor, width), height = offsetof(ImageDescriptor, height),
                      depth = offsetof(ImageDescriptor, depth), layers = offsetof(ImageDescriptor, layers);

/// None for what has levels, which have sizes of their own, and is no access.
std::optional<ImageAccess> accessOf(llvm::CallInst& call) {
  const llvm::StringRef name = libraryName(*call.getCalledFunction());
  const bool isWrite = name.starts_with("write_image");
  if (!isWrite && !name.starts_with("read_image")) return std::nullopt;
  const llvm::StringRef symbol = call.getCalledFunction()->getName();
  const bool hasSampler = symbol.contains("ocl_sampler");
  const unsigned place = hasSampler ? 2 : 1;
  if (call.arg_size() != (isWrite || hasSampler ? 3u : 2u)) return std::nullopt;
  ImageAccess access{.image = call.getArgOperand(0),
                     .sampler = hasSampler ? call.getArgOperand(1) : nullptr,
                     .at = call.getArgOperand(place),
                     .axes = {{0, width}},
                     .isWrite = isWrite};
  // Layers that do not exist are read as the last one.
  const bool isArray = symbol.contains("_array_");
  if (!symbol.contains("ocl_image1d")) access.axes.push_back({1, height});
  if (symbol.contains("ocl_image3d"))
    access.axes.push_back({2, depth});
  else if (isArray && isWrite)
    access.axes.push_back({static_cast<unsigned>(access.axes.size()), layers});
  return access;
}

class ImageChecker {
public:
  ImageChecker(llvm::CallInst& call, const ImageAccess& access)
      : access_(access), builder_(&call), number_(builder_.getInt32Ty()) {
    builder_.SetCurrentDebugLocation({});
    for (const Axis& axis : access.axes) add(axis);
  }

  llvm::Value* outside() {
    llvm::Value* wrong = builder_.CreateNot(inside_);
    if (!access_.sampler) return wrong;
    llvm::Value* const addressing = builder_.CreateAnd(access_.sampler, SamplerBits::addressing);
    return builder_.CreateAnd(wrong,
                              builder_.CreateICmpEQ(addressing, llvm::ConstantInt::get(addressing->getType(), 0)));
  }
  std::array<llvm::Value*, 6> values() {
    std::array<llvm::Value*, 6> all;
    for (std::size_t i = 0; i < 3; ++i) {
      all[i] = i < coordinates_.size() ? coordinates_[i] : builder_.getInt32(0);
      all[3 + i] = i < sizes_.size() ? sizes_[i] : builder_.getInt32(0);
    }
    return all;
  }

private:
  void add(const Axis& axis) {
    llvm::Value* const size = builder_.CreateAlignedLoad(
        number_, builder_.CreatePtrAdd(access_.image, builder_.getInt64(axis.sizeOffset)), llvm::Align(4));
    llvm::Value* at = access_.at->getType()->isVectorTy()
                          ? builder_.CreateExtractElement(access_.at, std::uint64_t{axis.component})
                          : access_.at;
    llvm::Value* isInside = nullptr;
    if (at->getType()->isIntegerTy()) {
      isInside = builder_.CreateICmpULT(at, size);
    } else {
      at = builder_.CreateFPCast(at, builder_.getFloatTy());
      llvm::Value* const most = builder_.CreateUIToFP(size, builder_.getFloatTy());
      llvm::Value* const isNormalised = builder_.CreateTrunc(access_.sampler, builder_.getInt1Ty());
      at = builder_.CreateSelect(isNormalised, builder_.CreateFMul(at, most), at);
      isInside = builder_.CreateAnd(builder_.CreateFCmpOGE(at, llvm::ConstantFP::getZero(at->getType())),
                                    builder_.CreateFCmpOLT(at, most));
      llvm::Value* const below = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, at);
      at = builder_.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {number_, below->getType()}, {below});
    }
    inside_ = inside_ ? builder_.CreateAnd(inside_, isInside) : isInside;
    coordinates_.push_back(at);
    sizes_.push_back(size);
  }

  const ImageAccess& access_;
  llvm::IRBuilder<> builder_;
  llvm::Type* number_;
  llvm::Value* inside_ = nullptr;
  llvm::SmallVector<llvm::Value*, 3> coordinates_, sizes_;
};

/// The kernel's argument that an image is, where its variable is written once.
const llvm::Argument* argumentOf(llvm::Value* image) {
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(image)) return argument;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(image);
  const auto* slot = load ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()) : nullptr;
  const llvm::Argument* found = nullptr;
  if (slot)
    for (const llvm::User* user : slot->users())
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getPointerOperand() == slot) {
        if (found) return nullptr;
        found = llvm::dyn_cast<llvm::Argument>(store->getValueOperand());
      }
  return found;
}

Site siteOfAccess(const llvm::CallInst& call, const ImageAccess& access) {
  Site site = siteAt(call, access.isWrite ? SiteKind::Write : SiteKind::Read);
  const llvm::Argument* const argument = argumentOf(access.image);
  if (!argument || argument->getParent()->hasLocalLinkage()) return site;
  site.object = SiteObject::Argument;
  site.argument = argument->getArgNo();
  return site;
}

/// The channels that a function is for: 'f' of read_imagef and read_imageh, 'i', 'u'; 0: it is no access.
char channelsOf(llvm::StringRef name) {
  if (!name.consume_front("read_image") && !name.consume_front("write_image")) return 0;
  return name == "f" || name == "h" ? 'f' : name == "i" ? 'i' : name == "ui" ? 'u' : '\0';
}

/// The first of three types of integers of 8, 16 and 32 bits: CL_SIGNED_INT8, CL_UNSIGNED_INT8.
constexpr std::uint32_t firstSigned = 0x10D7, firstUnsigned = 0x10DA, sizes = 3;

void checkChannels(llvm::CallInst& call, char channels, InstrumentedPlaces& places) {
  llvm::IRBuilder<> builder(&call);
  builder.SetCurrentDebugLocation({});
  llvm::Value* const image = call.getArgOperand(0);
  llvm::Value* const type = builder.CreateAlignedLoad(
      builder.getInt32Ty(), builder.CreatePtrAdd(image, builder.getInt64(offsetof(ImageDescriptor, type))),
      llvm::Align(4));
  const auto isOf = [&](std::uint32_t first, std::uint32_t count) {
    return builder.CreateICmpULT(builder.CreateSub(type, builder.getInt32(first)), builder.getInt32(count));
  };
  llvm::Value* wrong = channels == 'f'   ? isOf(firstSigned, 2 * sizes)
                       : channels == 'i' ? builder.CreateNot(isOf(firstSigned, sizes))
                                         : builder.CreateNot(isOf(firstUnsigned, sizes));
  ImageAccess access{.image = image, .sampler = nullptr, .at = nullptr, .axes = {}, .isWrite = false};
  access.isWrite = libraryName(*call.getCalledFunction()).starts_with("write");
  const std::uint32_t site = places.add(siteOfAccess(call, access));
  llvm::Instruction* const other = llvm::SplitBlockAndInsertIfThen(wrong, call.getIterator(), /*Unreachable=*/false);
  markGuard(*other);
  builder.SetInsertPoint(other);
  emitHook(builder, "__clarity_check_channels", {builder.getInt32(site), type});
}

/// Integers as coordinates, functions for integers, and coordinates that are not normalised ask for some samplers;
/// with others the result is undefined.
void checkSampler(llvm::CallInst& call, const ImageAccess& access, InstrumentedPlaces& places) {
  llvm::IRBuilder<> builder(&call);
  builder.SetCurrentDebugLocation({});
  llvm::Value* const sampler = builder.CreateZExtOrTrunc(access.sampler, builder.getInt64Ty());
  const auto has = [&](std::uint64_t bits) { return builder.CreateIsNotNull(builder.CreateAnd(sampler, bits)); };
  constexpr std::uint64_t repeat = 6;  // and mirrored
  llvm::Value* const repeats =
      builder.CreateICmpUGE(builder.CreateAnd(sampler, SamplerBits::addressing), builder.getInt64(repeat));
  llvm::Value* const isNormalised = has(SamplerBits::normalised);
  llvm::Value* const isLinear = has(SamplerBits::linear);
  const bool isByIntegers = access.at->getType()->getScalarType()->isIntegerTy();
  llvm::Value* wrong = builder.CreateAnd(repeats, builder.CreateNot(isNormalised));
  if (isByIntegers)
    wrong = builder.CreateOr(builder.CreateOr(repeats, isNormalised), isLinear);
  else if (channelsOf(libraryName(*call.getCalledFunction())) != 'f')
    wrong = builder.CreateOr(wrong, isLinear);
  const std::uint32_t site = places.add(siteOfAccess(call, access));
  llvm::Instruction* const other = llvm::SplitBlockAndInsertIfThen(wrong, call.getIterator(), /*Unreachable=*/false);
  markGuard(*other);
  builder.SetInsertPoint(other);
  emitHook(builder, "__clarity_check_sampler", {builder.getInt32(site), sampler, builder.getInt32(isByIntegers)});
}

void check(llvm::CallInst& call, const ImageAccess& access, InstrumentedPlaces& places) {
  const std::uint32_t site = places.add(siteOfAccess(call, access));
  ImageChecker checker(call, access);
  llvm::Value* const outside = checker.outside();
  const auto values = checker.values();
  llvm::Instruction* const inside = llvm::SplitBlockAndInsertIfThen(outside, call.getIterator(), /*Unreachable=*/false);
  markGuard(*inside);
  llvm::IRBuilder<> builder(inside);
  llvm::SmallVector<llvm::Value*, 8> all{builder.getInt32(site)};
  all.append(values.begin(), values.end());
  emitHook(builder, "__clarity_check_texel", all);
}

}  // namespace

void checkImages(llvm::Module& module, InstrumentedPlaces& places) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    llvm::SmallVector<std::pair<llvm::CallInst*, ImageAccess>, 8> accesses;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->getCalledFunction())
        if (auto access = accessOf(*call)) accesses.push_back({call, std::move(*access)});
    for (const auto& [call, access] : accesses) {
      check(*call, access, places);
      if (access.sampler) checkSampler(*call, access, places);
    }
    llvm::SmallVector<std::pair<llvm::CallInst*, char>, 8> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->getCalledFunction())
        if (const char channels = channelsOf(libraryName(*call->getCalledFunction())))
          calls.push_back({call, channels});
    for (const auto& [call, channels] : calls) checkChannels(*call, channels, places);
  }
}

}  // namespace clarity::compiler
