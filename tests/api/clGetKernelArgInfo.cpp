// SPDX-License-Identifier: Apache-2.0
// This file tests clGetKernelArgInfo (OpenCL 3.0, section 5.9.5).
#include "fixture.h"

namespace clarity::test {
namespace {

struct GetKernelArgInfo : OpenCL {
  /// The queries of an argument, in the shape of the other clGet*Info.
  auto of(cl_uint index) {
    return [index](cl_kernel kernel, cl_kernel_arg_info name, size_t size, void* value, size_t* returned) {
      return clGetKernelArgInfo(kernel, index, name, size, value, returned);
    };
  }
  cl_kernel test(const char* options = "-cl-kernel-arg-info") {
    return kernel(build(R"(
      typedef struct { float x, y; } Pair;
      typedef float Number;
      kernel void test(global const float* restrict first, constant int4* second, local volatile uint* third,
                       float fourth, unsigned int fifth, Pair sixth, global Pair* seventh, unsigned char eighth,
                       const uchar16 ninth, global int* const tenth, global unsigned long* eleventh,
                       Number twelfth, global const volatile float4* restrict thirteenth) {})",
                        options),
                  "test");
  }
};

constexpr cl_kernel_arg_address_qualifier kGlobal = CL_KERNEL_ARG_ADDRESS_GLOBAL;
constexpr cl_kernel_arg_address_qualifier kConstant = CL_KERNEL_ARG_ADDRESS_CONSTANT;
constexpr cl_kernel_arg_address_qualifier kLocal = CL_KERNEL_ARG_ADDRESS_LOCAL;
constexpr cl_kernel_arg_address_qualifier kPrivate = CL_KERNEL_ARG_ADDRESS_PRIVATE;
constexpr cl_kernel_arg_type_qualifier kNone = CL_KERNEL_ARG_TYPE_NONE;
constexpr cl_kernel_arg_type_qualifier kConst = CL_KERNEL_ARG_TYPE_CONST;
constexpr cl_kernel_arg_type_qualifier kRestrict = CL_KERNEL_ARG_TYPE_RESTRICT;
constexpr cl_kernel_arg_type_qualifier kVolatile = CL_KERNEL_ARG_TYPE_VOLATILE;

// Names and types as declared, without qualifiers; qualifiers of what a pointer points to; none for values.
TEST_F(GetKernelArgInfo, tellsEveryArgument) {
  const struct {
    const char* name;
    const char* type;
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_type_qualifier qualifiers;
  } wanted[] = {{"first", "float*", kGlobal, kConst | kRestrict},
                {"second", "int4*", kConstant, kConst},
                {"third", "uint*", kLocal, kVolatile},
                {"fourth", "float", kPrivate, kNone},
                {"fifth", "uint", kPrivate, kNone},
                {"sixth", "Pair", kPrivate, kNone},
                {"seventh", "Pair*", kGlobal, kNone},
                {"eighth", "uchar", kPrivate, kNone},
                {"ninth", "uchar16", kPrivate, kNone},
                {"tenth", "int*", kGlobal, kNone},
                {"eleventh", "ulong*", kGlobal, kNone},
                {"twelfth", "Number", kPrivate, kNone},
                {"thirteenth", "float4*", kGlobal, kConst | kVolatile | kRestrict}};
  cl_kernel kernel = test();
  ASSERT_EQ(infoOf<cl_uint>(clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS), std::size(wanted));
  for (cl_uint i = 0; i < std::size(wanted); ++i) {
    SCOPED_TRACE(wanted[i].name);
    EXPECT_EQ(infoStringOf(of(i), kernel, CL_KERNEL_ARG_NAME), wanted[i].name);
    EXPECT_EQ(infoStringOf(of(i), kernel, CL_KERNEL_ARG_TYPE_NAME), wanted[i].type);
    EXPECT_EQ(infoOf<cl_kernel_arg_address_qualifier>(of(i), kernel, CL_KERNEL_ARG_ADDRESS_QUALIFIER),
              wanted[i].address);
    EXPECT_EQ(infoOf<cl_kernel_arg_type_qualifier>(of(i), kernel, CL_KERNEL_ARG_TYPE_QUALIFIER), wanted[i].qualifiers);
    EXPECT_EQ(infoOf<cl_kernel_arg_access_qualifier>(of(i), kernel, CL_KERNEL_ARG_ACCESS_QUALIFIER),
              cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_NONE});
  }
}

