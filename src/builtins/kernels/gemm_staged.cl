// SPDX-License-Identifier: Apache-2.0
// This file multiplies large matrices by products of small ones that a sub-group has in its registers, where panels of
// both come to local memory by copies that nothing waits for: while a panel is used the next ones are on their way, in
// stages. Vectors of 16 bytes are copied, so rows of matrices begin at such places. Elements lie in local memory as
// they do in memory, along k or across the lines; there is a kernel for each of the four cases.

#ifdef IN_STEP

#if IS_HALF || IS_DOUBLE

#define ITEMS 256  // of a work-group, as in built_in/matrices.cpp; so are TALL, WIDE, DEEP and STAGES
#define TALL 128
#define VECTOR (16 / sizeof(R))

// Rows of a panel: those of lines along k, and those of elements across the lines. Rows that are read together are in
// different banks of local memory.
#if IS_HALF
#define PITCH_ALONG(DEEP) ((DEEP) + 8)
#define PITCH_ACROSS(LINES) ((LINES) + 8)
#else
#define PITCH_ALONG(DEEP) ((DEEP) + 4)
#define PITCH_ACROSS(LINES) ((LINES) + 4)
#endif
#define PITCH(IS_ALONG, LINES, DEEP) ((IS_ALONG) ? PITCH_ALONG(DEEP) : PITCH_ACROSS(LINES))
#define PANEL(IS_ALONG, LINES, DEEP) \
  ((IS_ALONG) ? (LINES) * PITCH_ALONG(DEEP) : (DEEP) * PITCH_ACROSS(LINES))

/// A work-item's vectors of a panel: `left` elements of k are there, `lines` lines. `apart` is the distance of rows.
#define COPY_PANEL(panel, IS_ALONG, LINES, DEEP, from, apart, lines, left)                                          \
  _Pragma("unroll") for (uint i_ = 0; i_ < (LINES) * (DEEP) / VECTOR / ITEMS; ++i_) {                                \
    const uint ofRow_ = ((IS_ALONG) ? (DEEP) : (LINES)) / VECTOR, v_ = l + i_ * ITEMS;                               \
    const uint row_ = v_ / ofRow_, column_ = v_ % ofRow_ * VECTOR;                                                   \
    const uint all_ = (IS_ALONG) ? (left) : (lines), most_ = (IS_ALONG) ? (lines) : (left);                          \
    const uint count_ = row_ < most_ && column_ < all_ ? min(all_ - column_, (uint)VECTOR) : 0;                      \
    clarity_copy_begin((local uint4*)((panel) + row_ * PITCH(IS_ALONG, LINES, DEEP) + column_),                      \
                       (const global uint4*)((from) + row_ * (apart) + column_), count_ * (uint)sizeof(R));          \
  }

/// The panels of step `next`, or zeros behind the last one, go to where those of the last step were, for which all
/// work-items have waited.
#define COPY_STEP(ALONG_A, ALONG_B, WIDE, DEEP)                                                                      \
  {                                                                                                                  \
    const uint left_ = next < k ? (uint)min((ulong)(DEEP), k - next) : 0;                                            \
    COPY_PANEL(panels + to, ALONG_A, TALL, DEEP, a, apartA, rows, left_)                                             \
    COPY_PANEL(panels + to + PANEL(ALONG_A, TALL, DEEP), ALONG_B, WIDE, DEEP, b, apartB, columns, left_)             \
    clarity_copy_end_group();                                                                                        \
    a += DEEP * acolumn;                                                                                             \
    b += DEEP * brow;                                                                                                \
    next += DEEP;                                                                                                    \
    to = to == (STAGES - 1) * stage ? 0 : to + stage;                                                                \
  }

#if IS_HALF
#define IS_AHEAD 1   // fragments are loaded while those before are used
#define FRAGMENT 16  // elements along k of a product, and rows of a
#define SUMS float4
#define MULTIPLY PASTE2(clarity_sub_group_matrix_mad, SUFFIX)
/// Which element of the first fragment the work-item shows the way to.
#define PLACES(ALONG_A, ALONG_B, WIDE, DEEP)                                                                         \
  const uint upper = lane / 16 * 8, middle = lane / 8 % 2 * 8, least = lane % 8;                                     \
  const uint placeA = ALONG_A ? (y + middle + least) * PITCH_ALONG(DEEP) + upper                                     \
                              : (upper + least) * PITCH_ACROSS(TALL) + y + middle;                                   \
  const uint placeB = PANEL(ALONG_A, TALL, DEEP) + (ALONG_B ? (x + upper + least) * PITCH_ALONG(DEEP) + middle       \
                                                            : (middle + least) * PITCH_ACROSS(WIDE) + x + upper);
