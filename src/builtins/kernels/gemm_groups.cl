// SPDX-License-Identifier: Apache-2.0
// This file multiplies large matrices where work-items run in step: blocks of the result whose sums stay in registers,
// with panels of both matrices in local memory. While a panel is used the next one is on its way. Sums are a
// work-item's own (gemm_tiles), or those of a sub-group that multiplies matrices in its registers (gemm_matrices).

#ifdef IN_STEP

#define ITEMS 256  // of a work-group
#define TALL 128   // as in built_in/matrices.cpp
#define RUN 4      // elements next to each other of a work-item's rows and columns
#define GAP 64     // elements from one run to the next
#define WIDE PASTE(WIDE_, SUFFIX)
#define DEEP PASTE(DEEP_, SUFFIX)
#define PITCH_B PITCH_OF(WIDE)
#define PITCH PITCH_OF(TALL)
#define PITCH_OF(LINES) ((LINES) + 4)  // rows of elements that are written together are in other banks of local memory
#if !defined WIDE_f32
#define WIDE_f32 128
#define DEEP_f32 16
#define WIDE_f16 WIDE_f32
#define DEEP_f16 DEEP_f32
#define WIDE_bf16 WIDE_f32
#define DEEP_bf16 DEEP_f32
#define WIDE_f64 64
#define DEEP_f64 8
#endif

/// A work-item's part of a panel of `width` lines, which are `across` apart in memory, and DEEP elements of each, which
/// are `along` apart: elements that are `p` and `q` steps from the first. Neighbours in memory are neighbours' parts.
typedef struct {
  const global T* from;
  ulong step;   // to the next element
  ulong onward; // to the next panel
  uint p, q, stepP, stepQ, width;
} FN(Part);

static inline FN(Part) FN(partOf)(uint l, uint most, uint width, const global T* x, ulong across, ulong along) {
  FN(Part) part;
  const bool isAlong = along == 1;
  part.p = isAlong ? l % DEEP : l / most;
  part.q = isAlong ? l / DEEP : l % most;
  part.stepP = isAlong ? 0 : ITEMS / most;
  part.stepQ = isAlong ? ITEMS / DEEP : 0;
  part.from = x + part.q * across + part.p * along;
  part.step = part.stepP * along + part.stepQ * across;
  part.onward = DEEP * along;
  part.width = width;
  return part;
}

#define FETCH(next, part, depth)                                                                           \
  _Pragma("unroll") for (uint i_ = 0; i_ < sizeof(next) / sizeof(next[0]); ++i_)                            \
      next[i_] = part.q + i_ * part.stepQ < part.width && part.p + i_ * part.stepP < (depth) ?              \
          LOAD(part.from, i_ * part.step) : (S)0;                                                           \
  part.from += part.onward;
#define PUT(panel, pitch, part, next)                                                                      \
  _Pragma("unroll") for (uint i_ = 0; i_ < sizeof(next) / sizeof(next[0]); ++i_)                            \
      (panel)[(part.p + i_ * part.stepP) * (pitch) + part.q + i_ * part.stepQ] = next[i_];

