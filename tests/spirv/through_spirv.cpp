// SPDX-License-Identifier: Apache-2.0
// This file sends the programs of an unchanged application through SPIR-V: preloaded, it compiles the source of each
// clBuildProgram with clang's own SPIR-V target and builds a program of clCreateProgramWithIL in its place.
//   THROUGH_SPIRV_COMPILER  clang (default: clang-22)
//   THROUGH_SPIRV_OPTIONS   more options for it
//   THROUGH_SPIRV_LEVEL     its optimisation, -O1 if unset
// A source that clang refuses is built as it is. At its end a process prints how many programs went which way.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <regex>
#include <string>

namespace {

struct Program {
  cl_context context = nullptr;
  std::string source;
  cl_program spirv = nullptr;  ///< once it has been built
};

std::mutex mutex;
std::map<cl_program, Program> programs;  ///< by the application's handle, a program with the source
std::atomic<int> converted, refused, number;

template <class Function>
Function real(const char* name, Function) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
#define REAL(name) real(#name, &name)

const char* setting(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value ? value : otherwise;
}

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The options for clang, quoted as the application quotes them; those of Clarity are for the build of the module.
std::string optionsForClang(const std::string& options) {
  return " " + std::regex_replace(options, std::regex("-cl-clarity-\\S+"), "");
}

/// The module of a source; empty if clang refuses the source.
std::string compile(const std::string& source, const std::string& options) {
  const std::string base = "/tmp/through_spirv." + std::to_string(getpid()) + "." + std::to_string(number++);
  std::ofstream(base + ".cl") << source;
  const std::string standard = options.contains("-cl-std=") ? "" : " -cl-std=CL1.2";
  const std::string command = std::string(setting("THROUGH_SPIRV_COMPILER", "clang-22")) + " -x cl" + standard +
                              " --target=spirv64 " + setting("THROUGH_SPIRV_LEVEL", "-O1") + optionsForClang(options) +
                              " -Xclang -cl-ext=+all " + setting("THROUGH_SPIRV_OPTIONS", "") + " -c " + base +
                              ".cl -o " + base + ".spv 2> " + base + ".log";
  const bool isCompiled = std::system(command.c_str()) == 0;
  if (!isCompiled && std::getenv("THROUGH_SPIRV_VERBOSE")) std::fputs(readFile(base + ".log").c_str(), stderr);
  std::string module = isCompiled ? readFile(base + ".spv") : "";
  if (!std::getenv("THROUGH_SPIRV_KEEP"))
    for (const char* const end : {".cl", ".spv", ".log"}) ::unlink((base + end).c_str());
  return module;
}

/// The program that stands for the application's handle.
cl_program behind(cl_program program) {
  const std::lock_guard lock(mutex);
  const auto found = programs.find(program);
  return found != programs.end() && found->second.spirv ? found->second.spirv : program;
}

struct Summary {
  ~Summary() {
    if (converted + refused == 0) return;
    std::fprintf(stderr, "through_spirv: %d programs, %d refused by clang\n", converted.load(), refused.load());
  }
} summary;

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings, const size_t* lengths,
                                     cl_int* error) {
  const cl_program program = REAL(clCreateProgramWithSource)(context, count, strings, lengths, error);
  if (!program) return program;
  std::string source;
  for (cl_uint i = 0; i < count; ++i)
    source += lengths && lengths[i] ? std::string(strings[i], lengths[i]) : std::string(strings[i]);
  const std::lock_guard lock(mutex);
  programs[program] = {context, source, nullptr};
  return program;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  Program found;
  {
    const std::lock_guard lock(mutex);
    if (const auto at = programs.find(program); at != programs.end()) found = at->second;
  }
  const std::string text = options ? options : "";
  const std::string module = found.source.empty() ? "" : compile(found.source, text);
  if (!found.source.empty()) ++(module.empty() ? refused : converted);
  if (module.empty()) return REAL(clBuildProgram)(program, count, devices, options, notify, data);
  if (!found.spirv) found.spirv = clCreateProgramWithIL(found.context, module.data(), module.size(), nullptr);
  {
    const std::lock_guard lock(mutex);
    programs[program] = found;
  }
  return REAL(clBuildProgram)(found.spirv, count, devices, options, notify, data);
}

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* error) {
  return REAL(clCreateKernel)(behind(program), name, error);
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint count, cl_kernel* kernels, cl_uint* found) {
  return REAL(clCreateKernelsInProgram)(behind(program), count, kernels, found);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, size_t size, void* value, size_t* sizeRet) {
  return REAL(clGetProgramInfo)(behind(program), name, size, value, sizeRet);
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name, size_t size,
                             void* value, size_t* sizeRet) {
  return REAL(clGetProgramBuildInfo)(behind(program), device, name, size, value, sizeRet);
}

cl_int clReleaseProgram(cl_program program) {
  cl_uint references = 0;
  REAL(clGetProgramInfo)(program, CL_PROGRAM_REFERENCE_COUNT, sizeof references, &references, nullptr);
  if (references == 1) {
    const std::lock_guard lock(mutex);
    if (const auto at = programs.find(program); at != programs.end()) {
      if (at->second.spirv) REAL(clReleaseProgram)(at->second.spirv);
      programs.erase(at);
    }
  }
  return REAL(clReleaseProgram)(program);
}

}  // extern "C"
#pragma GCC visibility pop