#define DOWN 4  // fragments of the sub-group, which has DOWN x BESIDE of them
#define BESIDE(WIDE) ((WIDE) / 64)
#define FRAGMENTS_A uint4
#define FRAGMENTS_B uint4
/// Fragments p along k.
#define LOAD_FRAGMENTS(which, panel, p, ALONG_A, ALONG_B, WIDE, DEEP)                                                \
  {                                                                                                                  \
    const uint lineA = FRAGMENT * (ALONG_A ? PITCH_ALONG(DEEP) : 1), alongA = ALONG_A ? 1 : PITCH_ACROSS(TALL);      \
    const uint lineB = FRAGMENT * (ALONG_B ? PITCH_ALONG(DEEP) : 1), alongB = ALONG_B ? 1 : PITCH_ACROSS(WIDE);      \
    _Pragma("unroll") for (uint r = 0; r < DOWN; ++r) {                                                              \
      const local uint* const at = (const local uint*)((panel) + placeA + r * lineA + (p) * FRAGMENT * alongA);      \
      partA[which][r] = ALONG_A ? clarity_sub_group_matrix_load(at) : clarity_sub_group_matrix_load_turned(at);      \
    }                                                                                                                \
    _Pragma("unroll") for (uint j = 0; j < BESIDE(WIDE); ++j) {                                                      \
      const local uint* const at = (const local uint*)((panel) + placeB + j * lineB + (p) * FRAGMENT * alongB);      \
      partB[which][j] = ALONG_B ? clarity_sub_group_matrix_load(at) : clarity_sub_group_matrix_load_turned(at);      \
    }                                                                                                                \
  }
#define USE_FRAGMENTS(which, WIDE)                                                                                   \
  _Pragma("unroll") for (uint r = 0; r < DOWN; ++r) _Pragma("unroll") for (uint j = 0; j < BESIDE(WIDE); ++j) {      \
    sums[r][2 * j] = MULTIPLY(partA[which][r], partB[which][j].xy, sums[r][2 * j]);                                  \
    sums[r][2 * j + 1] = MULTIPLY(partA[which][r], partB[which][j].zw, sums[r][2 * j + 1]);                          \
  }
#define COLUMNS(WIDE) ((WIDE) / 4)  // of a sub-group
#define ROWS 64
#define SUMS_BESIDE(WIDE) (2 * BESIDE(WIDE))
#else
#define IS_AHEAD 0  // two doubles of each would be too many registers
#define FRAGMENT 8
#define SUMS double4
#define PLACES(ALONG_A, ALONG_B, WIDE, DEEP)                                                                         \
  const uint placeA = ALONG_A ? (y + lane / 4) * PITCH_ALONG(DEEP) + lane % 4                                        \
                              : lane % 4 * PITCH_ACROSS(TALL) + y + lane / 4;                                        \
  const uint placeB = PANEL(ALONG_A, TALL, DEEP) + (ALONG_B ? (x + lane / 4) * PITCH_ALONG(DEEP) + lane % 4          \
                                                            : lane % 4 * PITCH_ACROSS(WIDE) + x + lane / 4);
#define DOWN 2
#define BESIDE(WIDE) ((WIDE) / 16)
#define FRAGMENTS_A double4
#define FRAGMENTS_B double2
#define LOAD_FRAGMENTS(which, panel, p, ALONG_A, ALONG_B, WIDE, DEEP)                                                \
  {                                                                                                                  \
    const uint lineA = ALONG_A ? PITCH_ALONG(DEEP) : 1, alongA = ALONG_A ? 1 : PITCH_ACROSS(TALL);                   \
    const uint lineB = ALONG_B ? PITCH_ALONG(DEEP) : 1, alongB = ALONG_B ? 1 : PITCH_ACROSS(WIDE);                   \
    _Pragma("unroll") for (uint r = 0; r < DOWN; ++r) {                                                              \
      const local R* const own = (panel) + placeA + r * 16 * lineA + (p) * FRAGMENT * alongA;                        \
      partA[which][r] = (double4)(own[0], own[8 * lineA], own[4 * alongA], own[8 * lineA + 4 * alongA]);             \
    }                                                                                                                \
    _Pragma("unroll") for (uint j = 0; j < BESIDE(WIDE); ++j) {                                                      \
      const local R* const own = (panel) + placeB + j * 8 * lineB + (p) * FRAGMENT * alongB;                         \
      partB[which][j] = (double2)(own[0], own[4 * alongB]);                                                          \
    }                                                                                                                \
  }
#define USE_FRAGMENTS(which, WIDE)                                                                                   \
  _Pragma("unroll") for (uint r = 0; r < DOWN; ++r) _Pragma("unroll") for (uint j = 0; j < BESIDE(WIDE); ++j)        \
      sums[r][j] = clarity_sub_group_matrix_mad_f64(partA[which][r], partB[which][j], sums[r][j]);
