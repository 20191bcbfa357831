// SPDX-License-Identifier: Apache-2.0
// This file is a fuzzer of program binaries: fields of real ones get other values, the checksum is made right again,
// and the result is loaded, built, given arguments and launched in a child process. Nothing may end that process.
#include "compiler/ir/compiled_program.h"
#include "support/field_bytes.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::fuzz {
namespace {

using compiler::CompiledProgram;
using compiler::Target;
using Random = std::mt19937_64;

// Arguments of every kind, local memory, barriers, variables with pointers, required sizes, reductions, printf,
// sub-groups, constructors.
constexpr const char* sources[] = {
    R"(
struct pair { int a; long b; };
constant int table[16] = {1, 2, 3};
kernel void values(global int* out, char c, struct pair p, float4 f, local float* l, constant int* k, uint n) {
  uint i = get_global_id(0);
  if (i < n) out[i] = c + (int)p.b + (int)f.y + k[0] + table[c & 15];
}
kernel void sums(global int* out, global const int* in) {
  local int part[64];
  uint l = get_local_id(0);
  part[l & 63] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) out[get_group_id(0)] = part[0] + part[(get_local_size(0) - 1) & 63];
}
kernel void count(global int* bins, global const uint* in) { atomic_inc(&bins[in[get_global_id(0)] & 15]); }
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void sized(global int* out) {
  out[get_global_id(0)] = get_local_id(1);
})",
    R"(
global int numbers[20] = {1, 2, 3, [15] = 7};
global int* global where = &numbers[3];
global long zeros[10];
kernel void variables(global int* out) {
  out[0] = *where + numbers[15];
  zeros[get_global_id(0) % 10] += 1;
})",
    R"(
kernel void prints(global int* out) { if (out[0] == 12345) printf("%d\n", out[1]); }
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void groups(global int* out) { out[get_global_id(0)] = sub_group_reduce_add((int)get_local_id(0)); }
)"};
constexpr const char* sourceOptions[] = {"-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-std=CL3.0"};

/// The child's progress, where the parent sees it.
struct Progress {
  std::uint64_t next = 0;  ///< the mutation that comes next, or that is being tried
  std::uint64_t loaded = 0, launched = 0;
  char what[300] = {};
};

// --- mutations -----------------------------------------------------------------------------------------------------

/// Changes one value of a compiled program, chosen at random, and says which.
class Mutator {
public:
  explicit Mutator(Random& random) : random_(random) {}

  std::string mutate(CompiledProgram& compiled) {
    places_.clear();
    collect("compiled", compiled);
    const auto& [name, change] = places_[random_() % places_.size()];
    return name + change();
  }

private:
  /// Every value below `value`, by its name.
  template <class T>
  void collect(const std::string& name, T& value) {
    if constexpr (support::HasFields<T>) {
      support::forFields(value, [&](std::string_view field, auto& each) {
        if (field != "hash") collect(name + "." + std::string(field), each);
      });
    } else if constexpr (support::detail::IsOptional<T>::value) {
      add(name, [&value] {
        if (value)
          value.reset();
        else
          value.emplace();
        return std::string(" is there or not");
      });
      if (value) collect(name, *value);
    } else if constexpr (support::detail::IsVector<T>::value) {
      add(name, [this, &value] { return resize(value); });
      for (std::size_t i = 0; i < value.size(); ++i) collect(name + "[" + std::to_string(i) + "]", value[i]);
    } else if constexpr (support::detail::IsArray<T>::value) {
      for (std::size_t i = 0; i < value.size(); ++i) collect(name + "[" + std::to_string(i) + "]", value[i]);
    } else if constexpr (std::same_as<T, std::string>) {
      add(name, [this, &value] { return changeText(value); });
    } else if constexpr (std::same_as<T, bool>) {
      add(name, [&value] {
        value = !value;
        return fmt::format(" = {}", value);
      });
    } else {
      add(name, [this, &value] {
        value = static_cast<T>(numberNear(static_cast<std::uint64_t>(value)));
        return fmt::format(" = {}", static_cast<std::uint64_t>(value));
      });
    }
  }

  void add(std::string name, std::function<std::string()> change) {
    places_.emplace_back(std::move(name), std::move(change));
  }

  std::uint64_t numberNear(std::uint64_t value) {
    switch (random_() % 8) {
      case 0: return value + 1;
      case 1: return value - 1;
      case 2: return value ^ std::uint64_t{1} << random_() % 64;
      case 3: return 0;
      case 4: return ~std::uint64_t{0} >> random_() % 64;
      case 5: return std::uint64_t{1} << random_() % 64;
      case 6: return value * 2;
      default: return random_() >> random_() % 64;
    }
  }

  std::string changeText(std::string& text) {
    switch (random_() % 5) {
      case 0: text.clear(); return " is empty";
      case 1: text.resize(random_() % (text.size() + 1)); return fmt::format(" is cut to {}", text.size());
      case 2: text += std::string(1 + random_() % 300, static_cast<char>(random_())); return " is longer";
      case 3: text.insert(random_() % (text.size() + 1), 1, '\0'); return " has a zero";
      default: break;
    }
    if (text.empty()) return " stays";
    const std::size_t at = random_() % text.size();
    text[at] = static_cast<char>(random_());
    return fmt::format("[{}] = {}", at, static_cast<unsigned char>(text[at]));
  }

  template <class T>
  std::string resize(std::vector<T>& list) {
    switch (random_() % 4) {
      case 0: list.clear(); return " is empty";
      case 1:
        if (!list.empty()) list.erase(list.begin() + static_cast<long>(random_() % list.size()));
        return " lost one";
      case 2:
        if (!list.empty()) list.push_back(list[random_() % list.size()]);
        return " has one twice";
      default: list.emplace_back(); return " has one more";
    }
  }

