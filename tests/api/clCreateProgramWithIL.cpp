// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateProgramWithIL (OpenCL 3.0, section 5.8.1) and clCreateProgramWithILKHR (cl_khr_il_program):
// programs of SPIR-V are built, compiled and linked as those from source are.
#include "build_callback.h"
#include "driver_functions.h"
#include "spirv_module.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace clarity::test {
namespace {

/// `int part(int a) { return a + 1; }`, for the linker.
Words exportingModule() {
  SpirvModule module;
  const cl_uint function = module.id();
  module.link(function, "part", spv::LinkageType::Export);
  const cl_uint number = module.result(spv::Op::OpTypeInt, {32, 0});
  const cl_uint type = module.result(spv::Op::OpTypeFunction, {number, number});
  const cl_uint one = module.value(spv::Op::OpConstant, number, {1});
  module.add(spv::Op::OpFunction, {number, function, 0, type});
  const cl_uint a = module.value(spv::Op::OpFunctionParameter, number);
  module.result(spv::Op::OpLabel);
  module.add(spv::Op::OpReturnValue, {module.value(spv::Op::OpIAdd, number, {a, one})});
  module.add(spv::Op::OpFunctionEnd, {});
  return module.finished();
}

/// `int part(int); kernel void value(global int* result) { *result = part(41); }`
Words importingModule() {
  SpirvModule module;
  const cl_uint function = module.kernel("value"), part = module.id();
  module.link(part, "part", spv::LinkageType::Import);
  ValueKernel kernel(module);
  const cl_uint type = module.result(spv::Op::OpTypeFunction, {kernel.number, kernel.number});
  const cl_uint argument = module.value(spv::Op::OpConstant, kernel.number, {41});
  module.add(spv::Op::OpFunction, {kernel.number, part, 0, type});
  module.value(spv::Op::OpFunctionParameter, kernel.number);
  module.add(spv::Op::OpFunctionEnd, {});
  kernel.begin(function);
  kernel.store(module.value(spv::Op::OpFunctionCall, kernel.number, {part, argument}));
  return module.finished();
}

struct CreateProgramWithIL : OpenCL {
  using Bytes = std::vector<unsigned char>;

  static Bytes bytesOf(const Words& words) {
    Bytes bytes(words.size() * sizeof(cl_uint));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
  }
  Bytes ilOf(cl_program program) { return infoVectorOf<unsigned char>(clGetProgramInfo, program, CL_PROGRAM_IL); }
  cl_program compiled(cl_program program) {
    EXPECT_SUCCESS(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr))
        << buildLog(program);
    return program;
  }
  cl_program linked(std::vector<cl_program> programs, const char* options = "") {
    return created([&](cl_int* e) {
      return clLinkProgram(context, 0, nullptr, options, cl_uint(programs.size()), programs.data(), nullptr, nullptr,
                           e);
    });
  }
};

TEST_F(CreateProgramWithIL, runs) {
  cl_program program = fromIL(*this, storing(24));
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << buildLog(program);
  EXPECT_EQ(valueOf(program), 24);
  EXPECT_EQ(infoStringOf(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES), "value");
  EXPECT_EQ(infoOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS), 1U);
  cl_kernel value = kernel(program, "value");
  EXPECT_EQ(infoOf<cl_uint>(clGetKernelInfo, value, CL_KERNEL_NUM_ARGS), 1U);
  EXPECT_EQ(infoStringOf(clGetKernelInfo, value, CL_KERNEL_ATTRIBUTES), "") << "for programs from source only";
  // Programs from source only have it, unless an option asks for it.
  cl_kernel_arg_address_qualifier qualifier = 0;
  EXPECT_CL(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
            clGetKernelArgInfo(value, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof qualifier, &qualifier, nullptr));
  cl_program described = fromIL(*this, storing(24));
  ASSERT_SUCCESS(clBuildProgram(described, 0, nullptr, "-cl-clarity-describe-arguments", nullptr, nullptr));
  value = kernel(described, "value");
  EXPECT_SUCCESS(clGetKernelArgInfo(value, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof qualifier, &qualifier, nullptr));
  EXPECT_EQ(qualifier, cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_GLOBAL});
}

// The bytes come back as they were given; there is no source.
TEST_F(CreateProgramWithIL, givesTheBytesBack) {
  const Words module = storing(1);
  cl_program program = fromIL(*this, module);
  EXPECT_EQ(ilOf(program), bytesOf(module));
  EXPECT_EQ(infoStringOf(clGetProgramInfo, program, CL_PROGRAM_SOURCE), "");
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_IL, module.size() * sizeof(cl_uint));
  EXPECT_EQ(CL_PROGRAM_IL, CL_PROGRAM_IL_KHR);
  EXPECT_EQ(infoVectorOf<cl_device_id>(clGetProgramInfo, program, CL_PROGRAM_DEVICES), std::vector{device});
  EXPECT_EQ(infoVectorOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES), std::vector<size_t>{0});
  // Building does not change them.
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << buildLog(program);
  EXPECT_EQ(ilOf(program), bytesOf(module));
}