/// A block of TALL x WIDE sums, of which a work-item has DOWN x BESIDE, in runs.
#define GEMM_TILES(NAME, TALL, WIDE)                                                                                  \
  kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void FN(NAME)(                                            \
      ulong m, ulong n, ulong k, S alpha, const global T* a, ulong arow, ulong acolumn, ulong stridea,                \
      const global T* b, ulong brow, ulong bcolumn, ulong strideb, S beta, global T* c, ulong ldc,                    \
      ulong stridec, const global T* bias, uint activation) {                                                         \
    typedef S Run __attribute__((ext_vector_type(RUN)));                                                              \
    local S panels[2 * DEEP * (PITCH_OF(TALL) + (WIDE))] __attribute__((aligned(RUN * sizeof(S))));                   \
    local S* const panelsA = panels;                                                                                  \
    local S* const panelsB = panels + 2 * DEEP * PITCH_OF(TALL);                                                      \
    const uint l = get_local_id(0);                                                                                   \
    /* Warps of 8 x 4 work-items read the fewest elements of both panels. */                                          \
    const uint x = l % 8 + l / 32 % 2 * 8, y = l / 8 % 4 + l / 64 * 4;                                                \
    const ulong column = get_group_id(0) * (WIDE), row = get_group_id(1) * (TALL), batch = get_group_id(2);           \
    const uint columns = (uint)min((ulong)(WIDE), n - column), rows = (uint)min((ulong)(TALL), m - row);              \
    FN(Part) partA = FN(partOf)(l, (TALL), rows, a + batch * stridea + row * arow, arow, acolumn);                    \
    FN(Part) partB = FN(partOf)(l, (WIDE), columns, b + batch * strideb + column * bcolumn, bcolumn, brow);           \
    S nextA[DEEP * (TALL) / ITEMS], nextB[DEEP * (WIDE) / ITEMS];                                                     \
    S sums[((TALL) / 16)][((WIDE) / 16)];                                                                             \
    _Pragma("unroll") for (uint r = 0; r < ((TALL) / 16); ++r)                                                        \
      _Pragma("unroll") for (uint j = 0; j < ((WIDE) / 16); ++j) sums[r][j] = 0;                                      \
    uint depth = (uint)min((ulong)DEEP, k);                                                                           \
    FETCH(nextA, partA, depth)                                                                                        \
    FETCH(nextB, partB, depth)                                                                                        \
    uint which = 0;                                                                                                   \
    for (ulong begin = 0; begin < k; begin += DEEP) {                                                                 \
      local S* const panelA = panelsA + which * (DEEP * PITCH_OF(TALL));                                              \
      local S* const panelB = panelsB + which * (DEEP * WIDE);                                                        \
      PUT(panelA, PITCH_OF(TALL), partA, nextA)                                                                       \
      PUT(panelB, (WIDE), partB, nextB)                                                                               \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                   \
      const ulong left = k - begin;                                                                                   \
      depth = left > DEEP ? (uint)min((ulong)DEEP, left - DEEP) : 0;                                                  \
      FETCH(nextA, partA, depth)                                                                                      \
      FETCH(nextB, partB, depth)                                                                                      \
      _Pragma("unroll") for (uint p = 0; p < DEEP; ++p) {                                                             \
        Run fromA[((TALL) / 16) / RUN], fromB[((WIDE) / 16) / RUN];                                                   \
        _Pragma("unroll") for (uint i = 0; i < ((TALL) / 16) / RUN; ++i)                                              \
          fromA[i] = *(const local Run*)(panelA + p * PITCH_OF(TALL) + i * GAP + y * RUN);                            \
        _Pragma("unroll") for (uint i = 0; i < ((WIDE) / 16) / RUN; ++i)                                              \
          fromB[i] = *(const local Run*)(panelB + p * (WIDE) + i * GAP + x * RUN);                                    \
        _Pragma("unroll") for (uint r = 0; r < ((TALL) / 16); ++r)                                                    \
          _Pragma("unroll") for (uint j = 0; j < ((WIDE) / 16); ++j)                                                  \
            sums[r][j] += fromA[r / RUN][r % RUN] * fromB[j / RUN][j % RUN];                                          \
      }                                                                                                               \
      which ^= 1;                                                                                                     \
    }                                                                                                                 \
    c += batch * stridec;                                                                                             \
    /* 16 rows at a time go through local memory, so that neighbours store neighbours. Registers have no index: */    \
    /* there is code for all rows that a work-item writes, and once that for what is stored. */                       \
    _Pragma("unroll 1") for (uint r = 0; r < ((TALL) / 16); ++r) {                                                    \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                   \
      _Pragma("unroll") for (uint q = 0; q < ((TALL) / 16); ++q)                                                      \
        if (q == r)                                                                                                   \
          _Pragma("unroll") for (uint j = 0; j < ((WIDE) / 16); ++j)                                                  \
            panels[y * (WIDE) + j / RUN * GAP + x * RUN + j % RUN] = sums[q][j];                                      \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                   \
      _Pragma("unroll 1") for (uint e = l; e < 16 * (WIDE); e += ITEMS) {                                             \
        const uint i = r / RUN * GAP + e / (WIDE) * RUN + r % RUN, j = e % (WIDE);                                    \
        if (i < rows && j < columns)                                                                                  \
          FN(gemmStore)(panels[e], alpha, beta, c, (row + i) * ldc + column + j, bias, column + j, activation);       \
      }                                                                                                               \
    }                                                                                                                 \
  }

