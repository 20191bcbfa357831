// SPDX-License-Identifier: Apache-2.0
// This file is the format of program binaries: a header that says how long they are, the content's hash, the content:
// the target and the compiled program, field by field (support/field_bytes.h).
#include "compiler/ir/compiled_program.h"

#include "compiler/ir/compiled_program_check.h"
#include "support/field_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace clarity::compiler {
namespace {

using support::ByteReader;
using support::ByteWriter;
using support::Hash128;

constexpr std::string_view magic = "CLARITY\n";
constexpr std::uint32_t formatVersion = 8;
/// The longest text that is shown in a sentence.
constexpr std::size_t mostShown = 80;

/// The words of a list with commas or blanks between them.
std::set<std::string> wordsOf(std::string_view list) {
  std::set<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(", '"), list.size());
    if (end) words.emplace(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

/// A value; of a long list the words that the other one has not.
std::string shown(const std::string& value, const std::string& other) {
  if (std::max(value.size(), other.size()) <= mostShown) return value;
  const std::set<std::string> words = wordsOf(value), others = wordsOf(other);
  std::string text;
  for (const std::string& word : words)
    if (!others.contains(word) && text.size() <= mostShown) text += (text.empty() ? "" : " ") + word;
  return text.empty() ? "without" : "with " + text;
}

/// Why a binary for `made` does not serve `here`: every field of the target in which they differ.
std::string mismatch(const Target& made, const Target& here) {
  std::string theirs, ours;
  for (const auto& [field, one, other] : support::differences(made, here)) {
    theirs += fmt::format("{}{} {}", theirs.empty() ? "" : ", ", field, shown(one, other));
    ours += fmt::format("{}{} {}", ours.empty() ? "" : ", ", field, shown(other, one));
  }
  return fmt::format("the binary is for another device: {}; this device: {}", theirs, ours);
}

/// The mistake in the bytes, or nothing and the compiled program.
std::string parse(std::string_view bytes, const Target& target, CompiledProgram& compiled) {
  if (bytes.empty()) return "the binary is empty";
  if (!bytes.starts_with(magic.substr(0, bytes.size()))) return "the bytes are not a program binary of Clarity";
  const auto cutShort = [&](std::uint64_t whole) {
    return fmt::format("the binary ends after {} of {} bytes", bytes.size(), whole);
  };
  if (bytes.size() < magic.size() + 12) return cutShort(magic.size() + 12);
  ByteReader from(bytes.substr(magic.size()));
  const auto format = from.number<std::uint32_t>();
  const auto size = from.number<std::uint64_t>();
  if (format != formatVersion)
    return fmt::format("the binary has format {}, this version of Clarity reads format {}", format, formatVersion);
  if (size > bytes.size()) return cutShort(size);
  if (size < bytes.size()) return fmt::format("the binary is {} bytes long, but {} were given", size, bytes.size());
  const Hash128 hash{from.number<std::uint64_t>(), from.number<std::uint64_t>()};
  const std::string_view content = from.text();
  if (!from.ok() || !from.atEnd() || support::hashOf(content) != hash)
    return "the binary is damaged: its content does not match its checksum";
  ByteReader inner(content);
  Target made;
  support::read(inner, made);
  if (inner.ok() && made != target) return mismatch(made, target);
  support::read(inner, compiled);
  if (!inner.ok()) return "the binary is damaged: its content ends within a field";
  if (!inner.atEnd()) return "the binary is damaged: something follows its last field";
  const std::string wrong = wrongWith(compiled);
  return wrong.empty() ? wrong : "the binary is damaged: " + wrong;
}

}  // namespace

const KernelInfo* CompiledProgram::find(std::string_view kernel) const {
  const auto found = std::ranges::find(kernels, kernel, &KernelInfo::name);
  return found == kernels.end() ? nullptr : &*found;
}

const GlobalVariables::Variable* GlobalVariables::find(std::string_view symbol) const {
  const auto found = std::ranges::lower_bound(variables, symbol, {}, &Variable::symbol);
  return found == variables.end() || found->symbol != symbol ? nullptr : &*found;
}

void seal(CompiledProgram& compiled, const Target& target) {
  compiled.hash = {};
  support::Hasher hasher;
  support::addTo(hasher, target);
  support::addTo(hasher, compiled);
  const Hash128 hash = hasher.finish();
  compiled.hash = {hash.high, hash.low};
}

std::string serialise(const CompiledProgram& compiled, const Target& target) {
  ByteWriter inner;
  support::write(inner, target);
  support::write(inner, compiled);
  const std::string content = inner.take();
  const Hash128 hash = support::hashOf(content);
  ByteWriter to;
  to.number<std::uint32_t>(formatVersion).number<std::uint64_t>(magic.size() + 4 + 8 + 16 + 8 + content.size());
  to.number(hash.high).number(hash.low).text(content);
  return std::string(magic) + to.take();
}

std::shared_ptr<const CompiledProgram> deserialise(std::span<const std::byte> bytes, const Target& target,
                                                   std::string& why) {
  auto compiled = std::make_shared<CompiledProgram>();
  why = parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, target, *compiled);
  if (!why.empty()) return nullptr;
  seal(*compiled, target);
  return compiled;
}

}  // namespace clarity::compiler
