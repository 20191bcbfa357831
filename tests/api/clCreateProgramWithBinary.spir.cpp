// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateProgramWithBinary with LLVM IR (cl_khr_spir): modules of SPIR 1.2, and what is none.
#include "fixture.h"

namespace clarity::test {
namespace {

/// SPIR 1.2 as LLVM's reader hands it on: pointers have lost their types, all else is as it was written in 2012.
constexpr const char* kModule =
    R"(; ModuleID = 'k.cl'
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-)"
    R"(v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024"
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %image, i32 %sampler, ptr addrspace(1) %count) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %at = insertelement <2 x i32> <i32 0, i32 1>, i32 %x, i32 0
  %a = call spir_func <4 x float> @_Z11read_imagef11ocl_image2d11ocl_samplerDv2_i(
      ptr addrspace(1) %image, i32 %sampler, <2 x i32> %at)
  %b = call spir_func <4 x float> @_Z11read_imagef11ocl_image2d11ocl_samplerDv2_i(
      ptr addrspace(1) %image, i32 16, <2 x i32> %at)
  %sum = fadd <4 x float> %a, %b
  %value = extractelement <4 x float> %sum, i32 0
  %place = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %value, ptr addrspace(1) %place
  %old = call spir_func i32 @_Z10atomic_addPVU3AS1ii(ptr addrspace(1) %count, i32 3)
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func <4 x float> @_Z11read_imagef11ocl_image2d11ocl_samplerDv2_i(ptr addrspace(1), i32, <2 x i32>)
declare spir_func i32 @_Z10atomic_addPVU3AS1ii(ptr addrspace(1), i32)
!opencl.kernels = !{!0}
!opencl.spir.version = !{!5}
!opencl.ocl.version = !{!5}
!0 = !{ptr @k, !1, !2, !3, !4}
!1 = !{!"kernel_arg_addr_space", i32 1, i32 1, i32 0, i32 1}
!2 = !{!"kernel_arg_access_qual", !"none", !"read_only", !"none", !"none"}
!3 = !{!"kernel_arg_type", !"float*", !"image2d_t", !"sampler_t", !"int*"}
!4 = !{!"kernel_arg_base_type", !"float*", !"image2d_t", !"sampler_t", !"int*"}
!5 = !{i32 1, i32 2}
)";

struct CreateProgramWithBinarySpir : OpenCL {
  cl_program create(std::string_view module, cl_int* error = nullptr) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(module.data());
    const size_t size = module.size();
    cl_int status = 1, code = CL_SUCCESS;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, error ? error : &code);
    if (!error) EXPECT_SUCCESS(code);
    return program ? keep(program) : nullptr;
  }
  cl_program_binary_type typeOf(cl_program program) {
    cl_program_binary_type type = 0;
    EXPECT_SUCCESS(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr));
    return type;
  }
};

TEST_F(CreateProgramWithBinarySpir, runs) {
  cl_program program = create(kModule);
  EXPECT_EQ(typeOf(program), cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_INTERMEDIATE));
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "-x spir -spir-std=1.2", nullptr, nullptr));
  EXPECT_EQ(typeOf(program), cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE));
  cl_bool hasImages = CL_FALSE;
  ASSERT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof hasImages, &hasImages, nullptr));
  if (!hasImages) GTEST_SKIP() << "the device has no images";

  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 4;
  std::vector<cl_float> texels(64);
  for (size_t i = 0; i < texels.size(); ++i) texels[i] = cl_float(i);
  cl_int error = CL_SUCCESS;
  cl_mem image = keep(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &description, texels.data(), &error));
  ASSERT_SUCCESS(error);
  cl_sampler sampler = keep(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
  ASSERT_SUCCESS(error);
  cl_mem out = buffer(4 * sizeof(cl_float)), count = bufferOf(std::vector<cl_int>{1});
  cl_kernel k = kernel(program, "k");
  ASSERT_SUCCESS(clSetKernelArg(k, 0, sizeof out, &out));
  ASSERT_SUCCESS(clSetKernelArg(k, 1, sizeof image, &image));
  ASSERT_SUCCESS(clSetKernelArg(k, 2, sizeof sampler, &sampler));
  ASSERT_SUCCESS(clSetKernelArg(k, 3, sizeof count, &count));
  launch(k, 4, 1);
  EXPECT_EQ(read<cl_float>(out, 4), (std::vector<cl_float>{32, 40, 48, 56}));
  EXPECT_EQ(read<cl_int>(count, 1)[0], 13);
}