GEMM_TILES(gemm_tiles, 128, WIDE)
#if !IS_DOUBLE
GEMM_TILES(gemm_tiles_low, 64, 128)
GEMM_TILES(gemm_tiles_small, 64, 64)
#endif

#if IS_DOUBLE
/// The same by products of 16 x 8 matrices with 8 x 8 ones: a sub-group has 32 x 32 sums. In a fragment of a matrix,
/// work-item `lane` has elements of row lane / 4 of a, or of the sums, and 8 rows below, and of column lane / 4 of b;
/// elements lane % 4 and lane % 4 + 4 along k, and columns lane % 4 * 2 and the next of the sums.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void FN(gemm_matrices)(
    ulong m, ulong n, ulong k, S alpha, const global T* a, ulong arow, ulong acolumn, ulong stridea, const global T* b,
    ulong brow, ulong bcolumn, ulong strideb, S beta, global T* c, ulong ldc, ulong stridec, const global T* bias,
    uint activation, local S* panels) {
  local S* const panelsA = panels;
  local S* const panelsB = panels + 2 * DEEP * PITCH;
  const uint l = get_local_id(0), lane = get_sub_group_local_id(), warp = get_sub_group_id();
  const uint x = warp % 2 * 32 + lane / 4, y = warp / 2 * 32 + lane / 4, p = lane % 4;
  const ulong column = get_group_id(0) * WIDE, row = get_group_id(1) * TALL, batch = get_group_id(2);
  const uint columns = (uint)min((ulong)WIDE, n - column), rows = (uint)min((ulong)TALL, m - row);
  FN(Part) partA = FN(partOf)(l, TALL, rows, a + batch * stridea + row * arow, arow, acolumn);
  FN(Part) partB = FN(partOf)(l, WIDE, columns, b + batch * strideb + column * bcolumn, bcolumn, brow);
  S nextA[DEEP * TALL / ITEMS], nextB[DEEP * WIDE / ITEMS];
  double4 sums[2][4];
#pragma unroll
  for (uint r = 0; r < 2; ++r)
#pragma unroll
    for (uint j = 0; j < 4; ++j) sums[r][j] = 0;
  uint depth = (uint)min((ulong)DEEP, k);
  FETCH(nextA, partA, depth)
  FETCH(nextB, partB, depth)
  uint which = 0;
  for (ulong begin = 0; begin < k; begin += DEEP) {
    local S* const panelA = panelsA + which * (DEEP * PITCH);
    local S* const panelB = panelsB + which * (DEEP * PITCH_B);
    PUT(panelA, PITCH, partA, nextA)
    PUT(panelB, PITCH_B, partB, nextB)
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong left = k - begin;
    depth = left > DEEP ? (uint)min((ulong)DEEP, left - DEEP) : 0;
    FETCH(nextA, partA, depth)
    FETCH(nextB, partB, depth)
    double4 fromA[2];
    double2 fromB[4];
#pragma unroll
    for (uint r = 0; r < 2; ++r) {
      const local S* const own = panelA + p * PITCH + y + 16 * r;
      fromA[r] = (double4)(own[0], own[8], own[4 * PITCH], own[4 * PITCH + 8]);
    }
#pragma unroll
    for (uint j = 0; j < 4; ++j) {
      const local S* const own = panelB + p * PITCH_B + x + 8 * j;
      fromB[j] = (double2)(own[0], own[4 * PITCH_B]);
    }
#pragma unroll
    for (uint r = 0; r < 2; ++r)
#pragma unroll
      for (uint j = 0; j < 4; ++j)
        sums[r][j] = clarity_sub_group_matrix_mad_f64(fromA[r], fromB[j], sums[r][j]);
    which ^= 1;
  }
  c += batch * stridec;
  // 8 rows of the sub-group at a time go through local memory, so that neighbours store neighbours.
  local S* const own = panels + warp * (8 * 32);
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint part = 0; part < 4; ++part) {
#pragma unroll
    for (uint j = 0; j < 4; ++j)
#pragma unroll
      for (uint e = 0; e < 2; ++e) own[lane / 4 * 32 + 8 * j + p * 2 + e] = sums[part / 2][j][part % 2 * 2 + e];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (uint e = lane; e < 8 * 32; e += 32) {
      const uint i = warp / 2 * 32 + part * 8 + e / 32, q = warp % 2 * 32 + e % 32;
      if (i < rows && q < columns)
        FN(gemmStore)(own[e], alpha, beta, c, (row + i) * ldc + column + q, bias, column + q, activation);
    }
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
}
#endif

