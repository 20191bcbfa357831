// SPDX-License-Identifier: Apache-2.0
// This file looks at the structures in buffers: whether what the host writes or reads there has the layout of what the
// kernel's argument points at. The host's types are those of debugging information; it is read only for memory that a
// kernel has as structures, vectors or floating-point numbers.
#include "check/host/host_layouts.h"

#include "check/host/host_checks.h"
#include "check/host/host_place.h"
#include "check/host/host_watch.h"
#include "check/host/written_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace clarity::check {
namespace {

using compiler::KernelArg;

std::vector<DebugNumber> numbersIn(const std::string& layout) {
  std::vector<DebugNumber> numbers;
  std::istringstream stream(layout);
  char kind = 0, at = 0;
  DebugNumber number;
  while (stream >> kind >> number.bytes >> at >> number.offset) {
    number.kind = kind == 'f' ? DebugNumber::Kind::Float : DebugNumber::Kind::Integer;
    numbers.push_back(number);
  }
  return numbers;
}

bool isFloat(const DebugNumber& number) { return number.kind == DebugNumber::Kind::Float; }

bool areAlike(const std::vector<DebugNumber>& numbers) {
  return std::ranges::all_of(
      numbers, [&](const DebugNumber& each) { return each.kind == numbers[0].kind && each.bytes == numbers[0].bytes; });
}

/// Integers of one byte: anything may be stored there.
bool areBytes(const std::vector<DebugNumber>& numbers) {
  return std::ranges::all_of(numbers, [](const DebugNumber& each) { return !isFloat(each) && each.bytes == 1; });
}

const char* wordOf(const DebugNumber& number) { return isFloat(number) ? "a floating-point number" : "an integer"; }

/// The words for the numbers that the kernel's number meets at an offset of the host's structure; empty: itself.
/// `mayDivide`: of two integers the larger one may be divided in the other ones, whatever their size.
std::string meets(const DebugNumber& number, std::uint64_t offset, const std::vector<DebugNumber>& host,
                  bool mayDivide) {
  constexpr std::uint64_t alwaysDivides = 2;  // four bytes of a colour, two halves
  const std::uint64_t end = offset + number.bytes;
  std::uint64_t covered = 0;
  for (const DebugNumber& its : host) {
    const std::uint64_t itsEnd = its.offset + its.bytes;
    if (itsEnd <= offset || its.offset >= end) continue;
    const bool isSame = its.offset == offset && its.bytes == number.bytes;
    // The host has numbers of 16 bits in place of halves, and several integers in place of a larger one, or so the
    // kernel.
    const bool fits = isSame ? isFloat(its) == isFloat(number) || number.bytes == 2
                             : (mayDivide || std::min(its.bytes, number.bytes) <= alwaysDivides) && !isFloat(its) &&
                                   !isFloat(number) &&
                                   ((its.offset >= offset && itsEnd <= end) || (its.offset <= offset && itsEnd >= end));
    if (!fits)
      return fmt::format("at offset {}, where the kernel has {} of {} bytes, is {} of {}", offset, wordOf(number),
                         number.bytes, wordOf(its), its.bytes);
    covered += std::min(end, itsEnd) - std::max(offset, its.offset);
  }
  return covered < number.bytes ? fmt::format("there is nothing at offset {}", offset) : std::string();
}

/// "float4*": no structure.
bool isOfNumbers(std::string_view type) {
  constexpr std::array<std::string_view, 11> names = {"char", "uchar", "short", "ushort", "int", "uint",
                                                      "long", "ulong", "float", "double", "half"};
  return std::ranges::find(names, type.substr(0, type.find_first_of("*0123456789 "))) != names.end();
}

std::string nameOf(const DebugVariable& host) { return host.type.empty() ? "a structure" : host.type; }

/// Structures of the same numbers, of which one is several of the other, by their sizes: whether numbers lie where
/// the larger one repeats the smaller one. With padding in some of the repetitions, they are other structures.
std::string otherPadding(const std::vector<DebugNumber>& numbers, std::uint64_t bytes, const DebugVariable& host) {
  const bool isKernelLarger = bytes > host.bytes;
  const std::vector<DebugNumber>& larger = isKernelLarger ? numbers : host.numbers;
  const std::uint64_t period = std::min(bytes, host.bytes), times = std::max(bytes, host.bytes) / period;
  std::map<std::uint64_t, std::uint64_t> counts;  // by offset in the smaller one
  for (const DebugNumber& number : larger) ++counts[number.offset % period];
  const auto other = std::ranges::find_if(counts, [&](const auto& each) { return each.second != times; });
  if (other == counts.end()) return {};
  return fmt::format("an element of the host has {} bytes, one of the kernel {}, with padding that the {} has not",
                     host.bytes, bytes, isKernelLarger ? "host" : "kernel");
}

constexpr std::uint64_t sampleBytes = 256;

/// Whether memory begins with doubles that have many digits: all are within some powers of two of 1, as numbers are
/// that programs compute with, and most of their lower halves, which are any bits, would not be as floats.
bool holdsDoubles(std::uint64_t address, std::uint64_t bytes) {
  const auto isOrdinary = [](double value) { return std::fabs(value) >= 0x1p-40 && std::fabs(value) <= 0x1p40; };
  std::array<double, sampleBytes / sizeof(double)> asDoubles{};
  std::array<float, sampleBytes / sizeof(float)> asFloats{};
  if (address == 0 || !PageWatch::read(asDoubles.data(), address, std::min(bytes, sampleBytes))) return false;
  if (bytes < sampleBytes)  // more than one, so that a pair of floats is not taken for a double by chance
    return bytes > sizeof(double) && bytes % sizeof(double) == 0 &&
           areWrittenDoubles(std::span(asDoubles).first(bytes / sizeof(double)));
  std::memcpy(asFloats.data(), asDoubles.data(), sampleBytes);
  std::size_t ordinary = 0;
  for (std::size_t i = 0; i < asFloats.size(); i += 2)
    ordinary += isOrdinary(static_cast<double>(asFloats[i])) || asFloats[i] == 0;
  return std::ranges::all_of(asDoubles, isOrdinary) && ordinary <= asDoubles.size() / 2;
}

/// Integers of the host that are an array by their type, where the kernel has numbers of another size or kind.
std::string otherIntegers(const KernelArg& argument, const DebugVariable& host) {
  const std::vector<DebugNumber> numbers = numbersIn(argument.layout);
  if (numbers.empty() || host.numbers.empty() || !areAlike(numbers) || !areAlike(host.numbers)) return {};
  const DebugNumber &its = numbers[0], &given = host.numbers[0];
  if (isFloat(given) || given.bytes == 1 || its.bytes == 1) return {};
  if (isFloat(its) && its.bytes != 2) return "the host's numbers are integers, the kernel's are not";
  return isFloat(its) || its.bytes == given.bytes
             ? std::string()
             : fmt::format("the host's integers have {} bytes, the kernel's {}", given.bytes, its.bytes);
}

/// The directions of the calls that give memory its content, or get it.
struct Transfer {
  std::string_view call;
  std::array<PointerUse, 2> uses;
  const char* what;  ///< the words for the pointer and the memory object
};
constexpr std::array transfers = {
    Transfer{"clCreateBuffer", {{{"clCreateBuffer", 3}, {"Buffer", 3}}}, "'{}' is the content of {}"},
    Transfer{"clEnqueueWriteBuffer",
             {{{"clEnqueueWriteBuffer", 5}, {"enqueueWriteBuffer", 4}}},
             "'{}' is written to {} here"},
    Transfer{
        "clEnqueueReadBuffer", {{{"clEnqueueReadBuffer", 5}, {"enqueueReadBuffer", 4}}}, "{1} is read into '{0}' here"},
    Transfer{"clEnqueueMapBuffer",
             {{{"clEnqueueMapBuffer", PointerUse::result}, {"enqueueMapBuffer", PointerUse::result}}},
             "{1} is mapped as '{0}' here"},
};
constexpr Transfer filling{"clEnqueueFillBuffer", {}, "{1} is filled here"};
constexpr std::array pointerArguments = {PointerUse{"clSetKernelArgSVMPointer", 2},
                                         PointerUse{"clSetKernelArgMemPointerINTEL", 2}};

class LayoutCheck final : public HostCheck {
public:
  explicit LayoutCheck(HostScene& scene) : scene_(scene) {}

