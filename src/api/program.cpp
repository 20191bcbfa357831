// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that create programs and ask about them (OpenCL 3.0, section 5.8); building them
// is in build.cpp.
#include "core/program.h"

#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "core/binary.h"

#include <cstddef>
#include <cstring>
#include <expected>
#include <utility>

namespace clarity::api {

using core::Context;
using core::Device;
using core::Program;

namespace {

std::vector<cl_device_id> deviceHandles(const Program& program) {
  std::vector<cl_device_id> handles;
  for (const Ref<Device>& device : program.devices()) handles.push_back(device->handle());
  return handles;
}

std::vector<size_t> binarySizes(const Program& program) {
  std::vector<size_t> sizes;
  for (const Ref<Device>& device : program.devices()) sizes.push_back(program.binary(device).size());
  return sizes;
}

/// CL_PROGRAM_BINARIES: param_value holds a pointer for each device; null ones are skipped.
void writeBinaries(Program& program, InfoWriter& out) {
  unsigned char** pointers = out.values<unsigned char*>(program.devices().size());
  if (!pointers) return;
  for (const Ref<Device>& device : program.devices()) {
    unsigned char* const to = *pointers++;
    if (!to) continue;
    const std::string binary = program.binary(device);
    std::memcpy(to, binary.data(), binary.size());
  }
}

std::string kernelNames(const Program& program) {
  std::string names;
  for (const std::string& name : program.kernelNames()) {
    if (!names.empty()) names += ';';
    names += name;
  }
  return names;
}

const InfoRow<Program> programInfo[] = {
    INFO_ROW(cl_uint, CL_PROGRAM_REFERENCE_COUNT, it.referenceCount()),
    INFO_ROW(cl_context, CL_PROGRAM_CONTEXT, it.context().handle()),
    INFO_ROW(cl_uint, CL_PROGRAM_NUM_DEVICES, it.devices().size()),
    INFO_ROW(std::vector<cl_device_id>, CL_PROGRAM_DEVICES, deviceHandles(it)),
    INFO_ROW(std::string, CL_PROGRAM_SOURCE, it.source()),
    INFO_ROW(std::vector<unsigned char>, CL_PROGRAM_IL, std::vector<unsigned char>(it.il().begin(), it.il().end())),
    INFO_ROW(std::vector<size_t>, CL_PROGRAM_BINARY_SIZES, binarySizes(it)),
    {CL_PROGRAM_BINARIES, "CL_PROGRAM_BINARIES", writeBinaries},
    INFO_ROW(size_t, CL_PROGRAM_NUM_KERNELS, it.kernelNames().size()),
    INFO_ROW(std::string, CL_PROGRAM_KERNEL_NAMES, kernelNames(it)),
    INFO_ROW(cl_bool, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, it.hasConstructors()),
    INFO_ROW(cl_bool, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, CL_FALSE),
};

const InfoRow<const core::BuildState> buildInfo[] = {
    INFO_ROW(cl_build_status, CL_PROGRAM_BUILD_STATUS, it.status),
    INFO_ROW(std::string, CL_PROGRAM_BUILD_OPTIONS, it.options),
    INFO_ROW(std::string, CL_PROGRAM_BUILD_LOG, it.log),
    INFO_ROW(cl_program_binary_type, CL_PROGRAM_BINARY_TYPE, it.type),
    INFO_ROW(size_t, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, it.compiled ? it.compiled->scope.variables.bytes : 0),
};

/// The binaries if all of them are LLVM IR (cl_khr_spir); nullopt otherwise.
std::optional<std::vector<std::string>> intermediates(cl_uint count, const size_t* lengths,
                                                      const unsigned char* const* binaries) {
  std::vector<std::string> modules;
  for (cl_uint i = 0; i < count; ++i) {
    const std::string_view bytes(reinterpret_cast<const char*>(binaries[i]), binaries[i] ? lengths[i] : 0);
    if (compiler::kindOfSource(bytes) != compiler::Source::Kind::PortableIR) return std::nullopt;
    modules.emplace_back(bytes);
  }
  return modules;
}

/// One piece of source text. Terminating zeros that an application counted in are not text.
std::string_view sourcePiece(const char* text, const size_t* length) {
  if (!length || *length == 0) return text;
  std::string_view piece(text, *length);
  while (!piece.empty() && piece.back() == '\0') piece.remove_suffix(1);
  return piece;
}

}  // namespace

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings, const size_t* lengths,
                                     cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Context& it = ref<Context>(context);
    // CL_INVALID_VALUE if count is zero or if strings or any entry in strings is NULL.
    failIf(count == 0 || !strings, CL_INVALID_VALUE, "count is {} and strings is {}", count,
           static_cast<const void*>(strings));
    std::string source;
    for (cl_uint i = 0; i < count; ++i) {
      failIf(!strings[i], CL_INVALID_VALUE, "strings[{}] is null", i);
      source += sourcePiece(strings[i], lengths ? &lengths[i] : nullptr);
    }
    return (new Program(it, std::move(source)))->handOut();
  });
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint num_devices, const cl_device_id* device_list,
                                     const size_t* lengths, const unsigned char** binaries, cl_int* binary_status,
                                     cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Context& it = ref<Context>(context);
    // CL_INVALID_VALUE if device_list is NULL or num_devices is zero.
    failIf(num_devices == 0 || !device_list, CL_INVALID_VALUE, "num_devices is {} and device_list is {}", num_devices,
           static_cast<const void*>(device_list));
    // CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with context.
    const std::vector<Ref<Device>> devices = deviceListOf(num_devices, device_list, it.devices());
    // CL_INVALID_VALUE if lengths or binaries is NULL or if any entry in lengths is zero or in binaries is NULL.
    failIf(!lengths || !binaries, CL_INVALID_VALUE, "lengths is {} and binaries is {}",
           static_cast<const void*>(lengths), static_cast<const void*>(binaries));

    if (auto modules = intermediates(num_devices, lengths, binaries)) {
      // CL_INVALID_BINARY if an invalid program binary was encountered for any device.
      for (const std::string& module : *modules)
        if (const std::string why = compiler::objectionToPortableIR(module); !why.empty()) {
          if (binary_status) std::fill_n(binary_status, num_devices, CL_INVALID_BINARY);
          fail(CL_INVALID_BINARY, "a binary of LLVM IR is refused: {}", why);
        }
      if (binary_status) std::fill_n(binary_status, num_devices, CL_SUCCESS);
      return (new Program(it, devices, Program::Modules{*std::move(modules)}))->handOut();
    }
    std::vector<std::shared_ptr<const compiler::CompiledProgram>> programs(num_devices);
    cl_int code = CL_SUCCESS;
    std::string text;
    for (cl_uint i = 0; i < num_devices; ++i) {
      cl_int status = CL_SUCCESS;
      std::string why;
      if (lengths[i] == 0 || !binaries[i]) {
        status = CL_INVALID_VALUE;
        why = fmt::format("it has {} bytes at {}", lengths[i], static_cast<const void*>(binaries[i]));
      } else {
        const auto* const bytes = reinterpret_cast<const std::byte*>(binaries[i]);
        programs[i] = core::loadBinary({bytes, lengths[i]}, devices[i], why);
        // CL_INVALID_BINARY if an invalid program binary was encountered for any device.
        if (!programs[i]) status = CL_INVALID_BINARY;
      }
      if (binary_status) binary_status[i] = status;
      if (status == CL_SUCCESS) continue;
      if (code == CL_SUCCESS) code = status;
      text += fmt::format("{}binary {} is refused: {}", text.empty() ? "" : "; ", i, why);
    }
    failIf(code != CL_SUCCESS, code, "{}", text);
    return (new Program(it, devices, std::move(programs)))->handOut();
  });
}

