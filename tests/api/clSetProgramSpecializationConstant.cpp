// SPDX-License-Identifier: Apache-2.0
// This file tests clSetProgramSpecializationConstant (OpenCL 3.0, section 5.8.3).
#include "build_callback.h"
#include "spirv_module.h"

#include <bit>
#include <thread>

namespace clarity::test {
namespace {

enum SpecId : cl_uint { kChar = 0, kInt = 7, kBool = 300, kLong = 4000, kFloat = 0xFFFFFFFF };

/// `*result = c + i + (b ? 300 : 0) + (int)l + (int)f`, where all are specialisation constants; by default
/// 1 + 20 + 0 + 4000 + 50000.
Words specialized() {
  SpirvModule module({spv::Capability::Int8, spv::Capability::Int64});
  const cl_uint function = module.kernel("value");
  const cl_uint c = module.id(), i = module.id(), b = module.id(), l = module.id(), f = module.id();
  const auto decorate = [&](cl_uint id, SpecId spec) {
    module.add(spv::Op::OpDecorate, {id, cl_uint(spv::Decoration::SpecId), spec});
  };
  decorate(f, kFloat);
  decorate(c, kChar);
  decorate(l, kLong);
  decorate(i, kInt);
  decorate(b, kBool);
  ValueKernel kernel(module);
  const cl_uint int8 = module.result(spv::Op::OpTypeInt, {8, 0}), int64 = module.result(spv::Op::OpTypeInt, {64, 0});
  const cl_uint boolean = module.result(spv::Op::OpTypeBool), single = module.result(spv::Op::OpTypeFloat, {32});
  module.add(spv::Op::OpSpecConstant, {int8, c, 1});
  module.add(spv::Op::OpSpecConstant, {kernel.number, i, 20});
  module.add(spv::Op::OpSpecConstantFalse, {boolean, b});
  module.add(spv::Op::OpSpecConstant, {int64, l, 4000, 0});
  module.add(spv::Op::OpSpecConstant, {single, f, std::bit_cast<cl_uint>(50000.0F)});
  const cl_uint none = module.value(spv::Op::OpConstant, kernel.number, {0});
  const cl_uint some = module.value(spv::Op::OpConstant, kernel.number, {300});
  kernel.begin(function);
  cl_uint sum = i;
  for (const cl_uint part : {module.value(spv::Op::OpSConvert, kernel.number, {c}),
                             module.value(spv::Op::OpSelect, kernel.number, {b, some, none}),
                             module.value(spv::Op::OpUConvert, kernel.number, {l}),
                             module.value(spv::Op::OpConvertFToS, kernel.number, {f})})
    sum = module.value(spv::Op::OpIAdd, kernel.number, {sum, part});
  kernel.store(sum);
  return module.finished();
}

struct SetProgramSpecializationConstant : OpenCL {
  template <class T>
  cl_int set(cl_program program, SpecId id, T value) {
    return clSetProgramSpecializationConstant(program, id, sizeof value, &value);
  }
  cl_int built(cl_program program) {
    EXPECT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << buildLog(program);
    return valueOf(program);
  }
};

TEST_F(SetProgramSpecializationConstant, defaultsStay) { EXPECT_EQ(built(fromIL(*this, specialized())), 54021); }

TEST_F(SetProgramSpecializationConstant, takesEveryType) {
  cl_program program = fromIL(*this, specialized());
  EXPECT_SUCCESS(set(program, kChar, cl_char(-5)));
  EXPECT_SUCCESS(set(program, kInt, cl_int(200000)));
  EXPECT_SUCCESS(set(program, kBool, cl_uchar(1)));
  EXPECT_SUCCESS(set(program, kLong, cl_long(0x100000007)));
  EXPECT_SUCCESS(set(program, kFloat, cl_float(1000000.75F)));
  EXPECT_EQ(built(program), -5 + 200000 + 300 + 7 + 1000000);
}

// A bool is false for 0 and true for everything else.
TEST_F(SetProgramSpecializationConstant, takesBools) {
  for (const int value : {0, 1, 2, 128, 255}) {
    cl_program program = fromIL(*this, specialized());
    EXPECT_SUCCESS(set(program, kBool, cl_uchar(value)));
    EXPECT_EQ(built(program), value == 0 ? 54021 : 54321) << value;
  }
}

// Values are for the builds that follow, and each stays until another is given.
TEST_F(SetProgramSpecializationConstant, isForLaterBuilds) {
  cl_program program = fromIL(*this, specialized());
  EXPECT_EQ(built(program), 54021);
  EXPECT_SUCCESS(set(program, kInt, cl_int(10)));
  EXPECT_EQ(valueOf(program), 54021) << "the program is as it was built";
  EXPECT_EQ(built(program), 54011);
  EXPECT_SUCCESS(set(program, kChar, cl_char(0)));
  EXPECT_EQ(built(program), 54010);
  EXPECT_SUCCESS(set(program, kInt, cl_int(20)));
  EXPECT_SUCCESS(set(program, kInt, cl_int(30)));
  EXPECT_EQ(built(program), 54030) << "the last one of two";
}

// Programs of the same module have values of their own, also where code is kept on disk.
TEST_F(SetProgramSpecializationConstant, isOfOneProgram) {
  cl_program programs[3] = {};
  for (cl_program& each : programs) each = fromIL(*this, specialized());
  for (int i = 1; i < 3; ++i) EXPECT_SUCCESS(set(programs[i], kInt, cl_int(i)));
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 3; ++i) EXPECT_EQ(built(programs[i]), i == 0 ? 54021 : 54001 + i);
}

TEST_F(SetProgramSpecializationConstant, copiesTheValue) {
  cl_program program = fromIL(*this, specialized());
  cl_int value = 5;
  EXPECT_SUCCESS(clSetProgramSpecializationConstant(program, kInt, sizeof value, &value));
  value = 6;
  EXPECT_EQ(built(program), 54006);
}

TEST_F(SetProgramSpecializationConstant, isForCompiledPrograms) {
  cl_program program = fromIL(*this, specialized());
  EXPECT_SUCCESS(set(program, kInt, cl_int(1)));
  ASSERT_SUCCESS(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr)) << buildLog(program);
  EXPECT_SUCCESS(set(program, kInt, cl_int(2)));
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "", 1, &program, nullptr, nullptr, e); });
  EXPECT_EQ(valueOf(linked), 54002) << "1 + 1, the value when it was compiled";
}

