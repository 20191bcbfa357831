// SPDX-License-Identifier: Apache-2.0
// This file is what sub-groups and work-groups compute together on NVIDIA GPUs: a sub-group is a warp, and those who
// arrive together are its active threads. The declarations are in sub_group/primitives.clh and
// work_group/collective.cl.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong size_t;
typedef uint uint2 __attribute__((ext_vector_type(2)));
typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef double double2 __attribute__((ext_vector_type(2)));
typedef double double4 __attribute__((ext_vector_type(4)));

#define FUNCTION __attribute__((overloadable, always_inline))
#define TOGETHER __attribute__((convergent, always_inline))
#define WARP 32u

// ---- threads
// ----------------------------------------------------------------------------------------------------------

static FUNCTION uint linearId(void) {
  uint x = __nvvm_read_ptx_sreg_ntid_x(), y = __nvvm_read_ptx_sreg_ntid_y();
  return (__nvvm_read_ptx_sreg_tid_z() * y + __nvvm_read_ptx_sreg_tid_y()) * x + __nvvm_read_ptx_sreg_tid_x();
}
static FUNCTION uint threads(void) {
  return __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_ntid_z();
}
static TOGETHER uint active(void) { return __nvvm_activemask(); }

uint __clarity_sub_group_max_size(void) { return WARP; }
uint __clarity_sub_group_id(void) { return linearId() / WARP; }
uint __clarity_sub_group_local_id(void) { return __nvvm_read_ptx_sreg_laneid(); }
/// Whether threads of a warp wait for each other (compute capability 7.0 and more). On older GPUs an instruction of a
/// warp is for those that execute it together, which all do that come to it: the GPU joins their ways.
bool __clarity_has_own_threads(void);
/// Whether no sub-group has fewer than 32 threads.
bool __clarity_sub_groups_are_full(void);
/// Threads that the sub-group began with.
static FUNCTION uint members(void) {
  if (__clarity_sub_groups_are_full()) return ~0u;
  uint left = threads() - linearId() / WARP * WARP;
  return left < WARP ? (1u << left) - 1 : ~0u;
}
/// The threads that an instruction for the whole sub-group waits for.
static TOGETHER uint awaited(void) { return __clarity_has_own_threads() ? members() : active(); }
/// All threads of the sub-group that have not ended; waits for those that took another branch before. `active` cannot
/// tell: threads that a barrier of the warp has joined may diverge again at the next instruction.
static TOGETHER uint whole(void) {
  return __clarity_has_own_threads() ? __nvvm_vote_ballot_sync(members(), true) : active();
}
TOGETHER void __clarity_sub_group_barrier(void) { __nvvm_bar_warp_sync(awaited()); }
/// Ahead of an access to local memory by threads that exchange values there without a barrier: the active threads have
/// all done what is ahead of it. It waits for no others of the sub-group, which may never come.
TOGETHER void __clarity_warp_step(void) { __nvvm_bar_warp_sync(active()); }
TOGETHER ulong __clarity_sub_group_ballot(int predicate) { return __nvvm_vote_ballot_sync(active(), predicate != 0); }
TOGETHER ulong __clarity_sub_group_whole_ballot(int predicate) {
  return __nvvm_vote_ballot_sync(awaited(), predicate != 0);
}
// `uniform`: where all threads of the block come to the call, so that none of the sub-group's has ended (see
// compiler/nvptx/uniform_collectives.h).
TOGETHER ulong __clarity_sub_group_uniform_ballot(int predicate) {
  return __nvvm_vote_ballot_sync(members(), predicate != 0);
}

// ---- values across lanes
// ----------------------------------------------------------------------------------------------

