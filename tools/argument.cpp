// SPDX-License-Identifier: Apache-2.0
// This file reads kernel arguments from the command line.
#include "argument.h"

#include "command.h"
#include "counts.h"
#include "files.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace clarity::tools {
namespace {

constexpr const char* bufferForms =
    "FILE.npy, FILE.raw, FILE.bin, FILE.png, zeros:COUNT, iota:COUNT, random:COUNT[:LO:HI], new:COUNT, "
    "same:ARG or null";

const std::vector<std::string> forms = {"zeros", "iota", "random", "new", "same"};

[[noreturn]] void reject(const Argument& argument, const std::string& given, const std::string& why) {
  throw UsageError(fmt::format("{}: '{}' {}", argument.title(), given, why));
}

std::string extensionOf(const std::string& name) {
  std::string extension = std::filesystem::path(name).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

// The type that a pointer points to, as the source calls it.
std::string elementName(const Argument& argument) {
  std::string name = argument.typeName;
  while (!name.empty() && (name.back() == '*' || name.back() == ' ')) name.pop_back();
  return name;
}

bool isRaw(const std::string& name) {
  const std::string extension = extensionOf(name);
  return extension == ".raw" || extension == ".bin";
}

// The same numbers for the same seed on every machine (splitmix64); the distributions of <random> do not guarantee
// that.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  std::uint64_t state_;
};

std::vector<std::byte> parseValue(const Argument& argument, const std::string& given) {
  if (isRaw(given)) {
    std::vector<std::byte> bytes = readBytes(given);
    if (argument.element && bytes.size() != argument.element->bytes())
      reject(argument, given,
             fmt::format("has {}; expected {}", Counted{bytes.size(), "byte"}, argument.element->bytes()));
    return bytes;
  }
  if (!argument.element)
    reject(argument, given, "cannot be read: the type is not a type of OpenCL C; give its bytes as FILE.raw");
  const ElementType type = *argument.element;
  const std::vector<std::string> parts = split(given, ',');
  if (parts.size() != type.lanes && parts.size() != 1)
    reject(argument, given,
           type.lanes == 1 ? fmt::format("has {}; expected one", Counted{parts.size(), "value"})
                           : fmt::format("has {}; expected {}, separated by commas, or one for all",
                                         Counted{parts.size(), "value"}, type.lanes));
  std::vector<std::byte> bytes(type.bytes());
  for (unsigned lane = 0; lane < type.lanes; ++lane) {
    const std::string& text = parts[parts.size() == 1 ? 0 : lane];
    if (const auto wrong = storeScalar(type.scalar, text, bytes.data() + lane * type.scalarBytes()))
      reject(argument, given, fmt::format("{} of type {}", *wrong, ElementType{type.scalar, 1}.name()));
  }
  return bytes;
}

// COUNT elements of the argument's type: the shape and the size in bytes.
struct Extent {
  std::vector<size_t> shape;
  size_t bytes = 0;
};

Extent parseExtent(const Argument& argument, const std::string& given, const std::string& count) {
  if (!argument.element)
    reject(argument, given,
           fmt::format("cannot be created: the size of '{}' is unknown; give FILE.raw, or count in bytes "
                       "with --type {}=uchar",
                       elementName(argument), argument.index));
  // 640x480 is width and height of a picture, whose rows are the first axis; 480,640 is a shape in NumPy's order.
  auto shape = parseShape(count, 'x');
  if (shape && shape->size() == 2) std::swap((*shape)[0], (*shape)[1]);
  if (!shape || shape->size() > 2) shape = parseShape(count, ',');
  if (!shape)
    reject(argument, given, fmt::format("has '{}' in place of COUNT, such as 1000, 2^20, 640x480 or 480,640,4", count));
  size_t bytes = argument.element->bytes();
  const size_t memory = static_cast<size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  for (size_t size : *shape)
    if (__builtin_mul_overflow(bytes, size, &bytes) || bytes > memory)
      reject(argument, given, fmt::format("is larger than this machine's memory of {} MiB", memory >> 20));
  if (bytes == 0) reject(argument, given, "is empty; a buffer needs at least one element");
  return {*shape, bytes};
}

Array emptyArray(const Argument& argument, const std::string& given, const std::string& count) {
  const Extent extent = parseExtent(argument, given, count);
  return {*argument.element, extent.shape, std::vector<std::byte>(extent.bytes)};
}

// Calls `store` for every scalar of the array; not for the padding of 3-component vectors.
template <typename Store>
void fill(Array& array, Store store) {
  const ElementType type = array.type;
  std::uint64_t number = 0;
  for (size_t i = 0; i < array.count(); ++i)
    for (unsigned lane = 0; lane < type.lanes; ++lane)
      store(number++, array.bytes.data() + i * type.bytes() + lane * type.scalarBytes());
}

void fillRandom(const Argument& argument, const std::string& given, const std::vector<std::string>& words, Array& array,
                std::uint64_t seed) {
  double low = 0, high = array.type.isFloating() ? 1 : 99;
  if (words.size() == 4) {
    for (auto [word, bound] : {std::pair{&words[2], &low}, std::pair{&words[3], &high}}) {
      const auto [end, error] = std::from_chars(word->data(), word->data() + word->size(), *bound);
      if (error != std::errc() || end != word->data() + word->size())
        reject(argument, given, fmt::format("has '{}' in place of a bound", *word));
    }
    if (!(low <= high)) reject(argument, given, fmt::format("has bounds {} and {} in the wrong order", low, high));
  }
  // Each argument has a different sequence, so that two buffers of one size hold different numbers.
  Random random(seed * 0x100000001b3u + argument.index);
  const Scalar scalar = array.type.scalar;
  if (array.type.isFloating())
    return fill(array,
                [&](std::uint64_t, std::byte* at) { storeNumber(scalar, low + (high - low) * random.fraction(), at); });
  const auto first = static_cast<std::int64_t>(low);
  const std::uint64_t choices = static_cast<std::uint64_t>(high - low) + 1;
  fill(array, [&](std::uint64_t, std::byte* at) {
    storeInteger(scalar, static_cast<std::uint64_t>(first) + random.next() % choices, at);
  });
}

Array readRaw(const Argument& argument, const std::string& given) {
  const ElementType type = argument.element.value_or(ElementType{});
  std::vector<std::byte> bytes = readBytes(given);
  if (bytes.empty() || bytes.size() % type.bytes() != 0)
    reject(argument, given,
           fmt::format("has {}, which is not a multiple of the element size, {}", Counted{bytes.size(), "byte"},
                       Counted{type.bytes(), "byte"}));
  const size_t count = bytes.size() / type.bytes();
  return {type, {count}, std::move(bytes)};
}

ArgumentValue parseBuffer(const Argument& argument, const std::string& given, std::uint64_t seed) {
  if (given == "null") return NullBuffer{};
  const std::string extension = extensionOf(given);
  if (isRaw(given)) return readRaw(argument, given);
  if (extension == ".npy" || extension == ".png") {
    if (!argument.element)
      reject(argument, given,
             fmt::format("has typed elements, but '{}' is unknown here; give FILE.raw or --type {}=TYPE",
                         elementName(argument), argument.index));
    try {
      Array array = extension == ".npy" ? readNpy(given, *argument.element) : readPng(given, *argument.element);
      if (array.bytes.empty()) reject(argument, given, "is empty; a buffer needs at least one element");
      return array;
    } catch (const Failure& failure) {
      throw Failure(fmt::format("{}: {}", argument.title(), failure.what()));
    }
  }
  const std::vector<std::string> words = split(given, ':');
  const std::string& form = words[0];
  if (form == "same") {
    cl_uint other = 0;
    const std::string& number = words.size() == 2 ? words[1] : form;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), other);
    if (error != std::errc() || end != number.data() + number.size() || other >= argument.index)
      reject(argument, given, "is not same:ARG with the number of an argument ahead of this one");
    return SameBuffer{other};
  }
  if (form == "zeros" || form == "iota" || form == "random" || form == "new") {
    const bool count = words.size() == 2, bounds = form == "random" && words.size() == 4;
    if (!count && !bounds)
      reject(argument, given,
             fmt::format("is not {}", form == "random" ? "random:COUNT or random:COUNT:LO:HI" : form + ":COUNT"));
    Array array = emptyArray(argument, given, words[1]);
    array.isUnwritten = form == "new";
    const Scalar scalar = array.type.scalar;
    if (form == "iota") fill(array, [&](std::uint64_t i, std::byte* at) { storeInteger(scalar, i, at); });
    if (form == "random") fillRandom(argument, given, words, array, seed);
    return array;
  }
  if (form == "local") reject(argument, given, fmt::format("is for __local pointers; give {}", bufferForms));
  const std::string meant = words.size() > 1 ? didYouMean(form, forms) : std::string();
  reject(argument, given,
         !meant.empty() ? "is not a buffer" + meant : fmt::format("is not a buffer; give {}", bufferForms));
}