cl_program clCreateProgramWithIL(cl_context context, const void* il, size_t length, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Context& it = ref<Context>(context);
    // CL_INVALID_VALUE if il is NULL or if length is zero.
    failIf(!il || length == 0, CL_INVALID_VALUE, "il is {} and length is {}", il, length);
    // CL_INVALID_VALUE if the length-byte memory pointed to by il does not contain well-formed intermediate language.
    // CL_INVALID_OPERATION if no devices in context support intermediate language programs: all do.
    std::string bytes(static_cast<const char*>(il), length);
    std::expected<compiler::SpirvFacts, std::string> facts = compiler::inspectSpirv(bytes);
    if (!facts) fail(CL_INVALID_VALUE, "the {} bytes of il are no module of SPIR-V: {}", length, facts.error());
    return (new Program(it, std::move(bytes), *std::move(facts)))->handOut();
  });
}

cl_program clCreateProgramWithILKHR(cl_context context, const void* il, size_t length, cl_int* errcode_ret) {
  return api::clCreateProgramWithIL(context, il, length, errcode_ret);
}

cl_int clRetainProgram(cl_program program) {
  return entry([&] { retainHandle<Program>(program); });
}

cl_int clReleaseProgram(cl_program program) {
  return entry([&] { releaseHandle<Program>(program); });
}

cl_int clSetProgramReleaseCallback(cl_program program, void(CL_CALLBACK* pfn_notify)(cl_program, void*), void*) {
  return entry([&] {
    ref<Program>(program);
    // CL_INVALID_VALUE if pfn_notify is NULL.
    failIf(!pfn_notify, CL_INVALID_VALUE, "pfn_notify is null");
    // CL_INVALID_OPERATION if no devices in the context associated with program support destructors for program scope
    // global variables.
    fail(CL_INVALID_OPERATION, "no device of the program supports destructors of program scope variables");
  });
}

cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                          const void* spec_value) {
  return entry([&] {
    Program& it = ref<Program>(program);
    // CL_INVALID_VALUE if spec_value is NULL.
    failIf(!spec_value, CL_INVALID_VALUE, "spec_value is null");
    it.specialize(spec_id, {static_cast<const std::byte*>(spec_value), spec_size});
  });
}

cl_int clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size, void* param_value,
                        size_t* param_value_size_ret) {
  return entry([&] {
    answer(programInfo, ref<Program>(program), param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info param_name,
                             size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    const Program& it = ref<Program>(program);
    // CL_INVALID_DEVICE if device is not in the list of devices associated with program.
    const core::BuildState state = it.state(ref<Device>(device));
    answer(buildInfo, state, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

}  // namespace clarity::api
