// SPDX-License-Identifier: Apache-2.0
// This file defines the functions of pipes (OpenCL C 3.0, 6.15.17) under the names that clang calls, with the size and
// the alignment of a packet behind the program's arguments. A pipe is memory of the device (compiler/ir/pipe_layout.h),
// which lower-images makes its address, and a reservation 64 bits.
//
// A ring of slots. Positions count packets from the first on and wrap as 32 bits do, which the number of slots, a power
// of two, divides. A reservation moves `written` or `taken` on, if the slots that follow are free or full; when it is
// committed, they become full or free. So no work-item waits for another one, whatever the order in which reservations
// are committed, and a reader never gets a packet that lies behind one that is not committed.

#include "prelude.clh"
#include "atomic/memory_order.clh"
#include "sub_group/primitives.clh"
#include "work_item/primitives.clh"

/// A pipe is the device's: the host has no access to it.
#define AT(p, order) ORDERED(global, uint, p, order, memory_scope_device)

typedef struct {
  uint packetBytes, mostPackets;
  uint slots;                ///< a power of two, at least 2 and at least mostPackets
  uint reserved;
  ulong data;                ///< bytes from the beginning to the first packet
  ulong reserved2[5];
  atomic_uint written;       ///< packets that writers have reserved
  uint reserved3[15];
  atomic_uint taken;         ///< packets that readers have reserved
  uint reserved4[15];
  atomic_uint removed;       ///< packets that readers have committed
  uint reserved5[15];
  atomic_uint states[];      ///< each slot's state: the rounds through the ring times `slots`, and 1 more if it is full
} Memory;
typedef __global Memory *Pipe;

/// The position of the first packet, and how many there are above it; 0 is no reservation.
typedef ulong Reservation;

HELPER uint acquired(volatile __global atomic_uint *p) {
  return __opencl_atomic_load(AT(p, memory_order_acquire), ORDER, SCOPE);
}
HELPER void release(volatile __global atomic_uint *p, uint value) {
  __opencl_atomic_store(AT(p, memory_order_release), value, ORDER, SCOPE);
}

HELPER uint stateAt(Pipe ring, uint position, bool full) { return (position & ~(ring->slots - 1)) + full; }
HELPER volatile __global atomic_uint *slotAt(Pipe ring, uint position) {
  return &ring->states[position & (ring->slots - 1)];
}

/// Reserves `count` packets to read (full slots) or to write (free ones).
HELPER Reservation reserve(Pipe ring, uint count, uint bytes, bool full) {
  if (count - 1 >= ring->mostPackets || bytes > ring->packetBytes) return 0;
  volatile __global atomic_uint *next = full ? &ring->taken : &ring->written;
  uint position = acquired(next);
  for (;;) {
    // Where the packets that were removed are counted, there are at most as many as the pipe may hold.
    bool ready = full || position + count - acquired(&ring->removed) <= ring->mostPackets;
    for (uint i = 0; ready && i < count; ++i)
      ready = acquired(slotAt(ring, position + i)) == stateAt(ring, position + i, full);
    uint found = position;
    if (ready) {
      if (__opencl_atomic_compare_exchange_strong(AT(next, memory_order_seq_cst), &found, position + count, ORDER,
                                                  ORDER, SCOPE))
        return (ulong)count << 32 | position;
    } else {
      // The free room that was found is there only if no one else has reserved meanwhile.
      found = acquired(next);
      if (found == position) return 0;
    }
    position = found;
  }
}

HELPER void commitWrites(Pipe ring, Reservation reservation) {
  for (uint i = 0; i < (uint)(reservation >> 32); ++i) {
    uint position = (uint)reservation + i;
    release(slotAt(ring, position), stateAt(ring, position, true));
  }
}

HELPER void commitReads(Pipe ring, Reservation reservation) {
  uint count = (uint)(reservation >> 32);
  for (uint i = 0; i < count; ++i) {
    uint position = (uint)reservation + i;
    release(slotAt(ring, position), stateAt(ring, position + ring->slots, false));
  }
  if (count) __opencl_atomic_fetch_add(AT(&ring->removed, memory_order_seq_cst), count, ORDER, SCOPE);
}

HELPER __global uchar *packetAt(Pipe ring, uint position) {
  return (__global uchar *)ring + ring->data + (ulong)(position & (ring->slots - 1)) * ring->packetBytes;
}

HELPER bool holds(Reservation reservation, uint index) { return index < (uint)(reservation >> 32); }

/// Under the name that clang calls, which is no name of a function with overloads.
#define PIPE_FUNCTION __attribute__((always_inline, convergent))

// ---- packets --------------------------------------------------------------------------------------------------------

