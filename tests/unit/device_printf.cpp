// SPDX-License-Identifier: Apache-2.0
// This file tests what kernels' printf prints (OpenCL C 3.0, section 6.15.14).
#include "device/host/printf.h"

#include "support/fault_guard.h"
#include "support/printf_hook.h"

#include <gtest/gtest.h>

#include <locale.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <initializer_list>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace clarity::test {
namespace {

using device::host::formatPrintf;
using device::host::PrintfSink;

using Slots = std::vector<std::uint64_t>;

std::uint64_t slot(double value) { return std::bit_cast<std::uint64_t>(value); }
std::uint64_t slot(const char* text) { return reinterpret_cast<std::uintptr_t>(text); }
std::uint64_t slot(int value) { return static_cast<std::uint64_t>(std::int64_t{value}); }

/// The slots of a vector.
template <class T>
Slots packed(std::initializer_list<T> elements) {
  Slots slots((elements.size() * sizeof(T) + 7) / 8);
  std::memcpy(slots.data(), std::data(elements), elements.size() * sizeof(T));
  return slots;
}

std::string format(const char* text, const Slots& slots = {}) {
  std::string out;
  EXPECT_TRUE(formatPrintf(out, text, slots)) << text;
  return out;
}

std::string invalid(const char* text, const Slots& slots = {}) {
  std::string out;
  EXPECT_FALSE(formatPrintf(out, text, slots)) << text;
  return out;
}

/// A locale with a decimal comma: one of the system's, or one that is made for the test. Null if there is none.
locale_t localeWithComma() {
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"})
    if (const locale_t locale = newlocale(LC_ALL_MASK, name, nullptr)) return locale;
  const std::string folder = testing::TempDir() + "clarity-locale-" + std::to_string(getpid());
  const std::string name = folder + "/de_DE.UTF-8";
  if (std::system(("mkdir -p " + folder + " && localedef -i de_DE -f UTF-8 " + name + " 2>/dev/null").c_str()) != 0)
    return nullptr;
  setenv("LOCPATH", folder.c_str(), 1);
  const locale_t locale = newlocale(LC_ALL_MASK, "de_DE.UTF-8", nullptr);
  unsetenv("LOCPATH");
  (void)!std::system(("rm -r " + folder).c_str());
  return locale;
}

TEST(Printf, numbersAreThoseOfCInEveryLocale) {
  const locale_t comma = localeWithComma();
  if (!comma) GTEST_SKIP() << "there is no locale with a decimal comma";
  const locale_t before = uselocale(comma);
  std::array<char, 16> own{};
  std::snprintf(own.data(), own.size(), "%.1f", 1.5);
  const std::string scalar = format("%.2f %e %g", {slot(1.5), slot(0.25), slot(2.5)});
  const std::string vector = format("%v2hlf", packed({1.5f, 2.5f}));
  EXPECT_EQ(uselocale(nullptr), comma) << "the application's";
  uselocale(before);
  freelocale(comma);
  EXPECT_STREQ(own.data(), "1,5");
  EXPECT_EQ(scalar, "1.50 2.500000e-01 2.5");
  EXPECT_EQ(vector, "1.500000,2.500000");
}

// fwrite() to a stream of wide characters writes nothing.
TEST(Printf, goesBetweenWideCharacters) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  std::fflush(stdout);  // what the test program has printed is not the child's to print
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    std::freopen(nullptr, "w", stdout);  // no characters yet
    std::wprintf(L"wide ");
    PrintfSink::writeToStandardOutput("of a kernel ");
    std::wprintf(L"wide");
    std::fflush(stdout);
    _exit(0);
  }
  close(ends[1]);
  std::string printed(100, '\0');
  std::size_t used = 0;
  for (ssize_t got = 0; (got = read(ends[0], printed.data() + used, printed.size() - used)) > 0;)
    used += static_cast<std::size_t>(got);
  printed.resize(used);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(printed, "wide of a kernel wide");
}

TEST(Printf, textAndPercent) {
  EXPECT_EQ(format(""), "");
  EXPECT_EQ(format("plain\n"), "plain\n");
  EXPECT_EQ(format("100%%"), "100%");
  EXPECT_EQ(format("%%d%%"), "%d%");
}

