// SPDX-License-Identifier: Apache-2.0
// This file checks arguments of built-in kernels and adds passes to plans.
#include "built_in/plan.h"

#include "support/checked.h"

#include <algorithm>
#include <cassert>

namespace clarity::built_in {

using compiler::ArgKind;
using compiler::KernelArg;

std::string Builder::function(std::string_view base) const {
  std::string name(base);
  if (kernel_.entry->operation) name.append("_").append(kernel_.entry->operation);
  for (const ElementType* const type : {kernel_.type, kernel_.secondType})
    if (type) name.append("_").append(type->suffix);
  return name;
}

std::uint32_t Builder::indexOf(std::string_view name) const {
  // Most are asked for in their order.
  const auto& args = kernel_.info.args;
  const auto count = static_cast<std::uint32_t>(args.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t index = next_ + i < count ? next_ + i : next_ + i - count;
    if (args[index].name != name) continue;
    next_ = index + 1;
    return index;
  }
  assert(false);
  return 0;
}

std::uint64_t Builder::number(std::string_view name) const {
  std::uint64_t value = 0;
  const auto bytes = arguments_[indexOf(name)].value;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

bool Builder::isAligned(std::string_view name, std::uint64_t bytes) const {
  const Argument& argument = arguments_[indexOf(name)];
  return argument.root && argument.offset % bytes == 0;
}

double Builder::real(std::string_view name) const {
  const std::uint32_t index = indexOf(name);
  const std::byte* const value = arguments_[index].value.data();
  const std::string& type = kernel_.info.args[index].typeName;
  const auto read = [&]<class Number>(Number number) {
    std::memcpy(&number, value, sizeof number);
    return static_cast<double>(number);
  };
  return type == "float" ? read(float{}) : type == "double" ? read(double{}) : read(std::int32_t{});
}

void Builder::refuse(cl_int code, std::string text) {
  if (code_ != CL_SUCCESS) return;
  code_ = code;
  text_ = fmt::format("built-in kernel '{}': {}", kernel_.name(), text);
}

void Builder::positive(std::string_view name) { (void)require(number(name) != 0, "{} is 0", name); }

std::size_t Builder::elementBytes(std::uint32_t index) const { return kernel_.info.args[index].align; }

void Builder::needs(std::string_view name, std::uint64_t elements) { needsBox(name, elements, 1); }

void Builder::needsBox(std::string_view name, std::uint64_t n, std::uint64_t step, std::uint64_t rows,
                       std::uint64_t pitch, std::uint64_t planes, std::uint64_t distance) {
  const std::uint32_t index = indexOf(name);
  const Argument& argument = arguments_[index];
  used_[index] = 0;
  if (n == 0 || rows == 0 || planes == 0 || isRefused()) return;
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last = 0;
  for (const auto& [count, apart] : {std::pair(n, step), std::pair(rows, pitch), std::pair(planes, distance)}) {
    const auto sum = support::checkedProductSum<std::uint64_t>(count - 1, apart, last);
    last = sum.value_or(most);
    if (!sum) break;
  }
  const std::size_t each = elementBytes(index);
  const std::uint64_t bytes =
      support::checkedProduct<std::uint64_t>(support::limitedSum(last, std::uint64_t{1}), each).value_or(most);
  if (last == most || bytes == most)
    return refuse(CL_INVALID_ARG_VALUE,
                  fmt::format("the sizes of {} do not fit in 64 bits: {} x {} x {} elements, {}, {} and {} apart", name,
                              n, rows, planes, step, pitch, distance));
  if (argument.isNull)
    return refuse(CL_INVALID_ARG_VALUE, fmt::format("{} is null and {} bytes are needed", name, bytes));
  if (argument.bytes < bytes)
    return refuse(CL_INVALID_BUFFER_SIZE, fmt::format("{} has {} bytes and {} are needed, {} elements of {} bytes",
                                                      name, argument.bytes, bytes, last + 1, each));
  const bool isWritten = !(kernel_.info.args[index].typeQualifiers & CL_KERNEL_ARG_TYPE_CONST);
  if (isWritten && argument.isReadOnly)
    return refuse(CL_INVALID_ARG_VALUE, fmt::format("{} is written, and its buffer is read-only", name));
  used_[index] = bytes;
}

void Builder::apart(std::string_view a, std::string_view b, bool same) {
  const std::uint32_t i = indexOf(a), j = indexOf(b);
  const Argument &first = arguments_[i], &second = arguments_[j];
  if (!first.root || first.root != second.root || used_[i] == 0 || used_[j] == 0) return;
  if (same && first.offset == second.offset) return;
  if (first.offset < second.offset + used_[j] && second.offset < first.offset + used_[i])
    refuse(CL_MEM_COPY_OVERLAP,
           fmt::format("{} and {} overlap: bytes {} to {} and {} to {} of one buffer", a, b, first.offset,
                       first.offset + used_[i], second.offset, second.offset + used_[j]));
}

std::uint64_t Builder::product(std::uint64_t a, std::uint64_t b) {
  const auto result = support::checkedProduct(a, b);
  (void)require(result.has_value() && *result < std::uint64_t{1} << 56, "{} x {} elements are more than 2^56", a, b);
  return result.value_or(0);
}

Scratch Builder::scratch(std::uint64_t bytes) {
  plan_.scratch.push_back(std::max<std::uint64_t>(bytes, 1));
  return {static_cast<std::uint32_t>(plan_.scratch.size() - 1)};
}

device::NDRange items(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return {.dims = z > 1 ? 3u : y > 1 ? 2u : 1u, .offset = {0, 0, 0}, .global = {x, y, z}, .local = {0, 0, 0}};
}

device::NDRange groups(std::uint64_t count, std::uint64_t size, std::uint64_t y, std::uint64_t z) {
  return {.dims = z > 1   ? 3u
                  : y > 1 ? 2u
                          : 1u,
          .offset = {0, 0, 0},
          .global = {count * size, y, z},
          .local = {size, 1, 1}};
}

}  // namespace clarity::built_in
