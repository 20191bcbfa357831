// SPDX-License-Identifier: Apache-2.0
// This file reads kernel_arg_* and work-group metadata as clang writes them for OpenCL.
#include "compiler/frontend/kernel_info.h"

#include "compiler/frontend/blocks.h"
#include "compiler/frontend/parameter_notes.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/image_descriptor.h"
#include "compiler/ir/shape.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>

namespace clarity::compiler {
namespace {

// CL_KERNEL_ARG_ACCESS_*, CL_KERNEL_ARG_TYPE_*: this folder does not include cl.h.
constexpr std::uint32_t readOnly = 0x11A0, writeOnly = 0x11A1, readWrite = 0x11A2, noAccess = 0x11A3;
constexpr std::uint64_t constBit = 1, restrictBit = 2, volatileBit = 4, pipeBit = 8;

/// A metadata node of the kernel, whose operands may be missing.
class Node {
public:
  Node(const llvm::Function& function, llvm::StringRef name) : node_(function.getMetadata(name)) {}

  explicit operator bool() const { return node_; }

  llvm::StringRef text(unsigned index) const {
    const auto* string = operand<llvm::MDString>(index);
    return string ? string->getString() : llvm::StringRef();
  }

  std::uint64_t number(unsigned index) const {
    const auto* constant = operand<llvm::ConstantAsMetadata>(index);
    const auto* integer = constant ? llvm::dyn_cast<llvm::ConstantInt>(constant->getValue()) : nullptr;
    return integer ? integer->getZExtValue() : 0;
  }

  const llvm::Type* type(unsigned index) const {
    const auto* constant = operand<llvm::ConstantAsMetadata>(index);
    return constant ? constant->getValue()->getType() : nullptr;
  }

private:
  template <class T>
  const T* operand(unsigned index) const {
    if (!node_ || index >= node_->getNumOperands()) return nullptr;
    return llvm::dyn_cast_or_null<T>(node_->getOperand(index).get());
  }

  const llvm::MDNode* node_;
};

AddressQualifier addressQualifier(unsigned space) {
  switch (space) {
    case 1: return AddressQualifier::Global;
    case 2: return AddressQualifier::Constant;
    case 3: return AddressQualifier::Local;
    default: return AddressQualifier::Private;
  }
}

std::uint32_t accessQualifier(llvm::StringRef name) {
  if (name == "read_only") return readOnly;
  if (name == "write_only") return writeOnly;
  if (name == "read_write") return readWrite;
  return noAccess;
}

std::uint64_t typeQualifiers(llvm::StringRef names) {
  std::uint64_t bits = 0;
  llvm::SmallVector<llvm::StringRef, 4> words;
  names.split(words, ' ', -1, false);
  for (const llvm::StringRef word : words)
    bits |= word == "const"      ? constBit
            : word == "restrict" ? restrictBit
            : word == "volatile" ? volatileBit
            : word == "pipe"     ? pipeBit
                                 : 0;
  return bits;
}

/// Images, samplers and pipes are opaque types of SPIR-V.
std::optional<ArgKind> opaqueKind(const llvm::Type& type) {
  const auto* opaque = llvm::dyn_cast<llvm::TargetExtType>(&type);
  if (!opaque) return std::nullopt;
  const llvm::StringRef name = opaque->getName();
  if (name == "spirv.Sampler") return ArgKind::Sampler;
  if (name == "spirv.Pipe") return ArgKind::Pipe;
  if (name == "spirv.Queue") return ArgKind::Queue;
  return ArgKind::Image;
}

/// The type that an argument is declared as, from the parameters of spirv.Image: dimension, depth, arrayed, samples.
ImageArgType imageType(const llvm::Type& type) {
  const auto& opaque = llvm::cast<llvm::TargetExtType>(type);
  if (opaque.getName() != "spirv.Image" || opaque.getNumIntParameters() < 4) return ImageArgType::Other;
  const unsigned dimension = opaque.getIntParameter(0);
  const bool depth = opaque.getIntParameter(1) == 1, array = opaque.getIntParameter(2) == 1;
  if (opaque.getIntParameter(3) != 0) return ImageArgType::Other;
  switch (dimension) {
    case 0: return array ? ImageArgType::Image1DArray : ImageArgType::Image1D;
    case 1:
      if (depth) return array ? ImageArgType::Image2DArrayDepth : ImageArgType::Image2DDepth;
      return array ? ImageArgType::Image2DArray : ImageArgType::Image2D;
    case 2: return ImageArgType::Image3D;
    case 5: return ImageArgType::Image1DBuffer;
    default: return ImageArgType::Other;
  }
}

/// The longest KernelArg::layout; the numbers behind are left out.
constexpr std::size_t mostText = 2000;

void addNumber(bool isInteger, std::uint64_t bytes, std::uint64_t offset, std::string& text) {
  text += fmt::format("{}{}{}@{}", text.empty() ? "" : " ", isInteger ? 'i' : 'f', bytes, offset);
}

/// Appends the numbers in a type to KernelArg::layout.
void addNumbers(llvm::Type& type, std::uint64_t offset, const llvm::DataLayout& layout, std::string& text) {
  if (text.size() > mostText) return;
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) {
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      addNumbers(*structure->getElementType(i), offset + layout.getStructLayout(structure)->getElementOffset(i), layout,
                 text);
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    const std::uint64_t step = layout.getTypeAllocSize(array->getElementType());
    for (std::uint64_t i = 0; i < array->getNumElements() && text.size() <= mostText; ++i)
      addNumbers(*array->getElementType(), offset + i * step, layout, text);
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) {
    const std::uint64_t step = layout.getTypeStoreSize(vector->getElementType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      addNumbers(*vector->getElementType(), offset + i * step, layout, text);
  } else if (type.isIntegerTy() || type.isFloatingPointTy()) {
    addNumber(type.isIntegerTy(), layout.getTypeStoreSize(&type).getFixedValue(), offset, text);
  }
}

/// Without names for the same type and qualifiers.
const llvm::DIType* plain(const llvm::DIType* type) {
  using namespace llvm::dwarf;
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    const unsigned tag = derived->getTag();
    if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
        tag != DW_TAG_restrict_type && tag != DW_TAG_atomic_type)
      break;
    type = derived->getBaseType();
  }
  return type;
}

