// SPDX-License-Identifier: Apache-2.0
// This file runs clang's components one after another (file manager, preprocessor, Sema, code generation). The actions
// of the command-line tool are not used: they print, write files and add passes.
#include "compiler/frontend/clang.h"

#include "builtins/builtins.h"
#include "compiler/frontend/allowed_ir.h"
#include "compiler/frontend/argument_types.h"
#include "compiler/frontend/assembly_target.h"
#include "compiler/frontend/blocks.h"
#include "compiler/frontend/clang_arguments.h"
#include "compiler/frontend/diagnostics.h"
#include "compiler/frontend/inline_definitions.h"
#include "compiler/frontend/literal_suffixes.h"
#include "compiler/frontend/log_printer.h"
#include "compiler/frontend/overload_sets.h"
#include "compiler/frontend/parameter_notes.h"
#include "compiler/frontend/portable_ir.h"
#include "compiler/frontend/program_names.h"
#include "compiler/frontend/recording_file_system.h"
#include "compiler/frontend/syntax_checks.h"
#include "compiler/frontend/text_encoding.h"
#include "compiler/guard/limits.h"
#include "compiler/ir/backend.h"
#include "compiler/ir/locations.h"
#include "compiler/workarounds/clang_output.h"
#include "compiler/workarounds/constant_divisions.h"
#include "compiler/workarounds/kernel_conventions.h"
#include "compiler/workarounds/null_events.h"
#include "compiler/workarounds/vector_expressions.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/SourceManagerInternals.h>
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
#include <llvm/ADT/APFloat.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <set>
#include <utility>

