// SPDX-License-Identifier: Apache-2.0
// This file reads instructions of images (SPIR-V 1.6, section 3.49.10) as calls of OpenCL C's functions.
#include "compiler/spirv/group_calls.h"
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/mangle.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>

namespace clarity::compiler::spirv {
namespace {

constexpr std::uint32_t bit(ImageOperands operand) { return static_cast<std::uint32_t>(operand); }

const Type& imageType(FunctionReader& in, std::uint32_t id) {
  const Type& type = in.typeOf(id);
  require(type.op == Op::TypeImage, in.current(), "the id {} is not an image", id);
  return type;
}

/// "ocl_image2d_array_depth_ro"
std::string imageTypeName(const Type& image) {
  const char* const dimension = image.dim == Dim::Dim1D ? "1d" : image.dim == Dim::Dim3D ? "3d" : "2d";
  const char* const access = image.access == AccessQualifier::ReadOnly    ? "ro"
                             : image.access == AccessQualifier::WriteOnly ? "wo"
                                                                          : "rw";
  if (image.dim == Dim::Buffer) return fmt::format("ocl_image1d_buffer_{}", access);
  return fmt::format("ocl_image{}{}{}{}_{}", dimension, image.isArrayed ? "_array" : "",
                     image.isMultisampled ? "_msaa" : "", image.isDepth ? "_depth" : "", access);
}

/// The letters behind read_image and write_image. Without an operand that says so, the image's format decides whether
/// integers have a sign, which only the launch knows: both functions are called; one reads 0 and writes nothing.
llvm::SmallVector<std::string_view, 2> suffixesOf(FunctionReader& in, const llvm::Type* texel, std::uint32_t operands) {
  const llvm::Type* const scalar = texel->getScalarType();
  if (scalar->isHalfTy()) return {"h"};
  if (scalar->isFloatTy()) return {"f"};
  require(scalar->isIntegerTy(32), in.current(), "its texel is not of half, float or int");
  if (operands & bit(ImageOperands::ZeroExtend)) return {"ui"};
  if (operands & bit(ImageOperands::SignExtend)) return {"i"};
  return {"i", "ui"};
}

/// Image operands at an index: the mask, then ids in the order of its bits.
struct Operands {
  std::uint32_t mask = 0;
  llvm::Value* lod = nullptr;
  llvm::Value* gradX = nullptr;
  llvm::Value* gradY = nullptr;
  llvm::Value* sample = nullptr;
};

Operands operandsAt(FunctionReader& in, std::size_t index) {
  Operands operands;
  if (!in.current().has(index)) return operands;
  operands.mask = in.current()[index++];
  const std::uint32_t known = bit(ImageOperands::Lod) | bit(ImageOperands::Grad) | bit(ImageOperands::Sample) |
                              bit(ImageOperands::SignExtend) | bit(ImageOperands::ZeroExtend) |
                              bit(ImageOperands::Nontemporal);
  require((operands.mask & ~known) == 0, in.current(), "its image operands 0x{:x} are not OpenCL's", operands.mask);
  const auto take = [&](ImageOperands which) { return operands.mask & bit(which) ? &in.operand(index++) : nullptr; };
  operands.lod = take(ImageOperands::Lod);
  operands.gradX = take(ImageOperands::Grad);
  if (operands.gradX) operands.gradY = &in.operand(index++);
  operands.sample = take(ImageOperands::Sample);
  return operands;
}

/// Whether a level of detail is the only one of an image without mipmaps.
bool isFirstLevel(const llvm::Value* lod) {
  const auto* const constant = llvm::dyn_cast_or_null<llvm::Constant>(lod);
  return !lod || (constant && constant->isNullValue());
}

llvm::Value* sampledImage(FunctionReader& in) {
  in.setSampledImage(in.current().result, {in.current()[0], in.current()[1]});
  return nullptr;
}

llvm::Value* imageOfSampled(FunctionReader& in) { return &in.value(in.sampledImage(in.current()[0]).image); }

/// A depth image gives one number, which SPIR-V may want as the first of four.
llvm::Value* asResult(FunctionReader& in, llvm::Value* texel) {
  llvm::Type* const wanted = in.resultType().llvm;
  if (texel->getType() == wanted || texel->getType()->isVectorTy() || !wanted->isVectorTy()) return texel;
  return in.builder().CreateInsertElement(llvm::Constant::getNullValue(wanted), texel, std::uint64_t(0));
}

void addTypes(Mangled& name, llvm::ArrayRef<llvm::Value*> arguments) {
  for (const llvm::Value* const argument : arguments) name.add(*argument->getType(), true);
}

/// A call of read_image. `addParameters` adds all parameters to its name.
llvm::Value* readTexel(FunctionReader& in, const Type& image, llvm::ArrayRef<llvm::Value*> arguments,
                       std::uint32_t operands, llvm::function_ref<void(Mangled&)> addParameters) {
  llvm::Type* const wanted = in.resultType().llvm;
  llvm::Type* const type = image.isDepth ? wanted->getScalarType() : wanted;
  llvm::Value* texel = nullptr;
  for (const std::string_view suffix : suffixesOf(in, wanted, operands)) {
    Mangled name(fmt::format("read_image{}", suffix));
    addParameters(name);
    llvm::Value* const read = in.call(name.text(), type, arguments, Effect::ReadsMemory);
    texel = texel ? in.builder().CreateOr(texel, read) : read;
  }
  return asResult(in, texel);
}

/// Operands: sampled image, coordinate, image operands.
llvm::Value* sampleImage(FunctionReader& in) {
  const FunctionReader::SampledImage pair = in.sampledImage(in.current()[0]);
  const Type& image = imageType(in, pair.image);
  llvm::Value& coordinate = in.operand(1);
  const Operands operands = operandsAt(in, 2);
  llvm::SmallVector<llvm::Value*, 5> arguments = {&in.value(pair.image), &in.value(pair.sampler), &coordinate};
  llvm::Value* const lod = isFirstLevel(operands.lod) ? nullptr : operands.lod;
  for (llvm::Value* const further : {lod, operands.gradX, operands.gradY})
    if (further) arguments.push_back(further);
  return readTexel(in, image, arguments, operands.mask, [&](Mangled& name) {
    name.addNamed(imageTypeName(image)).addNamed("ocl_sampler");
    addTypes(name, llvm::ArrayRef(arguments).drop_front(2));
  });
}

/// Operands: image, coordinate, image operands.
llvm::Value* readImage(FunctionReader& in) {
  const Type& image = imageType(in, in.current()[0]);
  llvm::Value& coordinate = integerAt(in, 1);
  const Operands operands = operandsAt(in, 2);
  llvm::SmallVector<llvm::Value*, 3> arguments = {&in.operand(0), &coordinate};
  if (operands.sample) arguments.push_back(operands.sample);
  return readTexel(in, image, arguments, operands.mask, [&](Mangled& name) {
    name.addNamed(imageTypeName(image));
    addTypes(name, llvm::ArrayRef(arguments).drop_front());
  });
}

/// Operands: image, coordinate, texel, image operands.
llvm::Value* writeImage(FunctionReader& in) {
  const Type& image = imageType(in, in.current()[0]);
  llvm::Value& coordinate = integerAt(in, 1);
  llvm::Value* texel = &in.operand(2);
  const Operands operands = operandsAt(in, 3);
  if (image.isDepth && texel->getType()->isVectorTy())
    texel = in.builder().CreateExtractElement(texel, std::uint64_t(0));
  llvm::SmallVector<llvm::Value*, 4> arguments = {&in.operand(0), &coordinate};
  if (!isFirstLevel(operands.lod)) arguments.push_back(operands.lod);
  arguments.push_back(texel);
  for (const std::string_view suffix : suffixesOf(in, texel->getType(), operands.mask)) {
    Mangled name(fmt::format("write_image{}", suffix));
    name.addNamed(imageTypeName(image));
    addTypes(name, llvm::ArrayRef(arguments).drop_front().drop_back());
    name.add(*texel->getType(), suffix != "ui");
    in.call(name.text(), in.builder().getVoidTy(), arguments);
  }
  return nullptr;
}

llvm::Value* query(FunctionReader& in, std::string_view function, llvm::Type* type) {
  const Type& image = imageType(in, in.current()[0]);
  return in.call(Mangled(function).addNamed(imageTypeName(image)).text(), type, {&in.operand(0)}, Effect::None);
}

/// The sizes of the image's dimensions, then the number of layers. Each level of detail has half of the one before.
llvm::Value* querySize(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  const Type& image = imageType(in, in.current()[0]);
  llvm::Type* const wanted = in.resultType().llvm;
  llvm::Type* const scalar = wanted->getScalarType();
  require(scalar->isIntegerTy(), in.current(), "its result is not of integers");
  llvm::Value* const lod = in.current().has(1) ? &integerAt(in, 1) : nullptr;
  llvm::SmallVector<llvm::Value*, 4> sizes;
  const auto add = [&](std::string_view function, bool isLevelled) {
    llvm::Value* size = query(in, function, builder.getInt32Ty());
    if (isLevelled && !isFirstLevel(lod)) {
      llvm::Value* const shifted = builder.CreateLShr(size, builder.CreateZExtOrTrunc(lod, builder.getInt32Ty()));
      size = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, shifted, builder.getInt32(1));
    }
    sizes.push_back(builder.CreateZExtOrTrunc(size, scalar));
  };
  add("get_image_width", true);
  if (image.dim == Dim::Dim2D || image.dim == Dim::Dim3D) add("get_image_height", true);
  if (image.dim == Dim::Dim3D) add("get_image_depth", true);
  if (image.isArrayed)
    sizes.push_back(builder.CreateZExtOrTrunc(query(in, "get_image_array_size", builder.getInt64Ty()), scalar));
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(wanted);
  require(sizes.size() == (vector ? vector->getNumElements() : 1), in.current(),
          "the image has {} sizes, its result has another number", sizes.size());
  if (!vector) return sizes[0];
  llvm::Value* made = llvm::PoisonValue::get(wanted);
  for (unsigned i = 0; i < sizes.size(); ++i) made = builder.CreateInsertElement(made, sizes[i], std::uint64_t(i));
  return made;
}

/// SPIR-V numbers formats and orders from 0, OpenCL C as CL_SNORM_INT8 and CL_R do, and modules of LLVM's target expect
/// those.
template <unsigned first>
llvm::Value* queryChannel(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  constexpr bool isOrder = first == 0x10B0;
  llvm::Value* const answer =
      query(in, isOrder ? "get_image_channel_order" : "get_image_channel_data_type", builder.getInt32Ty());
  return in.module().isOfLlvmsTarget() ? answer : builder.CreateSub(answer, builder.getInt32(first));
}

llvm::Value* queryLevels(FunctionReader& in) {
  return query(in, "get_image_num_mip_levels", in.builder().getInt32Ty());
}

llvm::Value* querySamples(FunctionReader& in) { return query(in, "get_image_num_samples", in.builder().getInt32Ty()); }

/// intel_sub_group_block_read_us2(image, coordinate) and its like: operands image, coordinate, and data to be written.
template <bool isRead>
llvm::Value* imageBlock(FunctionReader& in) {
  const Type& image = imageType(in, in.current()[0]);
  llvm::Value& coordinate = integerAt(in, 1);
  llvm::Type* const type = isRead ? in.resultType().llvm : integerAt(in, 2).getType();
  Mangled name(blockName(in, isRead ? "read" : "write", type));
  name.addNamed(imageTypeName(image)).add(*coordinate.getType(), true);
  if constexpr (isRead) return in.call(name.text(), type, {&in.operand(0), &coordinate});
  in.call(name.add(*type, false).text(), in.builder().getVoidTy(), {&in.operand(0), &coordinate, &in.operand(2)});
  return nullptr;
}

}  // namespace

void addImages(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::SampledImage, sampledImage);
  set(Op::Image, imageOfSampled);
  set(Op::ImageSampleExplicitLod, sampleImage);
  set(Op::ImageRead, readImage);
  set(Op::ImageFetch, readImage);
  set(Op::ImageWrite, writeImage);
  set(Op::ImageQuerySize, querySize);
  set(Op::ImageQuerySizeLod, querySize);
  set(Op::ImageQueryFormat, queryChannel<0x10D0>);
  set(Op::ImageQueryOrder, queryChannel<0x10B0>);
  set(Op::SubgroupImageBlockReadINTEL, imageBlock<true>);
  set(Op::SubgroupImageBlockWriteINTEL, imageBlock<false>);
  set(Op::ImageQueryLevels, queryLevels);
  set(Op::ImageQuerySamples, querySamples);
}

}  // namespace clarity::compiler::spirv