TEST(Printf, integers) {
  EXPECT_EQ(format("%d %i", {slot(-5), slot(7)}), "-5 7");
  EXPECT_EQ(format("%u", {slot(-1)}), "4294967295");
  EXPECT_EQ(format("%x %X %o", {0xbeef, 0xBEEF, 8}), "beef BEEF 10");
  EXPECT_EQ(format("%#x %#o", {255, 8}), "0xff 010");
  EXPECT_EQ(format("[%5d] [%-5d] [%05d] [%+d] [% d]", Slots(5, 42)), "[   42] [42   ] [00042] [+42] [ 42]");
  EXPECT_EQ(format("%.3d", {7}), "007");
  EXPECT_EQ(format("%8.3d|", {7}), "     007|");
}

TEST(Printf, lengthsOfIntegers) {
  EXPECT_EQ(format("%hhd %hhu", {0x1ff, 0x1ff}), "-1 255");
  EXPECT_EQ(format("%hd %hu", {0x1ffff, 0x1ffff}), "-1 65535");
  EXPECT_EQ(format("%ld", {static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::min())}),
            "-9223372036854775808");
  EXPECT_EQ(format("%lu", {~0ull}), "18446744073709551615");
  EXPECT_EQ(format("%lx", {0x123456789abcdefull}), "123456789abcdef");
  EXPECT_EQ(format("%d", {0x100000002ull}), "2");
}

TEST(Printf, floatingPoint) {
  EXPECT_EQ(format("%f %F", {slot(1.5), slot(-2.25)}), "1.500000 -2.250000");
  EXPECT_EQ(format("%.2f|%8.3f|%-8.1f|%08.2f", {slot(3.14159), slot(2.5), slot(2.5), slot(-2.5)}),
            "3.14|   2.500|2.5     |-0002.50");
  EXPECT_EQ(format("%e %E", {slot(12345.678), slot(0.00012)}), "1.234568e+04 1.200000E-04");
  EXPECT_EQ(format("%g %G", {slot(1e10), slot(1e-10)}), "1e+10 1E-10");
  EXPECT_EQ(format("%a %A", {slot(1.0), slot(0.5)}), "0x1p+0 0X1P-1");
  EXPECT_EQ(format("%#.0f", {slot(3.0)}), "3.");
  EXPECT_EQ(format("%f %f", {slot(HUGE_VAL), slot(-HUGE_VAL)}), "inf -inf");
  EXPECT_EQ(format("%F", {slot(HUGE_VAL)}), "INF");
  EXPECT_EQ(format("%f", {slot(std::numeric_limits<double>::quiet_NaN())}), "nan");
}

TEST(Printf, charactersStringsPointers) {
  EXPECT_EQ(format("%c%c%3c", {'O', 'K', '!'}), "OK  !");
  EXPECT_EQ(format("%s, %s", {slot("hello"), slot("world")}), "hello, world");
  EXPECT_EQ(format("[%8s] [%-8s] [%.2s]", {slot("abc"), slot("abc"), slot("abc")}), "[     abc] [abc     ] [ab]");
  EXPECT_EQ(format("%s", {0}), "(null)");
  EXPECT_EQ(format("%p", {0x1234}), "0x1234");
}

TEST(Printf, aStringThatIsNone) {
  EXPECT_EQ(format("%s", {16}), "(not a string)");
  support::Fault fault;
  EXPECT_TRUE(support::FaultGuard::run([] { EXPECT_EQ(format("%s!", {24}), "(not a string)!"); }, fault));
}

TEST(Printf, longStringsAreWhole) {
  const std::string text(5000, 'x');
  EXPECT_EQ(format("<%s>", {slot(text.c_str())}), "<" + text + ">");
  EXPECT_EQ(format("%300d", {1}), std::string(299, ' ') + "1");
}

TEST(Printf, vectorsOfFloats) {
  EXPECT_EQ(format("%v4hlf", packed<float>({1, 2, 3, 4})), "1.000000,2.000000,3.000000,4.000000");
  EXPECT_EQ(format("%.1v2hlf", packed<float>({1.25f, -2})), "1.2,-2.0");
  EXPECT_EQ(format("%2.2v4hlf", packed<float>({1, 2, 3, 4})), "1.00,2.00,3.00,4.00");
  EXPECT_EQ(format("%v2lf", packed<double>({0.5, 1e100})), "0.500000," + format("%f", {slot(1e100)}));
  EXPECT_EQ(format("%v2lg", packed<double>({0.5, 1e100})), "0.5,1e+100");
  EXPECT_EQ(format("%v4hg", packed<std::uint16_t>({0x3c00, 0xc000, 0x3555, 0x7c00})), "1,-2,0.333252,inf");
  EXPECT_EQ(format("%v2hg", packed<std::uint16_t>({0x0001, 0x8000})), "5.96046e-08,-0");
}

