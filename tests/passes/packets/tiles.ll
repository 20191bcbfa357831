; The loops around tiles and around what is left of them.
; RUN: %clarity opt --passes='work-item-loops,loop-simplify,lcssa,packets<4x2x2>' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='specialize-shape<16x2x1>,work-item-loops,loop-simplify,lcssa,packets<4x2x2>' %s -o - | FileCheck %s --check-prefix=WHOLE
; RUN: %clarity opt --passes='work-item-loops,loop-simplify,lcssa,packets<4x1x7>' %s -o - | FileCheck %s --check-prefix=HIGH
; RUN: %clarity opt --passes='work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s --check-prefix=ONE
; RUN: %clarity opt --passes='work-item-loops,loop-simplify,lcssa,packets<4x2x1>' %s -o - | FileCheck %s --check-prefix=ROW
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; Two packets of four in two rows: what varies along x only is loaded once for both rows, what varies along y only once
; for both packets.
; CHECK-LABEL: define void @rows
define void @rows(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) {
; CHECK: packets:
; CHECK: and i32 %{{.*}}, -8
; CHECK: tile.row:
; CHECK: %[[Y:.*]] = phi i32
; CHECK: add nuw nsw i32 %[[Y]], 2
; CHECK: tile:
; CHECK: %[[X:.*]] = phi i32 [ 0, %tiles ]
; CHECK: packet.entry:
; CHECK: %[[PA:.*]] = getelementptr float, ptr addrspace(1) %a, i64 %
; CHECK: %[[PA2:.*]] = getelementptr i8, ptr addrspace(1) %[[PA]], i64 16
; CHECK: %[[A1:.*]] = load <4 x float>, ptr addrspace(1) %[[PA]]
; CHECK: %[[A2:.*]] = load <4 x float>, ptr addrspace(1) %[[PA2]]
; CHECK-NOT: load <4 x float>
; CHECK-COUNT-2: load float, ptr addrspace(1) %pb
; CHECK: fmul <4 x float> %[[A1]], %[[B1:.*]]
; CHECK: fmul <4 x float> %[[A2]], %[[B1]]
; CHECK: fmul <4 x float> %[[A1]], %[[B2:.*]]
; CHECK: fmul <4 x float> %[[A2]], %[[B2]]
; CHECK-COUNT-4: store <4 x float>
; CHECK: packet.end:
; CHECK: add nuw nsw i32 %[[X]], 8
; What is left goes packet by packet under a mask of the lanes that exist.
; CHECK: rest.packet:
; CHECK: %[[AT:.*]] = phi i32
; CHECK: icmp ult <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p1(
; CHECK: call void @llvm.masked.store.v4f32.p1(
; CHECK: add nuw nsw i32 %[[AT]], 4

; Sizes of whole tiles leave nothing for a mask.
; WHOLE-LABEL: define void @rows
; WHOLE-NOT: rest.packet
; WHOLE-NOT: llvm.masked
; WHOLE: load <4 x float>
; WHOLE-NOT: rest.packet
; WHOLE-NOT: llvm.masked
; WHOLE: {{^[}]}}

; High tiles have a lower one for the rows that they leave, then single rows.
; HIGH-LABEL: define void @rows
; HIGH: icmp uge i32 %{{.*}}, 7
; HIGH: rows.fewer:
; HIGH: icmp uge i32 %{{.*}}, 2
; HIGH: rows.whole:
; HIGH-COUNT-7: store <4 x float>

; A tile of one packet leaves at most one packet: there is no loop over what is left.
; ONE-LABEL: define void @rows
; ONE: br i1 %{{.*}}, label %tiles, label %rest
; ONE: br i1 %{{.*}}, label %rest.packet, label %rows.done
; ONE: rest.packet:
; ONE-NOT: phi
; ONE: call void @llvm.masked.store.v4f32.p1(
; ONE: br label %rows.done

; A tile of one row leaves packets of this row.
; ROW-LABEL: define void @rows
; ROW-NOT: rest.row:
; ROW: rest.packet:
; ROW: %[[AT:.*]] = phi i32
; ROW: call void @llvm.masked.store.v4f32.p1(
; ROW: add nuw nsw i32 %[[AT]], 4
; ROW-NOT: rest.row:
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %va = load float, ptr addrspace(1) %pa
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %y
  %vb = load float, ptr addrspace(1) %pb
  %v = fmul float %va, %vb
  %row = mul nsw i64 %y, %n
  %at = add nsw i64 %row, %x
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %at
  store float %v, ptr addrspace(1) %pc
  ret void
}