bool addDebugNumbers(const llvm::DIType* type, std::uint64_t offset, std::string& text);

bool addMembers(const llvm::DICompositeType& structure, std::uint64_t offset, std::string& text) {
  for (const llvm::DINode* const element : structure.getElements()) {
    const auto* const member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
    if (!member || member->isStaticMember()) continue;
    if (member->getTag() != llvm::dwarf::DW_TAG_member && member->getTag() != llvm::dwarf::DW_TAG_inheritance) continue;
    if (member->isBitField() || !addDebugNumbers(member->getBaseType(), offset + member->getOffsetInBits() / 8, text))
      return false;
  }
  return true;
}

bool addElements(const llvm::DICompositeType& array, std::uint64_t offset, std::string& text) {
  const llvm::DIType* const element = plain(array.getBaseType());
  if (!element || element->getSizeInBits() == 0) return false;
  std::uint64_t count = 1;
  for (const llvm::DINode* const range : array.getElements()) {
    const auto* const subrange = llvm::dyn_cast_or_null<llvm::DISubrange>(range);
    const auto* const given = subrange ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(subrange->getCount()) : nullptr;
    if (!given) return false;
    count *= given->getZExtValue();
  }
  for (std::uint64_t i = 0; i < count && text.size() <= mostText; ++i)
    if (!addDebugNumbers(element, offset + i * (element->getSizeInBits() / 8), text)) return false;
  return true;
}

/// The same of a type of the source. False: it has members of which this cannot be said, such as those of a union.
bool addDebugNumbers(const llvm::DIType* type, std::uint64_t offset, std::string& text) {
  type = plain(type);
  if (!type) return false;
  if (text.size() > mostText) return true;
  if (const auto* const basic = llvm::dyn_cast<llvm::DIBasicType>(type)) {
    addNumber(basic->getEncoding() != llvm::dwarf::DW_ATE_float, basic->getSizeInBits() / 8, offset, text);
    return true;
  }
  switch (type->getTag()) {
    case llvm::dwarf::DW_TAG_enumeration_type:
    case llvm::dwarf::DW_TAG_pointer_type: addNumber(true, type->getSizeInBits() / 8, offset, text); return true;
    case llvm::dwarf::DW_TAG_structure_type:
    case llvm::dwarf::DW_TAG_class_type: return addMembers(llvm::cast<llvm::DICompositeType>(*type), offset, text);
    case llvm::dwarf::DW_TAG_array_type: return addElements(llvm::cast<llvm::DICompositeType>(*type), offset, text);
    default: return false;
  }
}