// The option can be that of clCompileProgram.
TEST_F(GetKernelArgInfo, survivesTheLink) {
  cl_program object = source("kernel void test(global int* memory) {}");
  ASSERT_SUCCESS(clCompileProgram(object, 0, nullptr, "-cl-kernel-arg-info", 0, nullptr, nullptr, nullptr, nullptr));
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "", 1, &object, nullptr, nullptr, e); });
  EXPECT_EQ(infoStringOf(of(0), kernel(linked, "test"), CL_KERNEL_ARG_NAME), "memory");
}

TEST_F(GetKernelArgInfo, sizesAreChecked) {
  cl_kernel kernel = test();
  expectSizesChecked(of(0), kernel, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(cl_kernel_arg_address_qualifier));
  expectSizesChecked(of(0), kernel, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(cl_kernel_arg_access_qualifier));
  expectSizesChecked(of(0), kernel, CL_KERNEL_ARG_TYPE_NAME, sizeof "float*");
  expectSizesChecked(of(0), kernel, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(cl_kernel_arg_type_qualifier));
  expectSizesChecked(of(0), kernel, CL_KERNEL_ARG_NAME, sizeof "first");
}

// kernel is not a valid kernel.
TEST_F(GetKernelArgInfo, invalidKernel) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_KERNEL, clGetKernelArgInfo(nullptr, 0, CL_KERNEL_ARG_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_KERNEL, driver->clGetKernelArgInfo(nullptr, 0, CL_KERNEL_ARG_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_KERNEL, clGetKernelArgInfo(notAnObject<cl_kernel>(), 0, CL_KERNEL_ARG_NAME, 0, nullptr, &size));
}

// arg_index is not that of an argument.
TEST_F(GetKernelArgInfo, invalidArgIndex) {
  cl_kernel kernel = test();
  size_t size = 0;
  EXPECT_CL(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 13, CL_KERNEL_ARG_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 7777, CL_KERNEL_ARG_NAME, 0, nullptr, &size));
  EXPECT_TRUE(wasNotified("7777")) << allNotified();
}

// param_name is not one of the supported values.
TEST_F(GetKernelArgInfo, invalidValue) {
  cl_kernel kernel = test();
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, 0, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, CL_KERNEL_NUM_ARGS, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, 0x7777, 0, nullptr, &size));
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
}

// Without -cl-kernel-arg-info the answers are the same.
TEST_F(GetKernelArgInfo, needsNoOption) {
  EXPECT_EQ(infoStringOf(of(0), kernel(build("kernel void k(global const float4* in) {}"), "k"), CL_KERNEL_ARG_NAME),
            "in");
}

// A typedef is named as it is written, also one of a pointer.
TEST_F(GetKernelArgInfo, typedefsOfPointers) {
  cl_kernel typed = kernel(build("typedef global float* Floats;\ntypedef const Floats Fixed;\ntypedef struct { int i; "
                                 "} S;\ntypedef global S* Structs;\n"
                                 "kernel void k(Floats a, Fixed b, Structs c, const Floats d, Floats restrict e) {}"),
                           "k");
  const char* const wanted[] = {"Floats", "Fixed", "Structs", "Floats", "Floats"};
  for (cl_uint i = 0; i < std::size(wanted); ++i)
    EXPECT_EQ(infoStringOf(of(i), typed, CL_KERNEL_ARG_TYPE_NAME), wanted[i]) << i;
}

// The program was not built from source.
TEST_F(GetKernelArgInfo, kernelArgInfoNotAvailable) {
  cl_program program = fromBinary(binaryOf(build("kernel void k(global int* a) {}", "-cl-kernel-arg-info")));
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  cl_kernel loaded = kernel(program, "k");
  size_t size = 0;
  for (cl_kernel_arg_info name : {CL_KERNEL_ARG_NAME, CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                  CL_KERNEL_ARG_ACCESS_QUALIFIER, CL_KERNEL_ARG_TYPE_QUALIFIER})
    EXPECT_CL(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, clGetKernelArgInfo(loaded, 0, name, 0, nullptr, &size)) << name;
}

}  // namespace
}  // namespace clarity::test
