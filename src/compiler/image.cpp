// SPDX-License-Identifier: Apache-2.0
// This file is the format of program binaries: a header that says who made them for what, the payload's hash, the
// payload.
#include "compiler/image.h"

#include "support/bytes.h"
#include "support/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace clarity::compiler {
namespace {

using support::ByteReader;
using support::ByteWriter;
using support::Hash128;

constexpr std::string_view kMagic = "CLARITY\n";
constexpr std::uint32_t kFormat = 4;

void write(ByteWriter& to, const std::array<std::uint32_t, 3>& sizes) {
  for (const std::uint32_t size : sizes) to.number(size);
}

void read(ByteReader& from, std::array<std::uint32_t, 3>& sizes) {
  for (std::uint32_t& size : sizes) size = from.number<std::uint32_t>();
}

void write(ByteWriter& to, const KernelArg& arg) {
  to.number(static_cast<std::uint8_t>(arg.kind)).text(arg.name).text(arg.typeName);
  to.number(static_cast<std::uint32_t>(arg.address)).number(arg.access).number(arg.typeQualifiers);
  to.number(arg.size).number(arg.align).number(arg.offset);
  to.number(static_cast<std::uint8_t>(arg.reduction.combination)).number(arg.reduction.bytes);
}
constexpr std::size_t kLeastArgBytes = 1 + 8 + 8 + 4 + 4 + 8 + 4 + 4 + 4 + 1 + 1;

KernelArg readArg(ByteReader& from) {
  KernelArg arg;
  arg.kind = static_cast<ArgKind>(from.number<std::uint8_t>());
  arg.name = from.text();
  arg.typeName = from.text();
  arg.address = static_cast<AddressQualifier>(from.number<std::uint32_t>());
  arg.access = from.number<std::uint32_t>();
  arg.typeQualifiers = from.number<std::uint64_t>();
  arg.size = from.number<std::uint32_t>();
  arg.align = from.number<std::uint32_t>();
  arg.offset = from.number<std::uint32_t>();
  arg.reduction.combination = static_cast<Combination>(from.number<std::uint8_t>());
  arg.reduction.bytes = from.number<std::uint8_t>();
  return arg;
}

void write(ByteWriter& to, const KernelInfo& kernel) {
  to.text(kernel.name).text(kernel.attributes).number<std::uint64_t>(kernel.args.size());
  for (const KernelArg& arg : kernel.args) write(to, arg);
  to.number(kernel.argBlockBytes);
  write(to, kernel.requiredLocalSize);
  write(to, kernel.localSizeHint);
  to.number(kernel.localBytes).number(kernel.privateBytes);
  to.flag(kernel.hasBarrier).flag(kernel.groupAgnostic).flag(kernel.queriesSize).flag(kernel.reductions).flag(kernel.usesPrintf).flag(kernel.uniformWorkGroups);
  to.flag(kernel.usesSubGroups).number(kernel.subGroupSize).number(kernel.requiredSubGroupSize);
}
constexpr std::size_t kLeastKernelBytes = 8 + 8 + 8 + 4 + 12 + 12 + 8 + 8 + 6 + 1 + 4 + 4;

KernelInfo readKernel(ByteReader& from) {
  KernelInfo kernel;
  kernel.name = from.text();
  kernel.attributes = from.text();
  for (auto left = from.count(kLeastArgBytes); left; --left) kernel.args.push_back(readArg(from));
  kernel.argBlockBytes = from.number<std::uint32_t>();
  read(from, kernel.requiredLocalSize);
  read(from, kernel.localSizeHint);
  kernel.localBytes = from.number<std::uint64_t>();
  kernel.privateBytes = from.number<std::uint64_t>();
  kernel.hasBarrier = from.flag();
  kernel.groupAgnostic = from.flag();
  kernel.queriesSize = from.flag();
  kernel.reductions = from.flag();
  kernel.usesPrintf = from.flag();
  kernel.uniformWorkGroups = from.flag();
  kernel.usesSubGroups = from.flag();
  kernel.subGroupSize = from.number<std::uint32_t>();
  kernel.requiredSubGroupSize = from.number<std::uint32_t>();
  return kernel;
}

void write(ByteWriter& to, const GlobalVariables& variables) {
  to.number(variables.bytes).number(variables.alignment).number(variables.largest);
  to.number<std::uint64_t>(variables.variables.size());
  for (const auto& variable : variables.variables) to.text(variable.symbol).number(variable.offset).number(variable.bytes);
  to.number<std::uint64_t>(variables.contents.size());
  for (const auto& content : variables.contents) to.number(content.offset).text(content.bytes);
  to.number<std::uint64_t>(variables.pointers.size());
  for (const auto& pointer : variables.pointers) to.number(pointer.offset).number(pointer.target);
}

/// False if something would lie outside the block.
bool read(ByteReader& from, GlobalVariables& variables) {
  variables.bytes = from.number<std::uint64_t>();
  variables.alignment = from.number<std::uint32_t>();
  variables.largest = from.number<std::uint64_t>();
  const auto fits = [&](std::uint64_t offset, std::uint64_t bytes) { return bytes <= variables.bytes && offset <= variables.bytes - bytes; };
  for (auto left = from.count(8 + 8 + 8); left; --left) {
    GlobalVariables::Variable& variable = variables.variables.emplace_back();
    variable.symbol = from.text();
    variable.offset = from.number<std::uint64_t>();
    variable.bytes = from.number<std::uint64_t>();
    if (!fits(variable.offset, variable.bytes)) return false;
  }
  for (auto left = from.count(8 + 8); left; --left) {
    GlobalVariables::Content& content = variables.contents.emplace_back();
    content.offset = from.number<std::uint64_t>();
    content.bytes = from.text();
    if (!fits(content.offset, content.bytes.size())) return false;
  }
  for (auto left = from.count(8 + 8); left; --left) {
    GlobalVariables::Pointer& pointer = variables.pointers.emplace_back();
    pointer.offset = from.number<std::uint64_t>();
    pointer.target = from.number<std::uint64_t>();
    if (!fits(pointer.offset, sizeof(std::uint64_t))) return false;
  }
  return std::has_single_bit(variables.alignment);
}

std::string payloadOf(const Image& image) {
  ByteWriter to;
  to.number(static_cast<std::uint8_t>(image.kind)).text(image.options);
  to.number<std::uint64_t>(image.kernels.size());
  for (const KernelInfo& kernel : image.kernels) write(to, kernel);
  write(to, image.scope.variables);
  to.flag(image.scope.constructors.has_value());
  if (image.scope.constructors) write(to, *image.scope.constructors);
  to.text(image.bitcode);
  return to.take();
}

bool readPayload(ByteReader& from, Image& image) {
  const auto kind = from.number<std::uint8_t>();
  if (kind != 1 && kind != 2 && kind != 4) return false;
  image.kind = static_cast<ImageKind>(kind);
  image.options = from.text();
  for (auto left = from.count(kLeastKernelBytes); left; --left) image.kernels.push_back(readKernel(from));
  if (!read(from, image.scope.variables)) return false;
  if (from.flag()) image.scope.constructors = readKernel(from);
  image.bitcode = from.text();
  return from.ok() && from.atEnd();
}

/// The parts of a target that code depends on. Code for another one may not run, or not be as fast as it should.
std::string describe(const Target& target) {
  std::string text = fmt::format("{} for {}", target.deviceVersion, target.cpu);
  if (!target.features.empty()) text += fmt::format(" ({})", target.features);
  return fmt::format("{}, {}-bit vectors", text, target.vectorBits);
}

/// What is wrong with the bytes, or nothing and the image.
std::string parse(std::string_view bytes, const Target& target, Image& image) {
  if (bytes.empty()) return "the binary is empty";
  if (!bytes.starts_with(kMagic.substr(0, bytes.size()))) return "the bytes are not a program binary of Clarity";
  const auto cutShort = [&](std::uint64_t whole) {
    return fmt::format("the binary ends after {} of {} bytes", bytes.size(), whole);
  };
  if (bytes.size() < kMagic.size() + 12) return cutShort(kMagic.size() + 12);
  ByteReader from(bytes.substr(kMagic.size()));
  const auto format = from.number<std::uint32_t>();
  const auto size = from.number<std::uint64_t>();
  if (format != kFormat) return fmt::format("the binary has format {}, this version of Clarity reads format {}", format, kFormat);
  if (size > bytes.size()) return cutShort(size);
  if (size < bytes.size())
    return fmt::format("the binary is {} bytes long, but {} were given", size, bytes.size());
  const Hash128 hash{from.number<std::uint64_t>(), from.number<std::uint64_t>()};
  const std::string_view content = from.text();
  if (!from.ok() || !from.atEnd() || support::hashOf(content) != hash)
    return "the binary is damaged: its content does not match its checksum";
  ByteReader inner(content);
  const std::string_view maker = inner.text();
  if (maker != describe(target)) return fmt::format("the binary was made by {}; this is {}", maker, describe(target));
  ByteReader payload(inner.text());
  if (!inner.ok() || !readPayload(payload, image)) return "the binary is damaged: its content makes no sense";
  return {};
}

}  // namespace

