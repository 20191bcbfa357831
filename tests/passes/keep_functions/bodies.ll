; RUN: %clarity opt --passes=keep-functions %s -o - | FileCheck %s
; A kernel becomes the body that clang has given it, with the body's place in the source; functions stay functions, but
; for those that use local memory.
@k.tile = internal addrspace(3) global [4 x i32] undef, align 4

; CHECK-LABEL: define spir_kernel void @k(i32 %n)
; CHECK-SAME: !dbg ![[BODY:[0-9]+]]
; CHECK-NOT: call void @__clang_ocl_kern_imp_k
; CHECK: #dbg_declare(ptr %n.addr
; CHECK: call i32 @helper(i32
; CHECK: call void @writes
define spir_kernel void @k(i32 %n) !dbg !4 {
  call void @__clang_ocl_kern_imp_k(i32 %n), !dbg !10
  ret void, !dbg !10
}
; CHECK-NOT: @__clang_ocl_kern_imp_k
define internal void @__clang_ocl_kern_imp_k(i32 %n) alwaysinline !dbg !7 {
  %n.addr = alloca i32
  store i32 %n, ptr %n.addr
    #dbg_declare(ptr %n.addr, !8, !DIExpression(), !11)
  %x = call i32 @helper(i32 %n), !dbg !11
  call void @writes(i32 %x), !dbg !11
  ret void, !dbg !11
}

; CHECK: define internal i32 @helper(i32 %a) [[KEPT:#[0-9]+]]
define internal i32 @helper(i32 %a) alwaysinline !dbg !12 {
  ret i32 %a, !dbg !13
}
; CHECK: define internal void @writes(i32 %a) [[INLINED:#[0-9]+]]
define internal void @writes(i32 %a) noinline !dbg !14 {
  store i32 %a, ptr addrspace(3) @k.tile
  ret void, !dbg !15
}
; Functions of the library are no concern of this pass.
; CHECK: define internal i32 @library(i32 %a) [[INLINED]]
define internal i32 @library(i32 %a) alwaysinline {
  ret i32 %a
}
; Another kernel calls a body: it stays, and the kernel has a copy.
; CHECK-LABEL: define {{.*}}spir_kernel void @shared()
; CHECK-NEXT: ret void
define spir_kernel void @shared() {
  call void @__clang_ocl_kern_imp_shared()
  ret void
}
; CHECK: define internal void @__clang_ocl_kern_imp_shared()
define internal void @__clang_ocl_kern_imp_shared() {
  ret void
}
define spir_kernel void @caller() {
  call void @__clang_ocl_kern_imp_shared()
  ret void
}

; CHECK-DAG: attributes [[KEPT]] = { noinline }
; CHECK-DAG: attributes [[INLINED]] = { alwaysinline }
; CHECK-DAG: ![[BODY]] = distinct !DISubprogram(name: "k", linkageName: "__clang_ocl_kern_imp_k"

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!7 = distinct !DISubprogram(name: "k", linkageName: "__clang_ocl_kern_imp_k", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!8 = !DILocalVariable(name: "n", arg: 1, scope: !7, file: !1, line: 1, type: !9)
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !DILocation(line: 1, scope: !4)
!11 = !DILocation(line: 2, scope: !7)
!12 = distinct !DISubprogram(name: "helper", scope: !1, file: !1, line: 5, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!13 = !DILocation(line: 6, scope: !12)
!14 = distinct !DISubprogram(name: "writes", scope: !1, file: !1, line: 8, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!15 = !DILocation(line: 9, scope: !14)
