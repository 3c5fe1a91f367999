#!/bin/bash
# config/nvptx/shared.awk: which accesses of PTX become accesses to shared memory, and which must not.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
script=$top_srcdir/config/nvptx/shared.awk

# Behind "//=" is what the line becomes; lines without stay as they are.
cat > "$tmp/in" <<'END'
// BEGIN FUNCTION DEF: plain
.func plain (.param.u64 %in_ar0)
{
	.reg.u64 %r22;
		ld.param.u64	%r9, [%in_ar0];
	cvta.shared.u64 %r22, gompx_block;
	mov.u32 %r23, %tid.y;
		cvt.u64.u32	%r30, %r23;
		shl.b64	%r31, %r30, 4;
		add.u64	%r24, %r22, %r31;
		add.u64	%r25, %r24, 16;
		add.u64	%r26, %r22, 4096;
		add.u64	%r27, %r22, %r9;
		ld.u64	%r28, [%r26+8];	//=		ld.shared.u64	%r28, [gompx_block+4104];
		st.v2.u32	[%r22], %r40;	//=		st.shared.v2.u32	[gompx_block], %r40;
		ld.volatile.u32	%r41, [%r25+4];	//=	{ .reg.u64 %near; cvta.to.shared.u64 %near, %r24;|		ld.volatile.shared.u32	%r41, [%near+20]; }
	@%r50	st.u32	[%r24], %r41;	//=	{ .reg.u64 %near; cvta.to.shared.u64 %near, %r24;|	@%r50	st.shared.u32	[%near], %r41; }
		ld.u32	%r42, [%r28];
		ld.u32	%r43, [%r27+4];
		ld.shared.u32	%r44, [gompx_block+4];
		sub.u64	%r32, %r9, %r22;
		add.u64	%r33, %r22, %r32;
		st.u32	[%r33], %r44;
		mov.u64	%r34, %r22;
		mov.u64	%r34, %r9;
		st.u32	[%r34], %r44;
		add.u64	%r35, %r22, 8;
		add.u64	%r35, %r35, 8;
		st.u32	[%r35+4], %r44;
	@%r50	bra	$L1;
$L1:
	ret;
}
// BEGIN GLOBAL FUNCTION DEF: uniform
.visible .func uniform
{
	@%r50	bra	$L2;	//=	@%r50	bra.uni	$L2;
		bra	$L2;	//=		bra.uni	$L2;
		st.u32	[%r22], %r44;
$L2:
	ret;
}
END
sed 's/	*\/\/=.*//' "$tmp/in" > "$tmp/ptx"
sed 's/.*\/\/=//' "$tmp/in" | tr '|' '\n' > "$tmp/wanted"
awk -v UNIFORM='^uniform$' -f "$script" "$tmp/ptx" > "$tmp/out" || die "the script fails"
diff "$tmp/wanted" "$tmp/out" || die "what it makes is another thing"

# What this is for: regions begin and end without accesses to memory of any kind, but for what others have given
# the address of.
library=$builddir/nvptx
[ -f "$library/core.s" ] || exit "$status"
any=$(sed -n '/FUNCTION DEF: GOMP_parallel$/,/^}/p' "$library/core.s" | grep -cE '(ld|st)(\.v2)?\.[ufb][0-9]+[ 	]')
near=$(sed -n '/FUNCTION DEF: GOMP_parallel$/,/^}/p' "$library/core.s" | grep -cE '(ld|st)\.shared')
[ "$near" -ge 50 ] && [ "$any" -le 8 ] || bad "GOMP_parallel: $near accesses to shared memory, and $any to any"
exit "$status"
