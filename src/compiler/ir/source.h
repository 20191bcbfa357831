// SPDX-License-Identifier: Apache-2.0
// This file says what a program may be given as.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clarity::compiler {

/// An embedded header of clCompileProgram.
struct Header {
  std::string name;
  std::string text;
};

/// The value that an application has given to a specialisation constant of SPIR-V, little-endian in `bytes`.
struct SpecializationValue {
  std::uint32_t id = 0;  ///< SpecId's
  std::string bytes;
};

/// A program before it is compiled. Refers to the caller's bytes.
struct Source {
  enum class Kind {
    OpenCLC,       ///< the language version by -cl-std, which may also name C++ for OpenCL
    CxxForOpenCL,  ///< C++ for OpenCL 2021 unless -cl-std names another version
    PortableIR,  ///< LLVM IR for spir64 as the front end makes it, bitcode or text; options that only a front end knows
                 ///< are ignored
    Spirv,       ///< a module of SPIR-V, 1.0 to 1.6; options that only a front end knows are ignored
  };
  Kind kind = Kind::OpenCLC;
  std::string_view bytes;
  std::span<const SpecializationValue> specialization;  ///< constants of SPIR-V; each id once, in ascending order

  Source(Kind kind, std::string_view bytes, std::span<const SpecializationValue> specialization = {})
      : kind(kind), bytes(bytes), specialization(specialization) {}
  /// Text without further word is OpenCL C.
  Source(const std::convertible_to<std::string_view> auto& text) : bytes(text) {}

  bool isPortableIR() const { return kind == Kind::PortableIR; }
  bool isSpirv() const { return kind == Kind::Spirv; }
};

/// Spirv if the bytes begin with its magic number or `fileName` ends in .spv; PortableIR if the bytes are LLVM bitcode,
/// begin as LLVM's text does ("; ModuleID = "), or `fileName` ends in .ll or .bc; CxxForOpenCL if it ends in .clcpp;
/// else OpenCLC.
Source::Kind kindOfSource(std::string_view bytes, std::string_view fileName = {});

/// Build options for programs of contexts that initialise memory (cl_khr_initialize_memory). core adds them to the
/// options of the application when it compiles, links or builds a program of such a context.
inline constexpr char initializePrivateOption[] = "-cl-clarity-initialize-private";
inline constexpr char initializeLocalOption[] = "-cl-clarity-initialize-local";

}  // namespace clarity::compiler
