/* reverse-text.c -- the usual calls of the host, target device(ancestor: 1), in assembly; text.h tells why.

   Usual is a call without items, or with items that are mapped "to", "from", "tofrom" or "alloc", implicitly mapped, or
   private copies, up to 31 of them.  config/accel/reverse.c does the same in C, and all others: accel_target_any, to which
   this goes with the arguments in place.  plugin/slots-proto.h has the protocol, config/accel/call.h its C form.

   One item of whole words, 124 bytes at most: a lane has a word of the request, and later one of the answer:

     lane	0	1 2		3 4	5 6	7	8 ...
     request	head	function	address	size	kind	the item's bytes
     answer				    head	value	the item's bytes

   (the answer's head is in lane 5, so that its bytes are in the lanes that know their addresses).  Lane 7 does what
   one lane has to do.  Its number in v1 is odd, which is what takes a slot.

   Others have rows: lane I has that of item I - 1, lane 0 that of the head, so what is done for one item is done for all
   of them at once.  Three forms, from the quickest:
     rows	values, and variables of 4 bytes, which are in their rows in both directions
     words	whole words, of which those that are not in rows have a lane each, the same in both directions
     any	any size: one item after the other, 64 words at a time
   In a row the address is v[10:11], the size and kind v12, once they are joined, the last word v8.

   The arguments that have no register are below the stack pointer: sizes, kinds, ... at -16, -24, addresses at
   -8.  For one item lanes 3 to 7 load the pointers to their words, and then their words.

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

/* Store the words v8 of EXEC's lanes, with s31 as the head, and ring the bell: all store the same byte there.  A request
   takes a microsecond to the host and back at least.  */
#define SEND								\
  "v_writelane_b32 v8, s31, 0\n\t"					\
  "v_writelane_b32 v8, s26, 1\n\t"					\
  "v_writelane_b32 v8, s27, 2\n\t"					\
  FAR_STORE ("global_store_dwordx2 v10, v[8:9], s[20:21] offset:%[request]")	\
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
  SENT (TO, FROM, "flat_store_dword v[6:7], v12\n\t", LABEL)
