// A kernel that gives up.
kernel void trap_at(global uint *p, uint bad) {
  uint i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  if (p[i] == bad)
    __builtin_trap();
  p[i] = i;
}
