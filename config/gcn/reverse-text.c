/* reverse-text.c -- the usual calls of the host, target device(ancestor: 1), in assembly; text.h tells why.

   Usual is a call without items, or with one that is mapped "to", "from", "tofrom" (or "alloc"), of whole words and 124
   bytes at most; or with some of these, private copies and pointers among them, if the request has no more words than
   the wave has lanes.  config/accel/reverse.c does the same in C, and all others: accel_target_any, to which this goes
   with the arguments in place.  plugin/slots-proto.h has the protocol, config/accel/call.h its C form.

   A lane has a word of the request, and later one of the answer:

     lane	0	1 2		3 4	5 6	7	8 ...
     request	head	function	address	size	kind	the item's bytes
     answer				    head	value	the item's bytes

   (the answer's head is in lane 5, so that its bytes are in the lanes that know their addresses).  Lane 7 does what
   one lane has to do.  Its number in v1 is odd, which is what takes a slot.

   With N items, N more than one, lane W has word W of the request, and the answer's head comes to lane 5 * N, so that
   the bytes that go back to where they came from are in the same lanes; lane 1 does what one lane has to do.  Besides,
   lane I has what describes item I: its address in v[10:11], its words in v12, those that travel in v13.

   The arguments that have no register are below the stack pointer: sizes, kinds, ... at -16, -24, addresses at
   -8.  Lanes 3 to 7 load the pointers to their words, and then their words.

   Registers: s[12:13] gompx_reverse, s[20:21] the area, s22 the slot's index, s23 flags, s30 the number of the request;
   v4 where the slot's owner is, v[6:7] the bytes of the item, v8 words and v9 their tags, v10 where they are,
   v[12:13] the answer's.  What the C function needs stays in s24 and s[26:29], or is restored.  */

#include "call.h"
#include "text.h"

#ifdef REMOTE_TEXT

#pragma omp declare target

/* Words of memory that the host shares.  */
#define IF_940(THEN, OTHERWISE)						\
  ".if .amdgcn.gfx_generation_number == 9 && .amdgcn.gfx_generation_minor == 4\n\t" \
  THEN "\n\t.else\n\t" OTHERWISE "\n\t.endif\n\t"
#define FAR_LOAD(TEXT) IF_940 (TEXT " sc0 sc1", TEXT " glc")
#define FAR_STORE(TEXT) IF_940 (TEXT " sc0 sc1", TEXT)
#define SWAP(LANE_WORD)							\
  IF_940 ("global_atomic_swap v3, v4, " LANE_WORD ", s[12:13] offset:%[owner] sc0",	\
	  "global_atomic_swap v3, v4, " LANE_WORD ", s[12:13] offset:%[owner] glc")
#define OWNER "global_store_dword v4, v9, s[12:13] offset:%[owner]\n\t"

/* s[12:13]: what gompx_reverse points to; s30: the place of the caller.  */
#define VARIABLE							\
  "s_getpc_b64 s[12:13]\n\t"						\
  "s_add_u32 s12, s12, gompx_reverse@rel32@lo+4\n\t"			\
  "s_addc_u32 s13, s13, gompx_reverse@rel32@hi+12\n\t"			\
  "s_load_dwordx2 s[12:13], s[12:13], 0\n\t"
#define PLACE								\
  "s_waitcnt lgkmcnt(0)\n\t"						\
  "s_load_dwordx4 s[20:23], s[12:13], %[area]\n\t"			\
  "v_readlane_b32 s30, v2, 0\n\t"					\
  "s_mul_i32 s30, s30, 67\n\t"						\
  "s_add_u32 s30, s30, " MACHINE_GROUP "\n\t"

/* In lane LANE, which is EXEC, SWAP has been made: the slot is taken, and s30 the number of the request.  Otherwise
   go to LABEL_busy, which comes back.  A refreshing request, which has all words, is for C.  */
#define TAKEN(LANE, LABEL)						\
  "v_readlane_b32 s30, v3, " LANE "\n\t"				\
  "s_bitcmp1_b32 s30, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_busy\n"				\
  ".Lgompx_" LABEL "_taken:\n\t"					\
  "s_add_u32 s30, s30, %[step]\n\t"					\
  "s_lshl_b32 s31, s30, 4\n\t"						\
  "s_cbranch_scc0 .Lgompx_" LABEL "_undo\n\t"
_Static_assert (GOMPX_SLOTS_REFRESH == 1u << 28, "TAKEN");