  Random& random_;
  std::vector<std::pair<std::string, std::function<std::string()>>> places_;
};

// --- OpenCL --------------------------------------------------------------------------------------------------------

[[noreturn]] void giveUp(std::string_view what) {
  fmt::print(stderr, "binary_fuzz: {}\n", what);
  std::_Exit(2);
}

struct Machine {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem memory = nullptr;

  Machine() {
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(count);
    clGetPlatformIDs(count, platforms.data(), nullptr);
    for (cl_platform_id platform : platforms) {
      char name[64] = {};
      clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
      if (std::string_view(name) == "Clarity") clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr);
    }
    if (!device) giveUp("there is no device of Clarity");
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 1 << 16, nullptr, nullptr);
  }

  std::string binaryOf(const char* source, const char* options) const {
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    if (clBuildProgram(program, 1, &device, options, nullptr, nullptr) != CL_SUCCESS) giveUp("a source did not build");
    size_t size = 0;
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
    std::string binary(size, '\0');
    auto* to = reinterpret_cast<unsigned char*>(binary.data());
    clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr);
    clReleaseProgram(program);
    return binary;
  }

  /// Loads, builds and uses a binary. Whatever error that ends with is right.
  void use(const std::string& binary, bool launches, Progress& progress) const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    const size_t size = binary.size();
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &bytes, nullptr, &code);
    if (!program) return;
    if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS) {
      ++progress.loaded;
      cl_kernel kernels[32] = {};
      cl_uint count = 0;
      if (clCreateKernelsInProgram(program, 32, kernels, &count) == CL_SUCCESS)
        for (cl_uint i = 0; i < count; ++i) {
          useKernel(kernels[i], launches, progress);
          clReleaseKernel(kernels[i]);
        }
    }
    clReleaseProgram(program);
  }

private:
  void useKernel(cl_kernel kernel, bool launches, Progress& progress) const {
    static const std::vector<char> value(1 << 16, 1);
    cl_uint args = 0;
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof args, &args, nullptr);
    char text[1024];
    for (cl_uint i = 0; i < args && i < 64; ++i) {
      clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, nullptr);
      if (clSetKernelArg(kernel, i, sizeof memory, &memory) == CL_SUCCESS) continue;
      if (clSetKernelArg(kernel, i, 64, nullptr) == CL_SUCCESS) continue;
      for (size_t bytes = 1; bytes <= 256; ++bytes)
        if (clSetKernelArg(kernel, i, bytes, value.data()) == CL_SUCCESS) break;
    }
    size_t sizes[3];
    clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, nullptr);
    clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, nullptr);
    if (!launches) return;
    const size_t global[2] = {16, 2};
    if (clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, nullptr, 0, nullptr, nullptr) == CL_SUCCESS)
      ++progress.launched;
    clFinish(queue);
  }
};

// --- the run -------------------------------------------------------------------------------------------------------

struct Original {
  Target target;
  CompiledProgram compiled;
};

Original read(const std::string& binary) {
  Original original;
  support::ByteReader from(std::string_view(binary).substr(8 + 4 + 8 + 16));  // magic, format, size, checksum
  const std::string_view content = from.text();
  support::ByteReader inner(content);
  support::read(inner, original.target);
  support::read(inner, original.compiled);
  if (!inner.ok() || !inner.atEnd()) giveUp("the format of binaries has changed");
  return original;
}

/// Runs in a child. Tries mutations from progress.next on.
[[noreturn]] void tryAll(std::uint64_t seed, std::uint64_t count, Progress& progress) {
  const Machine machine;
  std::vector<Original> originals;
  for (std::size_t i = 0; i < std::size(sources); ++i)
    originals.push_back(read(machine.binaryOf(sources[i], sourceOptions[i])));
  for (; progress.next < count; ++progress.next) {
    Random random(seed * 1'000'003 + progress.next);
    const Original& original = originals[random() % originals.size()];
    CompiledProgram compiled = original.compiled;
    std::string what;
    Mutator mutator(random);
    for (std::uint64_t changes = 1 + random() % 3; changes; --changes) what += mutator.mutate(compiled) + "; ";
    // Other code than the compiler's may do anything when it runs, as any kernel may: it is loaded and built only.
    const bool sameCode = compiled.bitcode == original.compiled.bitcode;
    std::strncpy(progress.what, what.c_str(), sizeof progress.what - 1);
    ::alarm(60);
    machine.use(serialise(compiled, original.target), sameCode, progress);
  }
  std::_Exit(0);
}

std::uint64_t numberIn(const char* text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
  if (error != std::errc() || *end != '\0') giveUp(fmt::format("'{}' is not a number", text));
  return value;
}

int run(std::uint64_t seed, std::uint64_t count) {
  void* const shared = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) giveUp("no shared memory");
  auto& progress = *new (shared) Progress;
  std::uint64_t failures = 0;
  while (progress.next < count) {
    const std::uint64_t before = progress.next;
    const pid_t child = ::fork();
    if (child == 0) tryAll(seed, count, progress);
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) giveUp("no child process");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2 && progress.next == before) return 2;
    ++failures;
    fmt::print("mutation {} of seed {} ended the process ({}): {}\n", progress.next, seed,
               WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "an exit", progress.what);
    std::fflush(stdout);
    ++progress.next;
  }
  fmt::print("{} mutations of seed {}: {} were loaded, {} kernels launched, {} ended the process\n", count, seed,
             progress.loaded, progress.launched, failures);
  return failures ? 1 : 0;
}

}  // namespace
}  // namespace clarity::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: binary_fuzz SEED MUTATIONS\n");
    return 2;
  }
  return clarity::fuzz::run(clarity::fuzz::numberIn(argv[1]), clarity::fuzz::numberIn(argv[2]));
}
