// SPDX-License-Identifier: Apache-2.0
// This file is compile(), link() and build(): front end, linker and pipeline behind the disk cache.
#include "compiler/cache.h"
#include "compiler/compiler.h"
#include "compiler/context.h"
#include "compiler/frontend/clang.h"
#include "compiler/frontend/dependencies.h"
#include "compiler/frontend/kernel_info.h"
#include "compiler/frontend/options.h"
#include "compiler/image.h"
#include "compiler/pipeline.h"
#include "compiler/worker.h"
#include "support/bytes.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// What a guarded compile leaves behind.
struct Work {
  Outcome outcome;
  std::vector<Dependency> dependencies;
  bool cacheable = false;
};

Outcome failed(Status status, std::string log) { return {status, std::move(log), nullptr, false}; }

std::shared_ptr<Image> imageOf(const llvm::Module& module, ImageKind kind, std::string_view options, std::vector<KernelInfo> kernels,
                               const Target& target) {
  auto image = std::make_shared<Image>();
  image->kind = kind;
  image->options = options;
  image->kernels = std::move(kernels);
  llvm::raw_string_ostream out(image->bitcode);
  llvm::WriteBitcodeToFile(module, out);
  seal(*image, target);
  return image;
}

/// The last step of a build: portable IR to an Executable.
Outcome finish(llvm::Module& module, const CollectingContext& context, const Options& options, const Target& target, std::string log) {
  std::vector<KernelInfo> kernels = kernelInfoOf(module, options);
  if (llvm::Error error = toKernelIR(module, kernels, options, target)) {
    log += llvm::toString(std::move(error)) + context.errors;
    return failed(Status::LinkFailure, std::move(log));
  }
  return {Status::Ok, std::move(log), imageOf(module, ImageKind::Executable, options.text, std::move(kernels), target), false};
}

void compileInto(Work& work, std::string_view source, std::span<const Header> headers, const Options& options, const Target& target,
                 bool toExecutable) {
  CollectingContext context;
  FrontendResult result = compileToPortableIR(context, source, headers, options, target);
  result.log = options.remarks + result.log;
  if (result.status != Status::Ok) {
    work.outcome = failed(result.status, std::move(result.log));
    return;
  }
  work.dependencies = std::move(result.dependencies);
  work.cacheable = !result.timeDependent;
  if (toExecutable) {
    work.outcome = finish(*result.module, context, options, target, std::move(result.log));
  } else {
    std::vector<KernelInfo> kernels = kernelInfoOf(*result.module, options);
    work.outcome = {Status::Ok, std::move(result.log), imageOf(*result.module, ImageKind::Object, options.text, std::move(kernels), target), false};
  }
}

Outcome runCompile(std::string_view source, std::span<const Header> headers, const Options& options, const Target& target, bool toExecutable,
                   Work* kept = nullptr) {
  Status status;
  std::string log;
  const auto work = makeGuarded<Work>([&](Work& made) { compileInto(made, source, headers, options, target, toExecutable); }, status, log);
  if (!work) return failed(status, std::move(log));
  Outcome outcome = work->outcome;
  if (kept) *kept = std::move(*work);
  return outcome;
}

// --- the cache ------------------------------------------------------------------------------------------------------

std::string packEntry(const Work& work, const Target& target) {
  support::ByteWriter writer;
  writer.number<std::uint64_t>(work.dependencies.size());
  for (const Dependency& dependency : work.dependencies)
    writer.text(dependency.path).number(static_cast<std::uint8_t>(dependency.state)).number(dependency.hash.high).number(dependency.hash.low);
  writer.text(work.outcome.log).text(serialise(*work.outcome.image, target));
  return writer.take();
}

/// The outcome that an entry holds; not Ok when the entry is damaged or files that it depends on have changed.
Outcome unpackEntry(std::string_view bytes, const Target& target) {
  support::ByteReader reader(bytes);
  Outcome outcome = failed(Status::InvalidBinary, {});
  const std::uint64_t count = reader.count(25);
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    Dependency dependency;
    dependency.path = reader.text();
    dependency.state = static_cast<Dependency::State>(reader.number<std::uint8_t>());
    dependency.hash.high = reader.number<std::uint64_t>();
    dependency.hash.low = reader.number<std::uint64_t>();
    if (!reader.ok() || !stillHolds(dependency)) return outcome;
  }
  outcome.log = reader.text();
  const std::string_view image = reader.text();
  if (!reader.ok()) return outcome;
  std::string why;
  outcome.image = deserialise(std::as_bytes(std::span(image)), target, why);
  outcome.status = outcome.image ? Status::Ok : Status::InvalidBinary;
  outcome.fromCache = true;
  return outcome;
}