static FUNCTION __attribute__((convergent)) uint from(uint mask, uint x, uint lane) {
  return __nvvm_shfl_sync_idx_i32(mask, x, lane, 31);
}
static FUNCTION __attribute__((convergent)) ulong from(uint mask, ulong x, uint lane) {
  uint low = from(mask, (uint)x, lane), high = from(mask, (uint)(x >> 32), lane);
  return (ulong)high << 32 | low;
}
#define FROM(T, BITS, CARRIER)                                                              \
  static FUNCTION __attribute__((convergent)) T from(uint mask, T x, uint lane) {           \
    return __builtin_astype((BITS)from(mask, (CARRIER)__builtin_astype(x, BITS), lane), T); \
  }
FROM(char, uchar, uint)
FROM(uchar, uchar, uint)
FROM(short, ushort, uint)
FROM(ushort, ushort, uint)
FROM(int, uint, uint)
FROM(long, ulong, ulong)
FROM(half, ushort, uint)
FROM(float, uint, uint)
FROM(double, ulong, ulong)

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
// A NaN on one side gives the other side, as fmin and fmax do.
#define MIN(a, b) ((b) < (a) || (a) != (a) ? (b) : (a))
#define MAX(a, b) ((a) < (b) || (a) != (a) ? (b) : (a))

// The instruction that reduces words (emit_ptx.cpp): from compute capability 8.0 on, which the answer tells.
bool __clarity_reduces_words(void);
#define WORDS(OP)                                                        \
  __attribute__((convergent)) int __clarity_words_##OP##_int(int, uint); \
  __attribute__((convergent)) uint __clarity_words_##OP##_uint(uint, uint);
WORDS(add)
WORDS(min)
WORDS(max)
WORDS(and)
WORDS(or)
WORDS(xor)
#define BY_INSTRUCTION(OP, T) \
  if (__clarity_reduces_words()) return __clarity_words_##OP##_##T(x, mask)
#define IF_WORD_char(OP, T)
#define IF_WORD_uchar(OP, T)
#define IF_WORD_short(OP, T)
#define IF_WORD_ushort(OP, T)
#define IF_WORD_int(OP, T) BY_INSTRUCTION(OP, T)
#define IF_WORD_uint(OP, T) BY_INSTRUCTION(OP, T)
#define IF_WORD_long(OP, T)
#define IF_WORD_ulong(OP, T)
#define IF_WORD_half(OP, T)
#define IF_WORD_float(OP, T)
#define IF_WORD_double(OP, T)
#define REDUCE_add(T) IF_WORD_##T(add, T)
#define REDUCE_mul(T)
#define REDUCE_min(T) IF_WORD_##T(min, T)
#define REDUCE_max(T) IF_WORD_##T(max, T)
#define REDUCE_and(T) IF_WORD_##T(and, T)
#define REDUCE_or(T) IF_WORD_##T(or, T)
#define REDUCE_xor(T) IF_WORD_##T(xor, T)

#define ARRIVING(OP, T, WHOSE, MASK)                                                                                 \
  TOGETHER T __clarity_sub_group_##WHOSE##reduce_##OP##_##T(T x) { return reduce_##OP##_##T(MASK, x); }              \
  TOGETHER T __clarity_sub_group_##WHOSE##scan_inclusive_##OP##_##T(T x) { return scan_##OP##_##T(MASK, x, false); } \
  TOGETHER T __clarity_sub_group_##WHOSE##scan_exclusive_##OP##_##T(T x) { return scan_##OP##_##T(MASK, x, true); }

