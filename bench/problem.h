// SPDX-License-Identifier: Apache-2.0
// This file declares the description of one measured kernel: its arguments and work-items, the same computation on the
// host, and the tolerance of the results. A case calls the functions below in the order of the kernel's parameters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

// Results are equal if they differ by no more than `absolute` + `relative` * |reference|; NaN is never equal. `share`
// of the elements may differ by more, for kernels in which rounding decides a branch. `nan`: NaN equals NaN.
struct Tolerance {
  double absolute = 0, relative = 0, share = 0;
  bool nan = false;
};

// Memory aligned to cache lines, as buffers of drivers are.
class Storage {
public:
  Storage() = default;
  explicit Storage(std::size_t bytes);
  Storage(const void* data, std::size_t bytes) : Storage(bytes) { std::memcpy(this->data(), data, bytes); }
  void* data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }

private:
  struct Free {
    void operator()(void* data) const { std::free(data); }
  };
  std::unique_ptr<void, Free> data_;
  std::size_t bytes_ = 0;
};

// An image instead of a buffer: of CL_RGBA, rows side by side, slices one behind the other.
struct Picture {
  enum class Type { UnormInt8, Float };
  Type type = Type::UnormInt8;
  std::size_t width = 0, height = 0, depth = 0;  // 0: two dimensions
};

// A sampler that the host passes: how it treats coordinates.
struct Sampler {
  bool normalised = false, repeats = false, linear = false;  // clamps to the edge otherwise
};

struct Argument {
  enum class Kind { Input, Output, Update, Scalar, Local, Sampler };
  Kind kind;
  std::size_t bytes = 0;
  Storage initial = {};    // before every launch (Input, Update, Scalar)
  Storage host = {};       // what the host's function writes to (Output, Update)
  Storage reference = {};  // what it wrote with one thread
  // Returns how the first array differs from the second; empty if it does not.
  std::function<std::string(const void*, const void*)> difference = {};
  std::function<void(void*)> canonical = {};  // sorts elements whose order is undefined
  Picture picture = {};                       // a width: the argument is an image
  Sampler sampler = {};
  bool isBuffer() const { return kind != Kind::Scalar && kind != Kind::Local && kind != Kind::Sampler; }
  bool isImage() const { return picture.width > 0; }
  bool isResult() const { return kind == Kind::Output || kind == Kind::Update; }
};

enum class Unit { Bytes, Flops, Steps };

class Problem {
public:
  explicit Problem(bool small) : small_(small) {}
  // The size for --size small or normal.
  std::size_t size(std::size_t small, std::size_t normal) const { return small_ ? small : normal; }

  // A buffer that the kernel reads; returns the host's copy.
  template <typename T>
  const T* input(const std::vector<T>& elements) {
    arguments.push_back(
        {Argument::Kind::Input, elements.size() * sizeof(T), Storage(elements.data(), elements.size() * sizeof(T))});
    return static_cast<const T*>(arguments.back().initial.data());
  }
  // A buffer that the kernel fills; returns the array that the host's function fills.
  template <typename T>
  T* output(std::size_t count, Tolerance tolerance = {}) {
    return result<T>(Argument::Kind::Output, count, tolerance, {});
  }
  // A buffer that the kernel changes; it contains `elements` before every launch, for both sides.
  template <typename T>
  T* update(const std::vector<T>& elements, Tolerance tolerance = {}) {
    return result<T>(Argument::Kind::Update, elements.size(), tolerance,
                     Storage(elements.data(), elements.size() * sizeof(T)));
  }
  // The same for images.
  template <typename T>
  const T* inputImage(const std::vector<T>& elements, Picture picture) {
    const T* data = input(elements);
    arguments.back().picture = picture;
    return data;
  }
  template <typename T>
  T* outputImage(Picture picture, Tolerance tolerance = {}) {
    T* data = output<T>(4 * picture.width * picture.height * std::max<std::size_t>(picture.depth, 1), tolerance);
    arguments.back().picture = picture;
    return data;
  }
  void sampler(Sampler sampler) {
    arguments.push_back({Argument::Kind::Sampler, sizeof(void*)});
    arguments.back().sampler = sampler;
  }
  template <typename T>
  T scalar(T value) {
    arguments.push_back({Argument::Kind::Scalar, sizeof value, Storage(&value, sizeof value)});
    return value;
  }
  template <typename T>
  void local(std::size_t count) {
    arguments.push_back({Argument::Kind::Local, count * sizeof(T)});
  }
  // For the buffer described last: applied to both sides' results before they are compared.
  template <typename T>
  void canonical(std::function<void(T*)> sort) {
    arguments.back().canonical = [sort](void* data) { sort(static_cast<T*>(data)); };
  }

  // Global size and work-group size; without the latter the implementation chooses.
  void items(std::size_t x, std::size_t y = 0, std::size_t z = 0) { setSizes(global, x, y, z); }
  void group(std::size_t x, std::size_t y = 0, std::size_t z = 0) { setSizes(groupSizes, x, y, z); }
  // The amount of work of the problem, for the rate in the table.
  void needs(double newAmount, Unit newUnit) { amount = newAmount, unit = newUnit; }
  // The same in C++; parallelFor (parallel.h) distributes it over all processors.
  void host(std::function<void()> compute) { computeOnHost = std::move(compute); }

  std::vector<Argument> arguments;
  std::vector<std::size_t> global, groupSizes;
  double amount = 0;
  Unit unit = Unit::Steps;
  std::function<void()> computeOnHost;

private:
  template <typename T>
  T* result(Argument::Kind kind, std::size_t count, Tolerance tolerance, Storage initial);
  static void setSizes(std::vector<std::size_t>& sizes, std::size_t x, std::size_t y, std::size_t z) {
    sizes = {x};
    if (y) sizes.push_back(y);
    if (z) sizes.push_back(z);
  }
  bool small_;
};

// Compares `count` elements; defined for the types that results have.
template <typename T>
std::string differenceOf(const T* result, const T* reference, std::size_t count, Tolerance tolerance);

template <typename T>
T* Problem::result(Argument::Kind kind, std::size_t count, Tolerance tolerance, Storage initial) {
  arguments.push_back({kind, count * sizeof(T), std::move(initial), Storage(count * sizeof(T))});
  arguments.back().difference = [count, tolerance](const void* result, const void* reference) {
    return differenceOf(static_cast<const T*>(result), static_cast<const T*>(reference), count, tolerance);
  };
  return static_cast<T*>(arguments.back().host.data());
}

// One row of the table.
struct Case {
  std::string file, kernel;  // kernels/<file>.cl, unless `source` says another
  std::string variant;       // distinguishes cases of the same kernel; may be empty
  std::function<void(Problem&)> describe;
  std::string extension = {};             // that the kernel needs, or nothing
  std::string source = {}, options = {};  // a file, and build options of its own
  std::string path() const;
  std::string program() const { return path() + ' ' + options; }  // the same for cases of one program
  std::string name() const { return variant.empty() ? kernel : kernel + ' ' + variant; }
};

// The same sequence for the same seed everywhere; floats lie in [low, high), whole numbers in [low, high].
std::vector<float> randomFloats(std::size_t count, unsigned seed, float low = -1, float high = 1);
std::vector<double> randomDoubles(std::size_t count, unsigned seed, double low = -1, double high = 1);
std::vector<_Float16> randomHalves(std::size_t count, unsigned seed);
template <typename T>
std::vector<T> randomIntegers(std::size_t count, unsigned seed, std::uint64_t low, std::uint64_t high);

}  // namespace bench