/* Look at the other slots, once.  */
#define BUSY(LANE, EXEC, LABEL, OTHER)					\
  ".Lgompx_" LABEL "_busy:\n\t"						\
  "s_load_dword s25, s[12:13], %[mask]\n\t"				\
  "s_mov_b64 exec, " EXEC "\n\t"					\
  "s_mov_b32 s31, 0\n\t"						\
  "s_waitcnt lgkmcnt(0)\n"						\
  ".Lgompx_" LABEL "_next:\n\t"						\
  "s_cmp_ge_u32 s31, s25\n\t"						\
  "s_cbranch_scc1 .Lgompx_" OTHER "\n\t"				\
  "s_add_u32 s31, s31, 1\n\t"						\
  "s_add_u32 s22, s22, 7\n\t"						\
  "s_and_b32 s22, s22, s25\n\t"						\
  "v_lshlrev_b32_e64 v4, 2, s22\n\t"					\
  SWAP ("v1")								\
  "s_waitcnt vmcnt(0)\n\t"						\
  "v_readlane_b32 s30, v3, " LANE "\n\t"				\
  "s_bitcmp1_b32 s30, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_next\n\t"				\
  "s_branch .Lgompx_" LABEL "_taken\n"

/* Give the slot back as it was.  */
#define UNDO(EXEC, LABEL)						\
  ".Lgompx_" LABEL "_undo:\n\t"						\
  "s_mov_b64 exec, " EXEC "\n\t"					\
  "s_sub_u32 s30, s30, %[step]\n\t"					\
  "v_mov_b32 v9, s30\n\t"						\
  OWNER									\
  "s_mov_b32 s24, -2\n\t"

/* v9: tags, v10: where words are; IN: for how many lanes, with those of the answer.  */
#define WORDS								\
  "s_lshl_b32 s29, s22, 12\n\t"						\
  "v_mov_b32 v9, s30\n\t"						\
  "v_lshl_add_u32 v10, v1, 3, s29\n\t"
_Static_assert (sizeof (struct gompx_slot) == 4096, "WORDS");

/* Store the words v8 of EXEC's lanes, with s31 as the head, and ring the bell by LANE.  A request takes a microsecond to
   the host and back at least.  */
#define SEND(LANE_EXEC)							\
  "v_writelane_b32 v8, s31, 0\n\t"					\
  "v_writelane_b32 v8, s26, 1\n\t"					\
  "v_writelane_b32 v8, s27, 2\n\t"					\
  FAR_STORE ("global_store_dwordx2 v10, v[8:9], s[20:21] offset:%[request]")	\
  "s_mov_b64 exec, " LANE_EXEC "\n\t"					\
  "v_mov_b32 v5, s22\n\t"						\
  FAR_STORE ("global_store_byte v5, v9, s[20:21]")			\
  "s_sleep 16\n\t"

/* Look at the answer, whose head is s31 as a rule, and in lane HEAD of EXEC.  What an instruction can have
   as an offset is less from gfx10 on.  */
#define LOAD(HEAD)							\
  ".if .amdgcn.gfx_generation_number >= 10\n\t"				\
  "v_lshl_add_u32 v5, v10, 0, s29\n\t"					\
  FAR_LOAD ("global_load_dwordx2 v[12:13], v5, s[20:21]")		\
  ".else\n\t"								\
  FAR_LOAD ("global_load_dwordx2 v[12:13], v10, s[20:21] offset:%[answer]-8*" HEAD)	\
  ".endif\n\t"								\
  "s_waitcnt vmcnt(0)\n\t"						\
  "v_cmp_ne_u32 vcc, s30, v13\n\t"
#define LOOK(HEAD, LABEL)						\
  ".if .amdgcn.gfx_generation_number >= 10\n\t"				\
  "s_movk_i32 s29, %[answer]-8*" HEAD "\n\t"				\
  ".endif\n\t"								\
  LOAD (HEAD)								\
  "s_cbranch_vccnz .Lgompx_" LABEL "_wait\n"				\
  ".Lgompx_" LABEL "_head:\n\t"						\
  "v_readlane_b32 s24, v12, " HEAD "\n\t"				\
  "s_cmp_lg_u32 s24, s31\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_unusual\n\t"

/* It is turn TURN of a wait.  Has the program ended?  */
#define ENDED(TURN, LOW, HIGH, LABEL)					\
  "s_sleep 32\n\t"							\
  "s_bitcmp1_b32 " TURN ", 5\n\t"						\
  "s_cbranch_scc0 .Lgompx_" LABEL "_again\n\t"				\
  "s_mov_b32 " TURN ", 65\n\t"						\
  "s_mov_b64 vcc, exec\n\t"						\
  "s_mov_b64 exec, 1\n\t"						\
  "s_load_dwordx2 s[" LOW ":" HIGH "], " MACHINE_KERNARG ", %[output]\n\t"		\
  "v_mov_b32 v5, 0\n\t"							\
  "s_waitcnt lgkmcnt(0)\n\t"						\
  FAR_LOAD ("global_load_dword v5, v5, s[" LOW ":" HIGH "]")			\
  "s_waitcnt vmcnt(0)\n\t"						\
  "v_readlane_b32 s" LOW ", v5, 0\n\t"					\
  "s_mov_b64 exec, vcc\n\t"						\
  "s_lshr_b32 s" LOW ", s" LOW ", 16\n\t"						\
  "s_cmp_eq_u32 s" LOW ", 0xffff\n\t"					\
  "s_cbranch_scc0 .Lgompx_" LABEL "_again\n\t"				\
  "s_endpgm\n"