TEST(Printf, vectorsOfIntegers) {
  EXPECT_EQ(format("%v4hhd", packed<std::int8_t>({1, -2, 3, -4})), "1,-2,3,-4");
  EXPECT_EQ(format("%#v4hhx", packed<std::uint8_t>({0xFA, 0xFB, 0xFC, 0xFD})), "0xfa,0xfb,0xfc,0xfd");
  EXPECT_EQ(format("%v8hd", packed<std::int16_t>({1, 2, 3, 4, 5, 6, 7, -8})), "1,2,3,4,5,6,7,-8");
  EXPECT_EQ(format("%v2hlu", packed<std::uint32_t>({1, 0xffffffff})), "1,4294967295");
  EXPECT_EQ(format("%v2ld", packed<std::int64_t>({-1, std::numeric_limits<std::int64_t>::max()})),
            "-1,9223372036854775807");
  EXPECT_EQ(format("%05v2hld", packed<std::int32_t>({42, -42})), "00042,-0042");
  EXPECT_EQ(format("%v16hhd", packed<std::int8_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})),
            "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
}

TEST(Printf, vectorsTakeTheirSlots) {
  Slots slots{slot(1)};
  // A vector of three takes the room of four.
  for (const std::uint64_t each : packed<float>({2, 3, 4, 0})) slots.push_back(each);
  slots.push_back(slot(5));
  EXPECT_EQ(format("%d %v3hlg %d", slots), "1 2,3,4 5");
}

/// The text that C's printf makes of one value.
template <class Value>
std::string ofC(const std::string& text, Value value) {
  std::string room(static_cast<std::size_t>(std::snprintf(nullptr, 0, text.c_str(), value)), ' ');
  std::snprintf(room.data(), room.size() + 1, text.c_str(), value);
  return room;
}

/// Random formats of integers and floating-point numbers, alone and in vectors, with values at the ends of their types.
struct RandomFormats {
  std::mt19937_64 random{20};
  unsigned upTo(std::size_t count) { return static_cast<unsigned>(random() % count); }

  std::string flags(std::string_view allowed) {
    std::string text;
    for (unsigned left = upTo(4); left; --left)
      if (const char flag = allowed[upTo(allowed.size())]; !text.contains(flag)) text += flag;
    if (upTo(2)) text += std::to_string(1 + upTo(30));
    if (upTo(2)) text += "." + (upTo(5) ? std::to_string(upTo(20)) : "");
    return text;
  }

  std::uint64_t bits() {
    constexpr std::uint64_t ends[] = {0,     1,          ~0ull,      127,        128,        255,       32767,
                                      32768, 0x7fffffff, 0x80000000, 0xffffffff, ~0ull >> 1, 1ull << 63};
    return upTo(2) ? ends[upTo(std::size(ends))] : random();
  }

  void integers() {
    static constexpr std::pair<const char*, unsigned> lengths[] = {{"hh", 1}, {"h", 2}, {"hl", 4}, {"l", 8}};
    const auto& [length, bytes] = lengths[upTo(4)];
    const unsigned elements = (unsigned[]){1, 2, 3, 4, 8, 16}[upTo(6)];
    const char conversion = "diouxX"[upTo(6)];
    const bool isSigned = conversion == 'd' || conversion == 'i';
    const std::string spec = flags(isSigned ? "-+ 0" : conversion == 'u' ? "-0" : "-0#");
    Slots slots((std::size_t{elements == 3 ? 4 : elements} * bytes + 7) / 8);
    std::string wanted;
    for (unsigned i = 0; i < elements; ++i) {
      const std::uint64_t value = bits() << (64 - 8 * bytes);
      const std::uint64_t narrow =
          isSigned ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> (64 - 8 * bytes))
                   : value >> (64 - 8 * bytes);
      std::memcpy(reinterpret_cast<char*>(slots.data()) + std::size_t{i} * bytes, &narrow, bytes);
      wanted += (i ? "," : "") + ofC("%" + spec + "ll" + conversion, narrow);
    }
    const std::string vector = elements > 1 ? "v" + std::to_string(elements) : "";
    const std::string text = "%" + spec + vector + (elements == 1 && bytes == 4 ? "" : length) + conversion;
    EXPECT_EQ(format(text.c_str(), slots), wanted) << text;
  }

  void numbers() {
    constexpr double ends[] = {0.0,
                               -0.0,
                               1.0,
                               -1.5,
                               0.1,
                               9.995,
                               123456.789,
                               1e10,
                               -1e-10,
                               65504.0,
                               HUGE_VAL,
                               -HUGE_VAL,
                               std::numeric_limits<double>::quiet_NaN()};
    const unsigned elements = (unsigned[]){1, 2, 3, 4, 8, 16}[upTo(6)];
    const bool narrow = elements > 1 && upTo(2);
    const std::string spec = flags("-+ 0#");
    const char conversion = "fFeEgGaA"[upTo(8)];
    Slots slots((std::size_t{elements == 3 ? 4 : elements} * (narrow ? 4 : 8) + 7) / 8);
    std::string wanted;
    for (unsigned i = 0; i < elements; ++i) {
      const double chosen = upTo(2) ? ends[upTo(std::size(ends))]
                                    : std::ldexp(static_cast<double>(random()), static_cast<int>(upTo(100)) - 80);
      const float rounded = static_cast<float>(chosen);
      if (narrow)
        std::memcpy(reinterpret_cast<char*>(slots.data()) + std::size_t{i} * 4, &rounded, 4);
      else
        std::memcpy(reinterpret_cast<char*>(slots.data()) + std::size_t{i} * 8, &chosen, 8);
      wanted += (i ? "," : "") + ofC("%" + spec + conversion, narrow ? rounded : chosen);
    }
    const std::string vector = elements > 1 ? "v" + std::to_string(elements) + (narrow ? "hl" : "l") : "";
    const std::string text = "%" + spec + vector + conversion;
    EXPECT_EQ(format(text.c_str(), slots), wanted) << text;
  }
};

