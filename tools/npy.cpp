// SPDX-License-Identifier: Apache-2.0
// This file reads and writes arrays in NumPy's file format
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
#include "array.h"
#include "command.h"
#include "counts.h"
#include "files.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clarity::tools {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct Header {
  std::string type;  // "<f4"
  bool columnMajor = false;
  std::vector<size_t> shape;
  size_t dataBegins = 0;
};

struct TypeCode {
  Scalar scalar;
  const char* code;  // without the byte order
  const char* numpyName;
};

constexpr TypeCode codes[] = {
    {Scalar::Char, "i1", "int8"},     {Scalar::UChar, "u1", "uint8"},   {Scalar::Short, "i2", "int16"},
    {Scalar::UShort, "u2", "uint16"}, {Scalar::Int, "i4", "int32"},     {Scalar::UInt, "u4", "uint32"},
    {Scalar::Long, "i8", "int64"},    {Scalar::ULong, "u8", "uint64"},  {Scalar::Half, "f2", "float16"},
    {Scalar::Float, "f4", "float32"}, {Scalar::Double, "f8", "float64"}};

const TypeCode& codeOf(Scalar scalar) { return codes[static_cast<size_t>(scalar)]; }

std::string numpyName(std::string_view type) {
  for (const TypeCode& entry : codes)
    if (type.ends_with(entry.code)) return entry.numpyName;
  return std::string(type.ends_with("b1") ? "bool" : type);
}

// The text of `key`'s value in the header, which is a Python dictionary: {'descr': '<f4', 'shape': (3, 4), ...}
std::string_view valueOf(std::string_view header, std::string_view key) {
  size_t begin = header.find(fmt::format("'{}'", key));
  if (begin == std::string_view::npos) return {};
  begin = header.find(':', begin);
  if (begin == std::string_view::npos) return {};
  begin = header.find_first_not_of(' ', begin + 1);
  if (begin == std::string_view::npos) return {};
  const char open = header[begin];
  if (open == '(' || open == '[') {
    const size_t end = header.find(open == '(' ? ')' : ']', begin);
    return end == std::string_view::npos ? std::string_view() : header.substr(begin, end - begin + 1);
  }
  const size_t end = header.find_first_of(",}", begin);
  return end == std::string_view::npos ? std::string_view() : header.substr(begin, end - begin);
}

[[noreturn]] void failFormat(const std::filesystem::path& file, std::string_view why) {
  throw Failure(fmt::format("'{}' is not a NumPy file that can be read: {}", file.string(), why));
}

Header parseHeader(const std::filesystem::path& file, std::string_view bytes) {
  if (!bytes.starts_with(magic) || bytes.size() < 12) failFormat(file, "it does not begin with \\x93NUMPY");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(bytes[i])); };
  const size_t version = byte(6);
  if (version < 1 || version > 3) failFormat(file, fmt::format("its format version is {}, not 1 to 3", version));
  const size_t length =
      version == 1 ? byte(8) | byte(9) << 8 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  const size_t begins = version == 1 ? 10 : 12;
  if (bytes.size() < begins + length) failFormat(file, "it is cut short inside its header");
  const std::string_view text = bytes.substr(begins, length);

  Header header;
  header.dataBegins = begins + length;
  const std::string_view type = valueOf(text, "descr");
  if (type.size() < 2 || type.front() != '\'' || type.back() != '\'')
    failFormat(file, fmt::format("its type is {}, and only plain numbers are supported", type));
  header.type = type.substr(1, type.size() - 2);
  header.columnMajor = valueOf(text, "fortran_order") == "True";
  std::string_view shape = valueOf(text, "shape");
  if (shape.size() < 2 || shape.front() != '(') failFormat(file, "its header has no shape");
  shape = shape.substr(1, shape.size() - 2);
  for (std::string part : split(shape, ',')) {
    std::erase(part, ' ');
    std::erase(part, 'L');  // Python 2 wrote 3L
    if (part.empty()) continue;
    const auto size = parseCount(part);
    if (!size) failFormat(file, fmt::format("its shape has '{}' in it", part));
    header.shape.push_back(*size);
  }
  return header;
}

void swapBytes(std::vector<std::byte>& data, size_t width) {
  for (size_t i = 0; i + width <= data.size(); i += width)
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(i), data.begin() + static_cast<std::ptrdiff_t>(i + width));
}