  void after(const HostCall& call) override {
    if (call.error != CL_SUCCESS || !(scene_.groups & static_cast<unsigned>(Group::Host))) return;
    if (call.is("clReleaseMemObject")) {
      const HostObject* const object = scene_.objects.find(call.at("memobj"));
      if (object && object->isDead()) memory_.erase(object->handle);
    } else if (call.is("clSetKernelArg")) {
      argumentGiven(call);
    } else if (call.is("clSetKernelArgSVMPointer") || call.is("clSetKernelArgMemPointerINTEL")) {
      pointerGiven(call);
    } else if (call.is("clEnqueueFillBuffer")) {
      filled(call);
    } else {
      transferred(call);
    }
  }

private:
  /// A place where the host has the memory as something.
  struct View {
    CallSite site;
    const Transfer* transfer;
    std::shared_ptr<const GivenVariable> array{};  ///< the variable of Python
    bool holdsDoubles = false;                     ///< by its content
    std::uint32_t pattern = 0;                     ///< that it was filled with
  };
  /// A place where a kernel gets it.
  struct Use {
    CallSite site;
    KernelArg argument;
    std::string kernel;
    std::string words;
  };
  struct Memory {
    std::vector<View> views;
    std::vector<Use> uses;
    std::set<std::string> told;  ///< mistakes, each with its argument
  };
  static constexpr std::size_t most = 16;  ///< the number of each, in different places

