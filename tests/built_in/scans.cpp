// SPDX-License-Identifier: Apache-2.0
// This file tests the built-in scans, compaction and partition, histograms and sorts.
#include "built_in_test.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <type_traits>

namespace {

constexpr cl_ulong sizes[] = {0, 1, 2, 17, 255, 4096, 4097, 9000, 70001, 300001};

struct BuiltInScans : BuiltInTest {
  /// The scan of one kind on the host, in a wider type.
  template <class T, class Wide, class Combine>
  static std::vector<Wide> scanned(const std::vector<T>& values, const std::vector<cl_uchar>& heads, bool isExclusive,
                                   Wide none, Combine combine) {
    std::vector<Wide> result(values.size());
    Wide sum = none;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!heads.empty() && heads[i]) sum = none;
      const Wide next = combine(sum, static_cast<Wide>(static_cast<ArithmeticOf<T>>(values[i])));
      result[i] = isExclusive ? sum : next;
      sum = next;
    }
    return result;
  }
};

TEST_F(BuiltInScans, sums) {
  forTypes<float, double, Half, std::int32_t, std::uint64_t>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    for (const cl_ulong n : sizes)
      for (const bool isSegmented : {false, true})
        for (const bool isExclusive : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << n << (isSegmented ? " segmented" : "") << (isExclusive ? " exclusive" : ""));
          const std::vector<T> values = numbers<T>(n, 9);
          std::vector<cl_uchar> heads(isSegmented ? n : 0);
          for (cl_uchar& head : heads) head = random_() % 2000 == 0 ? 1 : 0;
          std::string name = isSegmented ? "clarity.scan.segments." : "clarity.scan.";
          name += isExclusive ? "exclusive.sum" : "inclusive.sum";
          cl_mem x = bufferWith(values), y = bufferWith(std::vector<T>(n));
          if (isSegmented)
            run(named<T>(name.c_str()), n, x, bufferWith(heads), y);
          else
            run(named<T>(name.c_str()), n, x, y);
          const std::vector<T> result = read<T>(y, n);
          if constexpr (isReal<T>) {
            const auto expected = scanned(values, heads, isExclusive, 0.0, std::plus<double>());
            for (cl_ulong i = 0; i < n; ++i)
              ASSERT_NEAR(expected[i], static_cast<double>(static_cast<S>(result[i])),
                          epsilonOf<T> * std::abs(expected[i]) + 300 * epsilonOf<S> * static_cast<double>(n))
                  << i;
          } else {
            const auto expected = scanned(values, heads, isExclusive, T{0}, std::plus<T>());
            ASSERT_EQ(result, expected);
          }
        }
  });
}

/// Where work-items run in step, tiles have 16,384 bytes, and totals of 32 tiles, of 32 of these, and so on, are
/// shared.
TEST_F(BuiltInScans, blocksOfTiles) {
  forTypes<float, double, Half, std::uint32_t, std::int64_t>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    constexpr cl_ulong tile = 16384 / sizeof(T);
    std::vector<cl_ulong> counts{tile - 1, tile, tile + 1, 32 * tile, 32 * tile + 1, 66 * tile + 7};
    if (std::is_same_v<T, std::int64_t>) counts.push_back(1025 * tile + 5);
    bool isExclusive = false;
    for (const cl_ulong n : counts) {
      isExclusive = !isExclusive;
      // Sums are small integers, so that each is exact in every order.
      std::vector<T> values(n), expected(n);
      S sum = 0;
      for (cl_ulong i = 0; i < n; ++i) {
        const S value = static_cast<S>(random_() % 3 + (sum < S{50} ? 1 : 0)) - static_cast<S>(sum > S{60} ? 3 : 0);
        values[i] = static_cast<T>(value);
        expected[i] = static_cast<T>(isExclusive ? sum : sum + value);
        sum += value;
      }
      cl_mem x = bufferWith(values);
      run(named<T>(isExclusive ? "clarity.scan.exclusive.sum" : "clarity.scan.inclusive.sum"), n, x, x);
      const std::vector<T> result = read<T>(x, n);
      for (cl_ulong i = 0; i < n; ++i)
        ASSERT_EQ(static_cast<S>(result[i]), static_cast<S>(expected[i])) << i << " of " << n;
    }
  });
}

TEST_F(BuiltInScans, endsAndInPlace) {
  forTypes<float, std::int32_t, std::uint64_t>([&]<class T>(std::type_identity<T>) {
    for (const cl_ulong n : sizes) {
      const std::vector<T> values = numbers<T>(n, 30000);
      std::vector<cl_uchar> heads(n);
      for (cl_uchar& head : heads) head = random_() % 500 == 0 ? 1 : 0;
      const auto least = [](T a, T b) { return std::min(a, b); };
      const auto most = [](T a, T b) { return std::max(a, b); };
      const T highest = std::numeric_limits<T>::max(), lowest = std::numeric_limits<T>::lowest();
      cl_mem x = bufferWith(values);
      run(named<T>("clarity.scan.inclusive.min"), n, x, x);
      EXPECT_EQ(read<T>(x, n), scanned(values, {}, false, highest, least)) << n;
      cl_mem y = bufferWith(values);
      run(named<T>("clarity.scan.segments.inclusive.max"), n, y, bufferWith(heads), y);
      EXPECT_EQ(read<T>(y, n), scanned(values, heads, false, lowest, most)) << n;
    }
  });
}

