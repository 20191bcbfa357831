// SPDX-License-Identifier: Apache-2.0
// This file makes kernels and writes their metadata, as frontend/kernel_info.h reads it.
#include "compiler/spirv/kernels.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/locations.h"
#include "compiler/spirv/aggregates.h"
#include "compiler/spirv/type_names.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace clarity::compiler::spirv {
namespace {

/// That of clang's constructors: those of a program run in the order of its modules.
constexpr int lastPriority = 65535;

bool isPassedInMemory(const Type& type) { return type.op == Op::TypeStruct || type.op == Op::TypeArray; }

/// A list of texts, one for each argument, that the producer of the module has put into an OpString:
/// "kernel_arg_type.NAME.int*,float4,". Empty if there is none.
std::vector<std::string> listFor(const Annotations& annotations, std::string_view what, const EntryPoint& entry,
                                 std::size_t count) {
  const std::string prefix = fmt::format("{}.{}.", what, entry.name);
  const auto& all = annotations.strings();
  for (auto at = all.lower_bound(prefix); at != all.end() && at->starts_with(prefix); ++at) {
    llvm::SmallVector<llvm::StringRef, 8> parts;
    llvm::StringRef(*at).drop_front(prefix.size()).split(parts, ',');
    if (parts.size() < count) continue;
    std::vector<std::string> list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(parts[i].str());
    return list;
  }
  return {};
}

std::string accessName(const Type& type) {
  if (type.op != Op::TypeImage && type.op != Op::TypePipe) return "none";
  return type.access == AccessQualifier::ReadOnly    ? "read_only"
         : type.access == AccessQualifier::WriteOnly ? "write_only"
                                                     : "read_write";
}

std::string qualifiersOf(const Annotations& annotations, std::uint32_t parameter, const Type& type) {
  std::string text;
  const auto add = [&](const char* word) { text += text.empty() ? word : std::string(" ") + word; };
  bool isConst = annotations.has(parameter, Decoration::Constant), isRestrict = false;
  for (const DecorationOf& given : annotations.decorationsOf(parameter)) {
    if (given.decoration == Decoration::Restrict) isRestrict = true;
    if (given.decoration != Decoration::FuncParamAttr || given.parameters.empty()) continue;
    const auto attribute = static_cast<FunctionParameterAttribute>(given.parameters[0]);
    isRestrict |= attribute == FunctionParameterAttribute::NoAlias;
    isConst |= attribute == FunctionParameterAttribute::NoWrite;
  }
  if (isConst) add("const");
  if (isRestrict) add("restrict");
  if (annotations.has(parameter, Decoration::Volatile)) add("volatile");
  if (type.op == Op::TypePipe) add("pipe");
  return text;
}

class MetadataWriter {
public:
  explicit MetadataWriter(llvm::Function& kernel) : kernel_(kernel), context_(kernel.getContext()) {}

  void texts(const char* name, const std::vector<std::string>& texts) {
    llvm::SmallVector<llvm::Metadata*, 8> parts;
    for (const std::string& text : texts) parts.push_back(llvm::MDString::get(context_, text));
    kernel_.setMetadata(name, llvm::MDNode::get(context_, parts));
  }

  void numbers(const char* name, llvm::ArrayRef<std::uint32_t> numbers) {
    llvm::SmallVector<llvm::Metadata*, 8> parts;
    for (const std::uint32_t number : numbers)
      parts.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), number)));
    kernel_.setMetadata(name, llvm::MDNode::get(context_, parts));
  }

private:
  llvm::Function& kernel_;
  llvm::LLVMContext& context_;
};

/// The numbers of a mode: literals, or constants that are known now, for the modes whose operands are ids.
llvm::SmallVector<std::uint32_t, 3> numbersOf(const ModuleReader& module, const ExecutionModeOf& mode, bool areIds) {
  const Instruction& user = *mode.instruction;
  const bool hasIds = user.op == Op::ExecutionModeId;
  require(hasIds == areIds, user, "the mode {} belongs to {}", nameOf(OperandKind::ExecutionMode_, user[1]),
          nameOf(areIds ? Op::ExecutionModeId : Op::ExecutionMode));
  llvm::SmallVector<std::uint32_t, 3> numbers;
  for (const std::uint32_t given : mode.parameters) {
    const std::uint64_t number = areIds ? module.number(given, user) : given;
    require(number <= 0xffffffff, user, "the number {} is larger than an int", number);
    numbers.push_back(static_cast<std::uint32_t>(number));
  }
  return numbers;
}

void writeModes(ModuleReader& module, const EntryPoint& entry, MetadataWriter& writer) {
  for (const ExecutionModeOf& mode : module.annotations().modesOf(entry.function)) {
    const auto write = [&](const char* name, bool areIds) { writer.numbers(name, numbersOf(module, mode, areIds)); };
    switch (mode.mode) {
      case ExecutionMode::LocalSize: write("reqd_work_group_size", false); break;
      case ExecutionMode::LocalSizeId: write("reqd_work_group_size", true); break;
      case ExecutionMode::LocalSizeHint: write("work_group_size_hint", false); break;
      case ExecutionMode::LocalSizeHintId: write("work_group_size_hint", true); break;
      case ExecutionMode::SubgroupSize: write("intel_reqd_sub_group_size", false); break;
      case ExecutionMode::SubgroupsPerWorkgroup: write(requiredSubGroupsMetadata, false); break;
      case ExecutionMode::SubgroupsPerWorkgroupId: write(requiredSubGroupsMetadata, true); break;
      case ExecutionMode::Finalizer:
        refuse(*entry.instruction, "it is to run when the program ends, and nothing tells a device when that is");
      default: break;
    }
  }
}

}  // namespace