/// Null where the program has no debugging information.
const llvm::DIType* debugTypeOf(const llvm::Argument& argument) {
  const llvm::DISubprogram* const program = argument.getParent()->getSubprogram();
  const llvm::DITypeRefArray types = program && program->getType() ? program->getType()->getTypeArray() : nullptr;
  const unsigned index = argument.getArgNo() + 1;  // behind the result's
  return types && index < types.size() ? plain(types[index]) : nullptr;
}

/// Describes the elements that a pointer among the arguments points at, where the program has debugging information.
void describeElement(const llvm::Argument& argument, KernelArg& arg) {
  const auto* const pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(debugTypeOf(argument));
  const llvm::DIType* const element = pointer ? plain(pointer->getBaseType()) : nullptr;
  if (!element || element->getSizeInBits() == 0) return;
  arg.elementBytes = element->getSizeInBits() / 8;
  if (!addDebugNumbers(element, 0, arg.layout)) arg.layout.clear();
}

KernelArg argumentOf(const llvm::Argument& argument, const llvm::DataLayout& layout) {
  const llvm::Function& kernel = *argument.getParent();
  const unsigned index = argument.getArgNo();
  llvm::Type& type = *argument.getType();

  KernelArg arg;
  arg.name = Node(kernel, "kernel_arg_name").text(index);
  arg.typeName = Node(kernel, "kernel_arg_type").text(index);
  arg.access = accessQualifier(Node(kernel, "kernel_arg_access_qual").text(index));
  arg.typeQualifiers = typeQualifiers(Node(kernel, "kernel_arg_type_qual").text(index));
  arg.size = arg.align = 8;
  const llvm::AttributeSet attributes = kernel.getAttributes().getParamAttrs(index);
  if (attributes.hasAttribute(capturedAttribute))
    (void)attributes.getAttribute(capturedAttribute).getValueAsString().getAsInteger(10, arg.capturedAt);
  if (const std::optional<ArgKind> kind = opaqueKind(type)) {
    arg.kind = *kind;
    if (arg.kind == ArgKind::Image) {
      arg.image = imageType(type);
      arg.size = sizeof(ImageDescriptor);
      arg.align = imageDescriptorAlign;
    }
    if (arg.kind == ArgKind::Pipe) arg.elementBytes = Node(kernel, pipePacketsMetadata).number(index);
    const bool isValue = arg.kind == ArgKind::Sampler || arg.kind == ArgKind::Queue;
    arg.address = isValue ? AddressQualifier::Private : AddressQualifier::Global;
  } else if (argument.hasByValAttr()) {
    arg.size = layout.getTypeAllocSize(argument.getParamByValType()).getFixedValue();
    // The type of LLVM has the space between members as members, too.
    if (const llvm::DIType* const type = debugTypeOf(argument); type && !addDebugNumbers(type, 0, arg.layout))
      arg.layout.clear();
    else if (!type)
      addNumbers(*argument.getParamByValType(), 0, layout, arg.layout);
    arg.align = argument.getParamAlign().value_or(layout.getABITypeAlign(argument.getParamByValType())).value();
  } else if (const auto* pointer = llvm::dyn_cast<llvm::PointerType>(&type)) {
    arg.address = addressQualifier(pointer->getAddressSpace());
    arg.kind = arg.address == AddressQualifier::Local ? ArgKind::Local : ArgKind::Buffer;
    arg.align = argument.getParamAlign().valueOrOne().value();
    if (arg.kind == ArgKind::Buffer) describeElement(argument, arg);
  } else {
    arg.size = layout.getTypeAllocSize(&type).getFixedValue();
    arg.align = layout.getABITypeAlign(&type).value();
    // The attribute means nothing on what is no number, and neither does the metadata of portable IR.
    const bool isNumber = type.isIntegerTy() || type.isFloatingPointTy();
    arg.isConstant = isNumber && arg.size <= sizeof(ConstantArgument::bits) &&
                     Node(kernel, constantParametersMetadata).number(index) != 0;
  }
  return arg;
}

