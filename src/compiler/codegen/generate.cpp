// SPDX-License-Identifier: Apache-2.0
// This file makes native code: out of the cache, or through the pipeline and the code generator into it.
#include "compiler/cache.h"
#include "compiler/context.h"
#include "compiler/codegen/emit.h"
#include "compiler/codegen/host_jit.h"
#include "compiler/codegen/machine.h"
#include "compiler/frontend/options.h"
#include "compiler/inspect.h"
#include "compiler/pipeline.h"
#include "compiler/worker.h"
#include "support/bytes.h"
#include "support/disk_cache.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace clarity::compiler {
namespace {

/// The code of a kernel before it is loaded; what the cache keeps.
struct Native {
  std::uint64_t spillBytesPerItem = 0, chunkItems = 0, interleavedGroups = 1;
  std::array<std::uint32_t, 3> tile{1, 1, 1};
  bool groupAgnostic = false;
  std::string remarks;
  std::string object;
  std::string error;
};

class JitKernel final : public NativeKernel {
public:
  explicit JitKernel(std::unique_ptr<LoadedCode> loaded) : code_(std::move(loaded)) {
    entry = reinterpret_cast<Entry>(const_cast<void*>(code_->entry));
    code = {static_cast<const std::byte*>(code_->entry), code_->entryBytes};
  }

private:
  std::unique_ptr<LoadedCode> code_;
};

/// How the image was made says how its native code is made.
Options optionsOf(const Image& image) { return parseOptions(image.options, OptionsFor::Any).value_or(Options{}); }

/// A kernel of the application's, or the one that runs constructors.
const KernelInfo* findKernel(const Image& image, std::string_view kernel) {
  const auto& constructors = image.scope.constructors;
  return constructors && constructors->name == kernel ? &*constructors : image.find(kernel);
}

std::unique_ptr<llvm::Module> readKernel(llvm::LLVMContext& context, const Image& image, std::string_view kernel, std::string& error) {
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(llvm::StringRef(image.bitcode), "kernels"), context);
  if (!module) {
    error = llvm::toString(module.takeError());
    return nullptr;
  }
  if (!(*module)->getFunction(llvm::StringRef(kernel))) {
    error = fmt::format("kernel '{}' is not in the program's code", kernel);
    return nullptr;
  }
  // Other kernels stay unread: their bodies are dropped, not parsed.
  const auto drop = [&](const KernelInfo& other) {
    llvm::Function* function = other.name == kernel ? nullptr : (*module)->getFunction(other.name);
    if (function && function->use_empty()) function->eraseFromParent();
  };
  for (const KernelInfo& other : image.kernels) drop(other);
  if (image.scope.constructors) drop(*image.scope.constructors);
  if (llvm::Error failure = (*module)->materializeAll()) {
    error = llvm::toString(std::move(failure));
    return nullptr;
  }
  return std::move(*module);
}

std::string emitKernel(const Image& image, std::string_view kernel, const Shape& shape, const Target& target, NativeForm form, NativeFacts& facts,
                       std::string& error) {
  const KernelInfo* info = findKernel(image, kernel);
  if (!info) {
    error = fmt::format("the program has no kernel '{}'", kernel);
    return {};
  }
  CollectingContext context;
  const Options options = optionsOf(image);
  const auto machine = machineFor(target, !options.optDisable);
  if (!machine) {
    error = "no code generator for this processor";
    return {};
  }
  const auto module = readKernel(context, image, kernel, error);
  if (!module) return {};
  facts = toNativeIR(*module, *info, shape, options, target, *machine);
  if (!facts.error.empty()) {
    error = facts.error;
    return {};
  }
  if (form == NativeForm::IR) {
    std::string text;
    llvm::raw_string_ostream out(text);
    module->print(out, nullptr);
    return text;
  }
  std::string code = emit(*module, *machine, form == NativeForm::Object ? EmitKind::Object : EmitKind::Assembly, error);
  if (context.errors.empty()) return code;
  error += context.errors;
  return {};
}

support::Hash128 keyOf(const Image& image, std::string_view kernel, const Shape& shape, const Target& target) {
  support::Hasher hasher = cacheKey("native code", target);
  hasher.add(image.hash[0]).add(image.hash[1]).add(kernel);
  for (const std::uint32_t size : shape.local) hasher.add(size);
  hasher.add(shape.wideIds).add(shape.nonTemporal).add(shape.interchange).add(shape.privateReductions);
  return hasher.finish();
}

