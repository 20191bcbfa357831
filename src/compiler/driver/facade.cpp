// SPDX-License-Identifier: Apache-2.0
// This file is compile(), link() and build(): options, cache, front end, linker and pipeline put together, each on a
// guarded compile thread.
#include "compiler/driver/cache.h"
#include "compiler/driver/compile_times.h"
#include "compiler/driver/compiler.h"
#include "compiler/driver/instrumented_kernel.h"
#include "compiler/frontend/clang.h"
#include "compiler/frontend/kernel_info.h"
#include "compiler/frontend/linker.h"
#include "compiler/frontend/options.h"
#include "compiler/frontend/portable_ir.h"
#include "compiler/frontend/size_limits.h"
#include "compiler/frontend/text_locations.h"
#include "compiler/guard/context.h"
#include "compiler/guard/worker.h"
#include "compiler/ir/backend.h"
#include "compiler/ir/locations.h"
#include "compiler/passes/place_global_variables.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/spirv/reader.h"
#include "support/bytes.h"
#include "support/field_bytes.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <unistd.h>
#include <algorithm>
#include <functional>
#include <iterator>

namespace clarity::compiler {
namespace {

/// The result of a compile thread. On the heap, and lost if the compiler faults (worker.h).
struct Made {
  Status status = Status::Ok;
  std::string log;
  CompiledProgram compiled;
  std::vector<Dependency> dependencies;
  bool keep = true;  ///< may be kept in the cache
};

std::string bitcodeOf(const llvm::Module& module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return {bytes.data(), bytes.size()};
}

Outcome refuse(Status status, std::string log) {
  Outcome outcome;
  outcome.status = status;
  outcome.log = std::move(log);
  return outcome;
}

std::string entryOf(const Made& made, const Target& target) {
  support::ByteWriter to;
  support::write(to, made.dependencies);
  to.text(made.log).text(serialise(made.compiled, target));
  return to.take();
}

/// The outcome kept under the key, if the files that it was made from are still the same.
std::optional<Outcome> recall(const support::Hash128& key, const Target& target) {
  const std::optional<std::string> entry = cache().get(key);
  if (!entry) return std::nullopt;
  support::ByteReader from(*entry);
  std::vector<Dependency> dependencies;
  support::read(from, dependencies);
  if (!from.ok() || !std::ranges::all_of(dependencies, isUnchanged)) return std::nullopt;
  Outcome outcome;
  outcome.log = from.text();
  const std::string_view compiled = from.text();
  std::string why;
  outcome.compiled = deserialise(std::as_bytes(std::span(compiled)), target, why);
  if (!outcome.compiled) return std::nullopt;
  outcome.fromCache = true;
  return outcome;
}

/// Takes the outcome from the cache, or makes it on a compile thread and keeps it.
Outcome cachedOrMade(std::string_view what, const support::Hash128& key, const Target& target,
                     const std::function<void(Made&)>& make) {
  TimedCompile timed(what);
  if (std::optional<Outcome> kept = recall(key, target)) {
    timed.setFromCache(true);
    return *std::move(kept);
  }
  Outcome outcome;
  const std::unique_ptr<Made> made = makeGuarded<Made>(make, outcome.status, outcome.log);
  if (!made) return outcome;
  outcome.status = made->status;
  outcome.log = std::move(made->log);
  if (outcome.status != Status::Ok) return outcome;
  seal(made->compiled, target);
  if (made->keep && cache().enabled()) {
    made->log = outcome.log;
    cache().put(key, entryOf(*made, target));
  }
  outcome.compiled = std::make_shared<const CompiledProgram>(std::move(made->compiled));
  return outcome;
}

/// Everything that decides what a source becomes, but for the files that it includes: those are checked one by one.
/// The working folder is part of it where a file may be looked for.
support::Hash128 sourceKey(std::string_view what, const Source& source, std::span<const Header> headers,
                           std::string_view options, const Target& target) {
  support::Hasher key = cacheKey(what, target);
  support::addTo(key, source.kind);
  key.add(source.bytes).add(options).add(headers.size());
  for (const Header& header : headers) key.add(header.name).add(header.text);
  key.add(source.specialization.size());
  for (const SpecializationValue& value : source.specialization) key.add(value.id).add(value.bytes);
  if (source.bytes.contains("include")) {
    std::string folder(4096, '\0');
    key.add(::getcwd(folder.data(), folder.size()) ? folder.c_str() : "");
  }
  return key.finish();
}

/// The sentence for a compiled program or target that names a back end which this compiler does not have.
std::string noBackEnd(const Target& target) {
  return fmt::format("error: there is no back end '{}'\n", target.backEnd);
}

/// "program.cl:7: ", or nothing if the function has no location.
std::string placeOf(const llvm::Function& function) {
  const llvm::DISubprogram* const place = function.getSubprogram();
  if (!place || !place->getFile()) return {};
  return fmt::format("{}:{}: ", std::string_view(place->getFilename()), place->getLine());
}

/// Portable IR to the compiled program of an Executable: the last steps of build() and link().
void finishExecutable(llvm::Module& module, const CollectingContext& context, std::vector<KernelInfo> kernels,
                      bool keepPortableIR, const Options& options, const Target& target, Made& made) {
  const auto fail = [&](const std::string& text) {
    made.status = Status::LinkFailure;
    made.log += (text.contains("error:") ? "" : "error: ") + text + (text.ends_with('\n') ? "" : "\n");
  };
  if (keepPortableIR) {
    made.compiled.portableIR = bitcodeOf(module);
    // The code that is not instrumented is the same with and without; a report of linked programs needs the names.
    if (!options.report) keepOnlyLocations(module);
  }
  if (llvm::Error error = toKernelIR(module, kernels, made.compiled.scope, options, target))
    return fail(llvm::toString(std::move(error)) + context.errors);
  for (const KernelInfo& kernel : kernels)
    if (const std::string why = backEndOf(target).objectionTo(kernel, target); !why.empty())
      return fail(fmt::format("{}error: {}", placeOf(*module.getFunction(kernel.name)), why));
  for (const KernelInfo& kernel : kernels) made.log += backEndOf(target).remarks(module, kernel, options, target);
  made.compiled.kind = BinaryType::Executable;
  made.compiled.kernels = std::move(kernels);
  made.compiled.bitcode = bitcodeOf(module);
  if (std::string error; options.instrument && !coverInstrumented(made.compiled, options, target, error)) fail(error);
}

/// A report on the kernels of a module of kernel IR, or on the one that the options name.
std::string reportOn(const llvm::Module& module, const std::vector<KernelInfo>& kernels, const ProgramScope& scope,
                     const Options& options, const Target& target) {
  std::string report;
  const auto isWanted = [&](const KernelInfo& kernel) {
    return options.reportKernel.empty() || kernel.name == options.reportKernel;
  };
  if (!options.reportKernel.empty() && std::ranges::none_of(kernels, isWanted))
    return fmt::format("note: no report: the program has no kernel '{}'\n", options.reportKernel);
  for (const KernelInfo& kernel : kernels) {
    if (!isWanted(kernel)) continue;
    const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
    Shape shape;
    if (!kernel.groupAgnostic)
      shape.local = kernel.requiredLocalSize[0] ? kernel.requiredLocalSize : options.reportLocal;
    shape.distinctBuffers = true;  // as most launches have
    report += backEndOf(target).report({*copy, kernel, scope, shape, options, target});
  }
  return report;
}

/// A source to portable IR. The options become what the source says itself: C++ for OpenCL, or what portable IR was
/// compiled as.
FrontendResult frontendOf(CollectingContext& context, const Source& source, std::span<const Header> headers,
                          Options& options, const Target& target) {
  if (source.isSpirv()) return spirv::readSpirv(context, source, options);
  if (source.isPortableIR()) return readPortableIR(context, source.bytes, options, backEndOf(target).takesAssembly());
  if (source.kind == Source::Kind::CxxForOpenCL && !options.isCxx()) options.language = Language::Cxx2021;
  return compileToPortableIR(context, source.bytes, headers, options, target);
}

/// A second compile, with lines and names, that ends where packets are made.
std::string reportOn(const Source& source, Options options, const Target& target) {
  options.names = true;
  CollectingContext context;
  FrontendResult result = frontendOf(context, source, {}, options, target);
  if (!result.module) return {};
  std::vector<KernelInfo> kernels = kernelInfoOf(*result.module, options);
  ProgramScope scope;
  if (llvm::Error error = toKernelIR(*result.module, kernels, scope, options, target))
    return llvm::toString(std::move(error));
  return reportOn(*result.module, kernels, scope, options, target);
}

/// Runs the front end; nullptr when it failed, with status and log in `made`.
std::unique_ptr<llvm::Module> frontend(CollectingContext& context, const Source& source,
                                       std::span<const Header> headers, Options& options, const Target& target,
                                       Made& made) {
  FrontendResult result = frontendOf(context, source, headers, options, target);
  made.status = result.status;
  made.log = options.remarks + result.log;
  made.dependencies = std::move(result.dependencies);
  made.keep = !result.timeDependent;
  if (!result.module) return nullptr;
  if (const std::string error = oversized(*result.module); !error.empty()) {
    made.status = Status::CompileFailure;
    made.log += error;
    return nullptr;
  }
  if (options.instrument) addTextLocations(*result.module, options.sourceName);
  return std::move(result.module);
}

/// Portable IR and SPIR-V may be wrong in more ways than are checked: a fault that they cause in LLVM is their own.
Outcome blameSource(Outcome outcome, const Source& source) {
  const bool gaveUp = outcome.status == Status::Internal || outcome.status == Status::OutOfMemory;
  if ((!source.isPortableIR() && !source.isSpirv()) || !gaveUp) return outcome;
  outcome.status = Status::CompileFailure;
  outcome.log = fmt::format(
      "error: the {} is damaged, uses what OpenCL's front ends never generate, or needs more memory than there is; "
      "LLVM gave up: {}",
      source.isSpirv() ? "module of SPIR-V" : "portable IR", outcome.log);
  return outcome;
}

/// The options that linked code is lowered with: the call's, and what the objects were compiled with.
Options linkedOptions(Options options, std::span<const std::shared_ptr<const CompiledProgram>> programs) {
  for (const auto& program : programs) {
    const auto compiled = parseOptions(program->options, OptionsFor::Any);
    if (!compiled) continue;
    options.optDisable |= compiled->optDisable;
    options.debug |= compiled->debug;
    options.debugInfo |= compiled->debugInfo;
    options.debugged |= compiled->debugged;
    options.report |= compiled->report;
    options.instrument |= compiled->instrument;
    options.initializePrivate |= compiled->initializePrivate;
    options.initializeLocal |= compiled->initializeLocal;
    options.reportJson |= compiled->reportJson;
    if (compiled->reportLocal[0]) options.reportLocal = compiled->reportLocal;
    if (!compiled->reportKernel.empty()) options.reportKernel = compiled->reportKernel;
    options.language = std::max(options.language, compiled->language);
  }
  return options;
}

std::string invalidOptions(const std::string& why) { return fmt::format("error: {}\n", why); }

}  // namespace

std::expected<SpirvFacts, std::string> inspectSpirv(std::string_view bytes) { return spirv::factsOf(bytes); }

std::string objectionToPortableIR(std::string_view bytes) try {
  Status status = Status::Ok;
  std::string why;
  const auto found = makeGuarded<std::string>(
      [&](std::string& log) {
        CollectingContext context;
        Options options;
        log = readPortableIR(context, bytes, options, true).log;
      },
      status, why);
  return found ? *found : why;
} catch (const std::bad_alloc&) {
  return "there is not enough memory to read it";
}

const SpirvSupport& spirvSupport() { return spirv::support(); }

Outcome compile(const Source& source, std::span<const Header> headers, std::string_view optionText,
                const Target& target) try {
  auto options = parseOptions(optionText, OptionsFor::Compile);
  if (!options) return refuse(Status::InvalidOptions, invalidOptions(options.error()));
  if (!findBackEnd(target.backEnd)) return refuse(Status::CompileFailure, noBackEnd(target));
  options->names = options->report || options->instrument;  // link() reports and keeps portable IR
  return blameSource(cachedOrMade("compile", sourceKey("object", source, headers, optionText, target), target,
                                  [&](Made& made) {
                                    CollectingContext context;
                                    const auto module = frontend(context, source, headers, *options, target, made);
                                    if (!module) return;
                                    made.compiled.kind = BinaryType::Object;
                                    made.compiled.options = optionText;
                                    made.compiled.kernels = kernelInfoOf(*module, *options);
                                    made.compiled.scope.variables.bytes = globalVariableBytes(*module);
                                    made.compiled.bitcode = bitcodeOf(*module);
                                  }),
                     source);
} catch (const std::bad_alloc&) {
  return refuse(Status::OutOfMemory, "error: not enough memory to compile the program\n");
}

Outcome build(const Source& source, std::string_view optionText, const Target& target) try {
  auto options = parseOptions(optionText, OptionsFor::Build);
  if (!options) return refuse(Status::InvalidOptions, invalidOptions(options.error()));
  if (!findBackEnd(target.backEnd)) return refuse(Status::CompileFailure, noBackEnd(target));
  options->names = options->instrument;
  return blameSource(cachedOrMade("build", sourceKey("executable", source, {}, optionText, target), target,
                                  [&](Made& made) {
                                    backEndOf(target).warmUp(target);
                                    CollectingContext context;
                                    const auto module = frontend(context, source, {}, *options, target, made);
                                    made.compiled.options = optionText;
                                    const bool keepPortableIR = options->instrument || source.isPortableIR();
                                    if (module)
                                      finishExecutable(*module, context, kernelInfoOf(*module, *options),
                                                       keepPortableIR, *options, target, made);
                                    if (options->report && made.status == Status::Ok)
                                      made.log += reportOn(source, *options, target);
                                  }),
                     source);
} catch (const std::bad_alloc&) {
  return refuse(Status::OutOfMemory, "error: not enough memory to build the program\n");
}

Outcome link(std::span<const std::shared_ptr<const CompiledProgram>> programs, std::string_view optionText,
             const Target& target) try {
  const auto parsed = parseOptions(optionText, OptionsFor::Link);
  if (!parsed) return refuse(Status::InvalidOptions, invalidOptions(parsed.error()));
  if (programs.empty()) return refuse(Status::LinkFailure, "error: there is nothing to link\n");
  if (!findBackEnd(target.backEnd)) return refuse(Status::LinkFailure, noBackEnd(target));
  const Options options = linkedOptions(*parsed, programs);
  support::Hasher key = cacheKey("linked", target);
  key.add(optionText);
  for (const auto& compiled : programs) support::addTo(key, compiled->hash);
  return cachedOrMade("link", key.finish(), target, [&](Made& made) {
    CollectingContext context;
    made.log = options.remarks;
    const auto module = linkPrograms(context, programs, made.log);
    if (!module) {
      made.status = Status::LinkFailure;
      return;
    }
    std::vector<KernelInfo> kernels;
    for (const auto& compiled : programs)
      std::ranges::copy_if(compiled->kernels, std::back_inserter(kernels), std::not_fn(&KernelInfo::isBlock));
    // Blocks of several programs may have had one name.
    std::ranges::copy_if(kernelInfoOf(*module, options), std::back_inserter(kernels), &KernelInfo::isBlock);
    made.compiled.options = optionText;
    if (options.optDisable)
      made.compiled.options += " -cl-opt-disable";  // of an object: generate() asks the compiled program
    if (!options.createLibrary) {
      finishExecutable(*module, context, std::move(kernels), options.instrument, options, target, made);
      if (options.report && made.status == Status::Ok)
        made.log += reportOn(*module, made.compiled.kernels, made.compiled.scope, options, target);
      return;
    }
    made.compiled.kind = BinaryType::Library;
    made.compiled.kernels = std::move(kernels);
    made.compiled.scope.variables.bytes = globalVariableBytes(*module);
    made.compiled.bitcode = bitcodeOf(*module);
  });
} catch (const std::bad_alloc&) {
  return refuse(Status::OutOfMemory, "error: not enough memory to link the programs\n");
}

}  // namespace clarity::compiler