/* Wait for it.  An unusual head says how many words there are.  */
#define WAIT(HEAD, LABEL)						\
  ".Lgompx_" LABEL "_wait:\n\t"						\
  "s_mov_b32 s25, 0\n"							\
  ".Lgompx_" LABEL "_turn:\n\t"						\
  "v_readlane_b32 s24, v13, " HEAD "\n\t"				\
  "s_cmp_lg_u32 s24, s30\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_pause\n\t"				\
  "v_readlane_b32 s24, v12, " HEAD "\n\t"				\
  "s_cmp_lg_u32 s24, s31\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_unusual\n"				\
  ".Lgompx_" LABEL "_pause:\n\t"					\
  "s_add_u32 s25, s25, 1\n\t"						\
  "s_cmp_gt_u32 s25, 64\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_long\n\t"				\
  "s_sleep 1\n"								\
  ".Lgompx_" LABEL "_again:\n\t"					\
  LOAD (HEAD)								\
  "s_cbranch_vccnz .Lgompx_" LABEL "_turn\n\t"				\
  "s_branch .Lgompx_" LABEL "_head\n"					\
  ".Lgompx_" LABEL "_long:\n\t"						\
  ENDED ("s25", "26", "27", LABEL)

/* What is cached is thrown away.  */
#define FRESH								\
  ".if .amdgcn.gfx_generation_number >= 10\n\t"				\
  "buffer_gl1_inv\n\t"							\
  "buffer_gl0_inv\n\t"							\
  ".elseif .amdgcn.gfx_generation_minor == 4\n\t"			\
  "buffer_inv sc0 sc1\n\t"						\
  ".else\n\t"								\
  ".if .amdgcn.gfx_generation_stepping == 10\n\t"			\
  "buffer_invl2\n\t"							\
  ".endif\n\t"								\
  "buffer_wbinvl1_vol\n\t"						\
  ".endif\n"

/* The head is s24.  If the host has changed memory, what is cached is thrown away.  Its words are looked at: those
   behind the first three, DATA, are data.  */
#define UNUSUAL(HEAD, DATA, LABEL)					\
  ".Lgompx_" LABEL "_unusual:\n\t"					\
  "s_bitcmp1_b32 s24, 24\n\t"						\
  "s_cbranch_scc0 .Lgompx_" LABEL "_counted\n\t"			\
  FRESH									\
  ".Lgompx_" LABEL "_counted:\n\t"					\
  "s_mov_b32 s31, s24\n\t"						\
  "s_and_b32 s24, s24, 0xff\n\t"					\
  "s_bfm_b64 exec, s24, " HEAD "\n\t"					\
  "s_sub_u32 " DATA ", s24, %[front]\n\t"				\
  "s_branch .Lgompx_" LABEL "_again_at_once\n"
_Static_assert (GOMPX_ANSWER_COPIED == 1, "UNUSUAL");

/* From where the item has been looked at: s28 is the words it has, TO and FROM those that travel.  EXEC is where words
   and addresses are worked out.  EACH, ALL: more to do if TO and FROM are not the same, v9 and v10 being worked out for
   the longer one, and FROM known late.  */