TEST(Printf, printsAsCDoes) {
  RandomFormats formats;
  for (int i = 0; i < 1000; ++i) {
    formats.integers();
    formats.numbers();
  }
}

// OpenCL C has the lengths of size_t and of differences from 3.1 on, and not the others, and
// a program that uses them means only one thing.
TEST(Printf, lengthsOfC) {
  EXPECT_EQ(format("%lld %llu %zu %td %jx|%d",
                   {static_cast<std::uint64_t>(-5), ~0ull, 1ull << 40, static_cast<std::uint64_t>(-1), 255, slot(3)}),
            "-5 18446744073709551615 1099511627776 -1 ff|3");
}

TEST(Printf, whatIsNoConversionIsCopied) {
  EXPECT_EQ(invalid("%y %d", {slot(1)}), "%y 1");
  EXPECT_EQ(invalid("%v5hld", {1, 2, 3}), "%v5hld");
  EXPECT_EQ(invalid("ends with %"), "ends with %");
  EXPECT_EQ(invalid("%d and %d", {slot(1)}), "1 and %d");
  EXPECT_EQ(invalid("%v4hlf", {1}), "%v4hlf");
  EXPECT_EQ(invalid("%n", {slot("x")}), "%n");
  EXPECT_EQ(invalid("%hld", {1}), "%hld");
  EXPECT_EQ(invalid("%*d", {1, 2}), "%*d");
}

TEST(Printf, theHookAppendsToItsSink) {
  std::string written;
  {
    PrintfSink sink(1000, [&](std::string_view text) { written += text; });
    const Slots slots{slot(3), slot(2.5)};
    EXPECT_EQ(__clarity_printf(&sink, "%d %g\n", slots.data(), 2), 0);
    EXPECT_EQ(__clarity_printf(&sink, "%q\n", nullptr, 0), -1);
    EXPECT_EQ(__clarity_printf(nullptr, "x", nullptr, 0), -1);
    EXPECT_EQ(written, "");
  }
  EXPECT_EQ(written, "3 2.5\n%q\n");
}

TEST(Printf, aFullSinkIsWrittenEarlyAndLosesNothing) {
  std::vector<std::string> written;
  std::string all;
  {
    PrintfSink sink(8, [&](std::string_view text) { written.emplace_back(text); });
    for (const char* piece : {"abc", "defg", "hij", "a long piece of text", "k"}) sink.append(piece), all += piece;
  }
  std::string joined;
  for (const std::string& each : written) joined += each;
  EXPECT_EQ(joined, all);
  EXPECT_GT(written.size(), 2u);
}

TEST(Printf, piecesOfThreadsAreNotMixed) {
  std::string written;
  {
    PrintfSink sink(100, [&](std::string_view text) { written += text; });
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 500; ++i) {
          const Slots slots{t, t};
          __clarity_printf(&sink, "<%lu%lu>", slots.data(), 2);
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
  ASSERT_EQ(written.size(), 4u * 500 * 4);
  for (std::size_t i = 0; i < written.size(); i += 4) {
    ASSERT_EQ(written[i], '<');
    ASSERT_EQ(written[i + 1], written[i + 2]);
    ASSERT_EQ(written[i + 3], '>');
  }
}

}  // namespace
}  // namespace clarity::test