LocalMemory parseLocal(const Argument& argument, const std::string& given) {
  if (!given.starts_with("local:")) reject(argument, given, "is not local memory; give local:COUNT");
  return {parseExtent(argument, given, given.substr(6)).bytes};
}

/// The words before the type. Images and pipes are in global memory and are declared by their access.
std::string qualifierText(cl_kernel_arg_address_qualifier address, cl_kernel_arg_access_qualifier access) {
  switch (access) {
    case CL_KERNEL_ARG_ACCESS_READ_ONLY: return "read_only ";
    case CL_KERNEL_ARG_ACCESS_WRITE_ONLY: return "write_only ";
    case CL_KERNEL_ARG_ACCESS_READ_WRITE: return "read_write ";
    default: break;
  }
  switch (address) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL: return "__global ";
    case CL_KERNEL_ARG_ADDRESS_CONSTANT: return "__constant ";
    case CL_KERNEL_ARG_ADDRESS_LOCAL: return "__local ";
    default: return "";
  }
}

// The strings that the bindings return for this query may end in a zero.
std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

Argument argumentOf(const cl::Kernel& kernel, cl_uint index) {
  Argument argument;
  argument.index = index;
  argument.name = trimmed(kernel.getArgInfo<CL_KERNEL_ARG_NAME>(index));
  argument.typeName = trimmed(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(index));
  const auto address = kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(index);
  const auto access = kernel.getArgInfo<CL_KERNEL_ARG_ACCESS_QUALIFIER>(index);
  const auto type = kernel.getArgInfo<CL_KERNEL_ARG_TYPE_QUALIFIER>(index);
  const bool pointer = argument.typeName.ends_with("*");
  argument.declaration = qualifierText(address, access) + ((type & CL_KERNEL_ARG_TYPE_PIPE) ? "pipe " : "") +
                         ((type & CL_KERNEL_ARG_TYPE_CONST) && pointer ? "const " : "") + argument.typeName;
  argument.readOnly = pointer && ((type & CL_KERNEL_ARG_TYPE_CONST) || address == CL_KERNEL_ARG_ADDRESS_CONSTANT);
  if (argument.typeName == "queue_t")
    argument.kind = ArgumentKind::Queue;
  else if (access != CL_KERNEL_ARG_ACCESS_NONE || argument.typeName == "sampler_t" || (type & CL_KERNEL_ARG_TYPE_PIPE))
    argument.kind = ArgumentKind::Unsupported;
  else if (pointer && address == CL_KERNEL_ARG_ADDRESS_LOCAL)
    argument.kind = ArgumentKind::Local;
  else if (pointer)
    argument.kind = ArgumentKind::Buffer;
  argument.element = parseElementType(elementName(argument));
  return argument;
}

}  // namespace