// vloada_half and vstorea_half are declared by the header of clang, not by the standard.
TEST_F(CreateProgramWithBinarySpir, callsAllThatClangsHeaderDeclares) {
  const std::string head(kModule, std::string_view(kModule).find("define"));
  cl_program program = create(head + R"(define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %value = call spir_func float @_Z11vloada_halfmPKU3AS1Dh(i64 %id, ptr addrspace(1) %in)
  %twice = fmul float %value, 2.0
  call spir_func void @_Z16vstorea_half_rtzfmPU3AS1Dh(float %twice, i64 %id, ptr addrspace(1) %out)
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func float @_Z11vloada_halfmPKU3AS1Dh(i64, ptr addrspace(1))
declare spir_func void @_Z16vstorea_half_rtzfmPU3AS1Dh(float, i64, ptr addrspace(1))
!opencl.kernels = !{!0}
!opencl.spir.version = !{!3}
!0 = !{ptr @k, !1, !2}
!1 = !{!"kernel_arg_addr_space", i32 1, i32 1}
!2 = !{!"kernel_arg_type", !"half*", !"half*"}
!3 = !{i32 1, i32 2}
)");
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "-x spir -spir-std=1.2", nullptr, nullptr));
  constexpr cl_half one = 0x3c00, two = 0x4000, three = 0x4200, four = 0x4400, six = 0x4600;
  cl_mem in = bufferOf(std::vector<cl_half>{one, two, three}), out = buffer(3 * sizeof(cl_half));
  cl_kernel k = kernel(program, "k");
  ASSERT_SUCCESS(clSetKernelArg(k, 0, sizeof out, &out));
  ASSERT_SUCCESS(clSetKernelArg(k, 1, sizeof in, &in));
  launch(k, 3, 1);
  EXPECT_EQ(read<cl_half>(out, 3), (std::vector<cl_half>{two, four, six}));
}

TEST_F(CreateProgramWithBinarySpir, isCompiledAndLinked) {
  cl_program program = create(kModule);
  ASSERT_SUCCESS(clCompileProgram(program, 1, &device, "-x spir", 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(typeOf(program), cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT));
  cl_int error = CL_SUCCESS;
  keep(clLinkProgram(context, 1, &device, nullptr, 1, &program, nullptr, nullptr, &error));
  EXPECT_SUCCESS(error);
}

TEST_F(CreateProgramWithBinarySpir, isItsOwnBinary) {
  cl_program program = create(kModule);
  size_t size = 0;
  ASSERT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  ASSERT_EQ(size, std::string_view(kModule).size());
  std::string bytes(size, '\0');
  auto* start = reinterpret_cast<unsigned char*>(bytes.data());
  ASSERT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof start, &start, nullptr));
  EXPECT_EQ(bytes, kModule);
}

TEST_F(CreateProgramWithBinarySpir, anotherTargetIsRefusedInASentence) {
  std::string module = kModule;
  module.replace(module.find("spir64-"), 7, "spir-");
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(create(module, &error), nullptr);
  EXPECT_CL(CL_INVALID_BINARY, error);
  EXPECT_TRUE(wasNotified("'spir-unknown-unknown'"));
}

// Modules are changed ahead of LLVM's verifier. This one is built or refused; LLVM must not give up.
TEST_F(CreateProgramWithBinarySpir, declarationsThatAreNoBuiltinsStay) {
  std::string module = kModule;
  const auto replace = [&](std::string_view from, std::string_view to) {
    module.replace(module.find(from), from.size(), to);
  };
  // More arguments than parameters.
  replace("  %sum =",
          "  %w = call spir_func i32 (ptr addrspace(1), ...) @_Z15get_image_width11ocl_image2d(\n"
          "      ptr addrspace(1) %image, i32 1, i64 2, i64 3)\n  %sum =");
  replace("!opencl.kernels",
          "declare spir_func i32 @_Z15get_image_width11ocl_image2d(ptr addrspace(1), ...)\n"
          "!opencl.kernels");
  // A version that no int holds ten times.
  replace("!5 = !{i32 1, i32 2}", "!5 = !{i32 2147483647, i32 2147483647}");
  cl_program program = create(module);
  clBuildProgram(program, 1, &device, "", nullptr, nullptr);
  EXPECT_EQ(buildLog(program).find("LLVM gave up"), std::string::npos) << buildLog(program);
}

TEST_F(CreateProgramWithBinarySpir, damagedBitcodeIsRefusedInASentence) {
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(create("BC\xC0\xDE that is none", &error), nullptr);
  EXPECT_CL(CL_INVALID_BINARY, error);
  EXPECT_TRUE(wasNotified("a binary of LLVM IR is refused"));
}

TEST_F(CreateProgramWithBinarySpir, versionsAreListed) {
  char versions[32] = "";
  ASSERT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_SPIR_VERSIONS, sizeof versions, versions, nullptr));
  EXPECT_STREQ(versions, "1.2 2.0");
}

}  // namespace
}  // namespace clarity::test