#define COLUMNS(WIDE) ((WIDE) / 2)
#define ROWS 32
#define SUMS_BESIDE(WIDE) BESIDE(WIDE)
#endif

/// Rows 8 * part to 8 * part + 7 of the sub-group's sums go to its place in local memory.
#define SUMS_TO_ROWS(part, WIDE)                                                                                     \
  {                                                                                                                  \
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
    _Pragma("unroll") for (uint j = 0; j < SUMS_BESIDE(WIDE); ++j) _Pragma("unroll") for (uint e = 0; e < 2; ++e)    \
        own[lane / 4 * (COLUMNS(WIDE) + 8) + 8 * j + lane % 4 * 2 + e] = sums[(part) / 2][j][(part) % 2 * 2 + e];    \
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
  }
/// These rows go from there to a whole block of c, in vectors of 16 bytes.
#define STORE_ROWS(part, WIDE)                                                                                       \
  _Pragma("unroll") for (uint e = 0; e < 8 * COLUMNS(WIDE) / VECTOR / 32; ++e) {                                     \
    typedef R Run __attribute__((ext_vector_type(VECTOR)));                                                          \
    const uint at = (e * 32 + lane) * VECTOR, i = y + 8 * (part) + at / COLUMNS(WIDE), q = x + at % COLUMNS(WIDE);   \
    R stored[VECTOR];                                                                                                \
    Run run;                                                                                                         \
    _Pragma("unroll") for (uint v = 0; v < VECTOR; ++v) {                                                            \
      const S sum = alpha * own[at / COLUMNS(WIDE) * (COLUMNS(WIDE) + 8) + at % COLUMNS(WIDE) + v];                  \
      STORE((private T*)stored, v, bias ? sum + LOAD(bias, column + q + v) : sum);                                   \
    }                                                                                                                \
    _Pragma("unroll") for (uint v = 0; v < VECTOR; ++v) run[v] = stored[v];                                          \
    *(global Run*)(c + (row + i) * ldc + column + q) = run;                                                          \
  }