#undef ITEMS
#undef TALL
#undef RUN
#undef GAP
#undef WIDE
#undef DEEP
#undef PITCH
#undef PITCH_B
#undef PITCH_OF
#undef GEMM_TILES
#undef FETCH
#undef PUT

#if IS_HALF

#define ITEMS 256
#define TALL 128
#define DEEP 32
#define FRAGMENT 16               // rows of a's, and elements along k
#define VECTOR 8                  // elements that are brought together
#define PITCH_ALONG (DEEP + 8)    // rows of 8 elements that are read together are in different banks
#define PITCH_ACROSS(LINES) ((LINES) + 8)

/// `count` elements from p on, at most VECTOR; zeros behind them.
static inline uint4 FN(fetchVector)(const global R* p, uint count, bool isAligned) {
  if (count == VECTOR && isAligned) return *(const global uint4*)p;
  ulong parts[2] = {0, 0};
#pragma unroll 1
  for (uint e = 0; e < 4; ++e) {
    if (e < count) parts[0] |= (ulong)p[e] << 16 * e;
    if (e + 4 < count) parts[1] |= (ulong)p[e + 4] << 16 * e;
  }
  return (uint4)((uint)parts[0], (uint)(parts[0] >> 32), (uint)parts[1], (uint)(parts[1] >> 32));
}

/// A work-item's vectors of a panel of LINES lines and DEEP elements of each, to be stored in local memory as they lie
/// in memory: along k, or across the lines.
#define FETCH_VECTORS(next, from, LINES, lines, apart, isAlong, depth)                                              \
  _Pragma("unroll") for (uint i_ = 0; i_ < LINES * DEEP / VECTOR / ITEMS; ++i_) {                                    \
    const uint v_ = l + i_ * ITEMS;                                                                                  \
    const uint first_ = isAlong ? v_ / (DEEP / VECTOR) : v_ / (LINES / VECTOR);                                      \
    const uint second_ = (isAlong ? v_ % (DEEP / VECTOR) : v_ % (LINES / VECTOR)) * VECTOR;                          \
    const uint all_ = isAlong ? (depth) : (lines), most_ = isAlong ? (lines) : (depth);                              \
    const uint count_ = first_ < most_ && second_ < all_ ? min(all_ - second_, (uint)VECTOR) : 0;                    \
    next[i_] = FN(fetchVector)((from) + first_ * (apart) + second_, count_, isAligned);                              \
  }
#define PUT_VECTORS(panel, next, LINES, isAlong)                                                                    \
  _Pragma("unroll") for (uint i_ = 0; i_ < LINES * DEEP / VECTOR / ITEMS; ++i_) {                                    \
    const uint v_ = l + i_ * ITEMS;                                                                                  \
    const uint place_ = isAlong ? v_ / (DEEP / VECTOR) * PITCH_ALONG + v_ % (DEEP / VECTOR) * VECTOR                 \
                                : v_ / (LINES / VECTOR) * PITCH_ACROSS(LINES) + v_ % (LINES / VECTOR) * VECTOR;      \
    *(local uint4*)((panel) + place_) = next[i_];                                                                    \
  }
