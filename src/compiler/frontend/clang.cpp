// SPDX-License-Identifier: Apache-2.0
// This file runs clang's components one after another (file manager, preprocessor, Sema, code generation). The actions
// of the command-line tool are not used: they print, write files and add passes.
#include "compiler/frontend/clang.h"

#include "builtins/builtins.h"
#include "compiler/backend.h"
#include "compiler/frontend/diagnostics.h"
#include "compiler/frontend/inline_definitions.h"
#include "compiler/frontend/recording_file_system.h"
#include "compiler/frontend/syntax_checks.h"
#include "compiler/limits.h"
#include "compiler/locations.h"
#include "compiler/workarounds/clang_output.h"
#include "compiler/workarounds/constant_divisions.h"
#include "compiler/workarounds/vector_expressions.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Parse/ParseAST.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/TemplateInstCallback.h>
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

// The folder of the in-memory files. No file on disk has such a path, and it is removed from the log.
constexpr std::string_view kVirtualRoot = "/<clarity>/";
constexpr std::string_view kHeaderFolder = "/<clarity>/headers";
constexpr std::string_view kBaseHeader = "/<clarity>/opencl-c-base.h";

/// Generated kernels often nest deeper than clang's default limit; the stacks of the compile threads
/// (compiler/worker.h) are large enough for this depth.
constexpr const char* kBracketDepth = "2048";
constexpr const char* kErrorLimit = "20";

