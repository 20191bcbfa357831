// SPDX-License-Identifier: Apache-2.0
// This file tests clLinkProgram (OpenCL 3.0, section 5.8.5). CL_LINKER_NOT_AVAILABLE cannot be provoked: a linker is
// there. Nor can CL_INVALID_OPERATION for a build that is under way, which no test can hold still.
#include "build_callback.h"

namespace clarity::test {
namespace {

using Programs = std::vector<cl_program>;

struct LinkProgram : OpenCL {
  cl_program compiled(const char* text, const char* options = "") {
    cl_program program = source(text);
    EXPECT_SUCCESS(clCompileProgram(program, 1, &device, options, 0, nullptr, nullptr, nullptr, nullptr))
        << buildLog(program);
    return program;
  }
  cl_program linked(const Programs& inputs, const char* options = "",
                    std::source_location where = std::source_location::current()) {
    return created(
        [&](cl_int* e) {
          return clLinkProgram(context, 1, &device, options, cl_uint(inputs.size()), inputs.data(), nullptr, nullptr,
                               e);
        },
        where);
  }
  void expectError(cl_int code, const Programs& inputs, const char* options = "",
                   std::source_location where = std::source_location::current()) {
    expectFails(
        code,
        [&](cl_int* e) {
          return clLinkProgram(context, 1, &device, options, cl_uint(inputs.size()), inputs.data(), nullptr, nullptr,
                               e);
        },
        where);
  }
  /// A link that begins and fails: its program has the log.
  void expectLinkFailure(const Programs& inputs, const std::string& inLog) {
    cl_int error = CL_SUCCESS;
    cl_program program =
        keep(clLinkProgram(context, 1, &device, "", cl_uint(inputs.size()), inputs.data(), nullptr, nullptr, &error));
    EXPECT_EQ(errorName(error), "CL_LINK_PROGRAM_FAILURE");
    ASSERT_NE(program, nullptr) << "a link that can begin returns a program";
    EXPECT_NE(buildLog(program).find(inLog), std::string::npos) << buildLog(program);
    EXPECT_EQ(buildInfo<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_ERROR);
  }
  template <class T>
  T buildInfo(cl_program program, cl_program_build_info name) {
    T value{};
    EXPECT_SUCCESS(clGetProgramBuildInfo(program, device, name, sizeof value, &value, nullptr));
    return value;
  }

  /// A kernel and a function `part`, declared with `word`, which it calls.
  static std::string unitText(const std::string& kernel, int add, const std::string& word) {
    return word + " int part(int a) { return a + " + std::to_string(add) + "; }\nkernel void " + kernel +
           "(global int* r) { *r = part(40); }";
  }

