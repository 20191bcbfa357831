; Work-items that part are distinguished by their next region.
; RUN: %clarity opt --passes='prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK-LABEL: define void @early
define void @early(ptr addrspace(3) %t, i64 %n) {
; CHECK: region0.check:
; CHECK: icmp eq i32 {{.*}}, 0
; CHECK: region1.check:
; CHECK: icmp eq i32 {{.*}}, 1
; CHECK: dispatch.scan:
; CHECK: call i32 @llvm.umin.i32
; CHECK: switch i32 {{.*}}, label %group.end
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp ult i64 %x, %n
  br i1 %c, label %go, label %end
go:
  store i32 1, ptr addrspace(3) %t
  call void @__clarity_barrier(i32 1)
  store i32 2, ptr addrspace(3) %t
  br label %end
end:
  ret void
}
