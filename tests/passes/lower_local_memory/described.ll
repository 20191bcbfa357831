; RUN: %clarity opt --passes=lower-local-memory %s -o - | FileCheck %s
; A variable that debug information describes has a slot with its address: debuggers find it there.
@k.tile = internal addrspace(3) global [4 x i32] undef, align 4, !dbg !5

; CHECK-LABEL: define void @k
; CHECK: %[[SLOT:[^ ]+]] = alloca ptr addrspace(3)
; CHECK: %[[TILE:[^ ]+]] = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
; CHECK: store ptr addrspace(3) %[[TILE]], ptr %[[SLOT]]
; CHECK-NEXT: #dbg_declare(ptr %[[SLOT]], ![[VARIABLE:[0-9]+]], !DIExpression(DW_OP_deref),
; CHECK: ![[VARIABLE]] = !DILocalVariable(name: "tile", {{.*}}line: 3
define void @k(i32 %v) !dbg !4 {
  store i32 %v, ptr addrspace(3) @k.tile, !dbg !9
  ret void, !dbg !9
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression(DW_OP_constu, 3, DW_OP_swap, DW_OP_xderef))
!6 = distinct !DIGlobalVariable(name: "tile", scope: !4, file: !1, line: 3, type: !7, isLocal: true, isDefinition: true)
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 128, elements: !{!DISubrange(count: 4)})
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocation(line: 4, scope: !4)