const KernelInfo* Image::find(std::string_view kernel) const {
  const auto found = std::ranges::find(kernels, kernel, &KernelInfo::name);
  return found == kernels.end() ? nullptr : &*found;
}

const GlobalVariables::Variable* GlobalVariables::find(std::string_view symbol) const {
  const auto found = std::ranges::lower_bound(variables, symbol, {}, &Variable::symbol);
  return found == variables.end() || found->symbol != symbol ? nullptr : &*found;
}

void seal(Image& image, const Target& target) {
  const Hash128 hash = support::Hasher().add(describe(target)).add(target.extensions).add(payloadOf(image)).finish();
  image.hash[0] = hash.high;
  image.hash[1] = hash.low;
}

std::string serialise(const Image& image, const Target& target) {
  const std::string content = ByteWriter().text(describe(target)).text(payloadOf(image)).take();
  const Hash128 hash = support::hashOf(content);
  ByteWriter to;
  to.number<std::uint32_t>(kFormat).number<std::uint64_t>(kMagic.size() + 4 + 8 + 16 + 8 + content.size());
  to.number(hash.high).number(hash.low).text(content);
  return std::string(kMagic) + to.take();
}

std::shared_ptr<const Image> deserialise(std::span<const std::byte> bytes, const Target& target, std::string& why) {
  auto image = std::make_shared<Image>();
  why = parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, target, *image);
  if (!why.empty()) return nullptr;
  seal(*image, target);
  return image;
}

}  // namespace clarity::compiler
