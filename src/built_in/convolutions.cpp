// SPDX-License-Identifier: Apache-2.0
// This file is the family of convolutions.
#include "built_in/families.h"
#include "built_in/panels.h"
#include "built_in/products.h"

#include <algorithm>
#include <array>
#include <string>

namespace clarity::built_in {
namespace {

constexpr std::uint64_t mostElements = std::uint64_t{1} << 31;  // that 32 bits count, with room for windows

/// One dimension: of what is convolved, of the window, and of the result.
struct Dimension {
  std::uint64_t size = 1, window = 1, stride = 1, pad = 0, dilation = 1, out = 1;
};

/// The arguments of a dimension, and the size of the result: 0 if it cannot be.
Dimension dimensionOf(Builder& it, const std::string& name) {
  Dimension d{.size = it.number("size" + name),
              .window = it.number("window" + name),
              .stride = it.number("stride" + name),
              .pad = it.number("pad" + name),
              .dilation = it.number("dilation" + name),
              .out = 0};
  it.positive("window" + name);
  it.positive("stride" + name);
  it.positive("dilation" + name);
  for (const std::uint64_t each : {d.size, d.window, d.stride, d.pad, d.dilation})
    if (!it.require(each < mostElements, "a size in dimension {} is {}, more than 2^31", name, each)) return d;
  if (it.isRefused()) return d;
  const std::uint64_t reach = (d.window - 1) * d.dilation + 1, padded = d.size + 2 * d.pad;
  if (it.require(reach <= padded && padded < mostElements,
                 "in dimension {} the window reaches over {} elements, and x has {} with its borders", name, reach,
                 padded))
    d.out = (padded - reach) / d.stride + 1;
  return d;
}

std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// Work-groups with blocks of filters and outputs.
void addBlocks(Builder& it, const std::array<Dimension, 3>& d, std::uint64_t out) {
  it.pass(it.function("convolve_blocks"), blocksOfProduct(it.number("filters"), out, it.number("batches")),
          narrow(it.number("channels")), narrow(it.number("filters")), narrow(d[0].size), narrow(d[1].size),
          narrow(d[2].size), narrow(d[0].out), narrow(d[1].out), narrow(d[2].out), narrow(d[0].window),
          narrow(d[1].window), narrow(d[2].window), narrow(d[0].stride), narrow(d[1].stride), narrow(d[2].stride),
          narrow(d[0].pad), narrow(d[1].pad), narrow(d[2].pad), narrow(d[0].dilation), narrow(d[1].dilation),
          narrow(d[2].dilation), "x", "w", "bias", "activation", "y");
}

/// A number that functions take as S.
PassArgument sumOf(const Builder& it, float value) {
  return it.type().bytes == 8 ? Builder::given(double{value}) : Builder::given(value);
}

/// Packed windows, a part at a time, and the filters times these.
void addPanels(Builder& it, const std::array<Dimension, 3>& d, std::uint64_t out, std::uint64_t window) {
  constexpr std::uint64_t mostBytes = std::uint64_t{1} << 23, depth = 64;  // of a part, and elements of a window
  const std::uint64_t channels = it.number("channels"), filters = it.number("filters"), batches = it.number("batches");
  const std::uint64_t width = panelWidth(it), all = divideUp(out, width), bytes = width * window * sumBytes(it);
  if (window == 0) {  // no channels: the bias alone
    it.pass(it.function("convolve_nothing"), items(out, filters, batches), "bias", "activation", "y");
    return;
  }
  const std::uint64_t panels = std::clamp<std::uint64_t>(mostBytes / bytes, 1, all);
  const std::uint64_t images = std::clamp<std::uint64_t>(mostBytes / (bytes * panels), 1, batches);
  const Packed packedW = addPacking(it, {it.given("w"), 1, filters, window, window, 1, 0}, panelLines);
  const Scratch windows = it.scratch(it.product(images * panels, bytes));
  for (std::uint64_t image = 0; image < batches; image += images)
    for (std::uint64_t panel = 0; panel < all; panel += panels) {
      const std::uint64_t some = std::min(panels, all - panel), these = std::min(images, batches - image);
      it.pass(it.function("convolve_pack"), groups(some, width, divideUp(window, depth), these), narrow(channels),
              narrow(d[0].size), narrow(d[1].size), narrow(d[2].size), narrow(d[0].out), narrow(d[1].out),
              narrow(d[2].out), narrow(d[0].window), narrow(d[1].window), narrow(d[2].window), narrow(d[0].stride),
              narrow(d[1].stride), narrow(d[2].stride), narrow(d[0].pad), narrow(d[1].pad), narrow(d[2].pad),
              narrow(d[0].dilation), narrow(d[1].dilation), narrow(d[2].dilation), "x", image, panel * width,
              narrow(depth), windows);
      addProduct(it, {.batches = these,
                      .m = filters,
                      .n = out,
                      .k = window,
                      .a = packedW,
                      .b = {Builder::given(windows), some * width * window},
                      .alpha = sumOf(it, 1),
                      .beta = sumOf(it, 0),
                      .c = it.given("y"),
                      .ldc = out,
                      .stridec = filters * out,
                      .bias = it.given("bias"),
                      .biasRow = 1,
                      .biasColumn = 0,
                      .activation = it.given("activation"),
                      .firstColumn = panel * width,
                      .panels = some,
                      .firstBatch = image});
    }
}

void addConvolution(Builder& it, const std::array<Dimension, 3>& d) {
  const std::uint64_t channels = it.number("channels"), filters = it.number("filters"), batches = it.number("batches");
  const std::uint64_t size = it.product(it.product(d[0].size, d[1].size), d[2].size);
  const std::uint64_t out = it.product(it.product(d[0].out, d[1].out), d[2].out);
  const std::uint64_t window = it.product(channels, it.product(it.product(d[0].window, d[1].window), d[2].window));
  (void)it.require(out < mostElements && window < mostElements && filters < mostElements && size < mostElements,
                   "{} outputs, {} filters, windows of {} elements: more than 2^31", out, filters, window);
  checkActivation(it);
  it.needs("x", it.product(it.product(batches, channels), size));
  it.needs("w", it.product(filters, window));
  it.needs("y", it.product(it.product(batches, filters), out));
  if (!it.isNull("bias")) it.needs("bias", filters);
  for (const char* const name : {"x", "w", "bias"}) it.apart(name, "y");
  if (it.isRefused() || batches == 0 || filters == 0 || out == 0) return;
  if (it.isWide())
    addBlocks(it, d, out);
  else
    addPanels(it, d, out, window);
}

void planConvolution1(Builder& it) { addConvolution(it, {Dimension{}, Dimension{}, dimensionOf(it, "x")}); }
void planConvolution2(Builder& it) { addConvolution(it, {Dimension{}, dimensionOf(it, "y"), dimensionOf(it, "x")}); }
void planConvolution3(Builder& it) {
  addConvolution(it, {dimensionOf(it, "z"), dimensionOf(it, "y"), dimensionOf(it, "x")});
}

constexpr const char* real = "f32 f64 f16 bf16";

#define BEGIN "ulong batches, ulong channels, ulong filters, "
#define ALONG(d) "ulong size" d ", ulong window" d ", ulong stride" d ", ulong pad" d ", ulong dilation" d ", "
#define END "const T* x, const T* w, const T* bias, uint activation, T* y"

constexpr Entry entries[] = {
    {"clarity.conv1d", real, nullptr, BEGIN ALONG("x") END, "in one dimension", "convolution", planConvolution1,
     nullptr, "gemm - *"},
    {"clarity.conv2d", real, nullptr, BEGIN ALONG("y") ALONG("x") END, "in two dimensions, of which x is the inner one",
     "convolution", planConvolution2, nullptr, "gemm - *"},
    {"clarity.conv3d", real, nullptr, BEGIN ALONG("z") ALONG("y") ALONG("x") END, "in three dimensions", "convolution",
     planConvolution3, nullptr, "gemm - *"},
};

#undef BEGIN
#undef ALONG
#undef END

}  // namespace

const Family convolutions{
    "Convolutions",
    "`x` is batches x channels x sizes, `w` is filters x channels x windows, `y` is batches x filters x outputs. "
    "`y[b][f][o] = activation(bias[f] + the sum of w[f][c][k] * x[b][c][o * stride + k * dilation - pad])`, where `x` "
    "is "
    "0 outside of its sizes; the window is not turned. A dimension has `(size + 2 * pad - dilation * (window - 1) - 1) "
    "/ "
    "stride + 1` outputs. `bias` may be null, `activation` is that of `clarity.gemm`.",
    entries};

}  // namespace clarity::built_in