  void transferred(const HostCall& call) {
    const auto transfer = std::ranges::find(transfers, call.info.name, &Transfer::call);
    if (transfer == transfers.end()) return;
    const bool isCreation = call.is("clCreateBuffer");
    const std::uint64_t handle = isCreation ? call.result.bits : call.at("buffer");
    if (isCreation) memory_.erase(handle);
    // Behind the beginning may be what is not the first thing in there.
    if ((isCreation && !call.at("host_ptr")) || call.at("offset") != 0) return;
    Memory& memory = memory_[handle];
    if (memory.views.size() >= most || isKnown(memory.views, call)) return;
    memory.views.push_back({CallSite(call), &*transfer, call.array});
    const bool isGiven = isCreation || call.is("clEnqueueWriteBuffer");
    if (isGiven && !call.array)
      memory.views.back().holdsDoubles = holdsDoubles(call.at(isCreation ? "host_ptr" : "ptr"), call.at("size"));
    for (const Use& use : memory.uses) compare(handle, memory.views.back(), use);
  }

  /// With a pattern of four bytes, which may be a number.
  void filled(const HostCall& call) {
    std::uint32_t pattern = 0;
    if (call.at("pattern_size") != sizeof pattern || !PageWatch::read(&pattern, call.at("pattern"), sizeof pattern))
      return;
    const std::uint64_t handle = call.at("buffer");
    Memory& memory = memory_[handle];
    if (pattern == 0 || memory.views.size() >= most || isKnown(memory.views, call)) return;
    memory.views.push_back({.site = CallSite(call), .transfer = &filling, .pattern = pattern});
    for (const Use& use : memory.uses) compare(handle, memory.views.back(), use);
  }

  void argumentGiven(const HostCall& call) {
    if (!call.givenHandle()) return;
    const HostObject* const object = scene_.objects.find(*call.givenHandle());
    if (!object || object->kind != ValueKind::Memory) return;
    std::optional<Use> use = useOf(call);
    if (!use) return;
    Memory& memory = memory_[object->handle];
    const bool isOld = std::ranges::any_of(memory.uses, [&](const Use& other) {
      return other.argument == use->argument && other.site.frames == use->site.frames;
    });
    if (memory.uses.size() >= most || isOld) return;
    memory.uses.push_back(std::move(*use));
    for (const View& view : memory.views) compare(object->handle, view, memory.uses.back());
  }

