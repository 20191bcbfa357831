// SPDX-License-Identifier: Apache-2.0
// This file runs a function of one type on the first device of the first platform that the loader finds.
#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "accuracy/function.h"

namespace accuracy {

template <class Object, cl_int (*release)(Object)>
struct Release {
  void operator()(Object object) const { release(object); }
};
template <class Object, cl_int (*release)(Object)>
using Handle = std::unique_ptr<std::remove_pointer_t<Object>, Release<Object, release>>;

class Device {
public:
  Device();
  const std::string& name() const { return name_; }
  const std::string& driver() const { return driver_; }
  template <class T>
  bool has() const;
  template <class T>
  bool keepsSubnormals() const;
  cl_device_id id() const { return device_; }
  cl_context context() const { return context_.get(); }

private:
  std::string text(cl_device_info what) const;
  cl_device_id device_ = nullptr;
  Handle<cl_context, clReleaseContext> context_;
  std::string name_, driver_, extensions_;
};

// A program with one kernel that calls the function.
template <class T>
class Program {
public:
  // Throws with the build log.
  Program(const Device& device, const Function<T>& function, const std::string& options);
  const Device& device() const { return device_; }
  cl_program get() const { return program_.get(); }

private:
  const Device& device_;
  Handle<cl_program, clReleaseProgram> program_;
};

// The objects with which one thread runs blocks of up to `capacity` calls.
template <class T>
class Launcher {
public:
  Launcher(const Program<T>& program, Shape shape, std::size_t capacity);
  // Fills the results of the block.
  void run(Block<T>& block);

private:
  struct Argument {
    std::size_t elementBytes;
    Handle<cl_mem, clReleaseMemObject> buffer;
  };
  void write(const Argument& argument, const void* data, std::size_t count);
  void read(const Argument& argument, void* data, std::size_t count);

  Handle<cl_command_queue, clReleaseCommandQueue> queue_;
  Handle<cl_kernel, clReleaseKernel> kernel_;
  Argument x_, y_, z_, n_, first_, second_;
  Shape shape_;
};

}  // namespace accuracy