#define SENT(TO, FROM, STORE, LABEL)					\
  "s_add_u32 s31, " TO ", 8\n\t"					\
  "s_bfm_b64 exec, s31, 0\n\t"						\
  WORDS_UNLESS_##LABEL							\
  "s_or_b32 s31, s31, %[head]\n\t"					\
  "s_waitcnt 0\n\t"							\
  SEND									\
  "s_add_u32 s31, " FROM ", %[front]\n\t"				\
  "s_bfm_b64 exec, s31, 5\n"						\
  ".Lgompx_" #LABEL "_again_at_once:\n\t"				\
  LOOK ("5", #LABEL)							\
  "s_bfm_b64 exec, " FROM ", 8\n\t"					\
  STORE									\
  "s_mov_b64 exec, 0x80\n\t"						\
  OWNER									\
  "s_setpc_b64 s[18:19]\n"						\
  WAIT ("5", #LABEL)							\
  UNUSUAL ("5", FROM, #LABEL)
#define WORDS_UNLESS_tofrom WORDS
#define WORDS_UNLESS_other
#define WORDS_UNLESS_part WORDS

/* An item of s23 bytes, 3 at most, both ways, in lane 8: its halfword, and its last byte, which is at v[14:15].  */
#define PART								\
  "s_mov_b64 exec, 0x100\n\t"						\
  "v_mov_b32 v6, s24\n\t"						\
  "v_mov_b32 v7, s25\n\t"						\
  "v_mov_b32 v8, 0\n\t"						\
  "s_bitcmp1_b32 s23, 1\n\t"						\
  "s_cbranch_scc0 .Lgompx_part_byte\n\t"				\
  "flat_load_ushort v8, v[6:7]\n\t"					\
  "s_bitcmp1_b32 s23, 0\n\t"						\
  "s_cbranch_scc0 .Lgompx_part_sent\n"					\
  ".Lgompx_part_byte:\n\t"						\
  "s_and_b32 s24, s23, 2\n\t"						\
  "v_mad_u64_u32 v[14:15], vcc, s24, 1, v[6:7]\n\t"			\
  "flat_load_ubyte v5, v[14:15]\n\t"					\
  "s_lshl_b32 s24, s24, 3\n\t"						\
  "s_waitcnt 0\n\t"							\
  "v_lshlrev_b32 v5, s24, v5\n\t"					\
  "v_or_b32 v8, v8, v5\n"						\
  ".Lgompx_part_sent:\n\t"						\
  SENT ("1", "s28", PART_BACK, part)
#define PART_BACK							\
  "s_bitcmp1_b32 s23, 1\n\t"						\
  "s_cbranch_scc0 .Lgompx_part_back\n\t"				\
  "flat_store_short v[6:7], v12\n\t"					\
  "s_bitcmp1_b32 s23, 0\n\t"						\
  "s_cbranch_scc0 .Lgompx_part_end\n"					\
  ".Lgompx_part_back:\n\t"						\
  "s_and_b32 s24, s23, 2\n\t"						\
  "s_lshl_b32 s24, s24, 3\n\t"						\
  "v_lshrrev_b32 v5, s24, v12\n\t"					\
  "flat_store_byte v[14:15], v5\n"					\
  ".Lgompx_part_end:\n\t"

/* ---- several items ---- */

/* Types of items, and sets of them by bit.  gomp_reverse_bytes has what travels; those of SOME without bytes are known
   by what describes them.  */
#define BIT(TYPE) (UINT32_C (1) << (TYPE))
#define TO (BIT (0x01) | BIT (0x03) | BIT (0x11) | BIT (0x13) | BIT (0x0c))
#define BYTES (TO | BIT (0x02) | BIT (0x12))
#define SOME (BYTES | BIT (0x00) | BIT (0x10) | BIT (0x0d) | BIT (0x0f))

/* Lanes stay on in which A is not B.  */
#define STAY_UNLESS_EQUAL(A, B) STAY ("ne", A, B)
/* ... and those below S.  */
#define STAY_BELOW(S) STAY ("gt", S, "v1")
#define STAY(HOW, A, B)							\
  ".if .amdgcn.gfx_generation_number >= 10\n\t"				\
  "v_cmpx_" HOW "_u32 " A ", " B "\n\t"				\
  ".else\n\t"								\
  "v_cmpx_" HOW "_u32 vcc, " A ", " B "\n\t"				\
  ".endif\n\t"

/* Where the tables are, in all lanes; then what is in the row of lane I, item I - 1.  */
#define TABLES								\
  "v_mov_b32 v5, 0\n\t"							\
  "global_load_dwordx2 v[6:7], v5, s[16:17] offset:-8\n\t"		\
  "global_load_dwordx4 v[12:15], v5, s[16:17] offset:-24\n\t"
#define DESCRIPTIONS							\
  "v_mad_u64_u32 v[6:7], vcc, v1, 8, v[6:7]\n\t"			\
  "v_mad_u64_u32 v[8:9], vcc, v1, 8, v[14:15]\n\t"			\
  "v_mad_u64_u32 v[12:13], vcc, v1, 2, v[12:13]\n\t"			\
  "global_load_dwordx2 v[10:11], v[6:7], off offset:-8\n\t"		\
  "global_load_ushort v14, v[12:13], off offset:-2\n\t"		\
  "global_load_dwordx2 v[12:13], v[8:9], off offset:-8\n\t"		\
  "s_waitcnt 0\n\t"

/* All lanes that have a row, one for each item and lane 0, store it: v[10:11] and what comes behind, v12 and v8; s31 is
   the head, s25 where the slot is.  They ring the bell together, and look at the answer: its number in v15, v14.  */
#define ROWS_SEND						\
  "v_lshl_add_u32 v3, v1, 5, s25\n\t"					\
  "v_mov_b32 v9, s30\n\t"						\
  "v_mov_b32 v13, s30\n\t"						\
  "v_writelane_b32 v10, s31, 0\n\t"					\
  "s_waitcnt 0\n\t"							\
  FAR_STORE ("global_store_dwordx2 v3, v[8:9], s[20:21] offset:%[request]+8*%[row_bytes]") \
  FAR_STORE ("global_store_dwordx2 v3, v[12:13], s[20:21] offset:%[request]+8*%[row_kind]") \
  "v_mov_b32 v8, v10\n\t"						\
  FAR_STORE ("global_store_dwordx2 v3, v[8:9], s[20:21] offset:%[request]") \
  "v_mov_b32 v8, v11\n\t"						\
  FAR_STORE ("global_store_dwordx2 v3, v[8:9], s[20:21] offset:%[request]+8") \
  "v_mov_b32 v5, s22\n\t"						\
  FAR_STORE ("global_store_byte v5, v9, s[20:21]")			\
  "s_sleep 16\n\t"							\
  ".if .amdgcn.gfx_generation_number >= 10\n\t"				\
  "s_add_u32 s25, s25, %[answer]\n\t"					\
  ".endif\n\t"
#define ROWS_LOOK(LABEL)						\
  "v_lshl_add_u32 v3, v1, 3, s25\n\t"					\
  ROWS_LOAD								\
  "s_cbranch_vccnz .Lgompx_" LABEL "_wait\n"				\
  ".Lgompx_" LABEL "_head:\n\t"
#define ROWS_LOAD							\
  ".if .amdgcn.gfx_generation_number >= 10\n\t"				\
  FAR_LOAD ("global_load_dwordx2 v[14:15], v3, s[20:21]")		\
  ".else\n\t"								\
  FAR_LOAD ("global_load_dwordx2 v[14:15], v3, s[20:21] offset:%[answer]") \
  ".endif\n\t"								\
  "s_waitcnt vmcnt(0)\n\t"						\
  "v_cmp_ne_u32 vcc, s30, v15\n\t"

/* Not all words are there, or the head's number says that memory was changed.  */
#define ROWS_COPIED(LABEL)						\
  "v_readlane_b32 s24, v15, 0\n\t"					\
  "s_sub_u32 s24, s24, s30\n\t"					\
  "s_cmp_lg_u32 s24, 1\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_pause\n\t"				\
  "s_cmp_lg_u32 vcc_lo, 1\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_pause\n\t"				\
  FRESH									\
  "s_branch .Lgompx_" LABEL "_head\n"
#define ROWS_WAIT(LABEL, COPIED)					\
  ".Lgompx_" LABEL "_wait:\n\t"						\
  "s_mov_b32 s31, 0\n"							\
  ".Lgompx_" LABEL "_turn:\n\t"						\
  COPIED								\
  ".Lgompx_" LABEL "_pause:\n\t"					\
  "s_add_u32 s31, s31, 1\n\t"						\
  "s_cmp_gt_u32 s31, 64\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_long\n\t"				\
  "s_sleep 1\n"								\
  ".Lgompx_" LABEL "_again:\n\t"					\
  ROWS_LOAD								\
  "s_cbranch_vccnz .Lgompx_" LABEL "_turn\n\t"				\
  "s_branch .Lgompx_" LABEL "_head\n"					\
  ".Lgompx_" LABEL "_long:\n\t"						\
  ENDED ("s31", "24", "25", LABEL)

/* There are between 2 and 31 items, N being s28.  */
#define ROWS								\
  "s_lshr_b64 vcc, s[28:29], 5\n\t"					\
  "s_add_u32 s29, s28, 1\n\t"						\
  "s_bfm_b64 exec, s29, 0\n\t"						\
  TABLES								\
  PLACE									\
  "s_waitcnt 0\n\t"							\
  "s_or_b32 vcc_lo, vcc_lo, s23\n\t"					\
  "s_cbranch_scc1 .Lgompx_rows_other\n\t"				\
  "s_and_b32 s22, s22, s30\n\t"					\
  "v_lshlrev_b32_e64 v4, 2, s22\n\t"					\
  "s_mov_b64 exec, 2\n\t"						\
  SWAP ("v1")								\
  "s_bfm_b64 exec, s28, 1\n\t"						\
  DESCRIPTIONS								\
  TAKEN ("1", "rows")							\
									\
  /* Values, and variables of 4 bytes: who has bytes sends them, as the host knows whether it wants them.  */ \
  "v_and_b32 v5, 0xff, v14\n\t"						\
  STAY_UNLESS_EQUAL ("13", "v5")					\
  "v_and_b32 v5, 0xec, v5\n\t"						\
  "v_xor_b32 v6, 4, v12\n\t"						\
  "v_or3_b32 v6, v5, v6, v13\n\t"					\
  "v_cmp_ne_u32 vcc, 0, v6\n\t"					\
  "v_cmp_eq_u32 s[24:25], 0, v11\n\t"	/* NULL, say */			\
  "s_or_b64 vcc, vcc, s[24:25]\n\t"					\
  "s_cbranch_scc1 .Lgompx_rows_words\n\t"				\
  "flat_load_dword v8, v[10:11]\n\t"					\
  "s_lshl_b32 s25, s22, 12\n\t"					\
  "s_bfm_b64 exec, s29, 0\n\t"						\
  "s_mul_i32 s31, s28, %[head_row]\n\t"				\
  "s_add_u32 s31, s31, %[head_rows]+%[row_words]\n\t"			\
  "v_lshl_or_b32 v12, v12, 16, v14\n\t"				\
  "v_writelane_b32 v11, s26, 0\n\t"					\
  "v_writelane_b32 v12, s27, 0\n\t"					\
  ROWS_SEND								\
  ROWS_LOOK ("rows")							\
  /* What it has is in registers: the slot can go.  */			\
  "v_readlane_b32 s25, v14, 0\n\t"					\
  OWNER									\
  "s_mov_b32 exec_lo, s25\n\t"						\
  "flat_store_dword v[10:11], v14\n\t"					\
  "s_setpc_b64 s[18:19]\n"						\
  ROWS_WAIT ("rows", ROWS_COPIED ("rows"))							\
									\
  ".Lgompx_rows_busy:\n"						\
  BUSY ("1", "2", "seek", "rows_other")				\
  ".Lgompx_seek_taken:\n\t"						\
  "s_bfm_b64 exec, s29, 0\n\t"						\
  "v_lshlrev_b32_e64 v4, 2, s22\n\t"					\
  "s_bfm_b64 exec, s28, 1\n\t"						\
  "s_branch .Lgompx_rows_taken\n"					\
									\
  /* The slot has been taken for one item: it gets a row, too.  */	\
  ".Lgompx_one_row:\n\t"						\
  "s_load_dword s23, s[12:13], %[flags]\n\t"				\
  "v_readlane_b32 s28, v8, 5\n\t"					\
  "v_readlane_b32 s31, v8, 7\n\t"					\
  "s_mov_b64 exec, 2\n\t"						\
  "v_mov_b32 v10, s24\n\t"						\
  "v_mov_b32 v11, s25\n\t"						\
  "v_mov_b32 v12, s28\n\t"						\
  "v_mov_b32 v13, s29\n\t"						\
  "v_mov_b32 v14, s31\n\t"						\
  "s_mov_b64 s[28:29], 1\n\t"						\
  "s_waitcnt lgkmcnt(0)\n\t"						\
  "s_cmp_eq_u32 s23, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_rows_any\n\t"				\
									\
  ".Lgompx_rows_undo:\n\t"						\
  "s_mov_b64 exec, 2\n\t"						\
  "v_lshlrev_b32_e64 v4, 2, s22\n\t"					\
  "s_sub_u32 s30, s30, %[step]\n\t"					\
  "v_mov_b32 v9, s30\n\t"						\
  OWNER									\
  ".Lgompx_rows_other:\n\t"						\
  "s_mov_b32 s24, -2\n\t"						\
  "s_mov_b32 s29, 0\n\t"						\
  TEXT_GO ("accel_target_any")

/* What others have stored is in memory before what comes next: the host may read it there.  */
#define RELEASE								\
  "s_waitcnt 0\n\t"							\
  ".if .amdgcn.gfx_generation_number >= 10\n\t"				\
  "s_waitcnt_vscnt null, 0\n\t"					\
  ".elseif .amdgcn.gfx_generation_minor == 4\n\t"			\
  "buffer_wbl2 sc0 sc1\n\t"						\
  "s_waitcnt vmcnt(0)\n\t"						\
  ".elseif .amdgcn.gfx_generation_stepping == 10\n\t"			\
  "buffer_wbl2\n\t"							\
  "s_waitcnt vmcnt(0)\n\t"						\
  ".endif\n"

/* Of the lanes s[24:25], whose item has v6 bytes, 4 at most: OP4, OP2 and OP1 for 4 bytes, 2, and 1; behind 2 others, v5
   is 2.  BYTE makes v[12:13] the address of that one.  */
#define FOUR(OP4, OP2, BYTE, OP1, LABEL)				\
  "s_mov_b64 exec, s[24:25]\n\t"					\
  "v_cmp_eq_u32 vcc, 4, v6\n\t"					\
  "s_mov_b64 exec, vcc\n\t"						\
  OP4									\
  "s_mov_b64 exec, s[24:25]\n\t"					\
  "v_and_b32 v5, 2, v6\n\t"						\
  "v_cmp_ne_u32 vcc, 0, v5\n\t"					\
  "s_mov_b64 exec, vcc\n\t"						\
  OP2									\
  "s_mov_b64 exec, s[24:25]\n\t"					\
  "v_and_b32 v7, 1, v6\n\t"						\
  "v_cmp_ne_u32 vcc, 0, v7\n\t"					\
  "s_mov_b64 exec, vcc\n\t"						\
  "s_cbranch_execz .Lgompx_" LABEL "\n\t"				\
  BYTE									\
  "v_lshlrev_b32 v5, 3, v5\n\t"					\
  OP1									\
  ".Lgompx_" LABEL ":\n\t"

/* The item with the lowest bit of s29 is the next one: its lane is vcc_lo.  */
#define NEXT_ITEM							\
  "s_ff1_i32_b32 vcc_lo, s29\n\t"					\
  "s_bitset0_b32 s29, vcc_lo\n\t"					\
  "v_readlane_b32 s24, v10, vcc_lo\n\t"				\
  "v_readlane_b32 s25, v11, vcc_lo\n\t"				\
  "v_readlane_b32 s23, v6, vcc_lo\n\t"
/* s26: where word s31 of the slot's request is.  */
#define WORD								\
  "s_lshl_b32 s26, s22, 12\n\t"					\
  "s_lshl3_add_u32 s26, s31, s26\n\t"
/* Behind 64 words.  */
#define FORWARD								\
  "s_add_u32 s31, s31, 64\n\t"						\
  "s_sub_u32 s23, s23, 256\n\t"					\
  "s_add_u32 s24, s24, 256\n\t"					\
  "s_addc_u32 s25, s25, 0\n\t"
/* Behind s26 words, and lane 0 goes on alone.  */
#define TAIL								\
  "s_lshl_b32 s26, s26, 2\n\t"						\
  "s_add_u32 s24, s24, s26\n\t"					\
  "s_addc_u32 s25, s25, 0\n\t"						\
  "s_mov_b64 exec, 1\n\t"						\
  "v_mov_b32 v4, s24\n\t"						\
  "v_mov_b32 v5, s25\n\t"
#define BEHIND_HALF							\
  "s_add_u32 s24, s24, 2\n\t"						\
  "s_addc_u32 s25, s25, 0\n\t"						\
  "v_mov_b32 v4, s24\n\t"						\
  "v_mov_b32 v5, s25\n"

/* The others, with the slot taken and described as above: of any size, implicitly mapped ones among them, of which the
   host may fetch bytes.  v6 is the bytes that an item has, v0 the last word of its row; s27 not 0 if the host fetches.  */
#define ROWS_ANY							\
  ".Lgompx_rows_any:\n\t"						\
  "s_bfm_b64 exec, s28, 1\n\t"						\
  "v_and_b32 v5, 0xff, v14\n\t"						\
  "v_lshlrev_b32_e64 v7, v5, 1\n\t"					\
  "v_and_b32 v6, 0xe0, v5\n\t"						\
  "v_mov_b32 v8, %[unknown]\n\t"					\
  "v_mov_b32 v15, -15\n\t"						\
  "v_cmp_eq_u32 vcc, 0x60, v6\n\t"					\
  "v_cndmask_b32_e64 v8, v8, v15, vcc\n\t"				\
  "v_cndmask_b32_e64 v6, v6, 0, vcc\n\t"				\
  "s_mov_b32 s23, vcc_lo\n\t"						\
  "v_and_b32 v8, v8, v7\n\t"						\
  "v_lshrrev_b32 v15, 16, v12\n\t"					\
  "v_or3_b32 v8, v8, v6, v13\n\t"					\
  "v_or_b32 v8, v8, v15\n\t"						\
  "v_cmp_ne_u32 vcc, 0, v8\n\t"					\
  "s_cbranch_vccnz .Lgompx_rows_undo\n\t"				\
  "v_mov_b32 v6, v12\n\t"						\
  "v_lshl_or_b32 v12, v12, 16, v14\n\t"				\
  "v_writelane_b32 v11, s26, 0\n\t"					\
  "v_writelane_b32 v12, s27, 0\n\t"					\
  "v_and_b32 v8, %[bytes], v7\n\t"					\
  "v_cmp_ne_u32 vcc, 0, v8\n\t"					\
  "v_cndmask_b32_e64 v6, 0, v6, vcc\n\t"				\
  "v_cmp_ne_u64 vcc, 0, v[10:11]\n\t"					\
  "v_cndmask_b32_e64 v6, 0, v6, vcc\n\t"				\
  "v_and_b32 v8, %[to], v7\n\t"					\
  "v_cmp_ne_u32 vcc, 0, v8\n\t"					\
  "s_andn2_b32 s29, vcc_lo, s23\n\t"					\
  "v_cmp_gt_u32 vcc, 5, v6\n\t"					\
  "s_mov_b32 s27, s23\n\t"						\
  "s_and_b32 s24, s29, vcc_lo\n\t"					\
  "s_andn2_b32 s29, s29, vcc_lo\n\t"					\
  "s_mov_b64 exec, -1\n\t"						\
  "v_mov_b32 v9, s30\n\t"						\
  "v_mov_b32 v0, 0\n\t"						\
  "s_mov_b32 s25, 0\n\t"						\
  "s_cmp_eq_u32 s24, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_any_large\n\t"				\
  FOUR ("flat_load_dword v0, v[10:11]\n\t", "flat_load_ushort v0, v[10:11]\n\t", \
	"v_mad_u64_u32 v[14:15], vcc, v5, 1, v[10:11]\n\t"		\
	"flat_load_ubyte v7, v[14:15]\n\t",				\
	"s_waitcnt 0\n\t"						\
	"v_lshlrev_b32 v7, v5, v7\n\t"					\
	"v_or_b32 v0, v0, v7\n",					\
	"any_large")							\
									\
  /* One after the other, 64 words at a time.  s31: the next word of the request.  */ \
  "s_lshl_b32 s31, s28, 2\n\t"						\
  "s_add_u32 s31, s31, %[row_words]\n\t"				\
  "s_cmp_eq_u32 s29, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_any_send\n"					\
  ".Lgompx_any_each:\n\t"						\
  NEXT_ITEM								\
  "s_add_u32 s26, s23, 3\n\t"						\
  "s_lshr_b32 s26, s26, 2\n\t"						\
  "s_add_u32 s26, s26, s31\n\t"					\
  "s_cmp_gt_u32 s26, %[words]\n\t"					\
  "s_cbranch_scc1 .Lgompx_any_far\n\t"					\
  "s_bfm_b64 exec, 1, vcc_lo\n\t"					\
  "v_mov_b32 v0, s31\n"						\
  ".Lgompx_any_words:\n\t"						\
  "s_mov_b64 exec, -1\n\t"						\
  WORD									\
  "v_lshl_add_u32 v7, v1, 3, s26\n\t"					\
  "s_lshr_b32 s26, s23, 2\n\t"						\
  STAY_BELOW ("s26")							\
  "v_mad_u64_u32 v[4:5], vcc, v1, 4, s[24:25]\n\t"			\
  "flat_load_dword v8, v[4:5]\n\t"					\
  "s_waitcnt 0\n\t"							\
  FAR_STORE ("global_store_dwordx2 v7, v[8:9], s[20:21] offset:%[request]") \
  "s_cmp_lt_u32 s26, 64\n\t"						\
  "s_cbranch_scc1 .Lgompx_any_tail\n\t"				\
  FORWARD								\
  "s_branch .Lgompx_any_words\n"					\
  ".Lgompx_any_tail:\n\t"						\
  "s_add_u32 s31, s31, s26\n\t"					\
  "s_and_b32 s23, s23, 3\n\t"						\
  "s_cbranch_scc0 .Lgompx_any_next\n\t"				\
  TAIL									\
  "v_mov_b32 v8, 0\n\t"						\
  "s_bitcmp1_b32 s23, 1\n\t"						\
  "s_cbranch_scc0 .Lgompx_any_byte\n\t"				\
  "flat_load_ushort v8, v[4:5]\n\t"					\
  BEHIND_HALF								\
  ".Lgompx_any_byte:\n\t"						\
  "s_bitcmp1_b32 s23, 0\n\t"						\
  "s_cbranch_scc0 .Lgompx_any_tail_store\n\t"				\
  "flat_load_ubyte v7, v[4:5]\n\t"					\
  "s_and_b32 s23, s23, 2\n\t"						\
  "s_lshl_b32 s23, s23, 3\n\t"						\
  "s_waitcnt 0\n\t"							\
  "v_lshlrev_b32 v7, s23, v7\n\t"					\
  "v_or_b32 v8, v8, v7\n"						\
  ".Lgompx_any_tail_store:\n\t"					\
  WORD									\
  "v_mov_b32 v7, s26\n\t"						\
  "s_waitcnt 0\n\t"							\
  FAR_STORE ("global_store_dwordx2 v7, v[8:9], s[20:21] offset:%[request]") \
  "s_add_u32 s31, s31, 1\n"						\
  ".Lgompx_any_next:\n\t"						\
  "s_cmp_lg_u32 s29, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_any_each\n"					\
  ".Lgompx_any_send:\n\t"						\
  "s_cmp_eq_u32 s27, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_any_rows\n\t"				\
  RELEASE								\
  ".Lgompx_any_rows:\n\t"						\
  "s_lshl_b32 s25, s22, 12\n\t"					\
  "s_add_u32 s29, s28, 1\n\t"						\
  "s_bfm_b64 exec, s29, 0\n\t"						\
  "s_lshl_b32 s24, s28, 24\n\t"					\
  "s_or_b32 s31, s31, s24\n\t"						\
  "s_add_u32 s31, s31, %[head_rows]\n\t"				\
  "v_mov_b32 v8, v0\n\t"						\
  ROWS_SEND								\
  ROWS_LOOK ("any")							\
									\
  /* What comes back: s24 has the bits of those with 4 bytes at most, s29 of the others.  */ \
  "v_readlane_b32 s29, v14, 0\n\t"					\
  "s_mov_b32 s25, 0\n\t"						\
  "s_mov_b32 exec_lo, s29\n"						\
  ".Lgompx_any_some:\n\t"						\
  "v_cmp_gt_u32 vcc, 5, v6\n\t"					\
  "s_and_b32 s24, s29, vcc_lo\n\t"					\
  "s_cbranch_scc0 .Lgompx_any_back\n\t"				\
  FOUR ("flat_store_dword v[10:11], v14\n\t", "flat_store_short v[10:11], v14\n\t", \
	"v_mad_u64_u32 v[12:13], vcc, v5, 1, v[10:11]\n\t",		\
	"v_lshrrev_b32 v7, v5, v14\n\t"				\
	"flat_store_byte v[12:13], v7\n",				\
	"any_four")							\
  "s_andn2_b32 s29, s29, s24\n"					\
  ".Lgompx_any_back:\n\t"						\
  "s_cmp_eq_u32 s29, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_any_end\n"					\
  ".Lgompx_any_back_each:\n\t"						\
  NEXT_ITEM								\
  "v_readlane_b32 s31, v14, vcc_lo\n"					\
  ".Lgompx_any_back_words:\n\t"					\
  "s_mov_b64 exec, -1\n\t"						\
  WORD									\
  "s_add_u32 s26, s26, %[answer]\n\t"					\
  "v_lshl_add_u32 v7, v1, 3, s26\n\t"					\
  "s_add_u32 s26, s23, 3\n\t"						\
  "s_lshr_b32 s26, s26, 2\n\t"						\
  STAY_BELOW ("s26")							\
  "s_lshr_b32 s26, s23, 2\n"						\
  ".Lgompx_any_back_look:\n\t"						\
  FAR_LOAD ("global_load_dwordx2 v[12:13], v7, s[20:21]")		\
  "s_waitcnt vmcnt(0)\n\t"						\
  "v_cmp_ne_u32 vcc, s30, v13\n\t"					\
  "s_cbranch_vccnz .Lgompx_any_back_pause\n\t"				\
  STAY_BELOW ("s26")							\
  "v_mad_u64_u32 v[4:5], vcc, v1, 4, s[24:25]\n\t"			\
  "flat_store_dword v[4:5], v12\n\t"					\
  "s_cmp_lt_u32 s26, 64\n\t"						\
  "s_cbranch_scc1 .Lgompx_any_back_tail\n\t"				\
  FORWARD								\
  "s_branch .Lgompx_any_back_words\n"					\
  ".Lgompx_any_back_tail:\n\t"						\
  "s_and_b32 vcc_lo, s23, 3\n\t"					\
  "s_cbranch_scc0 .Lgompx_any_back_next\n\t"				\
  "v_readlane_b32 s31, v12, s26\n\t"					\
  TAIL									\
  "v_mov_b32 v7, s31\n\t"						\
  "s_bitcmp1_b32 s23, 1\n\t"						\
  "s_cbranch_scc0 .Lgompx_any_back_byte\n\t"				\
  "flat_store_short v[4:5], v7\n\t"					\
  "v_lshrrev_b32 v7, 16, v7\n\t"					\
  BEHIND_HALF								\
  ".Lgompx_any_back_byte:\n\t"						\
  "s_bitcmp1_b32 s23, 0\n\t"						\
  "s_cbranch_scc0 .Lgompx_any_back_next\n\t"				\
  "flat_store_byte v[4:5], v7\n"					\
  ".Lgompx_any_back_next:\n\t"						\
  "s_cmp_lg_u32 s29, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_any_back_each\n"				\
  ".Lgompx_any_end:\n\t"						\
  "s_mov_b64 exec, 2\n\t"						\
  "v_lshlrev_b32_e64 v4, 2, s22\n\t"					\
  OWNER									\
  "s_setpc_b64 s[18:19]\n"						\
  ".Lgompx_any_far:\n\t"						\
  "s_mov_b32 s27, 1\n\t"						\
  "s_branch .Lgompx_any_next\n"					\
  ".Lgompx_any_back_pause:\n\t"					\
  "s_sleep 1\n\t"							\
  "s_branch .Lgompx_any_back_look\n"					\
  ROWS_WAIT ("any", ROWS_COPIED ("any"))

/* v5: the lane's number, less S.  */
#define LANE_LESS(S)							\
  ".if .amdgcn.gfx_generation_number >= 10\n\t"				\
  "v_subrev_nc_u32 v5, " S ", v1\n\t"				\
  ".else\n\t"								\
  "v_subrev_u32 v5, " S ", v1\n\t"					\
  ".endif\n\t"

/* Some have more words, and as many lanes as the request has words are enough: those of the larger ones (s23) are in the
   lanes that have their numbers, s[26:27], with their addresses in v[6:7], and come back there.  */
#define ROWS_WORDS							\
  ".Lgompx_rows_words:\n\t"						\
  "v_and_b32 v6, 0xffffff03, v12\n\t"					\
  "v_or3_b32 v6, v6, v5, v13\n\t"					\
  "v_cmp_ne_u32 vcc, 0, v6\n\t"					\
  "s_or_b64 s[24:25], s[24:25], vcc\n\t"				\
  "v_cmp_eq_u32 vcc, 0, v12\n\t"					\
  "s_or_b64 vcc, vcc, s[24:25]\n\t"					\
  "s_cbranch_scc1 .Lgompx_rows_any\n\t"				\
  "flat_load_dword v8, v[10:11]\n\t"					\
  "v_lshrrev_b32 v0, 2, v12\n\t"					\
  "v_cmp_lt_u32 vcc, 4, v12\n\t"					\
  "s_mov_b32 s23, vcc_lo\n\t"						\
  "s_lshl_b32 s31, s29, 2\n\t"						\
  "s_waitcnt 0\n"							\
  ".Lgompx_words_each:\n\t"						\
  "s_ff1_i32_b32 vcc_hi, vcc_lo\n\t"					\
  "s_bitset0_b32 vcc_lo, vcc_hi\n\t"					\
  "v_readlane_b32 s24, v10, vcc_hi\n\t"				\
  "v_readlane_b32 s25, v11, vcc_hi\n\t"				\
  "s_bfm_b64 exec, 1, vcc_hi\n\t"					\
  "v_mov_b32 v8, s31\n\t"						\
  "v_readlane_b32 vcc_hi, v0, vcc_hi\n\t"				\
  "s_bfm_b64 exec, vcc_hi, s31\n\t"					\
  LANE_LESS ("s31")							\
  "v_mad_u64_u32 v[6:7], s[24:25], v5, 4, s[24:25]\n\t"		\
  "s_add_u32 s31, s31, vcc_hi\n\t"					\
  "s_cmp_lg_u32 vcc_lo, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_words_each\n\t"				\
  "s_cmp_gt_u32 s31, 64\n\t"						\
  "s_cbranch_scc1 .Lgompx_rows_any\n\t"				\
  "s_bfm_b64 exec, s29, 0\n\t"						\
  "v_lshl_or_b32 v12, v12, 16, v14\n\t"				\
  "v_writelane_b32 v11, s26, 0\n\t"					\
  "v_writelane_b32 v12, s27, 0\n\t"					\
  "s_lshl_b32 s24, s29, 2\n\t"						\
  "s_sub_u32 s25, s31, s24\n\t"					\
  "s_bfm_b64 s[26:27], s25, s24\n\t"					\
  "s_mov_b64 exec, s[26:27]\n\t"					\
  "flat_load_dword v8, v[6:7]\n\t"					\
  "s_lshl_b32 s25, s22, 12\n\t"					\
  "v_mov_b32 v9, s30\n\t"						\
  "v_lshl_add_u32 v3, v1, 3, s25\n\t"					\
  "s_waitcnt 0\n\t"							\
  FAR_STORE ("global_store_dwordx2 v3, v[8:9], s[20:21] offset:%[request]") \
  "s_bfm_b64 exec, s29, 0\n\t"						\
  "s_lshl_b32 s24, s28, 24\n\t"					\
  "s_or_b32 s31, s31, s24\n\t"						\
  "s_add_u32 s31, s31, %[head_rows]\n\t"				\
  ROWS_SEND								\
  "s_mov_b64 exec, s[26:27]\n\t"					\
  "s_mul_i32 s24, s29, -24\n\t"					\
  "s_add_u32 s24, s24, s25\n\t"					\
  "v_lshl_add_u32 v3, v1, 3, s24\n\t"					\
  "s_bfm_b64 exec, s29, 0\n\t"						\
  "v_lshl_add_u32 v3, v1, 3, s25\n\t"					\
  "s_or_b64 exec, exec, s[26:27]\n\t"					\
  ROWS_LOAD								\
  "s_cbranch_vccnz .Lgompx_words_wait\n\t"				\
  "v_readlane_b32 s25, v14, 0\n\t"					\
  "s_andn2_b32 s24, s23, s25\n\t"					\
  "s_cbranch_scc1 .Lgompx_words_head\n\t"				\
  "s_bfm_b64 exec, s29, 0\n\t"						\
  OWNER									\
  "s_andn2_b32 exec_lo, s25, s23\n\t"					\
  "flat_store_dword v[10:11], v14\n\t"					\
  "s_mov_b64 exec, s[26:27]\n\t"					\
  "flat_store_dword v[6:7], v14\n\t"					\
  "s_setpc_b64 s[18:19]\n"						\
  /* Not all of them come back, or not yet: the rows tell.  */		\
  ROWS_WAIT ("words",							\
	     "s_bfm_b32 s24, s29, 0\n\t"				\
	     "s_and_b32 vcc_lo, vcc_lo, s24\n\t"			\
	     "s_cbranch_scc0 .Lgompx_words_head\n\t"			\
	     ROWS_COPIED ("words"))					\
  ".Lgompx_words_head:\n\t"						\
  "s_bfm_b64 exec, s29, 0\n\t"						\
  "v_readlane_b32 s29, v14, 0\n\t"					\
  "s_mov_b32 s25, 0\n\t"						\
  "s_mov_b32 exec_lo, s29\n\t"						\
  "v_lshlrev_b32 v6, 2, v0\n\t"					\
  "s_branch .Lgompx_any_some\n"

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
     "s_cbranch_scc1 .Lgompx_target_part\n\t"
     "s_cmp_eq_u32 s25, 0\n\t"		/* NULL, say */
     "s_cbranch_scc1 .Lgompx_one_row\n\t"
     "s_xor_b32 s31, s31, 3\n\t"
     "s_or_b32 s31, s31, s23\n\t"
     "s_lshr_b32 s28, s28, 2\n\t"
     "s_and_b32 s31, s31, 0xef\n\t"
     "s_cbranch_scc1 .Lgompx_target_kind\n\t"
     ITEM ("s28", "s28", "s_bfm_b64 exec, s28, 8\n\t", "", "", tofrom)

     /* Not both ways.  */
     ".Lgompx_target_kind:\n\t"
     "s_and_b32 s23, s31, 0xec\n\t"
     "s_cbranch_scc1 .Lgompx_one_row\n\t"
     "s_bitcmp1_b32 s31, 0\n\t"
     "s_cselect_b32 s23, 0, s28\n\t"
     ITEM ("s23", "s28", "s_mov_b64 exec, -1\n\t",
	   WORDS
	   "s_bfm_b64 exec, s23, 8\n\t",
	   "s_bitcmp1_b32 s31, 1\n\t"
	   "s_cselect_b32 s28, 0, s28\n\t",
	   other)

     /* No whole words.  */
     ".Lgompx_target_part:\n\t"
     "s_lshr_b64 vcc, s[28:29], 2\n\t"
     "s_cbranch_scc1 .Lgompx_one_row\n\t"
     "s_xor_b32 s31, s31, 3\n\t"
     "s_or_b32 s31, s31, s23\n\t"
     "s_and_b32 s31, s31, 0xef\n\t"
     "s_cbranch_scc1 .Lgompx_one_row\n\t"
     "s_cmp_eq_u32 s25, 0\n\t"
     "s_cbranch_scc1 .Lgompx_one_row\n\t"
     "s_mov_b32 s23, s28\n\t"
     "s_mov_b32 s28, 1\n\t"
     PART

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
     SEND
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
     ROWS
     ROWS_WORDS
     ROWS_ANY
     ".endif\n\t"
     ".popsection"
     : : [owner] "n" (offsetof (struct gompx_reverse, owner)), [area] "n" (offsetof (struct gompx_reverse, area)),
     [mask] "n" (offsetof (struct gompx_reverse, mask)), [step] "n" (GOMPX_NUMBER_STEP),
     [request] "n" (offsetof (struct gompx_slots, slots[0].request)),
     [answer] "n" (offsetof (struct gompx_slots, slots[0].answer)), [front] "n" (GOMPX_ANSWER_DATA),
     [head] "n" (GOMPX_HEAD (0, 1, 1)), [head_none] "n" (GOMPX_HEAD (GOMPX_REQUEST_ITEMS, 1, 0)),
     [head_rows] "n" (GOMPX_HEAD (0, 1, GOMPX_COUNT_ROWS)), [head_row] "n" (GOMPX_HEAD (GOMPX_ROW_WORDS, 0, 1)),
     [row_words] "n" (GOMPX_ROW_WORDS), [row_kind] "n" (GOMPX_ROW_KIND), [row_bytes] "n" (GOMPX_ROW_BYTES),
     [words] "n" (GOMPX_SLOT_WORDS), [flags] "n" (offsetof (struct gompx_reverse, flags)),
     [to] "n" (TO), [bytes] "n" (BYTES), [unknown] "n" (~SOME),
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
