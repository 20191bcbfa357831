// SPDX-License-Identifier: Apache-2.0
// This file prints clang's findings, and the cures that clang leaves out.
#include "compiler/frontend/log_printer.h"

#include "builtins/builtins.h"
#include "compiler/guard/limits.h"

#include <clang/AST/DeclarationName.h>
#include <clang/AST/Type.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/SourceManagerInternals.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <string>

namespace clarity::compiler {
namespace {

class LogPrinter final : public clang::TextDiagnosticPrinter {
public:
  LogPrinter(llvm::raw_ostream& out, clang::DiagnosticOptions& options, Language language, const Target& target)
      : TextDiagnosticPrinter(out, options), out_(out), options_(options), language_(language), target_(target) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    checkLimits();
    options_.ShowLineNumbers = !diagnostic.hasSourceManager() || hasOrdinaryLines(diagnostic.getSourceManager());
    if (language_ < Language::C31) useLengthsOfC12(diagnostic);
    TextDiagnosticPrinter::HandleDiagnostic(level, diagnostic);
    if (const std::string cure = cureFor(diagnostic); !cure.empty()) out_ << "note: " << cure << '\n';
  }

private:
  /// Clang proposes %zu for size_t and %td for ptrdiff_t, which only OpenCL C 3.1 has: %lu and %ld.
  static void useLengthsOfC12(const clang::Diagnostic& diagnostic) {
    for (const clang::FixItHint& hint : diagnostic.getFixItHints()) {
      std::string& text = const_cast<clang::FixItHint&>(hint).CodeToInsert;
      const std::size_t length = text.find_first_of("zt");
      if (text.starts_with('%') && length + 2 == text.size()) text[length] = 'l';
    }
  }

  /// The sentence that names the cure; empty if clang's own does, or there is no single one.
  std::string cureFor(const clang::Diagnostic& diagnostic) const {
    const std::string name = nameIn(diagnostic);
    switch (diagnostic.getID()) {
      case clang::diag::err_opencl_global_invalid_addr_space:
        return "variables at program scope are in constant memory: write '__constant' ('__global' and variables "
               "without an address space need -cl-std=CL2.0 or later)";
      case clang::diag::err_bad_kernel_param_type: return cureForParameter(diagnostic);
      case clang::diag::err_opencl_function_variable:
        return "declare the variable in the kernel, and give the function a pointer to it";
      case clang::diag::err_unexpected_typedef:
        return isVector(name) ? fmt::format("a vector is written ({0})(...), with the type in parentheses", name)
                              : std::string();
      case clang::diag::err_pp_file_not_found: return cureForHeader(diagnostic.getArgStdStr(0));
      case clang::diag::err_undeclared_var_use:
      case clang::diag::ext_implicit_function_decl_c99:
      case clang::diag::err_unknown_typename:
        return isOfLaterVersion(name, diagnostic.getID() != clang::diag::err_unknown_typename)
                   ? fmt::format("'{}' is of OpenCL C 2.0 and later: build with -cl-std=CL2.0 or -cl-std=CL3.0", name)
                   : cureForName(name);
      default: return {};
    }
  }

  /// The first argument of a finding, where it is a name.
  static std::string nameIn(const clang::Diagnostic& diagnostic) {
    if (diagnostic.getNumArgs() == 0) return {};
    switch (diagnostic.getArgKind(0)) {
      case clang::DiagnosticsEngine::ak_declarationname:
        return clang::DeclarationName::getFromOpaqueInteger(diagnostic.getRawArg(0)).getAsString();
      case clang::DiagnosticsEngine::ak_identifierinfo: {
        const clang::IdentifierInfo* const name = diagnostic.getArgIdentifier(0);  // null: of a type without a name
        return name ? name->getName().str() : std::string();
      }
      default: return {};
    }
  }

  /// Whether an older version does not declare a function or type that a later one does.
  bool isOfLaterVersion(llvm::StringRef name, bool isFunction) const {
    static constexpr llvm::StringLiteral types[] = {"queue_t", "clk_event_t", "ndrange_t", "reserve_id_t"};
    if (language_ >= Language::C20) return false;
    const bool isOfQueues =
        name.contains("queue") || name.contains("ndrange") || name.contains("user_event") || name.starts_with("clk_");
    if (isOfQueues && !target_.extensions.contains("__opencl_c_device_enqueue")) return false;
    return isFunction ? builtins::hasName(name) || name == "enqueue_kernel" : llvm::is_contained(types, name);
  }

