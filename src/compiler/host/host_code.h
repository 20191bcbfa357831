// SPDX-License-Identifier: Apache-2.0
// This file is the host back end's code as the CPU device uses it: machine code in an object, and the same loaded into
// this process.
#pragma once

#include "compiler/compiler.h"
#include "compiler/host/code_facts.h"
#include "compiler/host/target.h"
#include "compiler/kernel_abi.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace clarity::compiler {

/// An ELF object and its facts. The same for all programs; loadHostCode() binds it to the variables of one.
class HostCode final : public DeviceCode {
public:
  std::string_view backEnd() const override { return hostBackEndName; }
  std::string bytes() const override;

  CodeFacts facts;
  std::string object;
};

/// Code of one kernel for one shape, callable as long as this object lives.
class NativeKernel : public CodeFacts {
public:
  virtual ~NativeKernel() = default;
  Entry entry = nullptr;
  std::span<const std::byte> code;  ///< for finding out which kernel faulted
  std::string remarks;
  std::vector<AccessSite> sites;
  bool fromCache = false;
};

struct NativeOutcome {
  Status status = Status::Ok;
  std::string log;
  std::shared_ptr<NativeKernel> kernel;
};

/// generate() for the host and the loading of what it returns. `variables` is where the block of the image's
/// ProgramScope::variables is; nullptr if it is empty.
NativeOutcome generateNative(const Image&, std::string_view kernel, const Shape&, const Target&, std::byte* variables);

/// Makes a function of this process callable by name from generated code (the runtime's printf). Before the first
/// generateNative(); `name` lives as long as the process.
void provideRuntimeSymbol(const char* name, void* address);

}  // namespace clarity::compiler
