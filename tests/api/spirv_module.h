// SPDX-License-Identifier: Apache-2.0
// This file writes modules of SPIR-V word by word, and holds those that several tests use.
#pragma once

#include "fixture.h"

#include <spirv/unified1/spirv.hpp11>

#include <initializer_list>
#include <string_view>
#include <vector>

namespace clarity::test {

using Words = std::vector<cl_uint>;

/// A module in the making. Instructions stand in the order in which they are added.
class SpirvModule {
public:
  /// With the capabilities and the memory model of every kernel.
  explicit SpirvModule(std::initializer_list<spv::Capability> capabilities = {}, cl_uint version = 0x00010000)
      : words_{spv::MagicNumber, version, 0, 0, 0} {
    for (const spv::Capability each : {spv::Capability::Addresses, spv::Capability::Linkage, spv::Capability::Kernel})
      add(spv::Op::OpCapability, {cl_uint(each)});
    for (const spv::Capability each : capabilities) add(spv::Op::OpCapability, {cl_uint(each)});
    add(spv::Op::OpMemoryModel, {cl_uint(spv::AddressingModel::Physical64), cl_uint(spv::MemoryModel::OpenCL)});
  }

  cl_uint id() { return ++last_; }
  void add(spv::Op op, const Words& operands) {
    words_.push_back(cl_uint(operands.size() + 1) << 16 | cl_uint(op));
    words_.insert(words_.end(), operands.begin(), operands.end());
  }
  /// An instruction with a result of a type; returns the result.
  cl_uint value(spv::Op op, cl_uint type, const Words& operands = {}) {
    Words all{type, id()};
    all.insert(all.end(), operands.begin(), operands.end());
    add(op, all);
    return last_;
  }
  /// An instruction that has a result and no type: a type, a label; returns the result.
  cl_uint result(spv::Op op, const Words& operands = {}) {
    Words all{id()};
    all.insert(all.end(), operands.begin(), operands.end());
    add(op, all);
    return last_;
  }
  /// OpEntryPoint for a function that is still to come; returns its id.
  cl_uint kernel(std::string_view name) {
    const cl_uint function = id();
    add(spv::Op::OpEntryPoint, joined({cl_uint(spv::ExecutionModel::Kernel), function}, name));
    return function;
  }
  /// A name for the linker, of a function or variable that is still to come.
  void link(cl_uint id, std::string_view name, spv::LinkageType type) {
    Words operands = joined({id, cl_uint(spv::Decoration::LinkageAttributes)}, name);
    operands.push_back(cl_uint(type));
    add(spv::Op::OpDecorate, operands);
  }
  Words finished() const {
    Words all = words_;
    all[3] = last_ + 1;
    return all;
  }

private:
  static Words joined(Words words, std::string_view text) {
    for (size_t i = 0; i <= text.size(); i += 4) {
      cl_uint word = 0;
      for (size_t j = i; j < i + 4 && j < text.size(); ++j)
        word |= cl_uint(static_cast<unsigned char>(text[j])) << (j - i) * 8;
      words.push_back(word);
    }
    return words;
  }

  Words words_;
  cl_uint last_ = 0;
};

/// The types and the beginning of `kernel void value(global int* result)`, whose function is made by kernel().
struct ValueKernel {
  explicit ValueKernel(SpirvModule& in) : module(in) {
    nothing_ = module.result(spv::Op::OpTypeVoid);
    number = module.result(spv::Op::OpTypeInt, {32, 0});
    pointer = module.result(spv::Op::OpTypePointer, {cl_uint(spv::StorageClass::CrossWorkgroup), number});
    type = module.result(spv::Op::OpTypeFunction, {nothing_, pointer});
  }
  void begin(cl_uint function) {
    module.add(spv::Op::OpFunction, {nothing_, function, 0, type});
    result_ = module.value(spv::Op::OpFunctionParameter, pointer);
    module.result(spv::Op::OpLabel);
  }
  void store(cl_uint value) {
    module.add(spv::Op::OpStore, {result_, value, cl_uint(spv::MemoryAccessMask::Aligned), 4});
    module.add(spv::Op::OpReturn, {});
    module.add(spv::Op::OpFunctionEnd, {});
  }

  SpirvModule& module;
  cl_uint number = 0, pointer = 0, type = 0;

private:
  cl_uint nothing_ = 0, result_ = 0;
};

/// `kernel void value(global int* result) { *result = number; }`
inline Words storing(cl_int number) {
  SpirvModule module;
  const cl_uint function = module.kernel("value");
  ValueKernel kernel(module);
  const cl_uint constant = module.value(spv::Op::OpConstant, kernel.number, {cl_uint(number)});
  kernel.begin(function);
  kernel.store(constant);
  return module.finished();
}

/// A program from the module, kept, not built yet.
inline cl_program fromIL(OpenCL& test, const Words& module, cl_context context = nullptr) {
  return test.created([&](cl_int* e) {
    return clCreateProgramWithIL(context ? context : test.context, module.data(), module.size() * sizeof(cl_uint), e);
  });
}

}  // namespace clarity::test