bool hasWord(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const bool begins = at == 0 || words[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (begins && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

/// Extensions whose macros clang does not define by itself; builtins/declarations.clh declares their functions.
constexpr std::string_view kUnknownToClang[] = {"cl_khr_expect_assume",
                                                "cl_khr_extended_async_copies",
                                                "cl_khr_async_work_group_copy_fence",
                                                "cl_khr_image2d_from_buffer",
                                                "cl_khr_work_group_uniform_arithmetic",
                                                "cl_ext_image_unorm_int_2_101010",
                                                "__opencl_c_ext_image_unorm_int_2_101010",
                                                "cl_intel_required_subgroup_size",
                                                "cl_intel_subgroups_char",
                                                "cl_intel_subgroups_long",
                                                "cl_intel_subgroup_local_block_io",
                                                "cl_intel_split_work_group_barrier",
                                                "cl_intel_bfloat16_conversions"};

/// What declarations.clh declares only where it is wanted, as hundreds of declarations take time in every program: the
/// macro, and what is in the names of all its functions.
constexpr std::pair<std::string_view, std::string_view> kDeclaredOnDemand[] = {
    {"__clarity_declares_intel", "intel"}, {"__clarity_declares_work_group", "work_group"}};

/// Calls `each` with every name in a list separated by spaces.
template <class Each>
void forWords(std::string_view words, Each each) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end) each(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

/// "-all,+cl_khr_fp64,..." from the device's extensions and features. Clang rejects sets that contain a feature without
/// the extension of the same meaning, so each adds the other.
std::string extensionList(const Target& target) {
  static constexpr std::pair<std::string_view, std::string_view> kTwins[] = {
      {"cl_khr_fp64", "__opencl_c_fp64"},
      {"cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"},
  };
  std::string list = "-all,+cl_clang_storage_class_specifiers";
  forWords(target.extensions, [&](std::string_view extension) { list.append(",+").append(extension); });
  for (const auto& [extension, feature] : kTwins) {
    if (hasWord(target.extensions, extension)) list.append(",+").append(feature);
    if (hasWord(target.extensions, feature)) list.append(",+").append(extension);
  }
  return list;
}

/// The version that clang compiles: it knows none after 3.0. What OpenCL C 3.1 adds are functions of extensions, which
/// all versions of the language have here, and macros.
Language languageOfClang(Language language) { return language == Language::C31 ? Language::C30 : language; }

/// The macros of kDeclaredOnDemand for a program. Files that it includes from disk are not looked into: they may use
/// everything.
std::vector<std::string_view> wantedDeclarations(std::string_view source, std::span<const Header> headers,
                                                 const Options& options) {
  const auto contains = [&](std::string_view word) {
    return source.contains(word) || options.text.contains(word) ||
           std::ranges::any_of(headers, [&](const Header& header) { return header.text.contains(word); });
  };
  const bool includesFiles = contains("include");
  std::vector<std::string_view> wanted;
  for (const auto& [macro, word] : kDeclaredOnDemand)
    if (includesFiles || contains(word)) wanted.push_back(macro);
  return wanted;
}

/// The arguments of `clang -cc1` for the options.
std::vector<std::string> clangArguments(const Options& options, const Target& target,
                                        std::span<const std::string_view> macros) {
  std::vector<std::string> arguments = {
      "-triple", "spir64-unknown-unknown", "-x", options.isCxx() ? "clcpp" : "cl",
      fmt::format("-cl-std={}", nameOf(languageOfClang(options.language))),
      // For IR that is ready for optimisation: no optnone, with lifetimes and type-based aliasing. No pass runs here.
      "-O2", "-fno-threadsafe-statics", "-fdeclare-opencl-builtins", "-cl-kernel-arg-info", "-ferror-limit",
      kErrorLimit, "-fbracket-depth", kBracketDepth, "-nostdsysteminc", "-nobuiltininc", "-Wformat-nonliteral",
      fmt::format("-cl-ext={}", extensionList(target))};
  // Warnings and not errors, as in other compilers and earlier versions of clang: applications rely on it.
  if (!options.warningsAreErrors)
    arguments.insert(arguments.end(),
                     {"-Wno-error=incompatible-pointer-types", "-Wno-error=incompatible-function-pointer-types",
                      "-Wno-error=implicit-int", "-Wno-error=return-mismatch"});
  const std::pair<bool, const char*> flags[] = {
      {options.noWarnings, "-w"},
      {options.warningsAreErrors, "-Werror"},
      {options.singlePrecisionConstant, "-cl-single-precision-constant"},
      {options.correctlyRoundedDivideSqrt, "-cl-fp32-correctly-rounded-divide-sqrt"},
      {options.madEnable, "-cl-mad-enable"},
      {options.noSignedZeros, "-cl-no-signed-zeros"},
      {options.unsafeMath, "-cl-unsafe-math-optimizations"},
      {options.finiteMathOnly, "-cl-finite-math-only"},
      {options.fastRelaxedMath, "-cl-fast-relaxed-math"},
      {options.uniformWorkGroups(), "-cl-uniform-work-group-size"},
  };
  for (const auto& [given, flag] : flags)
    if (given) arguments.emplace_back(flag);
  if (options.names) arguments.insert(arguments.end(), {"-debug-info-kind=limited", "-gembed-source"});
  arguments.insert(arguments.end(), {"-fdebug-compilation-dir=.", "-main-file-name", options.sourceName,
                                     fmt::format("-fdebug-prefix-map={}/=", kHeaderFolder)});
  for (const std::string& warning : options.warnings) arguments.push_back("-W" + warning);
  arguments.push_back(fmt::format("-I{}", kHeaderFolder));
  for (const std::string& folder : options.includeFolders) arguments.push_back("-I" + folder);
  arguments.insert(arguments.end(), {"-iquote", "."});
  // Clang's headers derive this macro from the triple; here it depends on the device's features.
  if (!hasWord(target.extensions, "__opencl_c_images")) arguments.emplace_back("-U__IMAGE_SUPPORT__");
  arguments.emplace_back("-D__OPENCL_VERSION__=300");
  arguments.emplace_back("-DCL_VERSION_3_1=310");
  if (options.language == Language::C31)
    arguments.insert(arguments.end(), {"-U__OPENCL_C_VERSION__", "-D__OPENCL_C_VERSION__=310"});
  for (const std::string& macro : backEndOf(target).macros(target)) arguments.push_back("-D" + macro);
  for (const std::string_view macro : macros) arguments.push_back(fmt::format("-D{}", macro));
  for (const std::string_view extension : kUnknownToClang)
    if (hasWord(target.extensions, extension)) arguments.push_back(fmt::format("-D{}=1", extension));
  arguments.emplace_back(options.sourceName);
  return arguments;
}

/// What the preprocessor reads after the base header: the application's -D and -U. They come last, so that they
/// override the header's macros and cannot break the header. Types that the device supports need no pragma, as in
/// OpenCL C 1.2.
std::string macroText(const Options& options, const Target& target) {
  std::string pragmas, text;
  for (const std::string_view extension : {"cl_khr_fp64", "cl_khr_fp16"})
    if (hasWord(target.extensions, extension))
      pragmas += fmt::format("#pragma OPENCL EXTENSION {} : enable\n", extension);
  for (const Options::Macro& macro : options.macros) {
    const std::string line = macro.text.substr(0, macro.text.find_first_of("\r\n"));
    text += fmt::format("#undef {}\n", line.substr(0, line.find_first_of("=(")));
    if (macro.undefine) continue;
    const std::size_t equals = line.find('=');
    text += equals == std::string::npos
                ? fmt::format("#define {} 1\n", line)
                : fmt::format("#define {} {}\n", line.substr(0, equals), line.substr(equals + 1));
  }
  // Flag 3 marks the pragmas as part of a system header, so that -Weverything does not apply to them.
  return fmt::format("# 1 \"<device>\" 1 3\n{}# 1 \"<built-in>\" 2\n# 1 \"<command line>\" 1\n{}# 1 \"<built-in>\" 2\n",
                     pragmas, text);
}

/// Suppresses warnings for `#pragma OPENCL EXTENSION name : enable` of every extension that the device has. Clang warns
/// of extensions that need no pragma or that it does not know, which -Werror would turn into errors although the
/// standard allows it.
void acceptPragmas(clang::OpenCLOptions& known, const Target& target) {
  forWords(target.extensions, [&](std::string_view name) {
    const llvm::StringRef extension(name.data(), name.size());
    if (!extension.starts_with("cl_") || known.isWithPragma(extension)) return;
    known.support(extension);
    known.acceptsPragma(extension);
  });
}

/// The base header as a buffer for clang; the text exists as long as the process.
std::unique_ptr<llvm::MemoryBuffer> baseHeaderBuffer() {
  static const std::string text = fmt::format("#pragma clang system_header\n{}", builtins::baseHeader());
  return llvm::MemoryBuffer::getMemBuffer(text, llvm::StringRef(kBaseHeader));
}

void replaceAll(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

/// Removes the lines that contain `what`.
void removeLines(std::string& text, std::string_view what) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) {
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is the beginning of the text
    text.erase(begin, text.find('\n', at) - begin + 1);
  }
}

/// Asks before each macro is expanded whether the compile may go on.
class MacroLimits final : public clang::PPCallbacks {
public:
  void MacroExpands(const clang::Token&, const clang::MacroDefinition&, clang::SourceRange,
                    const clang::MacroArgs*) override {
    checkLimits();
  }
};

/// And before each template is instantiated.
class TemplateLimits final : public clang::TemplateInstantiationCallback {
public:
  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}
  void atTemplateBegin(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override { checkLimits(); }
  void atTemplateEnd(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {}
};

/// One compile, from files to module.
class Compile {
public:
  Compile(llvm::LLVMContext& context, std::string_view source, std::span<const Header> headers, const Options& options,
          const Target& target)
      : context_(context), source_(source), headers_(headers), options_(options), target_(target) {}

  FrontendResult run() {
    FrontendResult result;
    result.status = Status::CompileFailure;
    makeFiles();
    if (configure() && prepare()) result.module = generate();
    if (result.module) {
      result.status = Status::Ok;
      result.timeDependent = usesTime();
    }
    finishLog();
    result.log = std::move(log_);
    result.dependencies = disk_->dependencies();
    return result;
  }

private:
  /// Files are searched in this order: embedded headers, the base header, the disk.
  void makeFiles() {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    memory->addFile(llvm::StringRef(kBaseHeader), 0, baseHeaderBuffer());
    for (const Header& header : headers_) {
      const std::string path =
          header.name.starts_with('/') ? header.name : fmt::format("{}/{}", kHeaderFolder, header.name);
      // Of two headers of one name the first is used (section 5.8.2): a second addFile has no effect.
      memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(header.text, path));
    }
    disk_ = llvm::makeIntrusiveRefCnt<RecordingFileSystem>(llvm::vfs::getRealFileSystem());
    auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk_);
    files->pushOverlay(memory);
    files_ = files;
  }

  bool configure() {
    const std::vector<std::string> arguments =
        clangArguments(options_, target_, wantedDeclarations(source_, headers_, options_));
    std::vector<const char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());

    auto invocation = std::make_shared<clang::CompilerInvocation>();
    clang::DiagnosticOptions parseOptions;
    auto parseDiagnostics = clang::CompilerInstance::createDiagnostics(
        *files_, parseOptions, new clang::TextDiagnosticPrinter(stream_, parseOptions), true);
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, *parseDiagnostics)) return false;
    invocation->getPreprocessorOpts().Includes.emplace_back(kBaseHeader);
    // Locations without anything else, not even compile units to emit: line_table.h.
    if (!options_.names) invocation->getCodeGenOpts().setDebugInfo(llvm::codegenoptions::LocTrackingOnly);

    compiler_ = std::make_unique<clang::CompilerInstance>(std::move(invocation));
    compiler_->setVirtualFileSystem(files_);
    compiler_->setVerboseOutputStream(stream_);
    compiler_->createDiagnostics(new clang::TextDiagnosticPrinter(stream_, compiler_->getDiagnosticOpts()), true);
    return compiler_->createTarget();
  }

  bool prepare() {
    compiler_->createFileManager();
    compiler_->createSourceManager();
    clang::SourceManager& sources = compiler_->getSourceManager();
    sources.setMainFileID(sources.createFileID(
        llvm::MemoryBuffer::getMemBufferCopy({source_.data(), source_.size()}, options_.sourceName)));
    compiler_->createPreprocessor(clang::TU_Complete);
    clang::Preprocessor& preprocessor = compiler_->getPreprocessor();
    preprocessor.setPredefines(preprocessor.getPredefines() + macroText(options_, target_));
    compiler_->getDiagnosticClient().BeginSourceFile(compiler_->getLangOpts(), &preprocessor);
    preprocessor.addPPCallbacks(std::make_unique<MacroLimits>());
    preprocessor.setTokenWatcher([](const clang::Token&) { checkLimits(); });
    compiler_->createASTContext();
    preprocessor.getBuiltinInfo().initializeBuiltins(preprocessor.getIdentifierTable(), compiler_->getLangOpts());
    return true;
  }

  std::unique_ptr<llvm::Module> generate() {
    std::unique_ptr<clang::CodeGenerator> owned = clang::CreateLLVMCodeGen(*compiler_, options_.sourceName, context_);
    clang::CodeGenerator& generator = *owned;
    compiler_->setASTConsumer(keepConstantDivisions(mendVectorExpressions(defineInlineFunctions(std::move(owned)))));
    compiler_->createSema(clang::TU_Complete, nullptr);
    acceptPragmas(compiler_->getSema().getOpenCLOptions(), target_);
    if (options_.isCxx()) compiler_->getSema().TemplateInstCallbacks.push_back(std::make_unique<TemplateLimits>());
    parse();
    if (llvm::Module* module = generator.GetModule()) internaliseInlineDefinitions(*module, generator);
    checkSyntax(*compiler_, options_.language, generator);
    diagnoseForbidden(*compiler_, generator);
    compiler_->getDiagnosticClient().EndSourceFile();
    std::unique_ptr<llvm::Module> module(generator.ReleaseModule());
    if (module) {
      mendConstructors(*module);
      mendBlocks(*module);
      if (!options_.names) dropLocationsOfLoops(*module);
      if (!options_.names && !options_.debug) keepLocationsOfFaults(*module);
    }
    return compiler_->getDiagnostics().hasErrorOccurred() ? nullptr : std::move(module);
  }

  /// An exception leaves clang in its middle: its parser and preprocessor hold addresses on a stack that is gone, and
  /// are never destroyed. What they have made, which is most of the memory, is.
  void parse() {
    try {
      clang::ParseAST(compiler_->getSema());
    } catch (...) {
      compiler_->resetAndLeakSema();
      compiler_->resetAndLeakPreprocessor();
      throw;
    }
  }

  /// Whether the program uses the time of its compilation.
  bool usesTime() const {
    const auto names = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
    const auto contains = [&](llvm::StringRef text) {
      return std::ranges::any_of(names, [&](const char* name) { return text.contains(name); });
    };
    if (contains({source_.data(), source_.size()}) || contains(options_.text)) return true;
    if (std::ranges::any_of(headers_, [&](const Header& header) { return contains(header.text); })) return true;
    const clang::SourceManager& sources = compiler_->getSourceManager();
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file)
      if (auto buffer = file->second->getBufferIfLoaded(); buffer && contains(buffer->getBuffer())) return true;
    return false;
  }

  void finishLog() {
    if (compiler_ && compiler_->hasDiagnostics()) {
      const clang::DiagnosticConsumer& client = compiler_->getDiagnosticClient();
      log_ += diagnosticCount(client.getNumWarnings(), client.getNumErrors());
    }
    // Notes about options of clang's tool, which OpenCL does not have.
    removeLines(log_, "note: use -fbracket-depth=N");
    removeLines(log_, "note: use -ftemplate-depth=N");
    replaceAll(log_, "; use -ftemplate-backtrace-limit=0 to see all", "");
    replaceAll(log_, "compile with -fblocks or for OpenCL C 2.0", "compile for OpenCL C 2.0");
    replaceAll(log_, fmt::format("{}/", kHeaderFolder), "");
    replaceAll(log_, kVirtualRoot, "");
  }

  llvm::LLVMContext& context_;
  std::string_view source_;
  std::span<const Header> headers_;
  const Options& options_;
  const Target& target_;

  std::string log_;
  llvm::raw_string_ostream stream_{log_};
  llvm::IntrusiveRefCntPtr<RecordingFileSystem> disk_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_;
  std::unique_ptr<clang::CompilerInstance> compiler_;
};

}  // namespace

FrontendResult compileToPortableIR(llvm::LLVMContext& context, std::string_view source, std::span<const Header> headers,
                                   const Options& options, const Target& target) {
  return Compile(context, source, headers, options, target).run();
}

}  // namespace clarity::compiler
