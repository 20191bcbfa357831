; Integers and addresses as functions of ids and of the iterations of loops inside.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,print<affine>' %s -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; Uniform values are not printed, nor are products of ids and what is narrower than 32 bits.
; CHECK: affine forms of 'sums'
; CHECK: %twice: 2 * x{{$}}
; CHECK: %odd: 2 * x + 1{{$}}
; CHECK: %shifted: 2 * x + %n + 1{{$}}
; CHECK: %back: -2 * x + %n + -1{{$}}
; CHECK: %wide: 2 * x + %n + 1, if signed %shifted does not wrap
; CHECK: %rows: 16 * y{{$}}
; CHECK: %at: 2 * x + 16 * y + %n + 1, if signed %shifted does not wrap
; CHECK: %p: 8 * x + 64 * y + %a + 4 * %n + 4, if signed %shifted does not wrap
; CHECK-NOT: %uniform:
; CHECK-NOT: %square:
; CHECK-NOT: %short:
; CHECK: %field: 12 * x + %a + 8{{$}}
; CHECK: %gone: 3 * x{{$}}
define void @sums(ptr addrspace(1) %a, i32 %n, i64 %base) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %row = call i64 @__clarity_local_id(i32 1)
  %x = trunc i64 %id to i32
  %twice = shl i32 %x, 1
  %odd = add i32 %twice, 1
  %shifted = add i32 %odd, %n
  %back = sub i32 %n, %odd
  %wide = sext i32 %shifted to i64
  %rows = mul i64 %row, 16
  %at = add i64 %wide, %rows
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %uniform = mul i64 %base, 3
  %square = mul i32 %x, %x
  %short = trunc i32 %square to i16
  %field = getelementptr { i32, [2 x i32] }, ptr addrspace(1) %a, i64 %id, i32 1, i64 1
  %rest = sub i32 %x, %n
  %again = add i32 %rest, %n
  %gone = add i32 %again, %twice
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; A counter is its start and its step times the iterations of its loop; two loops count separately.
; CHECK: affine forms of 'loops'
; CHECK: %i: x + 2 * iterations of %i{{$}}
; CHECK: %j: iterations of %j + %n{{$}}
; CHECK: %sum: x + 2 * iterations of %i + iterations of %j + %n{{$}}
; CHECK: %product: 3 * x + 6 * iterations of %i + 3 * iterations of %j + 3 * %n{{$}}
; CHECK: %q: 12 * x + 24 * iterations of %i + 12 * iterations of %j + %a + 12 * %n, if signed %product does not wrap
; CHECK-NOT: %doubling:

define void @loops(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  br label %outer
outer:
  %i = phi i32 [ %x, %entry ], [ %i.next, %outer.next ]
  br label %inner
inner:
  %j = phi i32 [ %n, %outer ], [ %j.next, %inner ]
  %doubling = phi i32 [ %x, %outer ], [ %doubled, %inner ]
  %sum = add i32 %i, %j
  %product = mul i32 %sum, 3
  %wide = sext i32 %product to i64
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  store i32 %doubling, ptr addrspace(1) %q
  %doubled = shl i32 %doubling, 1
  %j.next = add i32 %j, 1
  %more = icmp slt i32 %j.next, 64
  br i1 %more, label %inner, label %outer.next
outer.next:
  %i.next = add i32 %i, 2
  %again = icmp slt i32 %i.next, 1000
  br i1 %again, label %outer, label %end
end:
  ret void
}

; What is truncated counts modulo the narrow type: x + 2^32 - 1 is x - 1, and 2^32 times x nothing.
; CHECK: affine forms of 'truncated'
; CHECK: %before: x + -1{{$}}
; CHECK: %index: x + -1, if unsigned %before does not wrap
; CHECK: %far: 4294967296 * x + 4 * y + %n + 4294967294{{$}}
; CHECK: %near: 4 * y + %n + -2{{$}}
define void @truncated(ptr addrspace(1) %a, i64 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %row = call i64 @__clarity_local_id(i32 1)
  %sum = add i64 %id, 4294967295
  %before = trunc i64 %sum to i32
  %index = zext i32 %before to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %index
  %high = shl i64 %id, 32
  %rows = shl i64 %row, 2
  %both = add i64 %high, %rows
  %more = add i64 %both, %n
  %far = add i64 %more, 4294967294
  %near = trunc i64 %far to i32
  store i32 %near, ptr addrspace(1) %p
  ret void
}

; From iteration to iteration: pointers and counters that grow by constants, through extensions; invariant addresses
; stay; steps that are not known at compile time, and counters of loops around, give no number or none of their own.
; CHECK: affine forms of 'iterations'
; CHECK: %first: 24 bytes per iteration of %inner
; CHECK: %second: -8 bytes per iteration of %inner
; CHECK: %third: 0 bytes per iteration of %inner
; CHECK: %fourth: not known per iteration of %inner
; CHECK: %walks: 16 bytes per iteration of %inner
; CHECK: %fifth: 4 bytes per iteration of %outer
define void @iterations(ptr addrspace(1) %a, i64 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %start = mul i64 %id, %n
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.next ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %k = phi i64 [ 9, %outer ], [ %k.next, %inner ]
  %unknown = phi i64 [ 0, %outer ], [ %unknown.next, %inner ]
  %walks = phi ptr addrspace(1) [ %a, %outer ], [ %walks.next, %inner ]
  %wide = sext i32 %j to i64
  %mine = add i64 %start, %wide
  %first = getelementptr [3 x i64], ptr addrspace(1) %a, i64 %mine, i64 2
  %second = getelementptr i64, ptr addrspace(1) %a, i64 %k
  %row = mul i64 %i, %n
  %third = getelementptr i64, ptr addrspace(1) %a, i64 %row
  %fourth = getelementptr i64, ptr addrspace(1) %a, i64 %unknown
  store i64 1, ptr addrspace(1) %first
  store i64 2, ptr addrspace(1) %second
  store i64 3, ptr addrspace(1) %third
  store i64 4, ptr addrspace(1) %fourth
  store i64 5, ptr addrspace(1) %walks
  %j.next = add nsw i32 1, %j
  %k.next = add i64 %k, -1
  %unknown.next = add i64 %unknown, %n
  %walks.next = getelementptr i8, ptr addrspace(1) %walks, i64 16
  %more = icmp slt i32 %j.next, 64
  br i1 %more, label %inner, label %outer.next
outer.next:
  %fifth = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 6, ptr addrspace(1) %fifth
  %i.next = add i64 %i, 1
  %again = icmp slt i64 %i.next, 1000
  br i1 %again, label %outer, label %end
end:
  ret void
}
