// SPDX-License-Identifier: Apache-2.0
// This file is the kernels that PoCL has, under its names.
#include "built_in/families.h"
#include "built_in/plan.h"

#include <string>
#include <string_view>

namespace clarity::built_in {
namespace {

/// One element for each work-item of the application's NDRange.
void planElements(Builder& it) {
  const device::NDRange& range = it.given().range;
  const std::string function = identifierOf(it.kernel().name());
  for (const compiler::KernelArg& argument : it.kernel().info.args)
    it.needsBox(argument.name, it.given().isEmpty ? 0 : range.global[0] + range.offset[0], 1);
  if (it.kernel().info.args.size() == 2)
    it.pass(function, range, "input", "output");
  else
    it.pass(function, range, "input1", "input2", "output");
}

constexpr Entry elements(const char* name, const char* signature, const char* summary) {
  return {name, nullptr, nullptr, signature, summary, "pocl", planElements, nullptr, nullptr, true};
}

constexpr Entry entries[] = {
    elements("pocl.add.i32", "const int* input1, const int* input2, int* output", "output[i] = input1[i] + input2[i]"),
    elements("pocl.mul.i32", "const int* input1, const int* input2, int* output", "output[i] = input1[i] * input2[i]"),
    elements("pocl.add.i8", "const char* input1, const char* input2, char* output",
             "output[i] = input1[i] + input2[i]"),
    elements("pocl.abs.f32", "const float* input, float* output", "output[i] = the magnitude of input[i]"),
};

}  // namespace

const Family poclNames{"PoCL's",
                       "PoCL has kernels of the same names. Their NDRange is the application's: work-item `i` "
                       "of the first dimension computes element `i`, and the work-group size may be given.",
                       entries};

}  // namespace clarity::built_in
