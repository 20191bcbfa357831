; Accesses expect the alignment of their elements.
; RUN: %clarity opt --passes=relax-alignment %s -o - | FileCheck %s

; CHECK-LABEL: define void @vectors(ptr addrspace(1) noundef %p)
; CHECK: load <4 x float>, ptr addrspace(1) %p, align 4
; CHECK: load i16, ptr addrspace(1) %p, align 1
; CHECK: store volatile <2 x double> {{.*}}, ptr addrspace(1) %p, align 8
; CHECK: load atomic i32, ptr addrspace(1) %p seq_cst, align 4
; CHECK: call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 1 %p, ptr addrspace(1) align 1 %p, i64 64, i1 false)
define void @vectors(ptr addrspace(1) noundef align 16 %p) {
  %a = load <4 x float>, ptr addrspace(1) %p, align 16
  %b = load i16, ptr addrspace(1) %p, align 1
  store volatile <2 x double> zeroinitializer, ptr addrspace(1) %p, align 16
  %c = load atomic i32, ptr addrspace(1) %p seq_cst, align 4
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %p, ptr addrspace(1) align 16 %p, i64 64, i1 false)
  ret void
}
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