// The threads of `mask`, this one among them, from the lowest on: all with all, with those up to this one, or with
// those before it. A full warp needs five steps.
#define LANES(OP, COMBINE, T, IDENTITY)                                                                         \
  static TOGETHER T reduce_##OP##_##T(uint mask, T x) {                                                         \
    REDUCE_##OP(T);                                                                                             \
    if (mask == ~0u) {                                                                                          \
      for (uint d = 1; d < WARP; d *= 2) {                                                                      \
        T y = from(mask, x, __nvvm_read_ptx_sreg_laneid() ^ d);                                                 \
        x = COMBINE(x, y);                                                                                      \
      }                                                                                                         \
      return x;                                                                                                 \
    }                                                                                                           \
    uint left = mask & (mask - 1);                                                                              \
    T r = from(mask, x, __builtin_ctz(mask));                                                                   \
    for (; left; left &= left - 1) {                                                                            \
      T y = from(mask, x, __builtin_ctz(left));                                                                 \
      r = COMBINE(r, y);                                                                                        \
    }                                                                                                           \
    return r;                                                                                                   \
  }                                                                                                             \
  static TOGETHER T scan_##OP##_##T(uint mask, T x, bool exclusive) {                                           \
    uint lane = __nvvm_read_ptx_sreg_laneid();                                                                  \
    if (mask == ~0u) {                                                                                          \
      for (uint d = 1; d < WARP; d *= 2) {                                                                      \
        T y = from(mask, x, lane - d);                                                                          \
        if (lane >= d) x = COMBINE(y, x);                                                                       \
      }                                                                                                         \
      if (!exclusive) return x;                                                                                 \
      T before = from(mask, x, lane - 1);                                                                       \
      return lane ? before : IDENTITY;                                                                          \
    }                                                                                                           \
    T r = IDENTITY;                                                                                             \
    bool any = false;                                                                                           \
    for (uint left = mask; left; left &= left - 1) {                                                            \
      uint other = __builtin_ctz(left);                                                                         \
      T y = from(mask, x, other);                                                                               \
      if (other < lane || (!exclusive && other == lane)) {                                                      \
        r = any ? COMBINE(r, y) : y;                                                                            \
        any = true;                                                                                             \
      }                                                                                                         \
    }                                                                                                           \
    return r;                                                                                                   \
  }                                                                                                             \
  static TOGETHER T clustered_reduce_##OP##_##T(uint all, T x, uint size) {                                     \
    uint lane = __nvvm_read_ptx_sreg_laneid();                                                                  \
    if (all == ~0u) {                                                                                           \
      for (uint d = 1; d < size; d *= 2) {                                                                      \
        T y = from(all, x, lane ^ d);                                                                           \
        x = COMBINE(x, y);                                                                                      \
      }                                                                                                         \
      return x;                                                                                                 \
    }                                                                                                           \
    T r = x;                                                                                                    \
    uint first = lane & ~(size - 1);                                                                            \
    bool any = false;                                                                                           \
    for (uint left = all; left; left &= left - 1) {                                                             \
      uint other = __builtin_ctz(left);                                                                         \
      T y = from(all, x, other);                                                                                \
      if ((other & ~(size - 1)) == first) {                                                                     \
        r = any ? COMBINE(r, y) : y;                                                                            \
        any = true;                                                                                             \
      }                                                                                                         \
    }                                                                                                           \
    return r;                                                                                                   \
  }                                                                                                             \
  TOGETHER T __clarity_sub_group_clustered_reduce_##OP##_##T(T x, uint size) {                                  \
    return clustered_reduce_##OP##_##T(active(), x, size);                                                      \
  }                                                                                                             \
  TOGETHER T __clarity_sub_group_uniform_clustered_reduce_##OP##_##T(T x, uint size) {                          \
    return clustered_reduce_##OP##_##T(members(), x, size);                                                     \
  }                                                                                                             \
  ARRIVING(OP, T, , active())                                                                                   \
  ARRIVING(OP, T, whole_, whole())                                                                              \
  ARRIVING(OP, T, uniform_, members())

#define EXCHANGE(T)                                                                                     \
  TOGETHER T __clarity_sub_group_broadcast_##T(T x, uint lane) { return from(active(), x, lane); }      \
  TOGETHER T __clarity_sub_group_whole_broadcast_##T(T x, uint lane) { return from(whole(), x, lane); } \
  TOGETHER T __clarity_sub_group_uniform_broadcast_##T(T x, uint lane) { return from(members(), x, lane); } \
  TOGETHER T __clarity_sub_group_shuffle_##T(T x, uint lane) { return from(active(), x, lane); }        \
  TOGETHER T __clarity_sub_group_uniform_shuffle_##T(T x, uint lane) { return from(members(), x, lane); }

