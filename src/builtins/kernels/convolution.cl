// SPDX-License-Identifier: Apache-2.0
// This file convolves, as built_in/convolutions.cpp says, in up to three dimensions. It is a product of matrices, the
// filters by the parts of x that they meet; those parts are brought into local memory from where they are in x.

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

#define DEPTH 64

/// Rows of the block are filters, columns are outputs.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void FN(convolve_lines)(PARAMETERS) {
  local S panelA[DEPTH * BLOCK];
  local S panelB[DEPTH * BLOCK];
  const uint l = get_local_id(0);
  GEOMETRY
  S sums[BLOCK];
  for (uint r = 0; r < BLOCK; ++r) sums[r] = 0;
  for (uint begin = 0; begin < depthOfAll; begin += DEPTH) {
    const uint depth = min((uint)DEPTH, depthOfAll - begin);
    for (uint p = 0; p < depth; ++p)
      panelA[p * BLOCK + l] = l < rows ? LOAD(w, l * (ulong)depthOfAll + begin + p) : (S)0;
    for (uint p = 0; p < depth; ++p)
      panelB[p * BLOCK + l] = l < columns ? FN(windowAt)(x, &g, begin + p, column + l) : (S)0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ADD_LINES(sums, panelA, panelB, rows, depth, l)
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l >= columns) return;
  for (uint r = 0; r < rows; ++r)
    FN(convolutionStore)(sums[r], y, (row + r) * (ulong)outputs + column + l, bias, row + r, activation);
}

#undef DEPTH
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