#define ITEM(TO, FROM, EXEC, EACH, ALL, LABEL)				\
  EXEC									\
  "v_lshl_add_u32 v5, v1, 0, -8\n\t"					\
  "v_mad_u64_u32 v[6:7], vcc, v5, 4, s[24:25]\n\t"			\
  EACH									\
  "flat_load_dword v8, v[6:7]\n\t"					\
  ALL									\
  "s_add_u32 s31, " TO ", 8\n\t"					\
  "s_bfm_b64 exec, s31, 0\n\t"						\
  WORDS_UNLESS_##LABEL							\
  "s_or_b32 s31, s31, %[head]\n\t"					\
  "s_waitcnt 0\n\t"							\
  SEND ("0x80")								\
  "s_add_u32 s31, " FROM ", %[front]\n\t"				\
  "s_bfm_b64 exec, s31, 5\n"						\
  ".Lgompx_" #LABEL "_again_at_once:\n\t"				\
  LOOK ("5", #LABEL)							\
  "s_bfm_b64 exec, " FROM ", 8\n\t"					\
  "flat_store_dword v[6:7], v12\n\t"					\
  "s_mov_b64 exec, 0x80\n\t"						\
  OWNER									\
  "s_setpc_b64 s[18:19]\n"						\
  WAIT ("5", #LABEL)							\
  UNUSUAL ("5", FROM, #LABEL)
#define WORDS_UNLESS_tofrom WORDS
#define WORDS_UNLESS_other

/* ---- several items ---- */

/* Types of items, and sets of them by bit.  gomp_reverse_bytes has what travels; those of SOME without bytes are known
   by what describes them.  */
#define BIT(TYPE) (UINT32_C (1) << (TYPE))
#define TO (BIT (0x01) | BIT (0x03) | BIT (0x11) | BIT (0x13) | BIT (0x0c))
#define BYTES (TO | BIT (0x02) | BIT (0x12))
#define SOME (BYTES | BIT (0x00) | BIT (0x10) | BIT (0x0d) | BIT (0x0f))

/* v5: the lane's number, less S.  */
#define LANE_LESS(S)							\
  ".if .amdgcn.gfx_generation_number >= 10\n\t"				\
  "v_subrev_nc_u32 v5, " S ", v1\n\t"				\
  ".else\n\t"								\
  "v_subrev_u32 v5, " S ", v1\n\t"					\
  ".endif\n\t"

/* v[6:7]: where the words of the items are, of which item I has WORDS in its lane, and which come to lanes from
   5 * N + 3 on; s31 is behind them at last.  EACH: more to do.  */
#define SPREAD(WORDS, EACH, LABEL)					\
  "s_mul_i32 s31, s28, 5\n\t"						\
  "s_add_u32 s31, s31, 3\n\t"						\
  "s_mov_b32 s29, 0\n"							\
  ".Lgompx_" LABEL "_each:\n\t"						\
  "v_readlane_b32 s24, v10, s29\n\t"					\
  "v_readlane_b32 s25, v11, s29\n\t"					\
  "v_readlane_b32 s23, " WORDS ", s29\n\t"				\
  EACH									\
  "s_bfm_b64 exec, s23, s31\n\t"					\
  LANE_LESS ("s31")							\
  "v_mad_u64_u32 v[6:7], vcc, v5, 4, s[24:25]\n\t"			\
  "s_add_u32 s31, s31, s23\n\t"						\
  "s_add_u32 s29, s29, 1\n\t"						\
  "s_cmp_lt_u32 s29, s28\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_each\n\t"

/* The words of the answer that may come.  Those of lanes that have theirs are in v14.  */
#define LOAD_MANY							\
  FAR_LOAD ("global_load_dwordx2 v[14:15], v3, s[20:21]")		\
  "s_waitcnt vmcnt(0)\n\t"						\
  "v_cmp_ne_u32 vcc, s30, v15\n\t"
#define EXEC_MANY							\
  "s_add_u32 s24, s27, 3\n\t"						\
  "s_bfm_b64 exec, s24, s23\n\t"

/* There are between 2 and 15 items, N being s28, and s29 is 0.  */
#define MANY								\
  /* Where the tables are, and a slot.  */				\
  "s_mov_b64 exec, -1\n\t"						\
  "v_lshlrev_b32_e64 v5, 3, v1\n\t"					\
  "v_lshlrev_b32_e64 v0, 2, v1\n\t"					\
  "v_lshlrev_b32_e64 v15, 1, v1\n\t"					\
  "s_mov_b64 exec, 7\n\t"						\
  "global_load_dwordx2 v[6:7], v5, s[16:17] offset:-24\n\t"		\
  PLACE									\
  "s_waitcnt 0\n\t"							\
  "s_cmp_lg_u32 s23, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_target_other\n\t"				\
  "s_and_b32 s22, s22, s30\n\t"						\
  "s_mov_b64 exec, 2\n\t"						\
  "v_lshlrev_b32_e64 v4, 2, s22\n\t"					\
  SWAP ("v1")								\
  "v_readlane_b32 s24, v6, 2\n\t"					\
  "v_readlane_b32 s25, v7, 2\n\t"					\
  "v_readlane_b32 s30, v6, 1\n\t"					\
  "v_readlane_b32 s31, v7, 1\n\t"					\
  "v_readlane_b32 vcc_lo, v6, 0\n\t"					\
  "v_readlane_b32 vcc_hi, v7, 0\n\t"					\
  /* What describes item I, in lane I.  A load comes five instructions behind what made its address by lanes.  */ \
  "s_bfm_b64 exec, s28, 0\n\t"						\
  "s_lshl_b32 s23, s28, 1\n\t"						\
  "s_lshl_b32 s29, s28, 2\n\t"						\
  "global_load_dwordx2 v[10:11], v5, s[24:25]\n\t"			\
  "global_load_dwordx2 v[12:13], v5, s[30:31]\n\t"			\
  "global_load_ushort v14, v15, vcc\n\t"				\
  /* The request's words of it.  */					\
  "s_bfm_b64 exec, s23, 3\n\t"						\
  "global_load_dword v8, v0, s[24:25] offset:-12\n\t"			\
  "s_lshl_b64 exec, exec, s23\n\t"					\
  "v_mad_i32_i24 v0, s28, -8, v0\n\t"					\
  "global_load_dword v8, v0, s[30:31] offset:-12\n\t"			\
  "s_bfm_b64 exec, s28, 3\n\t"						\
  "s_lshl_b64 exec, exec, s29\n\t"					\
  "v_mad_i32_i24 v15, s28, -8, v15\n\t"					\
  "global_load_ushort v8, v15, vcc offset:-6\n\t"			\
  "s_waitcnt 0\n\t"							\
  TAKEN ("1", "many")							\
									\
  /* Whole words to the host, and back perhaps?  */			\
  "s_bfm_b64 exec, s28, 0\n\t"						\
  "v_xor_b32 v5, 1, v14\n\t"						\
  "v_and_b32 v5, 0xed, v5\n\t"						\
  "v_and_b32 v3, 0xffffff83, v12\n\t"					\
  "v_or3_b32 v5, v5, v3, v13\n\t"					\
  "v_cmp_eq_u32 s[24:25], 0, v11\n\t"	/* NULL, say */			\
  "v_cmp_ne_u32 vcc, 0, v5\n\t"						\
  "s_or_b64 vcc, vcc, s[24:25]\n\t"					\
  "s_cbranch_scc1 .Lgompx_many_mixed\n\t"				\
  "v_lshrrev_b32 v12, 2, v12\n\t"					\
  SPREAD ("v12", "", "many")						\
  "s_cmp_gt_u32 s31, 63\n\t"						\
  "s_cbranch_scc1 .Lgompx_many_undo\n\t"				\
  "v_writelane_b32 v8, s26, 1\n\t"					\
  "v_writelane_b32 v8, s27, 2\n\t"					\
  "s_mul_i32 s23, s28, 5\n\t"						\
  "s_add_u32 s26, s23, 3\n\t"						\
  "s_sub_u32 s27, s31, s26\n\t"						\
  "s_bfm_b64 exec, s27, s26\n\t"					\
  "s_bfm_b32 s29, s28, 0\n"						\
									\
  /* EXEC is where bytes of the items are; s23 is 5 * N, s26 the lane they begin in, s27 how many words may come back,  \
     s29 the value with which they come to where they are from.  */	\
  ".Lgompx_many_send:\n\t"						\
  "flat_load_dword v8, v[6:7]\n\t"					\
  "s_mov_b64 exec, -1\n\t"						\
  "s_lshl_b32 s24, s22, 12\n\t"						\
  "s_mul_i32 s25, s28, -40\n\t"						\
  "v_mov_b32 v9, s30\n\t"						\
  "v_lshl_add_u32 v0, v1, 3, s24\n\t"					\
  "s_add_u32 s25, s25, %[answer]\n\t"					\
  "v_lshl_add_u32 v3, v0, 0, s25\n\t"					\
  "s_lshl_b32 s24, s28, 24\n\t"						\
  "s_or_b32 s24, s24, s31\n\t"						\
  "s_or_b32 s24, s24, %[head_many]\n\t"					\
  "s_bfm_b64 exec, s31, 0\n\t"						\
  "s_waitcnt 0\n\t"							\
  "v_writelane_b32 v8, s24, 0\n\t"					\
  FAR_STORE ("global_store_dwordx2 v0, v[8:9], s[20:21] offset:%[request]") \
  "s_mov_b64 exec, 2\n\t"						\
  "v_mov_b32 v5, s22\n\t"						\
  FAR_STORE ("global_store_byte v5, v9, s[20:21]")			\
  "s_sleep 16\n\t"							\
									\
  /* The answer.  */							\
  EXEC_MANY								\
  LOAD_MANY								\
  "s_cbranch_vccnz .Lgompx_many_wait\n"					\
  ".Lgompx_many_head:\n\t"						\
  "v_readlane_b32 s25, v14, s23\n\t"					\
  "s_bitcmp1_b32 s25, 24\n\t"						\
  "s_cbranch_scc1 .Lgompx_many_copied\n"				\
  ".Lgompx_many_value:\n\t"						\
  "s_add_u32 s24, s23, 1\n\t"						\
  "v_readlane_b32 s24, v14, s24\n\t"					\
  "s_cmp_lg_u32 s24, s29\n\t"						\
  "s_cbranch_scc1 .Lgompx_many_some\n\t"				\
  "s_bfm_b64 exec, s27, s26\n\t"					\
  "flat_store_dword v[6:7], v14\n"					\
  ".Lgompx_many_end:\n\t"						\
  "s_mov_b64 exec, 2\n\t"						\
  OWNER									\
  "s_setpc_b64 s[18:19]\n"						\
									\
  /* Not all items come back: s24 has a bit for each that does.  */	\
  ".Lgompx_many_some:\n\t"						\
  "s_cmp_eq_u32 s24, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_many_end\n"					\
  ".Lgompx_many_back:\n\t"						\
  "s_ff1_i32_b32 s25, s24\n\t"						\
  "v_readlane_b32 s28, v10, s25\n\t"					\
  "v_readlane_b32 s29, v11, s25\n\t"					\
  "v_readlane_b32 s27, v12, s25\n\t"					\
  "s_bfm_b64 exec, s27, s26\n\t"					\
  LANE_LESS ("s26")							\
  "v_mad_u64_u32 v[6:7], vcc, v5, 4, s[28:29]\n\t"			\
  "flat_store_dword v[6:7], v14\n\t"					\
  "s_add_u32 s26, s26, s27\n\t"						\
  "s_bitset0_b32 s24, s25\n\t"						\
  "s_cmp_lg_u32 s24, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_many_back\n\t"				\
  "s_branch .Lgompx_many_end\n"						\
									\
  /* Not all words that may come are there.  Those that the head counts?  */ \
  ".Lgompx_many_wait:\n\t"						\
  "s_mov_b32 s31, 0\n"							\
  ".Lgompx_many_turn:\n\t"						\
  "v_readlane_b32 s24, v15, s23\n\t"					\
  "s_cmp_lg_u32 s24, s30\n\t"						\
  "s_cbranch_scc1 .Lgompx_many_pause\n\t"				\
  "v_readlane_b32 s25, v14, s23\n\t"					\
  "s_bfm_b64 exec, s25, s23\n\t"					\
  "v_cmp_ne_u32 vcc, s30, v15\n\t"					\
  EXEC_MANY								\
  "s_cbranch_vccz .Lgompx_many_head\n"					\
  ".Lgompx_many_pause:\n\t"						\
  "s_add_u32 s31, s31, 1\n\t"						\
  "s_cmp_gt_u32 s31, 64\n\t"						\
  "s_cbranch_scc1 .Lgompx_many_long\n\t"				\
  "s_sleep 1\n"								\
  ".Lgompx_many_again:\n\t"						\
  LOAD_MANY								\
  "s_cbranch_vccnz .Lgompx_many_turn\n\t"				\
  "s_branch .Lgompx_many_head\n"					\
  ".Lgompx_many_long:\n\t"						\
  ENDED ("s31", "24", "25", "many")					\
  ".Lgompx_many_copied:\n\t"						\
  FRESH									\
  "s_branch .Lgompx_many_value\n"					\
									\
  /* Some do not travel, or only back.  A NULL pointer has no bytes.  */ \
  ".Lgompx_many_mixed:\n\t"						\
  "s_mov_b32 s24, %[bytes]\n\t"						\
  "v_bfe_i32 v5, s24, v14, 1\n\t"					\
  "v_and_b32 v12, v12, v5\n\t"						\
  "v_and_b32 v13, v13, v5\n\t"						\
  "v_or_b32 v5, v10, v11\n\t"						\
  "v_cmp_ne_u32 vcc, 0, v5\n\t"						\
  "v_cndmask_b32 v12, 0, v12, vcc\n\t"					\
  "s_mov_b32 s24, %[unknown]\n\t"					\
  "v_bfe_u32 v5, s24, v14, 1\n\t"					\
  "v_or_b32 v13, v13, v5\n\t"						\
  "v_and_b32 v5, 0xe0, v14\n\t"						\
  "v_and_b32 v3, 0xffffff83, v12\n\t"					\
  "v_or3_b32 v5, v5, v3, v13\n\t"					\
  "v_cmp_ne_u32 vcc, 0, v5\n\t"						\
  "s_cbranch_vccnz .Lgompx_many_undo\n\t"				\
  "v_lshrrev_b32 v12, 2, v12\n\t"					\
  "s_mov_b32 s24, %[to]\n\t"						\
  "v_bfe_i32 v5, s24, v14, 1\n\t"					\
  "v_and_b32 v13, v12, v5\n\t"						\
  "v_writelane_b32 v8, s26, 1\n\t"					\
  "v_writelane_b32 v8, s27, 2\n\t"					\
  "s_mov_b32 s27, 0\n\t"						\
  SPREAD ("v13", "v_readlane_b32 s26, v12, s29\n\t"			\
		 "s_add_u32 s27, s27, s26\n\t", "mixed")		\
  "s_mul_i32 s23, s28, 5\n\t"						\
  "s_add_u32 s26, s23, 3\n\t"						\
  "s_add_u32 s24, s26, s27\n\t"						\
  "s_cmp_gt_u32 s24, 63\n\t"						\
  "s_cbranch_scc1 .Lgompx_mixed_undo\n\t"				\
  "s_sub_u32 s24, s31, s26\n\t"						\
  "s_bfm_b64 exec, s24, s26\n\t"					\
  "s_mov_b32 s29, -1\n\t"						\
  "s_branch .Lgompx_many_send\n"					\
									\
  BUSY ("1", "2", "many", "many_other")					\
  ".Lgompx_mixed_undo:\n\t"						\
  "v_readlane_b32 s26, v8, 1\n\t"					\
  "v_readlane_b32 s27, v8, 2\n\t"					\
  UNDO ("2", "many")							\
  ".Lgompx_many_other:\n\t"						\
  "s_mov_b32 s24, -2\n\t"						\
  "s_mov_b32 s29, 0\n\t"						\
  TEXT_GO ("accel_target_any")

extern void accel_reverse_text (void);

/* Never called: a place for the text.  */
void __attribute__ ((noinline, noclone, used))
accel_reverse_text (void)
{
  __asm__ volatile
    (".pushsection .text\n\t"
     ".p2align 8\n\t"
     TEXT_FUNCTION ("globl", "GOMP_target_ext")
     /* There are no GLOBAL instructions.  */
     ".if .amdgcn.gfx_generation_number < 9\n\t"
     TEXT_GO ("accel_target_any")
     ".else\n\t"
     "s_cmp_lg_u32 s24, -2\n\t"
     "s_cbranch_scc1 .Lgompx_target_other\n\t"
     VARIABLE
     "s_cmp_lg_u64 s[28:29], 1\n\t"
     "s_cbranch_scc1 .Lgompx_target_not_one\n\t"

     /* The item's words, and a slot.  */
     "s_mov_b64 exec, 0xf8\n\t"
     "v_lshl_add_u32 v5, v1, 2, 4\n\t"
     "v_and_b32 v6, -8, v5\n\t"
     "v_mad_i32_i24 v6, v6, -1, 40\n\t"	/* 24 24 16 16 8 */
     "global_load_dwordx2 v[6:7], v6, s[16:17] offset:-32\n\t"
     "v_and_b32 v5, 4, v5\n\t"			/* 0 4 0 4 0 */
     PLACE
     "s_waitcnt 0\n\t"
     "s_and_b32 s22, s22, s30\n\t"
     "v_mad_u64_u32 v[6:7], vcc, v5, 1, v[6:7]\n\t"
     "s_mov_b64 exec, 0x80\n\t"
     "v_lshlrev_b32_e64 v4, 2, s22\n\t"
     SWAP ("v1")
     "flat_load_ushort v8, v[6:7]\n\t"
     "s_mov_b64 exec, 0x78\n\t"
     "flat_load_dword v8, v[6:7]\n\t"
     "s_waitcnt 0\n\t"
     TAKEN ("7", "one")

     /* What it is.  s31: in what it is not "tofrom", and whether memory is shared.  */
     "v_readlane_b32 s24, v8, 3\n\t"
     "v_readlane_b32 s25, v8, 4\n\t"
     "v_readlane_b32 s28, v8, 5\n\t"
     "v_readlane_b32 s29, v8, 6\n\t"
     "v_readlane_b32 s31, v8, 7\n\t"
     "s_andn2_b64 vcc, s[28:29], 0x7c\n\t"
     "s_cbranch_scc1 .Lgompx_one_undo\n\t"
     "s_cmp_eq_u32 s25, 0\n\t"		/* NULL, say */
     "s_cbranch_scc1 .Lgompx_one_undo\n\t"
     "s_xor_b32 s31, s31, 3\n\t"
     "s_or_b32 s31, s31, s23\n\t"
     "s_lshr_b32 s28, s28, 2\n\t"
     "s_and_b32 s31, s31, 0xef\n\t"
     "s_cbranch_scc1 .Lgompx_target_kind\n\t"
     ITEM ("s28", "s28", "s_bfm_b64 exec, s28, 8\n\t", "", "", tofrom)

     /* Not both ways.  */
     ".Lgompx_target_kind:\n\t"
     "s_and_b32 s23, s31, 0xec\n\t"
     "s_cbranch_scc1 .Lgompx_one_undo\n\t"
     "s_bitcmp1_b32 s31, 0\n\t"
     "s_cselect_b32 s23, 0, s28\n\t"
     ITEM ("s23", "s28", "s_mov_b64 exec, -1\n\t",
	   WORDS
	   "s_bfm_b64 exec, s23, 8\n\t",
	   "s_bitcmp1_b32 s31, 1\n\t"
	   "s_cselect_b32 s28, 0, s28\n\t",
	   other)

     BUSY ("7", "0x80", "one", "target_other")
     UNDO ("0x80", "one")
     "s_mov_b64 s[28:29], 1\n"
     ".Lgompx_target_other:\n\t"
     TEXT_GO ("accel_target_any")

     /* No items.  Lane 1 does what one lane has to do.  */
     ".Lgompx_target_not_one:\n\t"
     "s_cmp_lg_u64 s[28:29], 0\n\t"
     "s_cbranch_scc1 .Lgompx_target_some\n\t"
     "s_cmp_eq_u64 s[26:27], 0\n\t"
     "s_cbranch_scc1 .Lgompx_target_other_wait\n\t"
     PLACE
     "s_mov_b64 exec, 2\n\t"
     "s_waitcnt lgkmcnt(0)\n\t"
     "s_and_b32 s22, s22, s30\n\t"
     "v_lshlrev_b32_e64 v4, 2, s22\n\t"
     SWAP ("v1")
     "s_waitcnt vmcnt(0)\n\t"
     TAKEN ("1", "none")
     "s_cmp_lg_u32 s23, 0\n\t"
     "s_cbranch_scc1 .Lgompx_none_undo\n\t"
     "s_mov_b64 exec, 7\n\t"
     WORDS
     "s_mov_b32 s31, %[head_none]\n\t"
     SEND ("2")
     "s_mov_b64 exec, 7\n\t"
     "s_mov_b32 s31, %[front]\n"
     ".Lgompx_none_again_at_once:\n\t"
     LOOK ("0", "none")
     "s_mov_b64 exec, 2\n\t"
     OWNER
     "s_setpc_b64 s[18:19]\n"
     WAIT ("0", "none")
     UNUSUAL ("0", "s28", "none")
     BUSY ("1", "2", "none", "target_other")
     UNDO ("2", "none")
     "s_mov_b64 s[28:29], 0\n"
     ".Lgompx_target_other_wait:\n\t"
     "s_waitcnt lgkmcnt(0)\n\t"
     TEXT_GO ("accel_target_any")

     /* As many as there may be lanes for.  */
     ".Lgompx_target_some:\n\t"
     "s_lshr_b64 vcc, s[28:29], 4\n\t"
     "s_cbranch_scc1 .Lgompx_target_other_wait\n\t"
     MANY
     ".endif\n\t"
     ".popsection"
     : : [owner] "n" (offsetof (struct gompx_reverse, owner)), [area] "n" (offsetof (struct gompx_reverse, area)),
     [mask] "n" (offsetof (struct gompx_reverse, mask)), [step] "n" (GOMPX_NUMBER_STEP),
     [request] "n" (offsetof (struct gompx_slots, slots[0].request)),
     [answer] "n" (offsetof (struct gompx_slots, slots[0].answer)), [front] "n" (GOMPX_ANSWER_DATA),
     [head] "n" (GOMPX_HEAD (0, 1, 1)), [head_none] "n" (GOMPX_HEAD (GOMPX_REQUEST_ITEMS, 1, 0)),
     [head_many] "n" (GOMPX_HEAD (0, 1, 0)), [to] "n" (TO), [bytes] "n" (BYTES), [unknown] "n" (~SOME),
     [output] "n" (offsetof (struct gompx_gcn_launch, output)));
}

_Static_assert (GOMPX_REQUEST_HEAD == 0 && GOMPX_REQUEST_FUNCTION == 1 && GOMPX_REQUEST_ITEMS == 3
		&& GOMPX_ITEM_ADDRESS == 2 && GOMPX_ITEM_SIZE == 2 && GOMPX_ITEM_KIND == 1 && GOMPX_ITEM_WORDS == 5
		&& GOMPX_ANSWER_HEAD == 0 && GOMPX_ANSWER_DATA == 3, "the lanes' words");
_Static_assert (offsetof (struct gompx_reverse, area) + 8 == offsetof (struct gompx_reverse, mask)
		&& offsetof (struct gompx_reverse, area) + 12 == offsetof (struct gompx_reverse, flags), "PLACE");
_Static_assert ((GOMPX_REVERSE_SHARED & 0xec) != 0, "s31");

#pragma omp end declare target

#endif /* REMOTE_TEXT */