// --- linking --------------------------------------------------------------------------------------------------------

std::unique_ptr<llvm::Module> join(CollectingContext& context, std::span<const std::shared_ptr<const Image>> images, std::string& log) {
  std::unique_ptr<llvm::Module> whole;
  for (const auto& image : images) {
    auto part = llvm::parseBitcodeFile(llvm::MemoryBufferRef(llvm::StringRef(image->bitcode), "program"), context);
    if (!part) {
      log += llvm::toString(part.takeError()) + "\n";
      return nullptr;
    }
    if (!whole) {
      whole = std::move(*part);
    } else if (llvm::Linker::linkModules(*whole, std::move(*part))) {
      log += context.errors;
      return nullptr;
    }
  }
  return whole;
}

/// Kernels were compiled with options of their own: what only those say is taken from them.
void restoreInfos(std::vector<KernelInfo>& kernels, std::span<const std::shared_ptr<const Image>> images) {
  for (KernelInfo& kernel : kernels)
    for (const auto& image : images)
      if (const KernelInfo* compiled = image->find(kernel.name)) kernel.uniformWorkGroups = compiled->uniformWorkGroups;
}

void linkInto(Work& work, std::span<const std::shared_ptr<const Image>> images, const Options& options, const Target& target) {
  CollectingContext context;
  std::string log = options.remarks;
  const auto module = join(context, images, log);
  if (!module) {
    work.outcome = failed(Status::LinkFailure, std::move(log));
    return;
  }
  if (options.createLibrary) {
    std::vector<KernelInfo> kernels = kernelInfoOf(*module, options);
    restoreInfos(kernels, images);
    work.outcome = {Status::Ok, std::move(log), imageOf(*module, ImageKind::Library, options.text, std::move(kernels), target), false};
    return;
  }
  Options effective = options;
  for (const auto& image : images)
    if (const auto compiled = parseOptions(image->options, OptionsFor::Build)) effective.optDisable |= compiled->optDisable;
  std::vector<KernelInfo> kernels = kernelInfoOf(*module, effective);
  restoreInfos(kernels, images);
  if (llvm::Error error = toKernelIR(*module, kernels, effective, target)) {
    work.outcome = failed(Status::LinkFailure, log + llvm::toString(std::move(error)) + context.errors);
    return;
  }
  work.outcome = {Status::Ok, std::move(log), imageOf(*module, ImageKind::Executable, options.text, std::move(kernels), target), false};
}

}  // namespace

Outcome compile(std::string_view source, std::span<const Header> headers, std::string_view text, const Target& target) {
  const auto options = parseOptions(text, OptionsFor::Compile);
  if (!options) return failed(Status::InvalidOptions, options.error());
  return runCompile(source, headers, *options, target, /*toExecutable=*/false);
}

Outcome link(std::span<const std::shared_ptr<const Image>> images, std::string_view text, const Target& target) {
  const auto options = parseOptions(text, OptionsFor::Link);
  if (!options) return failed(Status::InvalidOptions, options.error());
  Status status;
  std::string log;
  const auto work = makeGuarded<Work>([&](Work& made) { linkInto(made, images, *options, target); }, status, log);
  return work ? work->outcome : failed(status, std::move(log));
}

Outcome build(std::string_view source, std::string_view text, const Target& target) {
  const auto options = parseOptions(text, OptionsFor::Build);
  if (!options) return failed(Status::InvalidOptions, options.error());
  const support::Hash128 key = cacheKey("build", target).add(source).add(text).finish();
  if (const auto entry = cache().get(key)) {
    Outcome outcome = unpackEntry(*entry, target);
    if (outcome.status == Status::Ok) return outcome;
  }
  Work work;
  Outcome outcome = runCompile(source, {}, *options, target, /*toExecutable=*/true, &work);
  if (outcome.status == Status::Ok && work.cacheable) cache().put(key, packEntry(work, target));
  return outcome;
}

}  // namespace clarity::compiler
