// AMD's instructions between lanes and for bits, by clang's names, as far as gfx906 has them.
//
// wavesim: --global 256 --local 64 --arg b=random:256 --arg a=zero:6144

kernel void all(global const int *b, global int *a)
{
	int g = get_global_id(0), x = b[g], y = g * 5 & 63, at = 0;
	uint lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
	global int *o = a + 24 * g;
	o[at++] = __builtin_amdgcn_ds_bpermute(y * 4, x);
	o[at++] = __builtin_amdgcn_ds_swizzle(x, 0x041f);
	o[at++] = __builtin_amdgcn_ds_swizzle(x, 0x801b);
	o[at++] = __builtin_amdgcn_ds_swizzle(x, 0xc080);
	o[at++] = __builtin_amdgcn_ds_swizzle(x, 0xe001);
	o[at++] = __builtin_amdgcn_mov_dpp(x, 0xb1, 15, 15, true);
	o[at++] = __builtin_amdgcn_update_dpp(y, x, 0x111, 15, 15, false);
	o[at++] = __builtin_amdgcn_update_dpp(y, x, 0x142, 0xa, 15, false);
	o[at++] = __builtin_amdgcn_update_dpp(y, x, 0x130, 15, 7, true);
	o[at++] = __builtin_amdgcn_readlane(x, 5);
	o[at++] = __builtin_amdgcn_readfirstlane(x) + (int)lane;
	if (x & 1) {
		o[at] = (int)__builtin_amdgcn_read_exec() + __builtin_amdgcn_readfirstlane(g);
		o[at + 1] = (int)__builtin_amdgcn_ballot_w64(x > y);
		o[at + 2] = __builtin_amdgcn_ds_bpermute(y * 4, x + 1); /* LLVM would take the same call from above */
	}
	at += 3;
	o[at++] = (int)__builtin_amdgcn_uicmp(x, y, 32);
	o[at++] = (int)__builtin_amdgcn_sicmp(x, y, 38);
	o[at++] = (int)__builtin_amdgcn_udot4(x, y, 3, false);
	o[at++] = __builtin_amdgcn_sdot4(x, y, 3, false);
	o[at++] = (int)__builtin_amdgcn_perm(x, y, 0x07060504);
	o[at++] = (int)__builtin_amdgcn_alignbit(x, y, 5);
	o[at++] = (int)__builtin_amdgcn_ubfe(x, 3, 5) + (int)__builtin_amdgcn_sbfe(x, 3, 5);
	o[at++] = (int)__builtin_amdgcn_fmed3f(x, y, 3.0f) + (int)(8 * __builtin_amdgcn_fractf(x / 7.0f));
	__builtin_amdgcn_s_setprio(1);
	__builtin_amdgcn_wave_barrier();
	o[at++] = (int)__builtin_amdgcn_wavefrontsize() + (int)__builtin_amdgcn_workgroup_size_x();
}
