// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that build, compile and link programs (OpenCL 3.0, sections 5.8.4 and 5.8.5).
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "core/program.h"

namespace clarity::api {

using core::Context;
using core::Device;
using core::Program;

namespace {

using Notify = void(CL_CALLBACK*)(cl_program, void*);

Program::Completion checkedCompletion(Notify notify, void* userData) {
  // CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL.
  failIf(!notify && userData, CL_INVALID_VALUE, "pfn_notify is null and user_data is {}", userData);
  return {notify, userData};
}

std::string optionsOf(const char* options) { return options ? options : ""; }

/// The devices that a program is built for when the application names none: those with a source or binary.
std::vector<Ref<Device>> devicesToBuild(const Program& program, cl_uint n, const cl_device_id* list) {
  std::vector<Ref<Device>> devices = deviceListOf(n, list, program.devices());
  if (list || program.origin() != Program::Origin::Binary) return devices;
  std::vector<Ref<Device>> loaded;
  for (const Ref<Device>& device : devices)
    if (program.isFromBinary(device)) loaded.push_back(device);
  return loaded;
}

/// CL_INVALID_VALUE unless the two header arrays are both there or both null, as the count says.
std::vector<compiler::Header> headersOf(const Program& program, cl_uint n, const cl_program* programs,
                                        const char** names) {
  failIf(n == 0 && (programs || names), CL_INVALID_VALUE,
         "num_input_headers is 0, input_headers is {} and header_include_names is {}",
         static_cast<const void*>(programs), static_cast<const void*>(names));
  failIf(n != 0 && (!programs || !names), CL_INVALID_VALUE,
         "num_input_headers is {}, input_headers is {} and header_include_names is {}", n,
         static_cast<const void*>(programs), static_cast<const void*>(names));
  std::vector<compiler::Header> headers;
  for (cl_uint i = 0; i < n; ++i) {
    const Program& header = ref<Program>(programs[i]);
    // CL_INVALID_CONTEXT if the context associated with program and programs in input_headers are not the same.
    requireSameContext(program.context(), "program", header.context(), "a program of input_headers");
    failIf(!names[i], CL_INVALID_VALUE, "header_include_names[{}] is null", i);
    failIf(header.origin() != Program::Origin::Source, CL_INVALID_OPERATION, "the program of header '{}' has no source",
           names[i]);
    headers.push_back({names[i], std::string(header.source())});
  }
  return headers;
}

}  // namespace

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id* device_list, const char* options,
                      Notify pfn_notify, void* user_data) {
  return entry([&] {
    Program& it = ref<Program>(program);
    const Program::Completion completion = checkedCompletion(pfn_notify, user_data);
    // CL_INVALID_VALUE, CL_INVALID_DEVICE for device_list.
    std::vector<Ref<Device>> devices = devicesToBuild(it, num_devices, device_list);
    it.build(std::move(devices), optionsOf(options), completion);
  });
}

cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id* device_list, const char* options,
                        cl_uint num_input_headers, const cl_program* input_headers, const char** header_include_names,
                        Notify pfn_notify, void* user_data) {
  return entry([&] {
    Program& it = ref<Program>(program);
    const Program::Completion completion = checkedCompletion(pfn_notify, user_data);
    std::vector<Ref<Device>> devices = deviceListOf(num_devices, device_list, it.devices());
    // The headers are ignored if program was created with clCreateProgramWithIL.
    std::vector<compiler::Header> headers;
    if (it.origin() != Program::Origin::IL)
      headers = headersOf(it, num_input_headers, input_headers, header_include_names);
    it.compile(std::move(devices), optionsOf(options), std::move(headers), completion);
  });
}

cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id* device_list, const char* options,
                         cl_uint num_input_programs, const cl_program* input_programs, Notify pfn_notify,
                         void* user_data, cl_int* errcode_ret) {
  return entry(errcode_ret, [&](cl_int& code) {
    Context& it = ref<Context>(context);
    const Program::Completion completion = checkedCompletion(pfn_notify, user_data);
    std::vector<Ref<Device>> devices = deviceListOf(num_devices, device_list, it.devices());
    // CL_INVALID_VALUE if num_input_programs is zero or input_programs is NULL.
    failIf(num_input_programs == 0 || !input_programs, CL_INVALID_VALUE,
           "num_input_programs is {} and input_programs is {}", num_input_programs,
           static_cast<const void*>(input_programs));
    std::vector<Ref<Program>> inputs;
    for (cl_uint i = 0; i < num_input_programs; ++i) {
      // CL_INVALID_PROGRAM if programs specified in input_programs are not valid program objects.
      Program& input = ref<Program>(input_programs[i]);
      // CL_INVALID_CONTEXT if the context associated with programs in input_programs is not the same as context.
      requireSameContext(it, "context", input.context(), "a program of input_programs");
      inputs.emplace_back(input);
    }
    return Program::link(it, std::move(devices), optionsOf(options), std::move(inputs), completion, code)->handle();
  });
}

}  // namespace clarity::api