// The application's bytes need no alignment, and may go once the program is created.
TEST_F(CreateProgramWithIL, copiesTheBytes) {
  const Bytes module = bytesOf(storing(5));
  for (size_t shift = 0; shift < 4; ++shift) {
    Bytes moved(shift, 0xEE);
    moved.insert(moved.end(), module.begin(), module.end());
    cl_program program =
        created([&](cl_int* e) { return clCreateProgramWithIL(context, moved.data() + shift, module.size(), e); });
    std::ranges::fill(moved, 0xEE);
    EXPECT_EQ(ilOf(program), module);
    ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << buildLog(program);
    EXPECT_EQ(valueOf(program), 5);
  }
}

// Words of the other order of bytes are a module as well (SPIR-V, section 2.3).
TEST_F(CreateProgramWithIL, takesBothOrdersOfBytes) {
  Words module = storing(77);
  for (cl_uint& word : module) word = std::byteswap(word);
  cl_program program = fromIL(*this, module);
  EXPECT_EQ(ilOf(program), bytesOf(module));
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << buildLog(program);
  EXPECT_EQ(valueOf(program), 77);
}

TEST_F(CreateProgramWithIL, takesEveryVersionOfTheDevice) {
  const auto versions = infoVectorOf<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_ILS_WITH_VERSION);
  ASSERT_FALSE(versions.empty());
  for (const cl_name_version& each : versions) {
    Words module = storing(cl_int(each.version >> 12));
    module[1] = CL_VERSION_MAJOR(each.version) << 16 | CL_VERSION_MINOR(each.version) << 8;
    cl_program program = fromIL(*this, module);
    ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << buildLog(program);
    EXPECT_EQ(valueOf(program), cl_int(each.version >> 12));
  }
}

TEST_F(CreateProgramWithIL, hasAnExtensionForm) {
  const auto create = driverFunction<clCreateProgramWithILKHR_fn>(*this, "clCreateProgramWithILKHR");
  ASSERT_NE(create, nullptr);
  const Words module = storing(3);
  const size_t bytes = module.size() * sizeof(cl_uint);
  cl_program program = created([&](cl_int* e) { return create(context, module.data(), bytes, e); });
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << buildLog(program);
  EXPECT_EQ(valueOf(program), 3);
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return create(nullptr, module.data(), bytes, e); });
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return create(context, nullptr, bytes, e); });
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return create(context, module.data(), 0, e); });
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return create(context, module.data(), 1, e); });
}

TEST_F(CreateProgramWithIL, isBuiltInTheBackground) {
  BuildCallback callback(device);
  cl_program program = fromIL(*this, storing(9));
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "", BuildCallback::call, &callback));
  callback.wait();
  EXPECT_EQ(callback.status, CL_BUILD_SUCCESS) << buildLog(program);
  EXPECT_EQ(valueOf(program), 9);
}

TEST_F(CreateProgramWithIL, isLinkedWithItself) {
  EXPECT_EQ(valueOf(linked({compiled(fromIL(*this, importingModule())), compiled(fromIL(*this, exportingModule()))})),
            42);
}

// Functions of SPIR-V call those from source, and the other way round.
TEST_F(CreateProgramWithIL, isLinkedWithSource) {
  cl_program part = compiled(source("int part(int a) { return a + 2; }"));
  EXPECT_EQ(valueOf(linked({compiled(fromIL(*this, importingModule())), part})), 43);
  cl_program value = compiled(source("int part(int a); kernel void value(global int* r) { *r = part(99); }"));
  EXPECT_EQ(valueOf(linked({value, compiled(fromIL(*this, exportingModule()))})), 100);
}