  static constexpr const char* kPart = "int part(int a) { return a + 1; }";
  static constexpr const char* kWhole = "int part(int a); kernel void value(global int* r) { *r = part(41); }";
};

TEST_F(LinkProgram, makesAnExecutable) {
  cl_program program = linked({compiled(kPart), compiled(kWhole)});
  EXPECT_EQ(buildInfo<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_SUCCESS);
  EXPECT_EQ(buildInfo<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  EXPECT_EQ(valueOf(program), 42);
}

// Kernels of every object are those of the executable; what is static in one object is not of the others.
TEST_F(LinkProgram, joinsKernels) {
  cl_program program = linked({compiled("static int own(void) { return 1; } constant int c = 10;"
                                        "kernel void first(global int* r) { *r = own() + c; }"),
                               compiled("static int own(void) { return 2; }"
                                        "kernel void second(global int* r) { *r = own(); }")});
  EXPECT_EQ(infoOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS), 2U);
  EXPECT_EQ(valueOf(program, "first"), 11);
  EXPECT_EQ(valueOf(program, "second"), 2);
}

TEST_F(LinkProgram, makesLibraries) {
  cl_program library = linked({compiled(kPart)}, "-create-library");
  EXPECT_EQ(buildInfo<cl_program_binary_type>(library, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY});
  expectFails(CL_INVALID_PROGRAM_EXECUTABLE, [&](cl_int* e) { return clCreateKernel(library, "value", e); });
  EXPECT_EQ(valueOf(linked({compiled(kWhole), library})), 42);
}

// A library may lack what another part has.
TEST_F(LinkProgram, librariesMayBeIncomplete) {
  cl_program library = linked({compiled("int deeper(int a); int part(int a) { return deeper(a) + 1; }")},
                              "-create-library -enable-link-options");
  cl_program deeper = compiled("int deeper(int a) { return a * 2; }");
  EXPECT_EQ(valueOf(linked({library, compiled(kWhole), deeper})), 83);
}

// An object that is released or compiled anew does not change what was linked from it.
// Each program calls its own inline definition; one that is external is there for those without any.
TEST_F(LinkProgram, inlineDefinitions) {
  const auto unit = [&](const char* name, int add, const char* word) {
    return compiled(unitText(name, add, word).c_str());
  };
  const Programs inputs{unit("first", 1, "inline"), unit("second", 2, "inline __attribute__((noinline))"),
                        unit("third", 3, "extern inline"),
                        compiled("int part(int a);\nkernel void fourth(global int* r) "
                                 "{ *r = part(40); }")};
  for (const cl_program program : {linked(inputs), linked({linked(inputs, "-create-library")})}) {
    EXPECT_EQ(valueOf(program, "first"), 41);
    EXPECT_EQ(valueOf(program, "second"), 42);
    EXPECT_EQ(valueOf(program, "third"), 43);
    EXPECT_EQ(valueOf(program, "fourth"), 43);
  }
}

TEST_F(LinkProgram, isIndependentOfItsInputs) {
  cl_program part = compiled(kPart);
  cl_program program = linked({part, compiled(kWhole)});
  ASSERT_SUCCESS(clCompileProgram(part, 0, nullptr, "-Dpart=other", 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(valueOf(program), 42);
}

TEST_F(LinkProgram, takesItsOptions) {
  for (const char* each : {"", "-cl-denorms-are-zero", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
                           "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-no-subgroup-ifp"})
    EXPECT_EQ(valueOf(linked({compiled(kPart), compiled(kWhole)}, each)), 42) << each;
  EXPECT_EQ(infoOf<size_t>(clGetProgramInfo, linked({compiled(kWhole), compiled(kPart)}), CL_PROGRAM_NUM_KERNELS), 1U);
}

TEST_F(LinkProgram, callsBack) {
  BuildCallback done(device);
  const Programs inputs{compiled(kPart), compiled(kWhole)};
  cl_program program = created([&](cl_int* e) {
    return clLinkProgram(context, 0, nullptr, nullptr, 2, inputs.data(), &BuildCallback::call, &done, e);
  });
  done.wait();
  EXPECT_EQ(done.seen, program);
  EXPECT_EQ(valueOf(program), 42);
}

// A function is nowhere defined, or twice: the log names it.
TEST_F(LinkProgram, linkProgramFailure) {
  expectLinkFailure({compiled(kWhole)}, "part");
  expectLinkFailure({compiled(kPart), compiled(kPart), compiled(kWhole)}, "part");
  const char* twice = "kernel void same_name(global int* r) { *r = 1; }";
  expectLinkFailure({compiled(twice), compiled(twice)}, "same_name");
  EXPECT_TRUE(wasNotified("")) << "nothing was notified";
}

// context is not a valid context, or not that of the programs.
TEST_F(LinkProgram, invalidContext) {
  const cl_program object = compiled("kernel void none() {}");
  const auto in = [&](cl_context wrong) {
    return [=](cl_int* e) { return clLinkProgram(wrong, 0, nullptr, "", 1, &object, nullptr, nullptr, e); };
  };
  expectFails(CL_INVALID_CONTEXT, in(nullptr));
  expectFails(CL_INVALID_CONTEXT, in(notAnObject<cl_context>()));
  expectFails(CL_INVALID_CONTEXT, in(otherContext()));
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) {
    return driver->clLinkProgram(nullptr, 0, nullptr, "", 1, &object, nullptr, nullptr, e);
  });
}

// A list and its length disagree, no program is given, or user data has no callback.
TEST_F(LinkProgram, invalidValue) {
  const cl_program object = compiled("kernel void none() {}");
  const auto with = [&](cl_uint devices, const cl_device_id* list, cl_uint count, const cl_program* programs,
                        void* data) {
    return
        [=, this](cl_int* e) { return clLinkProgram(context, devices, list, "", count, programs, nullptr, data, e); };
  };
  expectFails(CL_INVALID_VALUE, with(1, nullptr, 1, &object, nullptr));
  expectFails(CL_INVALID_VALUE, with(0, &device, 1, &object, nullptr));
  expectFails(CL_INVALID_VALUE, with(1, &device, 0, nullptr, nullptr));
  expectFails(CL_INVALID_VALUE, with(1, &device, 0, &object, nullptr));
  expectFails(CL_INVALID_VALUE, with(1, &device, 1, nullptr, nullptr));
  expectFails(CL_INVALID_VALUE, with(1, &device, 1, &object, this));
}

// An input is not a valid program.
TEST_F(LinkProgram, invalidProgram) {
  cl_program object = compiled("kernel void none() {}");
  expectError(CL_INVALID_PROGRAM, {object, nullptr});
  expectError(CL_INVALID_PROGRAM, {notAnObject<cl_program>()});
  expectError(CL_INVALID_PROGRAM, {object, reinterpret_cast<cl_program>(queue)});
}

// A device of the list is not one of the context.
TEST_F(LinkProgram, invalidDevice) {
  const cl_program object = compiled("kernel void none() {}");
  for (const cl_device_id wrong : {cl_device_id{nullptr}, notAnObject<cl_device_id>()})
    expectFails(CL_INVALID_DEVICE,
                [&](cl_int* e) { return clLinkProgram(context, 1, &wrong, "", 1, &object, nullptr, nullptr, e); });
}

// The options are not valid; -enable-link-options is of libraries alone.
TEST_F(LinkProgram, invalidLinkerOptions) {
  cl_program object = compiled("kernel void none() {}");
  expectError(CL_INVALID_LINKER_OPTIONS, {object}, "-no-such-option");
  EXPECT_TRUE(wasNotified("-no-such-option")) << allNotified();
  expectError(CL_INVALID_LINKER_OPTIONS, {object}, "-enable-link-options");
  expectError(CL_INVALID_LINKER_OPTIONS, {object}, "-DN=1");
  expectError(CL_INVALID_LINKER_OPTIONS, {object}, "stray");
}

// Some inputs have an object for the device and some have none, or are executables already.
TEST_F(LinkProgram, invalidOperation) {
  expectError(CL_INVALID_OPERATION, {compiled(kPart), source("kernel void none() {}")});
  expectError(CL_INVALID_OPERATION, {compiled(kPart), build("kernel void none() {}")});
}

}  // namespace
}  // namespace clarity::test
