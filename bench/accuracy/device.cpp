// SPDX-License-Identifier: Apache-2.0
// This file generates a kernel for a function and launches it on blocks, with functions of OpenCL 1.2.
#include "accuracy/device.h"

#include <stdexcept>

#include "check.h"

namespace accuracy {
namespace {

using bench::check;

template <class T>
cl_device_info formatQuery() {
  // cl_khr_fp16's query is in cl_ext.h of newer headers only.
  constexpr cl_device_info halfConfig = 0x1033;
  return sizeof(T) == sizeof(Half)    ? halfConfig
         : sizeof(T) == sizeof(float) ? CL_DEVICE_SINGLE_FP_CONFIG
                                      : CL_DEVICE_DOUBLE_FP_CONFIG;
}

template <class T>
std::string sourceOf(const Function<T>& function) {
  const std::string type = Format<T>::name;
  const std::string result = givesInt(function.shape) ? "int" : type,
                    second = givesSecondInt(function.shape) ? "int" : type;
  std::string source;
  if (sizeof(T) == sizeof(Half)) source += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  if (sizeof(T) == sizeof(double)) source += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  source += "kernel void measured(global const " + type + "* xs, global const " + type + "* ys, global const " + type +
            "* zs, global const int* ns,\n" + "                     global " + result + "* out, global " + second +
            "* out2) {\n  const size_t i = get_global_id(0);\n  const " + type + " x = xs[i];\n";
  if (takesY(function.shape)) source += "  const " + type + " y = ys[i];\n";
  if (takesZ(function.shape)) source += "  const " + type + " z = zs[i];\n";
  if (takesInt(function.shape)) source += "  const int n = ns[i];\n";
  const bool two = givesSecondInt(function.shape) || givesSecondNumber(function.shape);
  const char* place = givesSecondInt(function.shape) ? "q" : "p";
  if (two) source += "  " + second + " second;\n  private " + second + "* " + place + " = &second;\n";
  source += std::string("  out[i] = ") + function.call + ";\n";
  if (two) source += "  out2[i] = second;\n";
  return source + "}\n";
}

}  // namespace

Device::Device() {
  cl_platform_id platform;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
  cl_int code;
  context_.reset(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  name_ = text(CL_DEVICE_NAME);
  driver_ = text(CL_DRIVER_VERSION);
  extensions_ = ' ' + text(CL_DEVICE_EXTENSIONS) + ' ';
}

std::string Device::text(cl_device_info what) const {
  std::size_t bytes = 0;
  check(clGetDeviceInfo(device_, what, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::string value(bytes, '\0');
  check(clGetDeviceInfo(device_, what, bytes, value.data(), nullptr), "clGetDeviceInfo");
  while (!value.empty() && value.back() == '\0') value.pop_back();
  return value;
}

template <class T>
bool Device::has() const {
  if (sizeof(T) == sizeof(Half)) return extensions_.contains(" cl_khr_fp16 ");
  return sizeof(T) == sizeof(float) || extensions_.contains(" cl_khr_fp64 ");
}

template <class T>
bool Device::keepsSubnormals() const {
  cl_device_fp_config config = 0;
  check(clGetDeviceInfo(device_, formatQuery<T>(), sizeof config, &config, nullptr), "clGetDeviceInfo");
  return config & CL_FP_DENORM;
}

template <class T>
Program<T>::Program(const Device& device, const Function<T>& function, const std::string& options) : device_(device) {
  cl_int code;
  const std::string source = sourceOf(function);
  const char* text = source.c_str();
  program_.reset(clCreateProgramWithSource(device.context(), 1, &text, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  const cl_device_id id = device.id();
  code = clBuildProgram(program_.get(), 1, &id, options.c_str(), nullptr, nullptr);
  if (code == CL_SUCCESS) return;
  std::string log(65536, '\0');
  clGetProgramBuildInfo(program_.get(), id, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
  throw std::runtime_error(function.fullName() + " with \"" + options + "\" did not build (" + std::to_string(code) +
                           "):\n" + log.c_str());
}

template <class T>
Launcher<T>::Launcher(const Program<T>& program, Shape shape, std::size_t capacity) : shape_(shape) {
  cl_int code;
  queue_.reset(clCreateCommandQueue(program.device().context(), program.device().id(), 0, &code));
  check(code, "clCreateCommandQueue");
  kernel_.reset(clCreateKernel(program.get(), "measured", &code));
  check(code, "clCreateKernel");
  const std::size_t firstBytes = givesInt(shape) ? sizeof(cl_int) : sizeof(T),
                    secondBytes = givesSecondInt(shape) ? sizeof(cl_int) : sizeof(T);
  const bool two = givesSecondInt(shape) || givesSecondNumber(shape);
  struct {
    Argument& argument;
    bool used;
    std::size_t bytes;
  } const all[] = {{x_, true, sizeof(T)},          {y_, takesY(shape), sizeof(T)},
                   {z_, takesZ(shape), sizeof(T)}, {n_, takesInt(shape), sizeof(cl_int)},
                   {first_, true, firstBytes},     {second_, two, secondBytes}};
  for (cl_uint index = 0; const auto& [argument, used, bytes] : all) {
    argument.elementBytes = bytes;
    argument.buffer.reset(
        clCreateBuffer(program.device().context(), CL_MEM_READ_WRITE, used ? capacity * bytes : bytes, nullptr, &code));
    check(code, "clCreateBuffer");
    const cl_mem buffer = argument.buffer.get();
    check(clSetKernelArg(kernel_.get(), index++, sizeof buffer, &buffer), "clSetKernelArg");
  }
}

template <class T>
void Launcher<T>::write(const Argument& argument, const void* data, std::size_t count) {
  check(clEnqueueWriteBuffer(queue_.get(), argument.buffer.get(), CL_TRUE, 0, count * argument.elementBytes, data, 0,
                             nullptr, nullptr),
        "clEnqueueWriteBuffer");
}

template <class T>
void Launcher<T>::read(const Argument& argument, void* data, std::size_t count) {
  check(clEnqueueReadBuffer(queue_.get(), argument.buffer.get(), CL_TRUE, 0, count * argument.elementBytes, data, 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
}

template <class T>
void Launcher<T>::run(Block<T>& block) {
  write(x_, block.x.data(), block.count);
  if (takesY(shape_)) write(y_, block.y.data(), block.count);
  if (takesZ(shape_)) write(z_, block.z.data(), block.count);
  if (takesInt(shape_)) write(n_, block.n.data(), block.count);
  check(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), 1, nullptr, &block.count, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  if (givesInt(shape_))
    read(first_, block.firstInt.data(), block.count);
  else
    read(first_, block.first.data(), block.count);
  if (givesSecondInt(shape_)) read(second_, block.secondInt.data(), block.count);
  if (givesSecondNumber(shape_)) read(second_, block.second.data(), block.count);
}

#define INSTANTIATE(T)                              \
  template bool Device::has<T>() const;             \
  template bool Device::keepsSubnormals<T>() const; \
  template class Program<T>;                        \
  template class Launcher<T>;
INSTANTIATE(Half)
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace accuracy