std::vector<std::byte> rowMajor(std::span<const std::byte> data, const std::vector<size_t>& shape, size_t width) {
  std::vector<std::byte> result(data.size());
  std::vector<size_t> index(shape.size(), 0);
  for (size_t to = 0; to * width < result.size(); ++to) {
    size_t from = 0;
    for (size_t axis = shape.size(); axis-- > 0;) from = from * shape[axis] + index[axis];
    std::memcpy(result.data() + to * width, data.data() + from * width, width);
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

// 3-component vectors are stored with a fourth element, which is padding.
std::vector<std::byte> widen(std::span<const std::byte> packed, size_t scalarBytes) {
  std::vector<std::byte> stored(packed.size() / 3 * 4);
  for (size_t i = 0; i * 3 * scalarBytes < packed.size(); ++i)
    std::memcpy(stored.data() + i * 4 * scalarBytes, packed.data() + i * 3 * scalarBytes, 3 * scalarBytes);
  return stored;
}

std::vector<std::byte> narrow(std::span<const std::byte> stored, size_t scalarBytes) {
  std::vector<std::byte> packed(stored.size() / 4 * 3);
  for (size_t i = 0; i * 3 * scalarBytes < packed.size(); ++i)
    std::memcpy(packed.data() + i * 3 * scalarBytes, stored.data() + i * 4 * scalarBytes, 3 * scalarBytes);
  return packed;
}

void checkType(const std::filesystem::path& file, const Header& header, ElementType wanted) {
  const TypeCode& code = codeOf(wanted.scalar);
  const bool matches =
      header.type.ends_with(code.code) || (wanted.scalar == Scalar::UChar && header.type.ends_with("b1"));
  if (!matches)
    throw Failure(fmt::format("'{}' holds {}, not {}; in Python: numpy.save(file, array.astype(numpy.{}))",
                              file.string(), numpyName(header.type), code.numpyName, code.numpyName));
  if (wanted.lanes > 1 && (header.shape.empty() || header.shape.back() != wanted.lanes))
    throw Failure(fmt::format("'{}' has the shape ({}), but {} needs a last axis of {}", file.string(),
                              fmt::join(header.shape, ", "), wanted.name(), wanted.lanes));
}

}  // namespace

Array readNpy(const std::filesystem::path& file, ElementType wanted) {
  const std::string content = readData(file);
  const Header header = parseHeader(file, content);
  checkType(file, header, wanted);
  const size_t width = wanted.scalarBytes();
  size_t bytes = width;
  for (size_t size : header.shape)
    if (__builtin_mul_overflow(bytes, size, &bytes)) failFormat(file, "its shape is larger than memory");
  if (content.size() - header.dataBegins < bytes)
    failFormat(file, fmt::format("its shape ({}) needs {}, but there are {}", fmt::join(header.shape, ", "),
                                 Counted{bytes, "byte"}, content.size() - header.dataBegins));
  const auto data = std::as_bytes(std::span(content)).subspan(header.dataBegins, bytes);

  Array array{wanted, header.shape, {data.begin(), data.end()}};
  if (header.columnMajor && header.shape.size() > 1) array.bytes = rowMajor(data, header.shape, width);
  if (header.type.starts_with('>')) swapBytes(array.bytes, width);
  if (wanted.lanes > 1) array.shape.pop_back();
  if (wanted.lanes == 3) array.bytes = widen(array.bytes, width);
  return array;
}

void writeNpy(const std::filesystem::path& file, const Array& array) {
  std::vector<size_t> shape = array.shape;
  if (array.type.lanes > 1) shape.push_back(array.type.lanes);
  const char* order = array.type.scalarBytes() == 1 ? "|" : "<";
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}", order,
                  codeOf(array.type.scalar).code, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr size_t headerPrefix = 10, align = 64;  // the data begins at a multiple of 64 bytes
  header.append(align - (headerPrefix + header.size() + 1) % align, ' ');
  header += '\n';

  std::string content(magic);
  content += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  content += header;
  const std::vector<std::byte> packed =
      array.type.lanes == 3 ? narrow(array.bytes, array.type.scalarBytes()) : array.bytes;
  content.append(reinterpret_cast<const char*>(packed.data()), packed.size());
  writeText(file, content);
}

}  // namespace clarity::tools