  /// Shared memory: the pointer says of what it is.
  void pointerGiven(const HostCall& call) {
    const std::optional<Use> use = useOf(call);
    if (!use || !pointers_.insert({call.frames, use->kernel + use->argument.name}).second) return;
    const auto given = elementsGiven(call.frames, pointerArguments);
    const std::string wrong = given ? otherElements(use->argument, given->type) : std::string();
    if (!wrong.empty()) report(*use, *given, wrong, {});
  }

  std::optional<Use> useOf(const HostCall& call) const {
    const compiler::KernelInfo* const kernel = scene_.services.kernelOf(call.at<cl_kernel>("kernel"));
    const auto index = call.at<cl_uint>("arg_index");
    if (!kernel || index >= kernel->args.size()) return std::nullopt;
    const KernelArg& argument = kernel->args[index];
    if (argument.kind != compiler::ArgKind::Buffer || argument.elementBytes == 0 || argument.layout.empty())
      return std::nullopt;
    const std::string name =
        argument.name.empty() ? fmt::format("{}", index) : fmt::format("{} '{}'", index, argument.name);
    return Use{CallSite(call), argument, fmt::format("argument {} of kernel '{}'", name, kernel->name),
               scene_.objects.inWords(call)};
  }

  void compare(std::uint64_t handle, const View& view, const Use& use) {
    if (view.pattern != 0) return comparePattern(handle, view, use);
    const std::optional<GivenVariable> given = givenBy(view);
    if (!given) return compareContent(handle, view, use);
    std::string wrong = otherElements(use.argument, given->type);
    if (wrong.empty() && view.array) wrong = otherIntegers(use.argument, given->type);
    // A buffer's content is of one type, whichever way it goes.
    if (wrong.empty() || !memory_[handle].told.insert(use.kernel + wrong).second) return;
    const std::string name = scene_.objects.nameOf(ValueKind::Memory, handle);
    report(use, *given, wrong, {{view.site, fmt::format(fmt::runtime(view.transfer->what), given->name, name)}});
  }

  std::optional<GivenVariable> givenBy(const View& view) {
    if (view.array) return *view.array;
    const auto [known, isNew] = variables_.try_emplace(view.site.frames);
    if (isNew) known->second = elementsGiven(view.site.frames, view.transfer->uses);
    return known->second;
  }

  /// As floats, small integers are numbers that no program means.
  void comparePattern(std::uint64_t handle, const View& view, const Use& use) {
    constexpr std::uint32_t leastNormal = 0x00800000u;
    const std::vector<DebugNumber> numbers = numbersIn(use.argument.layout);
    const bool areFloats =
        !numbers.empty() && areAlike(numbers) && isFloat(numbers[0]) && numbers[0].bytes == sizeof(float);
    if (!areFloats || view.pattern >= leastNormal || !memory_[handle].told.insert(use.kernel).second) return;
    const std::string name = scene_.objects.nameOf(ValueKind::Memory, handle);
    scene_.report(Kind::ArgumentKind, use.site,
                  fmt::format("{} gets memory that is filled with the bits of {} (an integer) as float", use.kernel,
                              view.pattern),
                  use.words, {{view.site, fmt::format("{} is filled here", name)}}, {},
                  "give clEnqueueFillBuffer a pattern of type cl_float");
  }

  /// Where the host's type is not known: what the memory holds.
  void compareContent(std::uint64_t handle, const View& view, const Use& use) const {
    const std::vector<DebugNumber> numbers = numbersIn(use.argument.layout);
    const bool areFloats =
        !numbers.empty() && areAlike(numbers) && isFloat(numbers[0]) && numbers[0].bytes == sizeof(float);
    if (!view.holdsDoubles || !areFloats) return;
    scene_.report(
        Kind::ArgumentKind, use.site, fmt::format("{} gets memory that holds doubles", use.kernel),
        fmt::format("it begins with numbers of ordinary size if it is read as double, and most are not as float; {}",
                    use.words),
        {{view.site, fmt::format("{} got its content here", scene_.objects.nameOf(ValueKind::Memory, handle))}}, {},
        helpFor(use.argument));
  }