std::string pack(const Native& native) {
  support::ByteWriter writer;
  writer.number<std::uint64_t>(native.spillBytesPerItem);
  writer.number<std::uint64_t>(native.chunkItems);
  writer.number<std::uint64_t>(native.interleavedGroups);
  writer.number<std::uint8_t>(native.groupAgnostic);
  for (const std::uint32_t items : native.tile) writer.number<std::uint32_t>(items);
  writer.text(native.remarks).text(native.object);
  return writer.take();
}

bool unpack(std::string_view bytes, Native& native) {
  support::ByteReader reader(bytes);
  native.spillBytesPerItem = reader.number<std::uint64_t>();
  native.chunkItems = reader.number<std::uint64_t>();
  native.interleavedGroups = reader.number<std::uint64_t>();
  native.groupAgnostic = reader.number<std::uint8_t>() != 0;
  for (std::uint32_t& items : native.tile) items = reader.number<std::uint32_t>();
  native.remarks = reader.text();
  native.object = reader.text();
  return reader.ok();
}

}  // namespace

std::string imageText(const Image& image, std::string& log) {
  CollectingContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(llvm::StringRef(image.bitcode), "image"), context);
  if (!module) {
    log += llvm::toString(module.takeError());
    return {};
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  (*module)->print(out, nullptr);
  return text;
}

std::string generateText(const Image& image, std::string_view kernel, const Shape& shape, const Target& target, NativeForm form, std::string& log) {
  Status status;
  struct Text {
    std::string text, error;
  };
  const auto result = makeGuarded<Text>([&](Text& made) {
    NativeFacts facts;
    made.text = emitKernel(image, kernel, shape, target, form, facts, made.error);
  }, status, log);
  if (!result) return {};
  log += result->error;
  return result->text;
}

NativeOutcome generate(const Image& image, std::string_view kernel, const Shape& shape, const Target& target, std::byte* variables) {
  NativeOutcome outcome;
  support::DiskCache& kept = cache();
  const support::Hash128 key = keyOf(image, kernel, shape, target);
  auto native = std::make_unique<Native>();
  bool fromCache = false;
  if (const auto bytes = kept.get(key)) fromCache = unpack(*bytes, *native);
  if (!fromCache) {
    native = makeGuarded<Native>([&](Native& made) {
      NativeFacts facts;
      made.object = emitKernel(image, kernel, shape, target, NativeForm::Object, facts, made.error);
      made.spillBytesPerItem = facts.spillBytesPerItem;
      made.chunkItems = facts.chunkItems;
      made.interleavedGroups = facts.interleavedGroups;
      made.tile = facts.tile;
      made.remarks = facts.remarks;
      made.groupAgnostic = facts.groupAgnostic;
    }, outcome.status, outcome.log);
    if (!native) return outcome;
    if (native->object.empty()) {
      outcome.status = Status::Internal;
      outcome.log += native->error;
      return outcome;
    }
    kept.put(key, pack(*native));
  }
  std::string error;
  // The code is everybody's; where its variables are is this program object's.
  auto code = loadObject(native->object, entrySymbol, [&](std::string_view symbol) -> void* {
    const GlobalVariables::Variable* variable = variables ? image.scope.variables.find(symbol) : nullptr;
    return variable ? variables + variable->offset : nullptr;
  }, error);
  if (!code) {
    if (fromCache) kept.remove(key);
    outcome.status = Status::Internal;
    outcome.log += fmt::format("the code of kernel '{}' could not be loaded: {}", kernel, error);
    return outcome;
  }
  auto result = std::make_shared<JitKernel>(std::move(code));
  result->groupAgnostic = native->groupAgnostic;
  result->spillBytesPerItem = native->spillBytesPerItem;
  result->chunkItems = native->chunkItems;
  result->interleavedGroups = native->interleavedGroups;
  result->tile = native->tile;
  result->fromCache = fromCache;
  result->remarks = std::move(native->remarks);
  outcome.kernel = std::move(result);
  return outcome;
}

}  // namespace clarity::compiler