TEST_F(BuiltInScans, compactionAndPartition) {
  forTypes<float, Half, std::uint8_t, std::int64_t>([&]<class T>(std::type_identity<T>) {
    for (const cl_ulong n : sizes) {
      const std::vector<T> values = numbers<T>(n);
      std::vector<cl_uchar> keep(n);
      for (cl_uchar& each : keep) each = random_() % 3 == 0 ? 5 : 0;
      std::vector<T> kept, others;
      for (cl_ulong i = 0; i < n; ++i) (keep[i] ? kept : others).push_back(values[i]);
      const cl_ulong count = kept.size();
      std::vector<T> both = kept;
      both.insert(both.end(), others.begin(), others.end());
      cl_mem x = bufferWith(values), flags = bufferWith(keep), all = bufferWith(std::vector<cl_ulong>{99});
      cl_mem y = bufferWith(std::vector<T>(n)), some = bufferWith(std::vector<T>(std::max<cl_ulong>(count, 1)));
      run(named<T>("clarity.partition"), n, x, flags, y, all);
      EXPECT_EQ(read<cl_ulong>(all, 1)[0], count);
      EXPECT_TRUE(std::ranges::equal(read<T>(y, n), both)) << n;
      run(named<T>("clarity.compact"), n, x, flags, some, all);
      EXPECT_TRUE(std::ranges::equal(read<T>(some, count), kept)) << n;
      if (count < 2) continue;
      cl_mem small = bufferWith(std::vector<T>(count - 1));
      run(named<T>("clarity.compact"), n, x, flags, small, all);
      EXPECT_EQ(read<cl_ulong>(all, 1)[0], count) << "of those that there is no room for, too";
    }
  });
}

TEST_F(BuiltInScans, histograms) {
  forTypes<float, double, Half, std::int8_t, std::uint16_t, std::int32_t>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    for (const cl_ulong n : {0, 1, 1000, 70001})
      for (const cl_uint bins : {1, 64, 20000}) {
        const std::vector<T> values = numbers<T>(n);
        const S low = std::is_unsigned_v<T> ? 3 : -4, high = 60;  // a power of two apart, or exact in integers
        std::vector<cl_uint> expected(bins);
        for (const T each : values) {
          const S x = static_cast<S>(each);
          if (!(x >= low && x < high)) continue;
          if constexpr (isReal<T>)
            ++expected[std::min(static_cast<cl_uint>((x - low) / (high - low) * static_cast<S>(bins)), bins - 1)];
          else
            ++expected[static_cast<cl_ulong>(static_cast<std::int64_t>(x) - static_cast<std::int64_t>(low)) * bins /
                       static_cast<cl_ulong>(static_cast<std::int64_t>(high) - static_cast<std::int64_t>(low))];
        }
        cl_mem x = bufferWith(values), counts = bufferWith(std::vector<cl_uint>(bins, 77));
        run(named<T>("clarity.histogram"), n, x, low, high, bins, counts);
        EXPECT_EQ(read<cl_uint>(counts, bins), expected) << n << " in " << bins;
      }
  });
}

/// A key as a number in the order of the sort.
template <class T>
auto orderOf(T key) {
  if constexpr (std::is_integral_v<T>) {
    return key;
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    const Bits bits = std::bit_cast<Bits>(key);
    return bits < 0 ? static_cast<Bits>(~bits ^ std::numeric_limits<Bits>::min()) : bits;
  }
}

TEST_F(BuiltInScans, sorts) {
  forTypes<float, double, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>(
      [&]<class T>(std::type_identity<T>) {
        for (const cl_ulong n : sizes)
          for (const cl_uint descending : {0, 1}) {
            // The largest in one direction: up for numbers with a sign, down for the others.
            if (n == *std::rbegin(sizes) && std::is_signed_v<T> == (descending == 1)) continue;
            SCOPED_TRACE(testing::Message() << n << (descending ? " descending" : ""));
            std::vector<T> keys(n);
            for (T& key : keys)
              if constexpr (std::is_integral_v<T>)
                key = static_cast<T>((std::uint64_t{random_()} << 32 | random_()) >> random_() % 64);
              else
                key = static_cast<T>(static_cast<int>(random_() % 2001) - 1000) * static_cast<T>(0.125);
            if constexpr (!std::is_integral_v<T>)
              if (n > 9)
                keys[3] = -keys[3], keys[4] = static_cast<T>(-INFINITY), keys[5] = static_cast<T>(std::nan(""));
            std::vector<cl_uint> places(n);
            std::iota(places.begin(), places.end(), 0U);
            std::ranges::sort(places, [&](cl_uint a, cl_uint b) {
              const auto left = orderOf(keys[a]), right = orderOf(keys[b]);
              return left == right ? a < b : descending ? right < left : left < right;
            });
            cl_mem x = bufferWith(keys), sorted = bufferWith(std::vector<T>(n)),
                   moved = bufferWith(std::vector<cl_uint>(n));
            run(named<T>("clarity.sort.pairs"), n, x, cl_mem{}, descending, sorted, moved);
            ASSERT_EQ(read<cl_uint>(moved, n), places);
            const std::vector<T> result = read<T>(sorted, n);
            for (cl_ulong i = 0; i < n; ++i) ASSERT_EQ(orderOf(result[i]), orderOf(keys[places[i]])) << i;
            run(named<T>("clarity.sort.keys"), n, x, descending, x);
            const std::vector<T> inPlace = read<T>(x, n);
            for (cl_ulong i = 0; i < n; ++i) ASSERT_EQ(orderOf(inPlace[i]), orderOf(result[i])) << i;
          }
      });
}

}  // namespace
