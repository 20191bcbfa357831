; RUN: %clarity opt --passes=lower-local-memory %s -o - | FileCheck %s
@k.a = internal addrspace(3) global [3 x i32] undef, align 4
@k.b = internal addrspace(3) global [100 x float] undef, align 4
@other.c = internal addrspace(3) global i32 undef, align 4

; Places are 64 bytes apart at least; what another kernel uses takes none here.
; CHECK-LABEL: define void @k
define void @k(i32 %v) {
; CHECK: %local = call ptr addrspace(3) @__clarity_local_memory()
; CHECK: getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
; CHECK: getelementptr inbounds i8, ptr addrspace(3) %local, i64 64
; CHECK-NOT: @k.a
  store i32 %v, ptr addrspace(3) getelementptr inbounds ([3 x i32], ptr addrspace(3) @k.a, i64 0, i64 1)
  store float 1.0, ptr addrspace(3) @k.b
  ret void
}
define void @other() {
  store i32 1, ptr addrspace(3) @other.c
  ret void
}
; CHECK: attributes {{.*}}"clarity-local-arrays"="a,0,12,4;b,64,400,4"