PIPE_FUNCTION int __read_pipe_2(Pipe ring, generic void *packet, uint bytes, uint alignment) {
  Reservation reservation = reserve(ring, 1, bytes, true);
  if (!reservation) return -1;
  __builtin_memcpy(packet, packetAt(ring, (uint)reservation), bytes);
  commitReads(ring, reservation);
  return 0;
}

PIPE_FUNCTION int __write_pipe_2(Pipe ring, const generic void *packet, uint bytes, uint alignment) {
  Reservation reservation = reserve(ring, 1, bytes, false);
  if (!reservation) return -1;
  __builtin_memcpy(packetAt(ring, (uint)reservation), packet, bytes);
  commitWrites(ring, reservation);
  return 0;
}

PIPE_FUNCTION int __read_pipe_4(Pipe ring, Reservation reservation, uint index, generic void *packet, uint bytes,
                                uint alignment) {
  if (!holds(reservation, index)) return -1;
  __builtin_memcpy(packet, packetAt(ring, (uint)reservation + index), bytes);
  return 0;
}

PIPE_FUNCTION int __write_pipe_4(Pipe ring, Reservation reservation, uint index, const generic void *packet,
                                 uint bytes, uint alignment) {
  if (!holds(reservation, index)) return -1;
  __builtin_memcpy(packetAt(ring, (uint)reservation + index), packet, bytes);
  return 0;
}

// ---- reservations: of work-items, of work-groups and of sub-groups --------------------------------------------------

HELPER bool isFirstOfGroup(void) {
  return (__clarity_local_id(0) | __clarity_local_id(1) | __clarity_local_id(2)) == 0;
}

TOGETHER ulong __clarity_work_group_broadcast_ulong(ulong x, size_t item);

/// One work-item acts for all; a commit comes behind what all have read or written.
#define RESERVATIONS(ACCESS, FULL, COMMIT)                                                                             \
  PIPE_FUNCTION Reservation __reserve_##ACCESS##_pipe(Pipe ring, uint count, uint bytes, uint alignment) {             \
    return reserve(ring, count, bytes, FULL);                                                                          \
  }                                                                                                                    \
  PIPE_FUNCTION void __commit_##ACCESS##_pipe(Pipe ring, Reservation reservation, uint bytes, uint alignment) {        \
    COMMIT(ring, reservation);                                                                                         \
  }                                                                                                                    \
  PIPE_FUNCTION Reservation __work_group_reserve_##ACCESS##_pipe(Pipe ring, uint count, uint bytes, uint alignment) {  \
    Reservation its = 0;                                                                                               \
    if (isFirstOfGroup()) its = reserve(ring, count, bytes, FULL);                                                     \
    return __clarity_work_group_broadcast_ulong(its, 0);                                                               \
  }                                                                                                                    \
  PIPE_FUNCTION void __work_group_commit_##ACCESS##_pipe(Pipe ring, Reservation reservation, uint bytes,               \
                                                         uint alignment) {                                             \
    __clarity_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                                     \
    if (isFirstOfGroup()) COMMIT(ring, reservation);                                                                   \
  }                                                                                                                    \
  PIPE_FUNCTION Reservation __sub_group_reserve_##ACCESS##_pipe(Pipe ring, uint count, uint bytes, uint alignment) {   \
    Reservation its = 0;                                                                                               \
    if (__clarity_sub_group_local_id() == 0) its = reserve(ring, count, bytes, FULL);                                  \
    return __clarity_sub_group_whole_broadcast_ulong(its, 0);                                                          \
  }                                                                                                                    \
  PIPE_FUNCTION void __sub_group_commit_##ACCESS##_pipe(Pipe ring, Reservation reservation, uint bytes,                \
                                                        uint alignment) {                                              \
    __clarity_sub_group_barrier();                                                                                     \
    if (__clarity_sub_group_local_id() == 0) COMMIT(ring, reservation);                                                \
  }
RESERVATIONS(read, true, commitReads)
RESERVATIONS(write, false, commitWrites)

bool isReservation(Reservation reservation) __asm("_Z19is_valid_reserve_id13ocl_reserveid");
PIPE_FUNCTION bool isReservation(Reservation reservation) { return reservation != 0; }

// ---- queries --------------------------------------------------------------------------------------------------------

#define QUERIES(ACCESS)                                                                                                \
  PIPE_FUNCTION uint __get_pipe_num_packets_##ACCESS(Pipe ring, uint bytes, uint alignment) {                          \
    uint taken = acquired(&ring->taken);                                                                               \
    return acquired(&ring->written) - taken;                                                                           \
  }                                                                                                                    \
  PIPE_FUNCTION uint __get_pipe_max_packets_##ACCESS(Pipe ring, uint bytes, uint alignment) {                          \
    return ring->mostPackets;                                                                                          \
  }
QUERIES(ro)
QUERIES(wo)