std::string Argument::title() const { return fmt::format("argument {} '{}' ({})", index, name, declaration); }

std::string Argument::expectedText() const {
  switch (kind) {
    case ArgumentKind::Buffer: return "a buffer, such as zeros:COUNT or FILE.npy";
    case ArgumentKind::Local: return "local memory: local:COUNT";
    case ArgumentKind::Queue: return "queue";
    case ArgumentKind::Unsupported: return "not supported by this command";
    case ArgumentKind::Value: break;
  }
  if (!element) return "FILE.raw with its bytes";
  return element->lanes == 1 ? "a number" : fmt::format("{} numbers, separated by commas", element->lanes);
}

std::vector<Argument> argumentsOf(const cl::Kernel& kernel) {
  std::vector<Argument> arguments;
  const cl_uint count = kernel.getInfo<CL_KERNEL_NUM_ARGS>();
  for (cl_uint i = 0; i < count; ++i) arguments.push_back(argumentOf(kernel, i));
  return arguments;
}

cl_uint findArgument(const std::vector<Argument>& arguments, const std::string& option, const std::string& word) {
  std::vector<std::string> names;
  for (const Argument& argument : arguments) {
    if (word == argument.name || word == std::to_string(argument.index)) return argument.index;
    names.push_back(argument.name);
  }
  const std::string meant = didYouMean(word, names);
  throw UsageError(fmt::format("{}: the kernel has no argument '{}'{}", option, word,
                               !meant.empty() ? meant : fmt::format("; it has {}", fmt::join(names, ", "))));
}

ArgumentValue parseArgument(const Argument& argument, const std::string& given, std::uint64_t seed) {
  switch (argument.kind) {
    case ArgumentKind::Value: return parseValue(argument, given);
    case ArgumentKind::Buffer: return parseBuffer(argument, given, seed);
    case ArgumentKind::Local: return parseLocal(argument, given);
    case ArgumentKind::Queue:
      if (given == "queue") return OnDeviceQueue{};
      reject(argument, given, "is the on-device command-queue: queue");
    case ArgumentKind::Unsupported: break;
  }
  reject(argument, given, "cannot be given: images, samplers and pipes are not supported by this command");
}

std::string argumentHelp() {
  return "Arguments: one --arg for each, in the order of the kernel. The kernel declares\n"
         "their types.\n"
         "  42  -1  0x1f  3.5  1e-3  a number\n"
         "  1,2,3,4                  a vector\n"
         "  zeros:COUNT              a buffer of COUNT elements, all 0\n"
         "  iota:COUNT               a buffer of 0, 1, 2, ...\n"
         "  random:COUNT[:LO:HI]     a buffer of random numbers from LO to HI; without\n"
         "                           bounds, from 0 to 1 or, of integers, from 0 to 99\n"
         "  new:COUNT                a buffer that nothing has written\n"
         "  queue                    the default on-device command-queue\n"
         "  same:ARG                 the buffer of an argument ahead of this one\n"
         "  FILE.npy                 a NumPy array of the same type\n"
         "  FILE.raw, FILE.bin       the bytes of the file\n"
         "  FILE.png                 a picture, for uchar (grey, or RGBA) or uchar4\n"
         "  local:COUNT              local memory of COUNT elements, for a __local pointer\n"
         "  null                     no buffer\n"
         "COUNT is a number such as 1000, 2^20, 4k or 16M; 640x480, the width and height\n"
         "of a picture; or 480,640,4, a NumPy shape.";
}

}  // namespace clarity::tools
