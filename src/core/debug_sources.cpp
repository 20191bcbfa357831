// SPDX-License-Identifier: Apache-2.0
// This file compares sources with files, and writes those that are in none.
#include "core/debug_sources.h"

#include "compiler/ir/source_name.h"
#include "core/build_options.h"
#include "core/config.h"
#include "support/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

namespace clarity::core {
namespace {

namespace fs = std::filesystem;

/// Files of these names may be sources of programs.
constexpr std::array<std::string_view, 8> endings{".cl", ".clh", ".cl.h", ".ocl", ".opencl", ".clcpp", ".c", ".txt"};
/// Looking for a source should take no longer than compiling it.
constexpr int deepest = 4;
constexpr unsigned mostEntries = 4000;

std::string contentOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Without the white space at the end, which programs lose or add when they read a file.
std::string_view withoutEnd(std::string_view text) {
  const std::size_t last = text.find_last_not_of(std::string_view(" \t\r\n\0", 5));
  return text.substr(0, last == text.npos ? 0 : last + 1);
}

bool isCandidate(const fs::directory_entry& entry, std::size_t bytes) {
  std::error_code error;
  const std::string name = entry.path().filename();
  if (!std::ranges::any_of(endings, [&](std::string_view each) { return name.ends_with(each); })) return false;
  constexpr std::uintmax_t mostAtEnd = 64;
  if (!entry.is_regular_file(error) || error) return false;
  const std::uintmax_t size = entry.file_size(error);
  return !error && size <= bytes + mostAtEnd && bytes <= size + mostAtEnd;
}

std::optional<fs::path> fileBelow(const fs::path& folder, std::string_view source) {
  std::error_code error;
  unsigned entries = 0;
  const std::string_view wanted = withoutEnd(source);
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end && entries < mostEntries; at.increment(error), ++entries) {
    const std::string name = at->path().filename();
    if (at.depth() >= deepest || (name.starts_with('.') && name.size() > 1)) at.disable_recursion_pending();
    if (isCandidate(*at, source.size()) && withoutEnd(contentOf(at->path())) == wanted) return at->path();
  }
  return std::nullopt;
}

std::optional<fs::path> fileOf(std::string_view source) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (!error)
    if (std::optional<fs::path> found = fileBelow(here, source)) return found;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  const auto isSystems = [](const fs::path& folder) { return folder.string().starts_with("/usr"); };
  return error || program == here || isSystems(program) ? std::nullopt : fileBelow(program, source);
}

/// The folder of a file with the source; empty: it could not be written.
fs::path writeSource(std::string_view source, const std::string& name) {
  const fs::path all = config().debugSources;
  if (all.empty() || name.contains('/')) return {};
  support::Hasher hasher;
  const auto hash = hasher.add(source).finish();
  const fs::path folder = all / hash.hex();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return {};
  std::ofstream stream(folder / name, std::ios::binary);
  stream.write(source.data(), static_cast<std::streamsize>(source.size()));
  return stream.flush() ? folder : fs::path();
}

/// A word of build options with any text.
std::string quotedOption(std::string_view name, const std::string& value) {
  std::string text = fmt::format(" {}'", name);
  for (const char c : value) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string debugSourceOptions(std::string_view source, std::string_view options) {
  constexpr std::string_view named = "-cl-clarity-source-name=", folderOption = "-cl-clarity-source-folder=";
  if (!config().debug) return {};
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error) return {};
  if (options.contains(named)) return quotedOption(folderOption, here);
  if (const auto file = fileOf(source)) {
    const fs::path relative = file->lexically_relative(here);
    const bool isBelow = !relative.empty() && *relative.begin() != "..";
    return quotedOption(named, isBelow ? relative : *file) + quotedOption(folderOption, here);
  }
  const fs::path folder = writeSource(source, compiler::sourceName(std::string(options)));
  return folder.empty() ? std::string() : quotedOption(folderOption, folder);
}

}  // namespace clarity::core
