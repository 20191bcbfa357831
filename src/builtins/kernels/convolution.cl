// SPDX-License-Identifier: Apache-2.0
// This file convolves, as built_in/convolutions.cpp says, in up to three dimensions. It is a product of matrices, the
// filters by the parts of x that they meet; those parts are brought from where they are in x.

typedef struct {
  uint size[3], out[3], window[3], stride[3], pad[3], dilation[3];  // slowest first
} FN(Geometry);

/// Element `p` of a window, which is c, z, y, x counted as one number, at the output `o`; 0 outside of x.
static inline S FN(windowAt)(const global T* x, const FN(Geometry) * g, uint p, uint o) {
  const uint kx = p % g->window[2], ky = p / g->window[2] % g->window[1];
  const uint kz = p / (g->window[2] * g->window[1]) % g->window[0];
  const ulong channel = p / (g->window[2] * g->window[1] * g->window[0]);
  const uint ox = o % g->out[2], oy = o / g->out[2] % g->out[1], oz = o / (g->out[2] * g->out[1]);
  const uint ix = ox * g->stride[2] + kx * g->dilation[2] - g->pad[2];  // wraps below 0, and is not below the size then
  const uint iy = oy * g->stride[1] + ky * g->dilation[1] - g->pad[1];
  const uint iz = oz * g->stride[0] + kz * g->dilation[0] - g->pad[0];
  if (ix >= g->size[2] || iy >= g->size[1] || iz >= g->size[0]) return 0;
  return LOAD(x, ((channel * g->size[0] + iz) * g->size[1] + iy) * g->size[2] + ix);
}

static inline void FN(convolutionStore)(S value, global T* y, ulong at, const global T* bias, uint filter,
                                        uint activation) {
  if (bias) value += LOAD(bias, filter);
  ACTIVATE(value, activation)
  STORE(y, at, value);
}

#define GEOMETRY                                                                                               \
  const FN(Geometry) g = {{size0, size1, size2},       {out0, out1, out2}, {window0, window1, window2},        \
                          {stride0, stride1, stride2}, {pad0, pad1, pad2}, {dilation0, dilation1, dilation2}}; \
  const uint depthOfAll = channels * window0 * window1 * window2, outputs = out0 * out1 * out2;                \
  const uint column = get_group_id(0) * BLOCK, row = get_group_id(1) * BLOCK;                                  \
  const uint columns = min((uint)BLOCK, outputs - column), rows = min((uint)BLOCK, filters - row);             \
  x += get_group_id(2) * channels * ((ulong)size0 * size1 * size2);                                            \
  y += get_group_id(2) * filters * (ulong)outputs;                                                             \
  w += (ulong)row * depthOfAll;

#define PARAMETERS                                                                                                \
  uint channels, uint filters, uint size0, uint size1, uint size2, uint out0, uint out1, uint out2, uint window0, \
      uint window1, uint window2, uint stride0, uint stride1, uint stride2, uint pad0, uint pad1, uint pad2,      \
      uint dilation0, uint dilation1, uint dilation2, const global T *x, const global T *w, const global T *bias, \
      uint activation, global T *y

/// For processors with vectors: brings windows into the panels that gemm_panels multiplies. Panels have as many outputs
/// as a work-group has work-items, from `first` on, of images from `image` on.
kernel void FN(convolve_pack)(uint channels, uint size0, uint size1, uint size2, uint out0, uint out1, uint out2,
                              uint window0, uint window1, uint window2, uint stride0, uint stride1, uint stride2,
                              uint pad0, uint pad1, uint pad2, uint dilation0, uint dilation1, uint dilation2,
                              const global T* x, ulong image, ulong first, uint depth, global S* packed) {
  const uint width = get_local_size(0), l = get_local_id(0), panel = get_group_id(0), begin = get_group_id(1) * depth;
  const uint k = channels * window0 * window1 * window2, end = min(k, begin + depth);
  const uint o = min((uint)first + panel * width + l, out0 * out1 * out2 - 1);
  const uint fromX = o % out2 * stride2 - pad2, fromY = o / out2 % out1 * stride1 - pad1;
  const uint fromZ = o / (out2 * out1) * stride0 - pad0;  // wraps below 0, and is not below the size then
  uint kx = begin % window2, ky = begin / window2 % window1, kz = begin / (window2 * window1) % window0;
  x += ((image + get_group_id(2)) * channels + begin / (window2 * window1 * window0)) * ((ulong)size0 * size1 * size2);
  packed += (get_group_id(2) * get_num_groups(0) + panel) * (ulong)k * width + l;
  for (uint p = begin; p < end; ++p) {
    const uint ix = fromX + kx * dilation2, iy = fromY + ky * dilation1, iz = fromZ + kz * dilation0;
    const bool isInside = (ix < size2) & (iy < size1) & (iz < size0);
    packed[p * (ulong)width] = isInside ? LOAD(x, (iz * (ulong)size1 + iy) * size2 + ix) : (S)0;
    if (++kx == window2) {
      kx = 0;
      if (++ky == window1) {
        ky = 0;
        if (++kz == window0) {
          kz = 0;
          x += (ulong)size0 * size1 * size2;
        }
      }
    }
  }
}

/// Results of no channels.
kernel void FN(convolve_nothing)(const global T* bias, uint activation, global T* y) {
  const ulong o = get_global_id(0), filter = get_global_id(1), batch = get_global_id(2);
  FN(convolutionStore)(0, y, (batch * get_global_size(1) + filter) * get_global_size(0) + o, bias, filter, activation);
}

#define DEPTH 16

kernel __attribute__((reqd_work_group_size(ACROSS, ACROSS, 1))) void FN(convolve_blocks)(PARAMETERS) {
  local S panelA[DEPTH * BLOCK];
  local S panelB[DEPTH * BLOCK];
  const uint lx = get_local_id(0), ly = get_local_id(1), l = ly * ACROSS + lx;
  GEOMETRY
  S sums[OWN][OWN];
  for (uint r = 0; r < OWN; ++r)
    for (uint j = 0; j < OWN; ++j) sums[r][j] = 0;
  for (uint begin = 0; begin < depthOfAll; begin += DEPTH) {
    const uint depth = min((uint)DEPTH, depthOfAll - begin);
    for (uint e = l; e < DEPTH * BLOCK; e += ACROSS * ACROSS) {
      const uint p = e % DEPTH, r = e / DEPTH;
      panelA[p * BLOCK + r] = r < rows && p < depth ? LOAD(w, r * (ulong)depthOfAll + begin + p) : (S)0;
    }
    for (uint p = l / BLOCK; p < DEPTH; p += ACROSS * ACROSS / BLOCK)
      panelB[p * BLOCK + l % BLOCK] =
          l % BLOCK < columns && p < depth ? FN(windowAt)(x, &g, begin + p, column + l % BLOCK) : (S)0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ADD_BLOCKS(sums, panelA, panelB, DEPTH, lx, ly)
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint r = 0; r < OWN; ++r)
    for (uint j = 0; j < OWN; ++j)
      if (ly * OWN + r < rows && lx + j * ACROSS < columns)
        FN(convolutionStore)(sums[r][j], y, (row + ly * OWN + r) * (ulong)outputs + column + lx + j * ACROSS, bias,
                             row + ly * OWN + r, activation);
}

#undef DEPTH
#undef GEOMETRY
#undef PARAMETERS
