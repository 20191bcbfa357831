/* SPDX-License-Identifier: Apache-2.0 */
/* Launches the kernel of a file some times, for `clarity profile` to look at:
 * launches FILE OPTIONS GLOBAL LOCAL COUNT ARGUMENT...  with sizes such as 64x64, LOCAL 0 where the driver chooses, and
 * arguments f:N, d:N, u:N, i:N[:M], s:N (buffers of N float, double, uchar, int, or sorted int; numbers below M),
 * l:BYTES (local memory), int:N, float:X, image:N (read-only, N x N, RGBA of float), linear or nearest (samplers). */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateSampler */
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_kernel kernel;

static void fail(const char* what) {
  fprintf(stderr, "launches: %s\n", what);
  exit(2);
}

static char* contents(const char* file) {
  static char text[1 << 16];
  FILE* const stream = fopen(file, "rb");
  if (!stream) fail("the file cannot be read");
  text[fread(text, 1, sizeof text - 1, stream)] = 0;
  fclose(stream);
  return text;
}

static cl_uint sizes(const char* text, size_t* result) {
  cl_uint count = 0;
  for (char* end; count < 3; text = end + 1) {
    result[count++] = strtoul(text, &end, 10);
    if (*end != 'x') break;
  }
  return count;
}

static unsigned next(void) {
  static unsigned long long state = 1;
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33);
}

static void setBuffer(cl_uint index, char type, size_t count, unsigned below) {
  const size_t bytes = count * (type == 'd' ? 8 : type == 'u' ? 1 : 4);
  char* const data = malloc(bytes);
  for (size_t i = 0; i < count; ++i) {
    if (type == 'f') ((float*)data)[i] = (float)(next() % 1000) / 1000;
    if (type == 'd') ((double*)data)[i] = (double)(next() % 1000) / 1000;
    if (type == 'u') ((unsigned char*)data)[i] = (unsigned char)next();
    if (type == 'i') ((int*)data)[i] = (int)(next() % below);
    if (type == 's') ((int*)data)[i] = (int)(i * below / count);
  }
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, data, NULL);
  clSetKernelArg(kernel, index, sizeof buffer, &buffer);
  free(data);
}

static void setImage(cl_uint index, size_t side) {
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = side, .image_height = side};
  void* const data = calloc(side * side, 16);
  cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &shape, data, NULL);
  clSetKernelArg(kernel, index, sizeof image, &image);
  free(data);
}

static void setArgument(cl_uint index, const char* word) {
  const char* const value = strchr(word, ':') ? strchr(word, ':') + 1 : "";
  const char* const more = strchr(value, ':');
  if (!strncmp(word, "int:", 4)) {
    const cl_int number = atoi(value);
    clSetKernelArg(kernel, index, sizeof number, &number);
  } else if (!strncmp(word, "float:", 6)) {
    const cl_float number = (cl_float)atof(value);
    clSetKernelArg(kernel, index, sizeof number, &number);
  } else if (!strncmp(word, "image:", 6)) {
    setImage(index, strtoul(value, NULL, 10));
  } else if (!strcmp(word, "linear") || !strcmp(word, "nearest")) {
    cl_sampler sampler = clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE,
                                         word[0] == 'l' ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, NULL);
    clSetKernelArg(kernel, index, sizeof sampler, &sampler);
  } else if (word[0] == 'l') {
    clSetKernelArg(kernel, index, strtoul(value, NULL, 10), NULL);
  } else {
    setBuffer(index, word[0], strtoul(value, NULL, 10), more ? (unsigned)strtoul(more + 1, NULL, 10) : 1000);
  }
}

int main(int count, char** words) {
  if (count < 6) fail("FILE OPTIONS GLOBAL LOCAL COUNT ARGUMENT...");
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS) fail("no platform");
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) fail("no device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  const char* const source = contents(words[1]);
  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, NULL, NULL);
  if (clBuildProgram(program, 1, &device, words[2], NULL, NULL) != CL_SUCCESS) fail("the program does not build");
  if (clCreateKernelsInProgram(program, 1, &kernel, NULL) != CL_SUCCESS) fail("the file must have one kernel");
  for (int i = 6; i < count; ++i) setArgument((cl_uint)(i - 6), words[i]);
  size_t global[3], local[3];
  const cl_uint dimensions = sizes(words[3], global);
  sizes(words[4], local);
  for (int i = 0; i < atoi(words[5]); ++i)
    if (clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local[0] ? local : NULL, 0, NULL, NULL) !=
        CL_SUCCESS)
      fail("the kernel cannot be launched");
  return clFinish(queue) == CL_SUCCESS ? 0 : 2;
}
