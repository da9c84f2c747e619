// Scalar instructions of RDNA that compilers do not emit.

#ifdef __gfx1201__
// The state of the workgroup's barrier as its first wave sees it once it has arrived, before the others do.
kernel void barrier_state(global uint *out)
{
    local volatile uint seen[1];
    uint state, first = __builtin_amdgcn_readfirstlane(__builtin_amdgcn_workitem_id_x() / 32) == 0;
    if (__builtin_amdgcn_workitem_id_x() == 0)
        seen[0] = 0;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    if (first) {
        __asm__ volatile("s_barrier_signal -1\n\ts_get_barrier_state %0, -1\n\ts_wait_kmcnt 0x0" : "=s"(state));
        out[__builtin_amdgcn_workitem_id_x()] = state;
        seen[0] = 1;
    } else {
        while (!seen[0])
            ;
        __asm__ volatile("s_barrier_signal -1");
    }
    __asm__ volatile("s_barrier_wait -1");
}
#else
// Each active lane gets the number of the pass that it was in; then there is the number of passes, and EXEC after them.
kernel void halves(global uint *out, uint low, uint high)
{
    uint pass = 9, passes, other;
    ulong whole, after;
    ulong mask = (uint)__builtin_amdgcn_readfirstlane(low) | (ulong)__builtin_amdgcn_readfirstlane(high) << 32;
    __asm__ volatile("s_mov_b64 %[whole], exec\n\t"
                     "s_mov_b64 exec, %[mask]\n\t"
                     "s_mov_b32 %[passes], 0\n\t"
                     "s_subvector_loop_begin %[other], 1f\n"
                     "0:\n\t"
                     "v_mov_b32 %[pass], %[passes]\n\t"
                     "s_add_u32 %[passes], %[passes], 1\n\t"
                     "s_subvector_loop_end %[other], 0b\n"
                     "1:\n\t"
                     "s_mov_b64 %[after], exec\n\t"
                     "s_mov_b64 exec, %[whole]"
                     : [whole] "=&s"(whole), [passes] "=&s"(passes), [other] "=&s"(other), [after] "=&s"(after), [pass] "+v"(pass)
                     : [mask] "s"(mask));
    out[__builtin_amdgcn_workitem_id_x()] = pass;
    out[64] = passes;
    out[65] = (uint)after;
    out[66] = (uint)(after >> 32);
}
#endif
