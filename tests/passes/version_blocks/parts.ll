; Where ids are divided into block and rest, a version of the loops for block-aligned packets.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,narrow-indices,loop-simplify,version-blocks' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,narrow-indices,loop-simplify,version-blocks,loop-simplify,lcssa,packets<8x1x1>' %s -o - | FileCheck %s --check-prefix=VECTORS
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,narrow-indices,loop-simplify,version-blocks,loop-simplify,lcssa,packets<8x4x1>' %s -o - | FileCheck %s --check-prefix=TILES
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; Asked once: whether the first id and the width are multiples of what a packet holds. There the column grows from lane to lane, and
; the row is one for all.
; CHECK-LABEL: define void @columns
; CHECK: %[[START:.*]] = and i32 %{{.*}}, 7
; CHECK: %[[ALIGNED:.*]] = icmp eq i32 %[[START]], 0
; CHECK: and i32 %{{.*}}, 7
; CHECK: icmp sgt i32 %{{.*}}, 0
; CHECK: br i1 %{{.*}}, label %aligned.blocks, label %any.blocks
; CHECK: entry:
; CHECK-NOT: clarity.in.step
; CHECK: entry.inner:
; CHECK: udiv i32 %{{.*}}, %by.inner, !clarity.in.step ![[ONE_FOR_ALL:[0-9]+]]
; CHECK: urem i32 %{{.*}}, %by.inner, !clarity.in.step ![[BY_ONE:[0-9]+]]
; CHECK: br i1 {{.*}} !clarity.block ![[MOST:[0-9]+]]
; VECTORS-LABEL: define void @columns
; VECTORS: %[[ROW:.*]] = udiv i32
; VECTORS: %[[COLUMN:.*]] = urem i32
; VECTORS: load float, ptr addrspace(1)
; VECTORS: load <8 x float>, ptr addrspace(1)
; No tile is wider than what was asked for.
; TILES-LABEL: define void @columns
; TILES: load <8 x float>, ptr addrspace(1)
; TILES-NOT: load <8 x float>, ptr addrspace(1) %{{.*}}, align 4{{$}}
; TILES: define void @partners
define void @columns(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out, i32 %width) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %by = freeze i32 %width
  %row = udiv i32 %x, %by
  %column = urem i32 %x, %by
  %r = zext nneg i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  %u = load float, ptr addrspace(1) %p
  %c = zext nneg i32 %column to i64
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %c
  %v = load float, ptr addrspace(1) %q
  %w = fadd float %u, %v
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %w, ptr addrspace(1) %o
  ret void
}

; The partner of a sorting network.
; CHECK-LABEL: define void @partners
; CHECK: entry.inner:
; CHECK: xor i32 %{{.*}}, %distance, !clarity.in.step ![[BY_ONE]]
; VECTORS-LABEL: define void @partners
; VECTORS: load <8 x float>, ptr addrspace(1)
define void @partners(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %distance) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %other = xor i32 %x, %distance
  %i = zext nneg i32 %other to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %v, ptr addrspace(1) %o
  ret void
}

; What was divided once may be divided once more: (x / w) % h is one for all as x / w is, whatever h is.
; CHECK-LABEL: define void @three
; CHECK: entry.inner:
; CHECK: udiv i32 %{{.*}}, %w, !clarity.in.step ![[ONE_FOR_ALL]]
; CHECK: urem i32 %{{.*}}, %h, !clarity.in.step ![[ONE_FOR_ALL]]
define void @three(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %w, i32 %h) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %rows = udiv i32 %x, %w
  %row = urem i32 %rows, %h
  %i = zext nneg i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %v, ptr addrspace(1) %o
  ret void
}

; Twice an id without its lowest bits, then with others: 2 * i - (i & (run - 1)) as LLVM has it.
; CHECK-LABEL: define void @doubled
; CHECK: entry.inner:
; CHECK: and i32 %{{.*}}, -64, !clarity.in.step ![[ONE_FOR_ALL]]
define void @doubled(ptr addrspace(1) %a, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %twice = shl i32 %x, 1
  %high = and i32 %twice, -64
  %i = zext i32 %high to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %v, ptr addrspace(1) %o
  ret void
}

; Blocks smaller than packets are, and values that lead to no address.
; CHECK-LABEL: define void @left_alone
; CHECK-NOT: inner
; CHECK: }
define void @left_alone(ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %v = xor i32 %x, %n
  %o = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  store i32 %v, ptr addrspace(1) %o
  ret void
}
; CHECK: ![[ONE_FOR_ALL]] = !{i64 0}
; CHECK: ![[BY_ONE]] = !{i64 1}
; CHECK: ![[MOST]] = !{i64 8}