/// Bytes of a panel are those of the larger of both forms.
#define PANEL(LINES) \
  ((LINES) * PITCH_ALONG > DEEP * PITCH_ACROSS(LINES) ? (LINES) * PITCH_ALONG : DEEP * PITCH_ACROSS(LINES))

#define MULTIPLY PASTE2(clarity_sub_group_matrix_mad, SUFFIX)

/// A block of TALL x WIDE sums by products of 16 x 16 matrices with 16 x 8 ones: each of 2 x 4 sub-groups has 64 rows
/// and WIDE / 4 columns.
#define GEMM_MATRICES(NAME, WIDE)                                                                                    \
  kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void FN(NAME)(                                           \
      ulong m, ulong n, ulong k, S alpha, const global R* a, ulong arow, ulong acolumn, ulong stridea,               \
      const global R* b, ulong brow, ulong bcolumn, ulong strideb, S beta, global T* c, ulong ldc, ulong stridec,    \
      const global T* bias, uint activation, local R* panels) {                                                      \
    const uint l = get_local_id(0), lane = get_sub_group_local_id(), warp = get_sub_group_id();                      \
    const uint x = warp % 4 * (WIDE / 4), y = warp / 4 * 64;                                                         \
    const ulong column = get_group_id(0) * WIDE, row = get_group_id(1) * TALL, batch = get_group_id(2);              \
    const uint columns = (uint)min((ulong)WIDE, n - column), rows = (uint)min((ulong)TALL, m - row);                 \
    const bool isAlongA = acolumn == 1, isAlongB = brow == 1;                                                        \
    const ulong apartA = isAlongA ? arow : acolumn, apartB = isAlongB ? bcolumn : brow;                              \
    a += batch * stridea + row * arow;                                                                               \
    b += batch * strideb + column * bcolumn;                                                                         \
    const bool isAligned = (((size_t)a | (size_t)b | apartA * 2 | apartB * 2) & 15) == 0;                            \
    local R* const panelsA = panels;                                                                                 \
    local R* const panelsB = panels + 2 * PANEL(TALL);                                                               \
    /* Which element of the sub-group's first fragment the work-item shows the way to. */                            \
    const uint upper = lane / 16 * 8, middle = lane / 8 % 2 * 8, least = lane % 8;                                   \
    const uint fromA = isAlongA ? (y + middle + least) * PITCH_ALONG + upper                                         \
                                : (upper + least) * PITCH_ACROSS(TALL) + y + middle;                                 \
    const uint fromB = isAlongB ? (x + upper + least) * PITCH_ALONG + middle                                         \
                                : (middle + least) * PITCH_ACROSS(WIDE) + x + upper;                                 \
    const uint nextRow = FRAGMENT * (isAlongA ? PITCH_ALONG : 1);                                                    \
    const uint nextColumn = FRAGMENT * (isAlongB ? PITCH_ALONG : 1);                                                 \
    const uint alongA = FRAGMENT * (isAlongA ? 1 : PITCH_ACROSS(TALL));                                              \
    const uint alongB = FRAGMENT * (isAlongB ? 1 : PITCH_ACROSS(WIDE));                                              \
    uint4 nextA[TALL * DEEP / VECTOR / ITEMS], nextB[WIDE * DEEP / VECTOR / ITEMS];                                  \
    float4 sums[4][WIDE / 32];                                                                                       \
    _Pragma("unroll") for (uint r = 0; r < 4; ++r)                                                                   \
        _Pragma("unroll") for (uint j = 0; j < WIDE / 32; ++j) sums[r][j] = 0;                                       \
    uint depth = (uint)min((ulong)DEEP, k);                                                                          \
    FETCH_VECTORS(nextA, a, TALL, rows, apartA, isAlongA, depth)                                                     \
    FETCH_VECTORS(nextB, b, WIDE, columns, apartB, isAlongB, depth)                                                  \
    uint which = 0;                                                                                                  \
    for (ulong begin = 0; begin < k; begin += DEEP) {                                                                \
      local R* const panelA = panelsA + which * PANEL(TALL);                                                         \
      local R* const panelB = panelsB + which * PANEL(WIDE);                                                         \
      PUT_VECTORS(panelA, nextA, TALL, isAlongA)                                                                     \
      PUT_VECTORS(panelB, nextB, WIDE, isAlongB)                                                                     \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      const ulong left = k - begin;                                                                                  \
      depth = left > DEEP ? (uint)min((ulong)DEEP, left - DEEP) : 0;                                                 \
      a += DEEP * acolumn;                                                                                           \
      b += DEEP * brow;                                                                                              \
      FETCH_VECTORS(nextA, a, TALL, rows, apartA, isAlongA, depth)                                                   \
      FETCH_VECTORS(nextB, b, WIDE, columns, apartB, isAlongB, depth)                                                \
      _Pragma("unroll") for (uint p = 0; p < DEEP / FRAGMENT; ++p) {                                                 \
        uint4 partA[4], partB[WIDE / 64];                                                                            \
        _Pragma("unroll") for (uint r = 0; r < 4; ++r) {                                                             \
          const local uint* const place = (const local uint*)(panelA + fromA + r * nextRow + p * alongA);            \
          partA[r] = isAlongA ? clarity_sub_group_matrix_load(place) : clarity_sub_group_matrix_load_turned(place); \
        }                                                                                                            \
        _Pragma("unroll") for (uint j = 0; j < WIDE / 64; ++j) {                                                     \
          const local uint* const place = (const local uint*)(panelB + fromB + j * nextColumn + p * alongB);         \
          partB[j] = isAlongB ? clarity_sub_group_matrix_load(place) : clarity_sub_group_matrix_load_turned(place); \
        }                                                                                                            \
        _Pragma("unroll") for (uint r = 0; r < 4; ++r)                                                               \
            _Pragma("unroll") for (uint j = 0; j < WIDE / 64; ++j) {                                                 \
          sums[r][2 * j] = MULTIPLY(partA[r], partB[j].xy, sums[r][2 * j]);                                          \
          sums[r][2 * j + 1] = MULTIPLY(partA[r], partB[j].zw, sums[r][2 * j + 1]);                                  \
        }                                                                                                            \
      }                                                                                                              \
      which ^= 1;                                                                                                    \
    }                                                                                                                \
    c += batch * stridec;                                                                                            \
    /* 16 rows at a time go through local memory, so that neighbours store neighbours. */                            \
    local S* const own = (local S*)panels + warp * (FRAGMENT * (WIDE / 4));                                          \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    _Pragma("unroll") for (uint r = 0; r < 4; ++r) {                                                                 \
      _Pragma("unroll") for (uint j = 0; j < WIDE / 32; ++j)                                                         \
          _Pragma("unroll") for (uint e = 0; e < 4; ++e)                                                             \
              own[(lane / 4 + e / 2 * 8) * (WIDE / 4) + 8 * j + lane % 4 * 2 + e % 2] = sums[r][j][e];               \
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
      _Pragma("unroll 1") for (uint e = lane; e < FRAGMENT * (WIDE / 4); e += 32) {                                  \
        const uint i = y + FRAGMENT * r + e / (WIDE / 4), q = x + e % (WIDE / 4);                                    \
        if (i < rows && q < columns)                                                                                 \
          FN(gemmStore)(own[e], alpha, beta, c, (row + i) * ldc + column + q, bias, column + q, activation);         \
      }                                                                                                              \
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
    }                                                                                                                \
  }
GEMM_MATRICES(gemm_matrices, 256)
GEMM_MATRICES(gemm_matrices_narrow, 128)

#undef ITEMS
#undef TALL
#undef DEEP
#undef FRAGMENT
#undef VECTOR
#undef PITCH_ALONG
#undef PITCH_ACROSS
#undef FETCH_VECTORS
#undef PUT_VECTORS
#undef PANEL
#undef MULTIPLY
#undef GEMM_MATRICES

#endif

#endif