  void report(const Use& use, const GivenVariable& given, const std::string& wrong,
              const std::vector<HostScene::Other>& others) const {
    scene_.report(Kind::ArgumentKind, use.site,
                  fmt::format("{} gets memory that the host has as another type", use.kernel),
                  fmt::format("'{}' is of {}, the argument a pointer to {}: {}; {}", given.name, nameOf(given.type),
                              elementName(use.argument), wrong, use.words),
                  others, given.name, helpFor(use.argument));
  }

  static std::string helpFor(const KernelArg& argument) {
    const std::string name = elementName(argument);
    if (!isOfNumbers(name)) return "declare the structure of the host and that of the kernel alike, member by member";
    const std::vector<DebugNumber> numbers = numbersIn(argument.layout);
    const std::string array =
        numbers.empty() ? ""
                        : fmt::format(" (of NumPy, {}{})", isFloat(numbers[0]) ? "float" : "int", 8 * numbers[0].bytes);
    return fmt::format("let the host have elements of type cl_{}{}, or the kernel those of the host", name, array);
  }

  static std::string elementName(const KernelArg& argument) {
    const std::string name = argument.typeName.substr(0, argument.typeName.find('*'));
    return name.substr(0, name.find_last_not_of(' ') + 1);
  }

  template <class Places>
  static bool isKnown(const Places& places, const HostCall& call) {
    return std::ranges::any_of(places, [&](const auto& place) { return place.site.frames == call.frames; });
  }

  HostScene& scene_;
  std::map<std::uint64_t, Memory> memory_;
  std::map<Frames, std::optional<GivenVariable>> variables_;
  std::set<std::pair<Frames, std::string>> pointers_;
};

}  // namespace

std::string otherNumber(const std::string& layout, const DebugVariable& host) {
  for (const DebugNumber& number : numbersIn(layout))
    if (std::string wrong = meets(number, number.offset, host.numbers, true); !wrong.empty()) return wrong;
  return {};
}

std::string otherElements(const KernelArg& argument, const DebugVariable& host) {
  const std::vector<DebugNumber> numbers = numbersIn(argument.layout);
  const std::uint64_t bytes = argument.elementBytes;
  constexpr std::uint64_t mostBytes = 1 << 16;
  if (numbers.empty() || host.numbers.empty() || bytes == 0 || bytes > mostBytes || host.bytes > mostBytes) return {};
  if (areBytes(numbers) || areBytes(host.numbers)) return {};
  const bool bothAlike = areAlike(numbers) && areAlike(host.numbers);
  const bool sameKind = bothAlike && numbers[0].kind == host.numbers[0].kind;
  const bool sameNumbers = sameKind && numbers[0].bytes == host.numbers[0].bytes;
  if (sameKind && isFloat(numbers[0]) && !sameNumbers)
    return fmt::format("the host's numbers have {} bytes, the kernel's {}", host.numbers[0].bytes, numbers[0].bytes);
  // Single numbers are raw storage, and vectors where they are not of the same numbers.
  if (host.isScalar || numbers.size() == 1) return {};
  if (isOfNumbers(argument.typeName) && !sameNumbers) return {};
  if (bytes % host.bytes != 0 && host.bytes % bytes != 0)
    return fmt::format("an element of the host has {} bytes, one of the kernel {}", host.bytes, bytes);
  const bool isVector = host.type.starts_with("cl_");
  if (sameNumbers && bytes != host.bytes) return isVector ? std::string() : otherPadding(numbers, bytes, host);
  for (std::uint64_t begin = 0; begin < std::max(bytes, host.bytes); begin += bytes)
    for (const DebugNumber& number : numbers)
      if (std::string wrong = meets(number, (begin + number.offset) % host.bytes, host.numbers, bytes == host.bytes);
          !wrong.empty())
        return wrong;
  return {};
}

HostCheckRef layoutCheck(HostScene& scene) { return std::make_unique<LayoutCheck>(scene); }

}  // namespace clarity::check