bool isInitializer(const ModuleReader& module, const EntryPoint& entry) {
  return llvm::any_of(module.annotations().modesOf(entry.function),
                      [](const ExecutionModeOf& mode) { return mode.mode == ExecutionMode::Initializer; });
}

void addInitializer(ModuleReader& module, const EntryPoint& entry, llvm::Function& function) {
  require(function.arg_empty(), *entry.instruction, "it is an initialiser and has parameters");
  llvm::appendToGlobalCtors(module.module(), &function, lastPriority);
}

bool needsWrapper(const ModuleReader& module, const FunctionRange& range) {
  for (const Instruction& parameter : range.parameters) {
    const Type& type = module.types().at(parameter.type, parameter);
    if (isPassedInMemory(type) || type.op == Op::TypeBool) return true;
  }
  return false;
}

llvm::Function* wrapperOf(ModuleReader& module, const EntryPoint& entry, const FunctionRange& range) {
  llvm::LLVMContext& context = module.context();
  llvm::SmallVector<llvm::Type*, 8> parameters;
  for (const Instruction& parameter : range.parameters) {
    const Type& type = module.types().at(parameter.type, parameter);
    parameters.push_back(isPassedInMemory(type)    ? llvm::PointerType::get(context, 0)
                         : type.op == Op::TypeBool ? llvm::Type::getInt8Ty(context)
                                                   : type.llvm);
  }
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
  llvm::Function* const kernel =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, entry.name, module.module());
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", kernel));
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (unsigned i = 0; i < parameters.size(); ++i) {
    const Type& given = module.types().at(range.parameters[i].type, range.parameters[i]);
    llvm::Argument& argument = *kernel->getArg(i);
    if (isPassedInMemory(given)) {
      argument.addAttr(llvm::Attribute::getWithByValType(context, given.llvm));
      argument.addAttr(llvm::Attribute::getWithAlignment(context, module.layout().getABITypeAlign(given.llvm)));
      arguments.push_back(loadParts(builder, given.llvm, &argument, module.layout().getABITypeAlign(given.llvm),
                                    range.parameters[i], [](llvm::Instruction&) {}));
    } else if (given.op == Op::TypeBool) {
      arguments.push_back(builder.CreateIsNotNull(&argument));
    } else {
      arguments.push_back(&argument);
      for (const llvm::Attribute attribute : range.function->getAttributes().getParamAttrs(i))
        argument.addAttr(attribute);
    }
  }
  llvm::CallInst* const call = builder.CreateCall(range.function, arguments);
  call->setCallingConv(range.function->getCallingConv());
  call->setAttributes(range.function->getAttributes().removeFnAttributes(context));
  builder.CreateRetVoid();
  placeWrapper(*kernel, *range.function);
  return kernel;
}

void describeKernel(ModuleReader& module, const EntryPoint& entry, const FunctionRange& range, llvm::Function& kernel) {
  const Annotations& annotations = module.annotations();
  const std::size_t count = range.parameters.size();
  std::vector<std::string> names, types, qualifiers, access;
  llvm::SmallVector<std::uint32_t, 8> spaces;
  for (const Instruction& parameter : range.parameters) {
    const Type& type = module.types().at(parameter.type, parameter);
    names.emplace_back(annotations.nameOf(parameter.result));
    types.push_back(typeName(module, type, parameter));
    qualifiers.push_back(qualifiersOf(annotations, parameter.result, type));
    access.push_back(accessName(type));
    const bool isInMemory = type.op == Op::TypeImage || type.op == Op::TypePipe;
    spaces.push_back(type.isPointer() ? type.llvm->getPointerAddressSpace() : isInMemory ? 1 : 0);
  }
  if (auto given = listFor(annotations, "kernel_arg_type", entry, count); !given.empty()) types = std::move(given);
  if (auto given = listFor(annotations, "kernel_arg_type_qual", entry, count); !given.empty())
    qualifiers = std::move(given);
  MetadataWriter writer(kernel);
  writer.numbers("kernel_arg_addr_space", spaces);
  writer.texts("kernel_arg_access_qual", access);
  writer.texts("kernel_arg_type", types);
  writer.texts("kernel_arg_base_type", types);
  writer.texts("kernel_arg_type_qual", qualifiers);
  writer.texts("kernel_arg_name", names);
  writeModes(module, entry, writer);
  kernel.setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
  kernel.setConvergent();
  kernel.setDoesNotThrow();
  kernel.addFnAttr("uniform-work-group-size", "false");
}

}  // namespace clarity::compiler::spirv