// A build in progress keeps the values that it began with.
TEST_F(SetProgramSpecializationConstant, leavesBuildsInProgressAlone) {
  for (int round = 0; round < 8; ++round) {
    cl_program program = fromIL(*this, specialized());
    EXPECT_SUCCESS(set(program, kInt, cl_int(1000 + round)));
    BuildCallback callback(device);
    ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "", BuildCallback::call, &callback));
    EXPECT_SUCCESS(set(program, kInt, cl_int(7)));
    callback.wait();
    EXPECT_EQ(callback.status, CL_BUILD_SUCCESS) << buildLog(program);
    EXPECT_EQ(valueOf(program), 55001 + round);
    EXPECT_EQ(built(program), 54008);
  }
}

TEST_F(SetProgramSpecializationConstant, isSetByManyThreads) {
  cl_program program = fromIL(*this, specialized());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        if (t % 2 == 0)
          EXPECT_SUCCESS(set(program, kInt, cl_int(9)));
        else
          EXPECT_SUCCESS(set(program, kChar, cl_char(9)));
        EXPECT_SUCCESS(set(program, kBool, cl_uchar(1)));
      }
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(built(program), 9 + 9 + 300 + 54000);
}

// program is not a valid program, or not from an intermediate language.
TEST_F(SetProgramSpecializationConstant, invalidProgram) {
  const cl_int value = 1;
  for (cl_program bad : {cl_program{nullptr}, notAnObject<cl_program>(), reinterpret_cast<cl_program>(queue)})
    EXPECT_CL(CL_INVALID_PROGRAM, driver->clSetProgramSpecializationConstant(bad, kInt, sizeof value, &value));
  cl_program text = source("kernel void value(global int* r) { *r = 1; }");
  EXPECT_CL(CL_INVALID_PROGRAM, set(text, kInt, value));
  ASSERT_SUCCESS(clCompileProgram(text, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_PROGRAM, set(fromBinary(binaryOf(text)), kInt, value));
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "", 1, &text, nullptr, nullptr, e); });
  EXPECT_CL(CL_INVALID_PROGRAM, set(linked, kInt, value));
}

// spec_id is none of the module's.
TEST_F(SetProgramSpecializationConstant, invalidSpecId) {
  cl_program program = fromIL(*this, specialized());
  for (const cl_uint id : {1U, 6U, 8U, 301U, 0x7FFFFFFFU, 0xFFFFFFFEU})
    EXPECT_CL(CL_INVALID_SPEC_ID, set(program, SpecId(id), cl_int(1))) << id;
  EXPECT_TRUE(wasNotifiedOf(301)) << allNotified();
  EXPECT_CL(CL_INVALID_SPEC_ID, set(fromIL(*this, storing(1)), kChar, cl_char(1)));
}

// spec_size is not the size of the constant, or spec_value is NULL.
TEST_F(SetProgramSpecializationConstant, invalidValue) {
  cl_program program = fromIL(*this, specialized());
  const cl_ulong zeros[2] = {};
  for (const auto& [id, size] : {std::pair{kChar, 1U}, {kInt, 4U}, {kBool, 1U}, {kLong, 8U}, {kFloat, 4U}}) {
    for (const size_t wrong : {0U, 1U, 2U, 3U, 4U, 8U, 16U})
      EXPECT_CL(wrong == size ? CL_SUCCESS : CL_INVALID_VALUE,
                clSetProgramSpecializationConstant(program, id, wrong, zeros))
          << wrong << " bytes for constant " << id;
    EXPECT_CL(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, id, size, nullptr));
  }
  EXPECT_EQ(built(program), 0) << "the right ones among them were taken";
}

}  // namespace
}  // namespace clarity::test
