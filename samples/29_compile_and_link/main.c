// SPDX-License-Identifier: Apache-2.0
// This file compiles two programs with an embedded header, links them, and runs the result.
#include "sample.h"

#include <stdlib.h>

static cl_program sourceProgram(const Sample* sample, cl_context context, const char* file) {
  size_t length;
  char *path = samplePath(sample, file), *source = readFile(path, &length);
  cl_int status;
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, &length, &status);
  check(status, "clCreateProgramWithSource");
  free(source);
  free(path);
  return program;
}

static void failWithLog(const char* what, cl_int status, cl_program program, cl_device_id device) {
  sampleFail("%s: %s (%d)\n%s", what, errorName(status), status, program ? buildLog(program, device) : "");
}

// Compiles a file; its #include "smooth.clh" finds the header program under that name.
static cl_program compiled(const Sample* sample, cl_context context, cl_device_id device, const char* file,
                           cl_program header) {
  const char* headerName = "smooth.clh";
  cl_program program = sourceProgram(sample, context, file);
  const cl_int status = clCompileProgram(program, 1, &device, "", 1, &header, &headerName, NULL, NULL);
  if (status != CL_SUCCESS) failWithLog(file, status, program, device);
  return program;
}

static cl_program linked(cl_context context, cl_device_id device, const char* options, cl_uint count,
                         const cl_program* inputs) {
  cl_int status;
  cl_program program = clLinkProgram(context, 1, &device, options, count, inputs, NULL, NULL, &status);
  if (status != CL_SUCCESS) failWithLog("clLinkProgram", status, program, device);
  return program;
}

static const char* binaryTypeOf(cl_program program, cl_device_id device, cl_program_binary_type expected, int* right) {
  cl_program_binary_type type;
  check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL),
        "clGetProgramBuildInfo");
  *right &= type == expected;
  return type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ? "a compiled object"
         : type == CL_PROGRAM_BINARY_TYPE_LIBRARY       ? "a library"
         : type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE    ? "an executable"
                                                        : "nothing";
}

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 24;
  const SampleOption options[] = {{"--size", "points of the curve", SAMPLE_COUNT, &count, 1, 1u << 30}};
  SAMPLE_BEGIN(&sample, argc, argv, "compile and link programs separately", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");

  int right = 1;
  cl_program header = sourceProgram(&sample, context, "smooth.clh");
  cl_program libraryObject = compiled(&sample, context, device, "library.cl", header);
  cl_program mainObject = compiled(&sample, context, device, "main.cl", header);
  cl_program library = linked(context, device, "-create-library", 1, &libraryObject);
  const cl_program both[] = {mainObject, library};
  cl_program program = linked(context, device, "", 2, both);
  say(&sample, "  main.cl is %s,", binaryTypeOf(mainObject, device, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, &right));
  say(&sample, " library.cl became %s,", binaryTypeOf(library, device, CL_PROGRAM_BINARY_TYPE_LIBRARY, &right));
  say(&sample, " and both %s\n", binaryTypeOf(program, device, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, &right));

  cl_kernel kernel = clCreateKernel(program, "curve", &status);
  check(status, "clCreateKernel");
  const size_t bytes = count * sizeof(cl_float);
  cl_float *in = sampleAllocate(count, sizeof *in), *out = sampleAllocate(count, sizeof *out);
  uint32_t seed = 1;
  for (size_t i = 0; i < count; ++i)
    in[i] = (cl_float)wholeNumber(&seed, -64, 320) / 64;  // sixty-fourths: the curve is exact
  cl_mem bufferIn = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, in, &status);
  check(status, "clCreateBuffer");
  cl_mem bufferOut = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &bufferIn), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &bufferOut), "clSetKernelArg");
  const double ms = launchTimed(&sample, queue, kernel, 1, &count, NULL);
  check(clEnqueueReadBuffer(queue, bufferOut, CL_TRUE, 0, bytes, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (size_t i = 0; i < count && right; ++i) {
    const float scaled = in[i] / 4, t = scaled < 0 ? 0 : scaled > 1 ? 1 : scaled, should = t * t * (3 - 2 * t);
    // The division may be off by 2.5 units in the last place (OpenCL C, relative error as ULPs).
    if (out[i] < should - 1e-6f || out[i] > should + 1e-6f) {
      say(&sample, "  the curve at %g is %.9g, should be %.9g\n", in[i], out[i], should);
      right = 0;
    }
  }
  sampleResult(&sample, "curve (linked)", countText(count), ms, 0, 2.0 * (double)bytes, right);

  clReleaseMemObject(bufferIn);
  clReleaseMemObject(bufferOut);
  clReleaseKernel(kernel);
  const cl_program programs[] = {header, libraryObject, mainObject, library, program};
  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; ++i) clReleaseProgram(programs[i]);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(in);
  free(out);
  return sampleEnd(&sample);
}