// A call by another type would be one of another function.
TEST_F(CreateProgramWithIL, importsHaveTheTypesOfExports) {
  const auto expectFailure = [&](std::vector<cl_program> programs, const char* part) {
    cl_int error = CL_SUCCESS;
    cl_program program = keep(
        clLinkProgram(context, 0, nullptr, "", cl_uint(programs.size()), programs.data(), nullptr, nullptr, &error));
    EXPECT_EQ(errorName(error), "CL_LINK_PROGRAM_FAILURE");
    ASSERT_NE(program, nullptr);
    EXPECT_NE(buildLog(program).find(part), std::string::npos) << buildLog(program);
  };
  const std::pair<const char*, const char*> definitions[] = {
      {"float part(int a) { return a; }", "'float (int)'"},
      {"int part(float a) { return a; }", "'int (float)'"},
      {"int part(int a, int b) { return a; }", "'int (int, int)'"},
      {"kernel void part(global int* a) { *a = 1; }", "the kernel 'void (global pointer)'"},
      {"constant int part = 1;", "the variable 'constant int'"}};
  for (const auto& [text, type] : definitions) {
    expectFailure({compiled(fromIL(*this, importingModule())), compiled(source(text))}, type);
    expectFailure({compiled(source(text)), compiled(fromIL(*this, importingModule()))}, "the function 'int (int)'");
  }
  cl_program value = compiled(source("float part(int a); kernel void value(global int* r) { *r = part(99); }"));
  expectFailure({value, compiled(fromIL(*this, exportingModule()))}, "the function 'float (int)' in program 1");
  const std::vector<cl_program> twice{compiled(fromIL(*this, importingModule())),
                                      compiled(fromIL(*this, exportingModule())),
                                      compiled(source("int part(int a) { return a; }"))};
  expectFailure(twice, "'part' is defined in program 2 and in program 3 of 3");
}

TEST_F(CreateProgramWithIL, isPutIntoLibraries) {
  cl_program library = linked({compiled(fromIL(*this, exportingModule()))}, "-create-library");
  EXPECT_EQ(valueOf(linked({library, compiled(fromIL(*this, importingModule()))})), 42);
}

// The headers of clCompileProgram are for sources: they are not even looked at.
TEST_F(CreateProgramWithIL, ignoresHeaders) {
  cl_program header = source("#error is not included");
  const char* name = "header.h";
  cl_program program = fromIL(*this, storing(6));
  EXPECT_SUCCESS(clCompileProgram(program, 0, nullptr, "", 1, &header, &name, nullptr, nullptr)) << buildLog(program);
  EXPECT_SUCCESS(clCompileProgram(program, 0, nullptr, "", 0, &header, nullptr, nullptr, nullptr));
  EXPECT_EQ(valueOf(linked({program})), 6);
  // Nor is it one itself.
  const char* text = "#include \"header.h\"\n";
  cl_program user = created([&](cl_int* e) { return clCreateProgramWithSource(context, 1, &text, nullptr, e); });
  EXPECT_CL(CL_INVALID_OPERATION, clCompileProgram(user, 0, nullptr, "", 1, &program, &name, nullptr, nullptr));
}

TEST_F(CreateProgramWithIL, goesThroughBinaries) {
  cl_program program = fromIL(*this, storing(13));
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << buildLog(program);
  cl_program again = fromBinary(binaryOf(program));
  ASSERT_SUCCESS(clBuildProgram(again, 0, nullptr, "", nullptr, nullptr));
  EXPECT_EQ(valueOf(again), 13);
  EXPECT_TRUE(ilOf(again).empty()) << "only for programs that were created from it";
  // Compiled objects, too.
  cl_program part = fromBinary(binaryOf(compiled(fromIL(*this, exportingModule()))));
  EXPECT_EQ(valueOf(linked({part, compiled(fromIL(*this, importingModule()))})), 42);
}

