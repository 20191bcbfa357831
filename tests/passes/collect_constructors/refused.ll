; No code would run a destructor, and no work-item can wait for another to set up a static variable.
; RUN: %clarity opt --passes=collect-constructors %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: error: an object at program scope has a destructor, 'A::~A()', which would never run
; CHECK-NOT: destructor
; CHECK: error: static variable 'k(int)::n' needs a constant initialiser
@__dso_handle = external hidden addrspace(1) global i8
@_ZZ1kiE1n = internal addrspace(1) global i32 0
@_ZGVZ1kiE1n = internal addrspace(1) global i8 0
declare spir_func i32 @__cxa_atexit(ptr, ptr, ptr addrspace(1))
declare spir_func void @_ZNU3AS41AD2Ev(ptr addrspace(4))

define internal spir_func void @init() {
  %1 = call spir_func i32 @__cxa_atexit(ptr @_ZNU3AS41AD2Ev, ptr null, ptr addrspace(1) @__dso_handle)
  %2 = call spir_func i32 @__cxa_atexit(ptr @_ZNU3AS41AD2Ev, ptr null, ptr addrspace(1) @__dso_handle)
  ret void
}
define spir_func void @_Z1ki(i32 %x) {
  %done = load i8, ptr addrspace(1) @_ZGVZ1kiE1n
  ret void
}