std::array<std::uint32_t, 3> sizes(const Node& node) {
  std::array<std::uint32_t, 3> result{};
  if (!node) return result;
  for (unsigned i = 0; i < 3; ++i) result[i] = static_cast<std::uint32_t>(node.number(i));
  return result;
}

/// "float4" for the type of a vec_type_hint; its name in the source is not recorded.
std::string nameOfHint(const llvm::Type& type, bool isSigned) {
  const llvm::Type& element = *type.getScalarType();
  std::string name;
  if (element.isHalfTy()) name = "half";
  if (element.isFloatTy()) name = "float";
  if (element.isDoubleTy()) name = "double";
  if (element.isIntegerTy()) {
    const unsigned bits = element.getIntegerBitWidth();
    name = fmt::format("{}{}", isSigned ? "" : "u",
                       bits == 8    ? "char"
                       : bits == 16 ? "short"
                       : bits == 32 ? "int"
                                    : "long");
  }
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    name += std::to_string(vector->getNumElements());
  return name;
}

/// CL_KERNEL_ATTRIBUTES: "Kernel attributes are returned as a single space-separated list" (table 34).
std::string attributesOf(const llvm::Function& kernel) {
  std::string text;
  const auto add = [&](std::string attribute) { text += (text.empty() ? "" : " ") + attribute; };
  const auto addSizes = [&](const char* name) {
    if (const Node node(kernel, name); node)
      add(fmt::format("{}({},{},{})", name, node.number(0), node.number(1), node.number(2)));
  };
  addSizes("reqd_work_group_size");
  addSizes("work_group_size_hint");
  if (const Node node(kernel, "vec_type_hint"); node && node.type(0))
    add(fmt::format("vec_type_hint({})", nameOfHint(*node.type(0), node.number(1) != 0)));
  if (const Node node(kernel, "intel_reqd_sub_group_size"); node)
    add(fmt::format("intel_reqd_sub_group_size({})", node.number(0)));
  return text;
}

}  // namespace

void placeArguments(KernelInfo& kernel) {
  std::uint32_t end = 0;
  for (KernelArg& arg : kernel.args) {
    const std::uint32_t align = arg.kind == ArgKind::Value ? std::max(arg.align, 1u) : 8;
    arg.offset = (end + align - 1) / align * align;
    end = arg.offset + arg.size;
  }
  kernel.argBlockBytes = std::max(end, 8u);  // a kernel without arguments has a block, too
}

KernelInfo kernelInfoOf(const llvm::Function& function, const Options& options) {
  KernelInfo kernel;
  kernel.name = function.getName();
  kernel.isBlock = isBlock(function);
  kernel.attributes = attributesOf(function);
  kernel.requiredLocalSize = sizes(Node(function, "reqd_work_group_size"));
  kernel.localSizeHint = sizes(Node(function, "work_group_size_hint"));
  if (const Node size(function, "intel_reqd_sub_group_size"); size)
    kernel.requiredSubGroupSize = static_cast<std::uint32_t>(size.number(0));
  if (const Node count(function, requiredSubGroupsMetadata); count)
    kernel.requiredSubGroups = static_cast<std::uint32_t>(count.number(0));
  kernel.uniformWorkGroups = options.uniformWorkGroups();
  for (const llvm::Argument& argument : function.args())
    kernel.args.push_back(argumentOf(argument, function.getDataLayout()));
  placeArguments(kernel);
  return kernel;
}

std::vector<KernelInfo> kernelInfoOf(const llvm::Module& module, const Options& options) {
  std::vector<KernelInfo> kernels;
  for (const llvm::Function& function : module) {
    // clang emits constructors as hidden kernels.
    if (function.isDeclaration() || function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL ||
        (function.hasLocalLinkage() && !isBlock(function)))
      continue;
    kernels.push_back(kernelInfoOf(function, options));
  }
  return kernels;
}

}  // namespace clarity::compiler