/// A block of TALL x WIDE sums, of which a sub-group has ROWS x COLUMNS. Element `which` of partA and partB is used
/// while the other one is loaded.
#define GEMM_STAGED(NAME, WIDE, DEEP, STAGES_, ALONG_A, ALONG_B)                                                     \
  kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void FN(NAME)(                                           \
      ulong m, ulong n, ulong k, S alpha, const global R* a, ulong arow, ulong acolumn, ulong stridea,               \
      const global R* b, ulong brow, ulong bcolumn, ulong strideb, S beta, global T* c, ulong ldc, ulong stridec,    \
      const global T* bias, uint activation, local R* panels) {                                                      \
    enum { STAGES = STAGES_ };                                                                                       \
    const uint stage = PANEL(ALONG_A, TALL, DEEP) + PANEL(ALONG_B, WIDE, DEEP);                                      \
    const uint l = get_local_id(0), lane = get_sub_group_local_id(), warp = get_sub_group_id();                      \
    const uint x = warp % ((WIDE) / COLUMNS(WIDE)) * COLUMNS(WIDE), y = warp / ((WIDE) / COLUMNS(WIDE)) * ROWS;      \
    const ulong column = get_group_id(0) * WIDE, row = get_group_id(1) * TALL, batch = get_group_id(2);              \
    const uint columns = (uint)min((ulong)(WIDE), n - column), rows = (uint)min((ulong)TALL, m - row);               \
    const ulong apartA = ALONG_A ? arow : acolumn, apartB = ALONG_B ? bcolumn : brow;                                \
    a += batch * stridea + row * arow;                                                                               \
    b += batch * strideb + column * bcolumn;                                                                         \
    PLACES(ALONG_A, ALONG_B, WIDE, DEEP)                                                                             \
    FRAGMENTS_A partA[1 + IS_AHEAD][DOWN];                                                                           \
    FRAGMENTS_B partB[1 + IS_AHEAD][BESIDE(WIDE)];                                                                   \
    SUMS sums[DOWN][SUMS_BESIDE(WIDE)];                                                                              \
    _Pragma("unroll") for (uint r = 0; r < DOWN; ++r)                                                                \
      _Pragma("unroll") for (uint j = 0; j < SUMS_BESIDE(WIDE); ++j) sums[r][j] = 0;                                 \
    ulong next = 0;                                                                                                  \
    uint from = 0, to = 0;                                                                                           \
    _Pragma("unroll") for (uint s = 0; s < STAGES - 1; ++s) COPY_STEP(ALONG_A, ALONG_B, WIDE, DEEP)                  \
    if (IS_AHEAD) {                                                                                                  \
      clarity_copy_wait(STAGES - 2);                                                                                 \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
      LOAD_FRAGMENTS(0, panels, 0, ALONG_A, ALONG_B, WIDE, DEEP)                                                     \
    }                                                                                                                \
    _Pragma("unroll 1") for (ulong begin = 0; begin < k; begin += DEEP) {                                            \
      _Pragma("unroll") for (uint p = 0; p < DEEP / FRAGMENT; ++p) {                                                 \
        const uint which = IS_AHEAD ? p % 2 : 0, other = IS_AHEAD ? 1 - which : 0;                                   \
        if (IS_AHEAD ? p + 1 == DEEP / FRAGMENT : p == 0) {                                                          \
          clarity_copy_wait(STAGES - 2);                                                                             \
          barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
          if (IS_AHEAD) from = from == (STAGES - 1) * stage ? 0 : from + stage;                                      \
        }                                                                                                            \
        LOAD_FRAGMENTS(other, panels + from, (p + IS_AHEAD) % (DEEP / FRAGMENT), ALONG_A, ALONG_B, WIDE, DEEP)       \
        if (p == 0) COPY_STEP(ALONG_A, ALONG_B, WIDE, DEEP)                                                          \
        USE_FRAGMENTS(which, WIDE)                                                                                   \
      }                                                                                                              \
      if (!IS_AHEAD) from = from == (STAGES - 1) * stage ? 0 : from + stage;                                         \
    }                                                                                                                \
    clarity_copy_wait(0);                                                                                            \
    c += batch * stridec;                                                                                            \
    /* 8 rows at a time go through local memory, so that neighbours store neighbours. */                             \
    local S* const own = (local S*)panels + warp * (8 * (COLUMNS(WIDE) + 8));                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    const bool isPlain = beta == 0 && activation == 0 && ldc % VECTOR == 0 && ((size_t)c & 15) == 0;                 \
    if (isPlain && rows == TALL && columns == (WIDE)) {                                                              \
      _Pragma("unroll") for (uint part = 0; part < 2 * DOWN; ++part) {                                               \
        SUMS_TO_ROWS(part, WIDE)                                                                                     \
        STORE_ROWS(part, WIDE)                                                                                       \
      }                                                                                                              \
    } else {                                                                                                         \
      _Pragma("unroll 1") for (uint part = 0; part < 2 * DOWN; ++part) {                                             \
        _Pragma("unroll") for (uint q = 0; q < 2 * DOWN; ++q) if (part == q) SUMS_TO_ROWS(q, WIDE)                   \
        _Pragma("unroll 1") for (uint e = lane; e < 8 * COLUMNS(WIDE); e += 32) {                                    \
          const uint i = y + 8 * part + e / COLUMNS(WIDE), q = x + e % COLUMNS(WIDE);                                \
          const S sum = own[e / COLUMNS(WIDE) * (COLUMNS(WIDE) + 8) + e % COLUMNS(WIDE)];                            \
          if (i < rows && q < columns)                                                                               \
            FN(gemmStore)(sum, alpha, beta, c, (row + i) * ldc + column + q, bias, column + q, activation);          \
        }                                                                                                            \
      }                                                                                                              \
    }                                                                                                                \
  }

/// Kernels for a and b as they are, and transposed.
#define GEMM_FORMS(NAME, WIDE, DEEP, STAGES)                 \
  GEMM_STAGED(NAME##_plain, WIDE, DEEP, STAGES, 1, 0)        \
  GEMM_STAGED(NAME##_a_turned, WIDE, DEEP, STAGES, 0, 0)     \
  GEMM_STAGED(NAME##_b_turned, WIDE, DEEP, STAGES, 1, 1)     \
  GEMM_STAGED(NAME##_both_turned, WIDE, DEEP, STAGES, 0, 1)

#if IS_HALF
GEMM_FORMS(gemm_staged, 256, 64, 4)
GEMM_FORMS(gemm_staged_narrow, 128, 32, 4)
#else
GEMM_FORMS(gemm_staged, 128, 16, 4)
GEMM_FORMS(gemm_staged_narrow, 64, 16, 4)
#endif

#undef ITEMS
#undef TALL
#undef VECTOR
#undef PITCH_ALONG
#undef PITCH_ACROSS
#undef PITCH
#undef PANEL
#undef COPY_PANEL
#undef COPY_STEP
#undef IS_AHEAD
#undef FRAGMENT
#undef SUMS
#undef MULTIPLY
#undef PLACES
#undef DOWN
#undef BESIDE
#undef FRAGMENTS_A
#undef FRAGMENTS_B
#undef LOAD_FRAGMENTS
#undef USE_FRAGMENTS
#undef COLUMNS
#undef ROWS
#undef SUMS_BESIDE
#undef SUMS_TO_ROWS
#undef STORE_ROWS
#undef GEMM_STAGED
#undef GEMM_FORMS

#endif

#endif
