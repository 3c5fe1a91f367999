
// BEGIN GLOBAL FUNCTION DECL: gompx_lanes_main
.extern .func gompx_lanes_main (.param.u64 %in_ar0, .param.u64 %in_ar1);
.extern .shared .u64 __nvptx_stacks[32];
.extern .shared .u32 __nvptx_uni[32];
.visible .entry kernel (.param.u64 %arg, .param.u64 %stack, .param.u64 %sz)
{
	.reg.u32 %r<3>;
	.reg.u64 %R<4>;
	mov.u32 %r0, %tid.y;
	mov.u32 %r1, %ntid.y;
	mov.u32 %r2, %ctaid.x;
	cvt.u64.u32 %R1, %r0;
	mad.wide.u32 %R1, %r1, %r2, %R1;
	mov.u64 %R0, __nvptx_stacks;
	mad.wide.u32 %R0, %r0, 8, %R0;
	ld.param.u64 %R2, [%stack];
	ld.param.u64 %R3, [%sz];
	add.u64 %R2, %R2, %R3;
	mad.lo.u64 %R2, %R1, %R3, %R2;
	st.shared.u64 [%R0], %R2;
	mov.u64 %R0, __nvptx_uni;
	mad.wide.u32 %R0, %r0, 4, %R0;
	mov.u32 %r0, 0;
	st.shared.u32 [%R0], %r0;
	mov.u64 %R0, impl;
	ld.param.u64 %R1, [%arg];
	{
		.param.u64 %P0;
		.param.u64 %P1;
		st.param.u64 [%P0], %R0;
		st.param.u64 [%P1], %R1;
		call.uni gompx_lanes_main, (%P0, %P1);
	}
	ret.uni;
}