namespace clarity::compiler {
namespace {

/// The base header as a buffer for clang; the text exists as long as the process. No language of OpenCL has
/// __has_embed, for which clang follows a null pointer in a text that is no file.
std::unique_ptr<llvm::MemoryBuffer> baseHeaderBuffer() {
  static const std::string text =
      fmt::format("#pragma clang system_header\n#undef __has_embed\n{}", builtins::baseHeader());
  return llvm::MemoryBuffer::getMemBuffer(text, llvm::StringRef(baseHeaderText));
}

void replaceAll(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

/// No name of a header.
constexpr const char* noHeader = "<folder>";

/// Removes the lines that contain `what`.
void removeLines(std::string& text, std::string_view what) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) {
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is the beginning of the text
    text.erase(begin, text.find('\n', at) - begin + 1);
  }
}

/// `long long` and `long double` are reserved words of OpenCL C. Clang gives them 128 bits; here, as in other
/// compilers, they are `long` and `double`, which the literals 1LL and 1.0L have in consequence.
void useTypesOfOpenCL(clang::TargetInfo& target) {
  target.LongLongWidth = target.LongLongAlign = 64;
  target.LongDoubleWidth = target.LongDoubleAlign = 64;
  target.LongDoubleFormat = &llvm::APFloat::IEEEdouble();
}
/// Not in C++: for operators every type is a candidate of its own, and one that is there twice makes them ambiguous.
/// There the literals are shortened (literal_suffixes.h).
void useTypesOfOpenCL(clang::ASTContext& context) {
  if (context.getLangOpts().CPlusPlus) return;
  context.LongLongTy = context.LongTy;
  context.UnsignedLongLongTy = context.UnsignedLongTy;
  context.LongDoubleTy = context.DoubleTy;
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
  /// @param hidden names for which OverloadSets is to add no builtins to the program's own functions
  Compile(llvm::LLVMContext& context, std::string_view source, std::span<const Header> headers, const Options& options,
          const Target& target, const std::set<std::string>& hidden)
      : context_(context), source_(source), headers_(headers), options_(options), target_(target), hidden_(hidden) {}

  FrontendResult run() {
    FrontendResult result;
    result.status = Status::CompileFailure;
    makeFiles();
    if (isReadable() && configure() && prepare()) result.module = generate();
    if (result.module) {
      result.status = Status::Ok;
      result.timeDependent = usesTime();
    }
    finishLog();
    result.log = std::move(log_);
    result.dependencies = disk_->dependencies();
    return result;
  }

  /// After run(): the names of builtins that the program has functions of, too.
  std::set<std::string> sharedNames() const { return overloads_ ? overloads_->shared() : std::set<std::string>(); }

private:
  /// Clang would report an error for every other character of UTF-16.
  bool isReadable() {
    const std::string_view encoding = wideEncodingOf({source_.data(), source_.size()});
    if (!encoding.empty())
      stream_ << options_.sourceName << ": error: the source is " << encoding << " text: convert it to UTF-8\n";
    return encoding.empty();
  }

  /// Files are searched in this order: embedded headers, the base header, the disk.
  void makeFiles() {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    memory->addFile(llvm::StringRef(baseHeaderText), 0, baseHeaderBuffer());
    // The folder exists although no header may be in it: "../up.h" is looked for from there.
    if (!headers_.empty())
      memory->addFile(fmt::format("{}/", headerFolder) + noHeader, 0, llvm::MemoryBuffer::getMemBuffer(""));
    for (const Header& header : headers_) {
      const std::string path =
          header.name.starts_with('/') ? header.name : fmt::format("{}/{}", headerFolder, header.name);
      // The first of two headers of one name is used (section 5.8.2): a second addFile has no effect.
      memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(header.text, path));
    }
    disk_ = llvm::makeIntrusiveRefCnt<RecordingFileSystem>(filesOfTheDisk());
    auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk_);
    files->pushOverlay(memory);
    files_ = files;
  }

  bool configure() {
    const std::vector<std::string> arguments = clangArguments(source_, headers_, options_, target_);
    std::vector<const char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());

    auto invocation = std::make_shared<clang::CompilerInvocation>();
    clang::DiagnosticOptions parseOptions;
    auto parseDiagnostics = clang::CompilerInstance::createDiagnostics(
        *files_, parseOptions, new clang::TextDiagnosticPrinter(stream_, parseOptions), true);
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, *parseDiagnostics)) return false;
    // Programs rely on infinities all the same: 1 / (1 + exp(-x)), maxima that begin at -INFINITY. GPUs keep them.
    invocation->getLangOpts().NoHonorInfs = false;
    invocation->getPreprocessorOpts().Includes.emplace_back(baseHeaderText);
    invocation->getPreprocessorOpts().DisablePragmaDebugCrash = true;  // #pragma clang __debug overflow_stack
    // Locations without anything else, not even compile units to emit: line_table.h.
    if (!options_.names) invocation->getCodeGenOpts().setDebugInfo(llvm::codegenoptions::LocTrackingOnly);

    compiler_ = std::make_unique<clang::CompilerInstance>(std::move(invocation));
    compiler_->setVirtualFileSystem(files_);
    compiler_->setVerboseOutputStream(stream_);
    compiler_->createDiagnostics(makeLogPrinter(stream_, compiler_->getDiagnosticOpts(), options_.language, target_),
                                 true);
    if (!compiler_->createTarget()) return false;
    if (compiler_->getLangOpts().GNUKeywords) compiler_->setTarget(withAnyAssembly(compiler_->getTargetPtr()).get());
    return true;
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
    overloads_ = std::make_unique<OverloadSets>(*compiler_, hidden_);
    // A statement that the parser tries as a declaration first comes from tokens that have been kept, which are watched
    // when they are kept only: at any level.
    preprocessor.setPreprocessToken(options_.isCxx());
    preprocessor.setTokenWatcher([this, &preprocessor, read = 0u](const clang::Token& token) mutable {
      checkLimits();
      if (options_.isCxx()) shortenSuffix(const_cast<clang::Token&>(token), preprocessor);
      if (std::exchange(read, preprocessor.getTokenCount()) != preprocessor.getTokenCount()) overloads_->read(token);
    });
    useTypesOfOpenCL(compiler_->getTarget());  // createPreprocessor() adjusts the target once more
    compiler_->createASTContext();
    useTypesOfOpenCL(compiler_->getASTContext());
    preprocessor.getBuiltinInfo().initializeBuiltins(preprocessor.getIdentifierTable(), compiler_->getLangOpts());
    return true;
  }

  std::unique_ptr<llvm::Module> generate() {
    std::unique_ptr<clang::CodeGenerator> owned = clang::CreateLLVMCodeGen(*compiler_, options_.sourceName, context_);
    clang::CodeGenerator& generator = *owned;
    compiler_->setASTConsumer(keepConstantDivisions(
        mendVectorExpressions(mendNullEvents(mendKernelConventions(defineInlineFunctions(std::move(owned))))),
        options_.names ? ConstantShifts::Kept : ConstantShifts::Computed));
    compiler_->createSema(clang::TU_Complete, nullptr);
    acceptPragmas(compiler_->getSema().getOpenCLOptions(), target_);
    if (options_.isCxx()) compiler_->getSema().TemplateInstCallbacks.push_back(std::make_unique<TemplateLimits>());
    parse();
    if (llvm::Module* module = generator.GetModule()) internaliseInlineDefinitions(*module, generator);
    checkSyntax(*compiler_, options_.language, generator);
    diagnoseForbidden(*compiler_, generator, backEndOf(target_).takesAssembly());
    if (llvm::Module* module = generator.GetModule()) {
      nameTypedefsOfPointers(*module, generator);
      nameProgramsFunctions(*module, generator, *compiler_, *overloads_);
    }
    compiler_->getDiagnosticClient().EndSourceFile();
    std::unique_ptr<llvm::Module> module(generator.ReleaseModule());
    if (module) {
      dropForeignAttributes(*module);
      mendConstructors(*module);
      std::string wrong = makeKernelsOfBlocks(*module);
      forgetFunctionsOfBlocks(*module);
      // Clang makes instructions whose types differ of some of its own builtins.
      if (wrong.empty()) wrong = invalidIR(*module);
      if (!wrong.empty()) {
        stream_ << "error: " << wrong << "\n";
        module.reset();
      }
    }
    if (module) {
      mendBlocks(*module);
      noteParameters(compiler_->getASTContext(), *module);
      if (!options_.names) dropLocationsOfLoops(*module);
      if (!options_.names && !options_.debug && !options_.debugInfo) keepLocationsOfFaults(*module);
    }
    return compiler_->getDiagnostics().hasErrorOccurred() ? nullptr : std::move(module);
  }

  /// An exception leaves clang in its middle: its parser and preprocessor hold addresses on a stack that is gone, and
  /// are never destroyed. Objects that they have made, which are most of the memory, are.
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
    replaceAll(log_, fmt::format("{}/", headerFolder), "");
    replaceAll(log_, virtualRoot, "");
  }

  llvm::LLVMContext& context_;
  std::string_view source_;
  std::span<const Header> headers_;
  const Options& options_;
  const Target& target_;
  const std::set<std::string>& hidden_;

  std::string log_;
  llvm::raw_string_ostream stream_{log_};
  llvm::IntrusiveRefCntPtr<RecordingFileSystem> disk_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_;
  std::unique_ptr<clang::CompilerInstance> compiler_;
  std::unique_ptr<OverloadSets> overloads_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesOfTheDisk() {
  static const auto* const kept = new llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(llvm::vfs::getRealFileSystem());
  return *kept;
}

FrontendResult compileToPortableIR(llvm::LLVMContext& context, std::string_view source, std::span<const Header> headers,
                                   const Options& options, const Target& target) {
  const std::set<std::string> none;
  Compile compile(context, source, headers, options, target, none);
  FrontendResult result = compile.run();
  const std::set<std::string> shared = compile.sharedNames();
  if (result.module || shared.empty()) return result;
  // With the builtins as candidates a call may be ambiguous that is not among the program's own functions.
  FrontendResult hiding = Compile(context, source, headers, options, target, shared).run();
  return hiding.module ? std::move(hiding) : std::move(result);
}

}  // namespace clarity::compiler