#define ARITHMETIC(T, LEAST, MOST) \
  EXCHANGE(T)                      \
  LANES(add, ADD, T, (T)0)         \
  LANES(mul, MUL, T, (T)1)         \
  LANES(min, MIN, T, (T)(MOST))    \
  LANES(max, MAX, T, (T)(LEAST))
#define BITS(T)                 \
  LANES(and, AND, T, (T) ~(T)0) \
  LANES(or, OR, T, (T)0)        \
  LANES(xor, XOR, T, (T)0)
ARITHMETIC(char, -128, 127)
BITS(char)
ARITHMETIC(uchar, 0, 255)
BITS(uchar)
ARITHMETIC(short, -32768, 32767) BITS(short) ARITHMETIC(ushort, 0, 65535) BITS(ushort)
    ARITHMETIC(int, -2147483647 - 1, 2147483647) BITS(int) ARITHMETIC(uint, 0, 0xffffffffu) BITS(uint)
        ARITHMETIC(long, -0x7fffffffffffffffL - 1, 0x7fffffffffffffffL) BITS(long) ARITHMETIC(ulong, 0, ~0ul)
            BITS(ulong) ARITHMETIC(half, -__builtin_inff(), __builtin_inff())
                ARITHMETIC(float, -__builtin_inff(), __builtin_inff())
                    ARITHMETIC(double, -__builtin_inf(), __builtin_inf())

    // ---- products of matrices that the sub-group has in its registers
    // ------------------------------------------------------------------------------------------------------
    // Element (i, j) of a 16 x 16, 16 x 8 or 8 x 8 matrix is that of the thread and the word that PTX's mma has it in.

    __attribute__((convergent)) float4 __clarity_mma_f16(uint4, uint2, float4);
__attribute__((convergent)) float4 __clarity_mma_bf16(uint4, uint2, float4);
__attribute__((convergent)) double4 __clarity_mma_f64(double4, double2, double4);
__attribute__((convergent)) uint4 __clarity_ldmatrix(const local uint*);
__attribute__((convergent)) uint4 __clarity_ldmatrix_trans(const local uint*);

TOGETHER float4 __clarity_sub_group_matrix_mad_f16(uint4 a, uint2 b, float4 c) { return __clarity_mma_f16(a, b, c); }
TOGETHER float4 __clarity_sub_group_matrix_mad_bf16(uint4 a, uint2 b, float4 c) { return __clarity_mma_bf16(a, b, c); }
TOGETHER double4 __clarity_sub_group_matrix_mad_f64(double4 a, double2 b, double4 c) {
  return __clarity_mma_f64(a, b, c);
}
TOGETHER uint4 __clarity_sub_group_matrix_load(const local uint* row) { return __clarity_ldmatrix(row); }
TOGETHER uint4 __clarity_sub_group_matrix_load_turned(const local uint* row) { return __clarity_ldmatrix_trans(row); }

// ---- work-groups
    // ------------------------------------------------------------------------------------------------------

    /// 32 values of 8 bytes in shared memory, one for each warp of the largest block (lower_kernel.cpp). The barrier at
    /// the end of each function lets the next call write again.
    local ulong* __clarity_group_scratch(void);

static TOGETHER int vote(int mine, bool all) { return all ? __nvvm_bar0_and(mine) : __nvvm_bar0_or(mine); }
TOGETHER int __clarity_work_group_all(int predicate) { return vote(predicate != 0, true) != 0; }
TOGETHER int __clarity_work_group_any(int predicate) { return vote(predicate != 0, false) != 0; }

