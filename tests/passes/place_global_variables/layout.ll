; Storage parts from code: places, and what they hold to begin with, go to the program's description; declarations stay.
; RUN: %clarity opt --passes=place-global-variables %s -o %t.ll 2> %t.txt
; RUN: FileCheck %s --input-file %t.txt --check-prefix=PLACES
; RUN: FileCheck %s --input-file %t.ll --implicit-check-not=internal
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%node = type { i8, i32, ptr addrspace(1), [2 x double] }

; PLACES: 1733 bytes, alignment 128, largest 1200
; PLACES-DAG: cl.counter at 0, 4 bytes
; PLACES-DAG: cl.aligned at 128, 1 bytes
; Large ones begin at a cache line.
; PLACES-DAG: cl.sparse at 192, 1200 bytes
; PLACES-DAG: cl.node at 1392, 32 bytes
; PLACES-DAG: cl.next at 1424, 8 bytes
; PLACES-DAG: cl.generic at 1432, 8 bytes
; PLACES-DAG: cl.behind at 1440, 8 bytes
; PLACES-DAG: cl.fixed at 1448, 4 bytes
; PLACES-DAG: cl.words at 1456, 16 bytes
; PLACES-DAG: cl.zeros at 1472, 256 bytes
; What pointers lead to moves along.
; PLACES-DAG: cl.text at 1728, 5 bytes

; PLACES: at 0: 05{{$}}
; Long runs of zeros part the contents.
; PLACES: at 192: 01{{$}}
; PLACES: at 1388: 02 00 00 00 07 00 00 00 ff ff ff ff {{(00 )+}}f8 3f {{(00 )+}}2a{{$}}
; PLACES: at 1728: 77 6f 72 64
; PLACES: at 1400: the address of 1424
; PLACES: at 1424: the address of 1396
; PLACES: at 1432: the address of 0
; PLACES: at 1440: the address of -8
; PLACES: at 1456: the address of 1728
; PLACES: at 1464: the address of 1729

; Anybody may have changed them; only constants keep what they begin as.
; CHECK-DAG: @cl.counter = external addrspace(1) global i32, align 4
; CHECK-DAG: @cl.aligned = external addrspace(1) global i8, align 128
; CHECK-DAG: @cl.sparse = external addrspace(1) global <{ i32, [298 x i32], i32 }>, align 64
; CHECK-DAG: @cl.node = external addrspace(1) global %node, align 8
; CHECK-DAG: @cl.next = external addrspace(1) global ptr addrspace(1), align 8
; CHECK-DAG: @cl.fixed = available_externally addrspace(1) constant i32 42, align 4
; CHECK-DAG: @cl.text = available_externally addrspace(2) constant [5 x i8] c"word\00", align 1
; What no pointer in the block leads to stays in the code.
; CHECK-DAG: @table = private addrspace(2) constant [2 x i32] [i32 1, i32 2]
; CHECK-DAG: @shared = private addrspace(3) global i32 undef
@counter = dso_local addrspace(1) global i32 5, align 4
@aligned = addrspace(1) global i8 0, align 128
@sparse = addrspace(1) global <{ i32, [298 x i32], i32 }> <{ i32 1, [298 x i32] zeroinitializer, i32 2 }>, align 4
@node = internal addrspace(1) global %node { i8 7, i32 -1, ptr addrspace(1) @next, [2 x double] [double 0.0, double 1.5] }
@next = addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @node, i64 4)
@generic = addrspace(1) global ptr addrspace(4) addrspacecast (ptr addrspace(1) @counter to ptr addrspace(4))
@behind = addrspace(1) global i64 sub (i64 ptrtoint (ptr addrspace(1) @counter to i64), i64 8)
@fixed = internal addrspace(1) constant i32 42, align 4
@words = addrspace(1) global [2 x ptr addrspace(2)] [ptr addrspace(2) @text, ptr addrspace(2) getelementptr (i8, ptr addrspace(2) @text, i64 1)], align 16
@zeros = addrspace(1) global [64 x i32] zeroinitializer
@text = private addrspace(2) constant [5 x i8] c"word\00", align 1
@table = private addrspace(2) constant [2 x i32] [i32 1, i32 2]
@shared = private addrspace(3) global i32 undef

; CHECK-LABEL: define void @k
; CHECK: load i32, ptr addrspace(1) @cl.counter
define void @k(ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) @counter
  store i32 %v, ptr addrspace(1) %out
  ret void
}
