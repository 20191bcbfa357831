// SPDX-License-Identifier: Apache-2.0
// This file is ORC with JITLink: one session for the process, one library for each loaded object.
#include "compiler/host/jit.h"

#include "builtins/builtins.h"
#include "compiler/guard/worker.h"
#include "compiler/host/debug_info.h"
#include "compiler/host/host_code.h"
#include "compiler/host/known_code.h"
#include "compiler/host/line_table.h"
#include "compiler/pipeline/pipeline.h"

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Process.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

std::map<std::string, void*>& providedSymbols() {
  static auto* const symbols = new std::map<std::string, void*>;
  return *symbols;
}

using NamedAddress = std::pair<std::string, void*>;

/// The process's session. Never destroyed: kernels may run and be freed while static destructors do.
class Session {
public:
  static Session& get() {
    static auto* const session = new Session;
    return *session;
  }

  llvm::Expected<llvm::orc::JITDylib*> add(std::unique_ptr<llvm::MemoryBuffer> object,
                                           const std::vector<NamedAddress>& data) {
    auto library = session_.createJITDylib("kernel" + std::to_string(counter_.fetch_add(1)));
    if (!library) return library.takeError();
    library->addToLinkOrder(*runtime_);
    llvm::orc::SymbolMap symbols;
    for (const auto& [name, address] : data)
      symbols[session_.intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
    if (!symbols.empty()) llvm::cantFail(library->define(llvm::orc::absoluteSymbols(std::move(symbols))));
    if (llvm::Error error = layer_.add(*library, std::move(object))) {
      remove(*library);
      return std::move(error);
    }
    return &*library;
  }

  llvm::Expected<llvm::orc::ExecutorSymbolDef> find(llvm::orc::JITDylib& library, const std::string& symbol) {
    return session_.lookup({&library}, session_.intern(symbol));
  }

  void remove(llvm::orc::JITDylib& library) { llvm::consumeError(session_.removeJITDylib(library)); }

private:
  Session()
      : session_(llvm::cantFail(llvm::orc::SelfExecutorProcessControl::Create())),
        layer_(session_,
               std::make_unique<llvm::jitlink::InProcessMemoryManager>(llvm::sys::Process::getPageSizeEstimate())) {
    session_.setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });
    runtime_ = &llvm::cantFail(session_.createJITDylib("runtime"));
    llvm::orc::SymbolMap symbols;
    const auto define = [&](const char* name, void* address) {
      symbols[session_.intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    };
    for (const builtins::Symbol& symbol : builtins::runtimeSymbols()) define(symbol.name, symbol.address);
    for (const auto& [name, address] : providedSymbols()) define(name.c_str(), address);
    llvm::cantFail(runtime_->define(llvm::orc::absoluteSymbols(std::move(symbols))));
  }

  llvm::orc::ExecutionSession session_;
  llvm::orc::ObjectLinkingLayer layer_;
  llvm::orc::JITDylib* runtime_ = nullptr;
  std::atomic<std::uint64_t> counter_{0};
};

class OrcCode final : public LoadedCode {
public:
  OrcCode(Session& session, llvm::orc::JITDylib& library) : session_(session), library_(library) {}
  ~OrcCode() override {
    known.reset();
    try {
      std::string log;
      runGuardedHere([this] { session_.remove(library_); }, log);
    } catch (const std::bad_alloc&) {
      // Without memory to remove it the code stays.
    }
  }

  std::unique_ptr<KnownCode> known;

private:
  Session& session_;
  llvm::orc::JITDylib& library_;
};

/// The facts that an object has about itself.
struct Contents {
  std::string entry;  ///< the symbol: the kernel's name, or that of every entry (EmitOptions::debugged)
  std::size_t entryBytes = 0;
  std::vector<NamedAddress> needed;  ///< as far as they are known to `find`
  std::string lines;
};

std::string sectionOf(const llvm::object::ObjectFile& file, llvm::StringRef wanted) {
  for (const llvm::object::SectionRef& section : file.sections()) {
    auto name = section.getName();
    if (name && *name == wanted) {
      auto bytes = section.getContents();
      if (bytes) return bytes->str();
      llvm::consumeError(bytes.takeError());
    } else if (!name) {
      llvm::consumeError(name.takeError());
    }
  }
  return {};
}

Contents contentsOf(llvm::MemoryBufferRef object, std::string_view kernel, const FindSymbol& find) {
  Contents result;
  result.entry = entrySymbolOf(kernel, entrySymbol);
  auto file = llvm::object::ObjectFile::createELFObjectFile(object);
  if (!file) {
    llvm::consumeError(file.takeError());
    return result;
  }
  for (const llvm::object::ELFSymbolRef symbol : llvm::cast<llvm::object::ELFObjectFileBase>(**file).symbols()) {
    auto name = symbol.getName();
    auto flags = symbol.getFlags();
    if (!name || !flags) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(flags.takeError());
    } else if (*name == result.entry || *name == entrySymbol) {
      result.entry = name->str();
      result.entryBytes = symbol.getSize();
    } else if (*flags & llvm::object::SymbolRef::SF_Undefined) {
      if (void* address = find(std::string_view(*name))) result.needed.emplace_back(name->str(), address);
    }
  }
  result.lines = sectionOf(**file, lineTableSection);
  return result;
}

}  // namespace

void provideRuntimeSymbol(const char* name, void* address) { providedSymbols()[name] = address; }

bool isRuntimeSymbol(std::string_view name) {
  static const auto* const names = [] {
    auto* const all = new std::set<std::string, std::less<>>;
    for (const builtins::Symbol& symbol : builtins::runtimeSymbols()) all->insert(symbol.name);
    return all;
  }();
  return names->contains(name) || providedSymbols().contains(std::string(name));
}

std::unique_ptr<LoadedCode> loadObject(std::string_view object, std::string_view kernel, const FindSymbol& find,
                                       std::string& error) {
  Session& session = Session::get();
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object), "kernel");
  Contents contents = contentsOf(buffer->getMemBufferRef(), kernel, find);
  auto library = session.add(std::move(buffer), contents.needed);
  if (!library) {
    error = llvm::toString(library.takeError());
    return nullptr;
  }
  auto code = std::make_unique<OrcCode>(session, **library);
  auto address = session.find(**library, contents.entry);
  if (!address) {
    error = llvm::toString(address.takeError());
    return nullptr;
  }
  code->entry = address->getAddress().toPtr<const void*>();
  code->entryBytes = contents.entryBytes;
  if (codeIsKnown())
    code->known = std::make_unique<KnownCode>(
        LoadedObject{object, contents.entry, contents.lines, code->entry, code->entryBytes});
  code->lines = std::move(contents.lines);
  return code;
}

}  // namespace clarity::compiler