#define WORK_GROUP(OP, COMBINE, T, IDENTITY)                                                                  \
  static TOGETHER T group_##OP##_##T(T x, bool scan, bool exclusive) {                                        \
    local T* parts = (local T*)__clarity_group_scratch();                                                     \
    uint mask = whole(), warp = linearId() / WARP, warps = (threads() + WARP - 1) / WARP;                     \
    T mine = scan ? scan_##OP##_##T(mask, x, exclusive) : x;                                                  \
    T of_warp = reduce_##OP##_##T(mask, x);                                                                   \
    if (__nvvm_read_ptx_sreg_laneid() == (uint)__builtin_ctz(mask)) parts[warp] = of_warp;                    \
    __syncthreads();                                                                                          \
    T r = IDENTITY;                                                                                           \
    for (uint i = 0; i < (scan ? warp : warps); ++i) r = i ? COMBINE(r, parts[i]) : parts[i];                 \
    __syncthreads();                                                                                          \
    if (!scan) return r;                                                                                      \
    if (exclusive && __nvvm_read_ptx_sreg_laneid() == (uint)__builtin_ctz(mask)) return r;                    \
    return warp ? COMBINE(r, mine) : mine;                                                                    \
  }                                                                                                           \
  TOGETHER T __clarity_work_group_reduce_##OP##_##T(T x) { return group_##OP##_##T(x, false, false); }        \
  TOGETHER T __clarity_work_group_scan_inclusive_##OP##_##T(T x) { return group_##OP##_##T(x, true, false); } \
  TOGETHER T __clarity_work_group_scan_exclusive_##OP##_##T(T x) { return group_##OP##_##T(x, true, true); }
#define WORK_GROUPS(T, LEAST, MOST)                                 \
  TOGETHER T __clarity_work_group_broadcast_##T(T x, size_t item) { \
    local T* parts = (local T*)__clarity_group_scratch();           \
    if (linearId() == item) parts[0] = x;                           \
    __syncthreads();                                                \
    T r = parts[0];                                                 \
    __syncthreads();                                                \
    return r;                                                       \
  }                                                                 \
  WORK_GROUP(add, ADD, T, (T)0)                                     \
  WORK_GROUP(mul, MUL, T, (T)1)                                     \
  WORK_GROUP(min, MIN, T, (T)(MOST))                                \
  WORK_GROUP(max, MAX, T, (T)(LEAST))
#define WORK_GROUP_BITS(T)           \
  WORK_GROUP(and, AND, T, (T) ~(T)0) \
  WORK_GROUP(or, OR, T, (T)0)        \
  WORK_GROUP(xor, XOR, T, (T)0)
WORK_GROUPS(int, -2147483647 - 1, 2147483647)
WORK_GROUP_BITS(int)
WORK_GROUPS(uint, 0, 0xffffffffu)
WORK_GROUP_BITS(uint)
WORK_GROUPS(long, -0x7fffffffffffffffL - 1, 0x7fffffffffffffffL)
WORK_GROUP_BITS(long)
WORK_GROUPS(ulong, 0, ~0ul)
WORK_GROUP_BITS(ulong)
WORK_GROUPS(half, -__builtin_inff(), __builtin_inff())
WORK_GROUPS(float, -__builtin_inff(), __builtin_inff())
WORK_GROUPS(double, -__builtin_inf(), __builtin_inf())

// ---- memory and output
// ------------------------------------------------------------------------------------------------

bool __clarity_is_local(const void* address) { return __nvvm_isspacep_shared(address); }
bool __clarity_is_private(const void* address) { return __nvvm_isspacep_local(address); }

/// The buffer behind a launch's printf: how many bytes were asked for, how many there are, then records: the format's
/// address, the number of slots, the slots, 8 bytes each. A record that does not fit is left out, and so are all after
/// it.
struct Output {
  ulong used, room;
};
int __clarity_printf(struct Output* sink, const char* format, const ulong* slots, int count) {
  ulong bytes = (2 + (ulong)count) * 8;
  ulong at = __atomic_fetch_add(&sink->used, bytes, __ATOMIC_RELAXED);
  if (at + bytes > sink->room) return -1;
  ulong* record = (ulong*)(sink + 1) + at / 8;
  record[0] = (ulong)format;
  record[1] = (ulong)count;
  for (int i = 0; i < count; ++i) record[2 + i] = slots[i];
  return 0;
}
