// SPDX-License-Identifier: Apache-2.0
// This file writes and prints the content of buffers.
#include "exec_output.h"

#include "command.h"
#include "counts.h"
#include "files.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace clarity::tools {
namespace {

using Json = nlohmann::ordered_json;

void requireBuffer(const std::vector<Argument>& arguments, const std::string& option, cl_uint index) {
  if (arguments[index].kind != ArgumentKind::Buffer)
    throw UsageError(fmt::format("{}: {} is not a buffer", option, arguments[index].title()));
}

// "-", "-.npy": the only buffer that the kernel may write.
cl_uint onlyWritten(const std::vector<Argument>& arguments, const std::string& text) {
  std::optional<cl_uint> found;
  for (const Argument& argument : arguments) {
    if (argument.kind != ArgumentKind::Buffer || argument.readOnly) continue;
    if (found)
      throw UsageError(fmt::format("--out {}: the kernel writes several buffers; give --out ARGUMENT={}", text, text));
    found = argument.index;
  }
  if (!found) throw UsageError(fmt::format("--out {}: the kernel writes no buffer", text));
  return *found;
}

Output::Form formOf(const std::string& text, const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  if (file.starts_with("-.")) extension = file.substr(1);
  if (extension == ".npy") return Output::Form::Npy;
  if (extension == ".png") return Output::Form::Png;
  if (extension == ".raw" || extension == ".bin" || file == "-") return Output::Form::Raw;
  throw UsageError(fmt::format("--out {}: the file ends in '{}'; expected .npy, .raw, .bin or .png", text, extension));
}

// The shape of a picture from its width and height, as given or from the NDRange.
void givePixelShape(const Output& output, const std::vector<size_t>& global, const Argument& argument, Array& array) {
  const bool shaped = array.shape.size() >= 2;
  std::vector<size_t> size = output.pixels;
  if (size.empty() && shaped) return;
  if (size.empty() && global.size() >= 2) size = {global[0], global[1]};
  size_t pixels = 1;
  for (size_t s : size) pixels *= s;
  const size_t scalars = array.count() * array.type.lanes;
  if (size.size() == 2 && pixels != 0 && array.count() == pixels) {
    array.shape = {size[1], size[0]};
  } else if (size.size() == 2 && pixels != 0 && array.type.lanes == 1 &&
             (scalars == 3 * pixels || scalars == 4 * pixels)) {
    array.shape = {size[1], size[0], scalars / pixels};
  } else {
    const std::string what = size.empty() ? "but its width and height are unknown"
                                          : fmt::format("which does not match {} pixels", shapeText(size));
    throw UsageError(fmt::format("--out {}={}: {} has {}, {}; give its size as FILE.png:WIDTHxHEIGHT", output.argument,
                                 output.file, argument.title(), Counted{array.count(), "element"}, what));
  }
}

std::string elementText(const Array& array, size_t index) {
  const std::byte* at = array.bytes.data() + index * array.type.bytes();
  if (array.type.lanes == 1) return scalarText(array.type.scalar, at);
  std::vector<std::string> lanes;
  for (unsigned lane = 0; lane < array.type.lanes; ++lane)
    lanes.push_back(scalarText(array.type.scalar, at + lane * array.type.scalarBytes()));
  return fmt::format("({})", fmt::join(lanes, ", "));
}

Json elementJson(const Array& array, size_t index) {
  Json lanes = Json::array();
  for (unsigned lane = 0; lane < array.type.lanes; ++lane) {
    const std::string text = scalarText(
        array.type.scalar, array.bytes.data() + index * array.type.bytes() + lane * array.type.scalarBytes());
    const Json value = Json::parse(text, nullptr, false);
    lanes.push_back(value.is_number() ? value : Json(text));  // "inf" and "nan" are no numbers of JSON
  }
  return array.type.lanes == 1 ? lanes[0] : lanes;
}

}  // namespace

Selection select(const std::vector<Argument>& arguments, const std::string& option, const std::string& text,
                 char separator, const std::string& expected) {
  const size_t end = text.find(separator);
  if (!expected.empty() && (end == std::string::npos || end + 1 == text.size()))
    throw UsageError(fmt::format("{} {}: expected {}", option, text, expected));
  return {findArgument(arguments, fmt::format("{} {}", option, text), text.substr(0, end)),
          end == std::string::npos ? std::string() : text.substr(end + 1)};
}

Output parseOutput(const std::vector<Argument>& arguments, const std::string& text) {
  const bool isAlone = text.starts_with('-') && !text.contains('=');
  const Selection selection = isAlone ? Selection{onlyWritten(arguments, text), text}
                                      : select(arguments, "--out", text, '=', "ARGUMENT=FILE, such as 1=result.npy");
  requireBuffer(arguments, "--out " + text, selection.argument);
  Output output{selection.argument, selection.rest, {}, {}};
  if (const size_t colon = selection.rest.rfind(".png:"); colon != std::string::npos) {
    const auto size = parseShape(selection.rest.substr(colon + 5));
    if (!size || size->size() != 2) throw UsageError(fmt::format("--out {}: expected FILE.png:WIDTHxHEIGHT", text));
    output.pixels = *size;
    output.file.resize(colon + 4);
  }
  output.form = formOf(text, output.file);
  if (output.file.starts_with("-.")) output.file = "-";
  if (output.file == "-" && ::isatty(STDOUT_FILENO))
    throw UsageError(fmt::format("--out {}: bytes are not written to a terminal; name a file", text));
  return output;
}

Print parsePrint(const std::vector<Argument>& arguments, const std::string& text) {
  const Selection selection = select(arguments, "--print", text, ':', "");
  requireBuffer(arguments, "--print " + text, selection.argument);
  const auto count = selection.rest.empty() ? std::optional<size_t>(16) : parseCount(selection.rest);
  if (!count) throw UsageError(fmt::format("--print {}: expected ARGUMENT or ARGUMENT:COUNT", text));
  return {selection.argument, *count};
}

std::string write(const Output& output, const std::vector<size_t>& range, const Argument& argument, Array array) {
  switch (output.form) {
    case Output::Form::Npy: writeNpy(output.file, array); break;
    case Output::Form::Png:
      givePixelShape(output, range, argument, array);
      writePng(output.file, array);
      break;
    case Output::Form::Raw: writeBytes(output.file, array.bytes); break;
  }
  return arrayText(array);
}

std::string printed(const Argument& argument, const Array& array, size_t count) {
  const size_t shown = std::min(count, array.count());
  std::string line = fmt::format("{} {}[{}]:", argument.name, array.type.name(), array.count());
  for (size_t i = 0; i < shown; ++i) line += " " + elementText(array, i);
  return line + (shown < array.count() ? " ...\n" : "\n");
}

Json printedJson(const Argument& argument, const Array& array, size_t count) {
  Json values = Json::array();
  for (size_t i = 0; i < std::min(count, array.count()); ++i) values.push_back(elementJson(array, i));
  return {{"argument", argument.index},
          {"name", argument.name},
          {"type", array.type.name()},
          {"count", array.count()},
          {"values", std::move(values)}};
}

}  // namespace clarity::tools
