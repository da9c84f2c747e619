// One kernel that calls the host and one that only gets what it would need to, as
// all do without optimization. The function stands for the device libraries'.
void __ockl_hostcall_internal(global long *p) { *p = 1; }
kernel void asks(global long *p) { __ockl_hostcall_internal(p); }
kernel void may(global long *p) { *p = 2; }