  static std::string cureForParameter(const clang::Diagnostic& diagnostic) {
    if (diagnostic.getArgKind(0) != clang::DiagnosticsEngine::ak_qualtype) return {};
    const auto type = clang::QualType::getFromOpaquePtr(reinterpret_cast<const void*>(diagnostic.getRawArg(0)));
    if (type->isBooleanType())
      return "kernels have no bool parameters: declare it int or uchar, as the host's variable";
    return type->isIntegerType()
               ? "a type whose size may differ between host and device: declare it uint or ulong (int "
                 "or long), and the host's variable cl_uint or cl_ulong"
               : std::string();
  }

  /// "float4"
  static bool isVector(llvm::StringRef name) {
    static constexpr llvm::StringLiteral types[] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                                    "long", "ulong", "half",  "float",  "double"};
    const llvm::StringRef type = name.rtrim("0123456789");
    return type.size() < name.size() && llvm::is_contained(types, type);
  }

  static std::string cureForHeader(llvm::StringRef name) {
    static constexpr llvm::StringLiteral ofC[] = {"math.h",   "stdio.h",  "stdlib.h", "string.h",
                                                  "stdint.h", "cmath",    "assert.h", "stdbool.h",
                                                  "float.h",  "limits.h", "cstdio",   "cstdint"};
    return llvm::is_contained(ofC, name) ? "OpenCL C has no headers of C: its builtin functions and types need none"
                                         : std::string();
  }

  /// The cure for a name of C, C++ or CUDA.
  static std::string cureForName(llvm::StringRef name) {
    struct Cure {
      llvm::StringLiteral name, text;
    };
    static constexpr Cure cures[] = {
        {"threadIdx", "CUDA's threadIdx.x is get_local_id(0)"},
        {"blockIdx", "CUDA's blockIdx.x is get_group_id(0)"},
        {"blockDim", "CUDA's blockDim.x is get_local_size(0)"},
        {"gridDim", "CUDA's gridDim.x is get_num_groups(0)"},
        {"__syncthreads", "CUDA's __syncthreads() is barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"},
        {"__syncwarp", "CUDA's __syncwarp() is sub_group_barrier(CLK_LOCAL_MEM_FENCE)"},
        {"__global__", "CUDA's '__global__ void' is 'kernel void', and its pointers are 'global'"},
        {"__device__", "CUDA's '__device__' is not needed: all functions are the device's"},
        {"__shared__", "CUDA's '__shared__' is '__local'"},
        {"atomicAdd", "CUDA's atomicAdd is atomic_add"},
        {"atomicSub", "CUDA's atomicSub is atomic_sub"},
        {"atomicExch", "CUDA's atomicExch is atomic_xchg"},
        {"atomicMin", "CUDA's atomicMin is atomic_min"},
        {"atomicMax", "CUDA's atomicMax is atomic_max"},
        {"atomicCAS", "CUDA's atomicCAS is atomic_cmpxchg"},
        {"std", "builtin functions are in no namespace: write their names alone"},
        {"malloc", "kernels cannot allocate memory: the host creates buffers"},
    };
    for (const Cure& cure : cures)
      if (name == cure.name) return cure.text.str();
    const llvm::StringRef stem = name.drop_back(name.ends_with("f") ? 1 : 0);
    return stem.size() < name.size() && builtins::hasName(stem)
               ? fmt::format("the builtin function is '{}', for all floating-point types", stem.str())
               : std::string();
  }

  /// Upstream: TextDiagnostic (clang 22) writes blanks for hours where the numbers of neighbouring lines wrap, as after
  /// `#line 4294967294`.
  static bool hasOrdinaryLines(const clang::SourceManager& sources) {
    if (!sources.hasLineTable()) return true;
    auto& table = const_cast<clang::SourceManager&>(sources).getLineTable();
    return std::all_of(table.begin(), table.end(), [](const auto& file) {
      return std::ranges::all_of(file.second, [](const clang::LineEntry& entry) { return entry.LineNo < mostLine; });
    });
  }
  static constexpr unsigned mostLine = 1u << 31;

  llvm::raw_ostream& out_;
  clang::DiagnosticOptions& options_;
  Language language_;
  const Target& target_;
};

}  // namespace

clang::DiagnosticConsumer* makeLogPrinter(llvm::raw_ostream& out, clang::DiagnosticOptions& options, Language language,
                                          const Target& target) {
  return new LogPrinter(out, options, language, target);
}

}  // namespace clarity::compiler
