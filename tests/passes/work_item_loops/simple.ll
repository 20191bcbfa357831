; RUN: %clarity opt --passes='work-item-loops' %s -o - | FileCheck %s --check-prefixes=CHECK,GROUP
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>' %s -o - | FileCheck %s --check-prefixes=CHECK,FLAT
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define void @k
define void @k(ptr addrspace(1) %a) {
; GROUP: call i64 @__clarity_local_size(i32 0)
; GROUP: call i64 @__clarity_group_id(i32 0)
; FLAT: call i64 @__clarity_slice_end(i32 0)
; FLAT: call i64 @__clarity_slice_begin(i32 0)
; CHECK: region0.x:
; CHECK: %x = phi i32
; CHECK: add nuw nsw i32 {{.*}}, %x
; CHECK: store float {{.*}} !llvm.access.group ![[GROUP:[0-9]+]]
; CHECK: br i1 {{.*}} !llvm.loop ![[LOOP:[0-9]+]]
; CHECK: ![[GROUP]] = distinct !{}
; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[PARALLEL:[0-9]+]]
; CHECK: ![[PARALLEL]] = !{!"llvm.loop.parallel_accesses", ![[GROUP]]}
  %i = call i64 @__clarity_global_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}
