; Loops over few packets may become straight code. Long ones, and those over rows of tiles, stay loops.
; RUN: %clarity opt --passes='work-item-loops,loop-simplify,lcssa,packets<8x1x1>' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @short
; CHECK: tile.row:
; CHECK: br i1 %{{.*}}, label %tile, label %{{.*}}, !llvm.loop ![[SHORT_TILES:[0-9]+]]
; CHECK: br i1 %{{.*}}, label %tile.row, label %{{.*}}, !llvm.loop ![[SHORT_ROWS:[0-9]+]]
define void @short(ptr addrspace(1) %a) #0 {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nuw nsw i64 %y, 100
  %i = add nuw nsw i64 %row, %x
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @long
; CHECK: br i1 %{{.*}}, label %tile, label %{{.*}}, !llvm.loop ![[LONG_TILES:[0-9]+]]
; CHECK: br i1 %{{.*}}, label %tile.row, label %{{.*}}, !llvm.loop ![[LONG_ROWS:[0-9]+]]
define void @long(ptr addrspace(1) %a) #1 {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul nuw nsw i64 %y, 100
  %i = add nuw nsw i64 %row, %x
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}

attributes #0 = { "clarity-local-size-0"="128" "clarity-local-size-1"="16" "clarity-local-size-2"="1" }
attributes #1 = { "clarity-local-size-0"="136" "clarity-local-size-1"="17" "clarity-local-size-2"="1" }
; CHECK-DAG: ![[NEVER:[0-9]+]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: ![[SHORT_TILES]] = distinct !{![[SHORT_TILES]], ![[#]], ![[#]]}
; CHECK-DAG: ![[SHORT_ROWS]] = distinct !{![[SHORT_ROWS]], ![[#]], ![[#]], ![[NEVER]]}
; CHECK-DAG: ![[LONG_TILES]] = distinct !{![[LONG_TILES]], ![[#]], ![[#]], ![[NEVER]]}
; CHECK-DAG: ![[LONG_ROWS]] = distinct !{![[LONG_ROWS]], ![[#]], ![[#]], ![[NEVER]]}