TEST_F(CreateProgramWithIL, isBuiltForSubDevices) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id parts[2] = {};
  ASSERT_SUCCESS(clCreateSubDevices(device, how, 2, parts, nullptr));
  for (cl_device_id each : parts) keep(each);
  const cl_device_id all[] = {parts[0], device, parts[1]};
  cl_context in = created([&](cl_int* e) { return clCreateContext(nullptr, 3, all, nullptr, nullptr, e); });
  cl_program program = fromIL(*this, storing(31), in);
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  cl_kernel value = kernel(program, "value");
  cl_mem result = created([&](cl_int* e) { return clCreateBuffer(in, CL_MEM_READ_WRITE, 4, nullptr, e); });
  ASSERT_SUCCESS(clSetKernelArg(value, 0, sizeof result, &result));
  for (cl_device_id each : all) {
    cl_command_queue on = created([&](cl_int* e) { return clCreateCommandQueue(in, each, 0, e); });
    const cl_int zero = 0;
    const size_t one = 1;
    cl_int number = 0;
    ASSERT_SUCCESS(clEnqueueWriteBuffer(on, result, CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(on, value, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clEnqueueReadBuffer(on, result, CL_TRUE, 0, 4, &number, 0, nullptr, nullptr));
    EXPECT_EQ(number, 31);
  }
}

// A module that follows the grammar and cannot be used is refused when it is built, with a sentence.
TEST_F(CreateProgramWithIL, failsToBuild) {
  SpirvModule module({spv::Capability::Shader});
  const cl_uint function = module.kernel("value");
  ValueKernel kernel(module);
  const cl_uint constant = module.value(spv::Op::OpConstant, kernel.number, {1});
  kernel.begin(function);
  kernel.store(constant);
  cl_program program = fromIL(*this, module.finished());
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  EXPECT_NE(buildLog(program).find("Shader"), std::string::npos) << buildLog(program);
  EXPECT_CL(CL_COMPILE_PROGRAM_FAILURE,
            clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_NE(buildLog(program).find("Shader"), std::string::npos) << buildLog(program);
  program = fromIL(*this, storing(1));
  EXPECT_CL(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, nullptr, "-no-such-option", nullptr, nullptr));
}

// One word of a module has another value: it is refused when it is created or built, or means something else.
TEST_F(CreateProgramWithIL, damagedModulesDoNoHarm) {
  const auto build = [&](const Words& module, size_t place) {
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithIL(context, module.data(), module.size() * sizeof(cl_uint), &error);
    EXPECT_EQ(program != nullptr, error == CL_SUCCESS);
    if (program == nullptr) {
      EXPECT_CL(CL_INVALID_VALUE, error) << "word " << place;
      return;
    }
    error = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    if (error != CL_SUCCESS) EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, error) << "word " << place;
    if (error != CL_SUCCESS) EXPECT_NE(buildLog(program).find("error: "), std::string::npos) << buildLog(program);
    EXPECT_SUCCESS(clReleaseProgram(program));
  };
  for (const Words& whole : {storing(3), importingModule(), exportingModule()})
    for (size_t place = 0; place < whole.size(); ++place)
      for (const cl_uint word : {0U, whole[place] + 1, whole[place] ^ 0x10000, 0xFFFFFFFFU}) {
        Words module = whole;
        module[place] = word;
        build(module, place);
      }
}

// Source text that is a module lacks its last zeros.
TEST_F(CreateProgramWithIL, isNoSource) {
  const Words module = storing(1);
  const size_t length = module.size() * sizeof(cl_uint);
  const auto* text = reinterpret_cast<const char*>(module.data());
  cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(context, 1, &text, &length, e); });
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  EXPECT_NE(buildLog(program).find("clCreateProgramWithIL"), std::string::npos) << buildLog(program);
  EXPECT_CL(CL_COMPILE_PROGRAM_FAILURE,
            clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
}

// context is not a valid context.
TEST_F(CreateProgramWithIL, invalidContext) {
  const Words module = storing(1);
  for (cl_context wrong : {cl_context{nullptr}, notAnObject<cl_context>(), reinterpret_cast<cl_context>(queue)})
    expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) {
      return driver->clCreateProgramWithIL(wrong, module.data(), module.size() * sizeof(cl_uint), e);
    });
}

// il is NULL, length is 0, or the bytes are no well-formed module; the sentence says what is wrong.
TEST_F(CreateProgramWithIL, invalidValue) {
  const Words module = storing(1);
  const Bytes bytes = bytesOf(module);
  const auto with = [&](const void* il, size_t length) {
    return [=, this](cl_int* e) { return clCreateProgramWithIL(context, il, length, e); };
  };
  expectFails(CL_INVALID_VALUE, with(nullptr, bytes.size()));
  expectFails(CL_INVALID_VALUE, with(bytes.data(), 0));
  const std::string text = "kernel void value(global int* result) { *result = 1; }";
  expectFails(CL_INVALID_VALUE, with(text.data(), text.size()));
  EXPECT_TRUE(wasNotified("SPIR-V")) << allNotified();
  // Cut short, anywhere: only behind a whole instruction there may be a module.
  for (size_t length = 1; length < bytes.size(); ++length)
    if (length % sizeof(cl_uint) != 0 || length < 5 * sizeof(cl_uint))
      expectFails(CL_INVALID_VALUE, with(bytes.data(), length));
  const auto expectRefused = [&](size_t place, cl_uint word) {
    Words wrong = module;
    wrong[place] = word;
    expectFails(CL_INVALID_VALUE, with(wrong.data(), wrong.size() * sizeof(cl_uint)));
  };
  expectRefused(0, 0x07230204);
  for (const cl_uint version : {0x00000000U, 0x00009900U, 0x00020000U, 0x00010700U, 0x00010001U, 0xFFFFFFFFU})
    expectRefused(1, version);
  expectRefused(5, cl_uint(spv::Op::OpCapability));  // an instruction of no word
  expectRefused(5, 0x00030000U | cl_uint(spv::Op::OpCapability));
  expectRefused(5, 0xFFFF0000U | cl_uint(spv::Op::OpCapability));
}

}  // namespace
}  // namespace clarity::test
