// SPDX-License-Identifier: Apache-2.0
// This file tests clCompileProgram (OpenCL 3.0, section 5.8.5). CL_COMPILER_NOT_AVAILABLE cannot be provoked: a
// compiler is there. Nor can CL_INVALID_OPERATION for a build that is under way, which no test can hold still.
#include "build_callback.h"
#include "folder.h"

namespace clarity::test {
namespace {

constexpr const char* kGoodProgram = "kernel void value(global int* r) { *r = 5; }";

struct CompileProgram : OpenCL {
  cl_int compile(cl_program program, const char* options = "") {
    return clCompileProgram(program, 1, &device, options, 0, nullptr, nullptr, nullptr, nullptr);
  }
  cl_int compile(cl_program program, const std::vector<cl_program>& headers, const std::vector<const char*>& names,
                 const char* options = "") {
    return clCompileProgram(program, 1, &device, options, cl_uint(headers.size()), headers.data(),
                            const_cast<const char**>(names.data()), nullptr, nullptr);
  }
  /// The result of the kernel of a compiled program that is linked alone.
  cl_int linkedValue(cl_program object) {
    cl_program linked =
        created([&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "", 1, &object, nullptr, nullptr, e); });
    return linked != nullptr ? valueOf(linked) : -12345;
  }
  template <class T>
  T buildInfo(cl_program program, cl_program_build_info name) {
    T value{};
    EXPECT_SUCCESS(clGetProgramBuildInfo(program, device, name, sizeof value, &value, nullptr));
    return value;
  }
};

TEST_F(CompileProgram, makesAnObject) {
  cl_program program = source(kGoodProgram);
  ASSERT_SUCCESS(clCompileProgram(program, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(buildInfo<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_SUCCESS);
  EXPECT_EQ(buildInfo<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
  EXPECT_FALSE(binaryOf(program).empty());
  // An object is no executable.
  expectFails(CL_INVALID_PROGRAM_EXECUTABLE, [&](cl_int* e) { return clCreateKernel(program, "value", e); });
  EXPECT_EQ(linkedValue(program), 5);
}

// Functions that are not defined in this program are no error before the link.
TEST_F(CompileProgram, takesUndefinedFunctions) {
  EXPECT_SUCCESS(compile(source("int elsewhere(int a); kernel void value(global int* r) { *r = elsewhere(1); }")));
}

TEST_F(CompileProgram, takesItsOptions) {
  cl_program program = source("kernel void value(global int* r) { *r = N; }");
  ASSERT_SUCCESS(compile(program, "-DN=\"3 + 4\" -cl-std=CL3.0"));
  EXPECT_EQ(linkedValue(program), 7);
}

// Headers come from programs, by the names that the source includes, also below a folder and from one another.
TEST_F(CompileProgram, takesEmbeddedHeaders) {
  cl_program outer = source("#include \"mydir/inner.h\"\n#define OUTER (INNER + 1)\n");
  cl_program inner = source("#define INNER 10\n");
  for (const char* include : {"#include <outer.h>\n", "#include \"outer.h\"\n"}) {
    cl_program program = source((std::string(include) + "kernel void value(global int* r) { *r = OUTER; }").c_str());
    ASSERT_SUCCESS(compile(program, {outer, inner}, {"outer.h", "mydir/inner.h"})) << buildLog(program);
    EXPECT_EQ(linkedValue(program), 11);
  }
}

// Above the folder, and from one another there.
TEST_F(CompileProgram, takesHeadersOfOuterFolders) {
  cl_program up = source("#include \"../../far.h\"\n#define UP (FAR + 1)\n");
  cl_program far = source("#define FAR 20\n");
  cl_program program = source("#include \"../up.h\"\nkernel void value(global int* r) { *r = UP; }");
  ASSERT_SUCCESS(compile(program, {up, far}, {"../up.h", "../../../far.h"})) << buildLog(program);
  EXPECT_EQ(linkedValue(program), 21);
  cl_program wrong = source("#include \"../up.h\"\nkernel void value(global int* r) { *r = UP +; }");
  EXPECT_CL(CL_COMPILE_PROGRAM_FAILURE, compile(wrong, {source("#define UP ]\n")}, {"../up.h"}));
  EXPECT_NE(buildLog(wrong).find("../up.h:1:12"), std::string::npos) << buildLog(wrong);
}

// An embedded header is found before one of the folders of -I; of two with one name the first is taken.
TEST_F(CompileProgram, prefersEmbeddedHeaders) {
  const Folder folder("headers");
  folder.write("number.h", "#define NUMBER 1\n");
  folder.write("disk.h", "#define DISK 100\n");
  cl_program program =
      source("#include <number.h>\n#include <disk.h>\nkernel void value(global int* r) { *r = NUMBER + DISK; }");
  ASSERT_SUCCESS(compile(program, {source("#define NUMBER 2\n"), source("#define NUMBER 3\n")},
                         {"number.h", "number.h"}, ("-I " + folder.path()).c_str()));
  EXPECT_EQ(linkedValue(program), 102);
}

// The same source with another header is another program.
TEST_F(CompileProgram, readsChangedHeaders) {
  for (int n : {1, 2}) {
    cl_program header = source(("#define NUMBER " + std::to_string(n) + "\n").c_str());
    cl_program program = source("#include <number.h>\nkernel void value(global int* r) { *r = NUMBER; }");
    ASSERT_SUCCESS(compile(program, {header}, {"number.h"}));
    EXPECT_EQ(linkedValue(program), n);
  }
}

TEST_F(CompileProgram, callsBack) {
  BuildCallback done(device);
  cl_program program = source(kGoodProgram);
  ASSERT_SUCCESS(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, &BuildCallback::call, &done));
  done.wait();
  EXPECT_EQ(done.seen, program);
  EXPECT_EQ(buildInfo<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_SUCCESS);
}

// program is not a valid program.
TEST_F(CompileProgram, invalidProgram) {
  EXPECT_CL(CL_INVALID_PROGRAM, compile(nullptr));
  EXPECT_CL(CL_INVALID_PROGRAM,
            driver->clCompileProgram(nullptr, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_PROGRAM, compile(notAnObject<cl_program>()));
  EXPECT_CL(CL_INVALID_PROGRAM, compile(reinterpret_cast<cl_program>(context)));
  // The headers are programs too.
  EXPECT_CL(CL_INVALID_PROGRAM, compile(source(kGoodProgram), {notAnObject<cl_program>()}, {"a.h"}));
  EXPECT_CL(CL_INVALID_PROGRAM, compile(source(kGoodProgram), {nullptr}, {"a.h"}));
}

// The program and its headers are of different contexts.
TEST_F(CompileProgram, invalidContext) {
  const char* text = "#define X 1\n";
  cl_context other = otherContext();
  cl_program header = created([&](cl_int* e) { return clCreateProgramWithSource(other, 1, &text, nullptr, e); });
  EXPECT_CL(CL_INVALID_CONTEXT, compile(source(kGoodProgram), {header}, {"a.h"}));
}

// The list of devices and its length disagree, or user data has no callback.
TEST_F(CompileProgram, invalidValue) {
  cl_program program = source(kGoodProgram);
  EXPECT_CL(CL_INVALID_VALUE, clCompileProgram(program, 1, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clCompileProgram(program, 0, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, this));
}

// The lists of headers and their length disagree.
TEST_F(CompileProgram, invalidValueOfHeaders) {
  cl_program program = source(kGoodProgram);
  cl_program header = source("");
  const char* name = "a.h";
  const auto with = [&](cl_uint count, const cl_program* headers, const char** names) {
    return clCompileProgram(program, 0, nullptr, "", count, headers, names, nullptr, nullptr);
  };
  EXPECT_CL(CL_INVALID_VALUE, with(0, &header, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, with(0, nullptr, &name));
  EXPECT_CL(CL_INVALID_VALUE, with(1, nullptr, &name));
  EXPECT_CL(CL_INVALID_VALUE, with(1, &header, nullptr));
}

// A device of the list is not one of the program.
TEST_F(CompileProgram, invalidDevice) {
  for (cl_device_id wrong : {cl_device_id{nullptr}, notAnObject<cl_device_id>()})
    EXPECT_CL(CL_INVALID_DEVICE,
              clCompileProgram(source(kGoodProgram), 1, &wrong, "", 0, nullptr, nullptr, nullptr, nullptr));
}

// The options are not valid; those of the linker are none of the compiler's.
TEST_F(CompileProgram, invalidCompilerOptions) {
  EXPECT_CL(CL_INVALID_COMPILER_OPTIONS, compile(source(kGoodProgram), "-no-such-option"));
  EXPECT_TRUE(wasNotified("-no-such-option")) << allNotified();
  for (const char* each : {"-cl-std=CL9.9", "-D", "-I", "stray", "-create-library"})
    EXPECT_CL(CL_INVALID_COMPILER_OPTIONS, compile(source(kGoodProgram), each)) << each;
}

// The source does not compile; the log says where.
TEST_F(CompileProgram, compileProgramFailure) {
  cl_program program = source("kernel void value(global int* r) { *r = undeclared_thing; }");
  EXPECT_CL(CL_COMPILE_PROGRAM_FAILURE, compile(program));
  EXPECT_EQ(buildInfo<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_ERROR);
  EXPECT_NE(buildLog(program).find("undeclared_thing"), std::string::npos) << buildLog(program);
  program = source("#include <no_such_header.h>\nkernel void value(global int* r) { *r = 1; }");
  EXPECT_CL(CL_COMPILE_PROGRAM_FAILURE, compile(program));
  EXPECT_NE(buildLog(program).find("no_such_header.h"), std::string::npos) << buildLog(program);
}

// An error in an embedded header is reported with the header's name and line.
TEST_F(CompileProgram, compileProgramFailureInAHeader) {
  cl_program program = source("#include <broken.h>\nkernel void value(global int* r) { *r = 1; }");
  EXPECT_CL(CL_COMPILE_PROGRAM_FAILURE, compile(program, {source("\n\nint a = ;\n")}, {"broken.h"}));
  EXPECT_NE(buildLog(program).find("broken.h:3:"), std::string::npos) << buildLog(program);
}

// Kernels of the program are there.
TEST_F(CompileProgram, invalidOperationWithKernels) {
  cl_program program = build(kGoodProgram);
  cl_kernel value = clCreateKernel(program, "value", nullptr);
  ASSERT_NE(value, nullptr);
  EXPECT_CL(CL_INVALID_OPERATION, compile(program));
  EXPECT_SUCCESS(clReleaseKernel(value));
  EXPECT_SUCCESS(compile(program));
}

// The program has no source.
TEST_F(CompileProgram, invalidOperationWithoutSource) {
  EXPECT_CL(CL_INVALID_OPERATION, compile(fromBinary(binaryOf(build(kGoodProgram)))));
  cl_program object = source(kGoodProgram);
  ASSERT_SUCCESS(compile(object));
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "", 1, &object, nullptr, nullptr, e); });
  EXPECT_CL(CL_INVALID_OPERATION, compile(linked));
}

}  // namespace
}  // namespace clarity::test
