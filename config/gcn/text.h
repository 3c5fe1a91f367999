/* text.h -- what the entry points in assembly share: next.c, meet.c, meet-wait.c.

   An entry point that is called for every iteration or barrier has to be short.  In C it cannot be: a
   call inside, even if it is seldom made, costs a frame of some 25 instructions, and a value in memory seven,
   because each address is worked out in scalar registers and carried over, and each load awaited by itself.

   Registers (abi/gcn, section 4.2): the arguments are in s[24:25] and s[26:27], the return address is in s[18:19];
   s12, s13, s20 to s31, vcc, v0 and v3 to v15 are free; v1 has the numbers of the lanes, lane 0 of v2 has that of
   the thread.  EXEC has no value at the entry, and needs none at the return.

   The block's memory is reached by offsets of 32 bits in a vector register, "near" addresses:
     MACHINE_LDS       with DS instructions;
     otherwise	       with GLOBAL instructions and a base in s[12:13], which TEXT_BEGIN puts there.  Before gfx9 there are
		       none of these: there, TEXT_BEGIN goes on in the C function that does the same.
   TEXT_WAIT waits for what is loaded.  Loads are made past the cache of the compute unit.  */

#ifndef GOMPX_TEXT_H
#define GOMPX_TEXT_H 1

#include "accel.h"

#define TEXT_FUNCTION(BINDING, NAME)					\
  "." BINDING " " NAME "\n\t"						\
  ".type " NAME ", @function\n"						\
  NAME ":\n\t"

/* Go on in the C function NAME, as if it had been called instead.  */
#define TEXT_GO(NAME)							\
  "s_getpc_b64 s[12:13]\n\t"						\
  "s_add_u32 s12, s12, " NAME "@rel32@lo+4\n\t"				\
  "s_addc_u32 s13, s13, " NAME "@rel32@hi+12\n\t"			\
  "s_setpc_b64 s[12:13]\n\t"

/* TEXT_OWN: where the calling thread's record is, less what is in front of the records (TEXT_OFFSET); EXEC is 1.
   TEXT_OFFSET: of a field of the block.  TEXT_RETURN: the function's result.
   TEXT_THEN stands between accesses that others must see in this order.  */
#define TEXT_OWN(V) "v_mul_u32_u24 " V ", %[thread], v2\n\t"
#define TEXT_OFFSET(FIELD) (MACHINE_WORDS + offsetof (struct accel_block, FIELD))

#if MACHINE_LDS
# define TEXT_BEGIN(OTHERWISE)
# define TEXT_END
# define TEXT_LOAD32(TO, NEAR, OFFSET) "ds_read_b32 " TO ", " NEAR " offset:" OFFSET "\n\t"
# define TEXT_LOAD64(TO, NEAR, OFFSET) "ds_read_b64 " TO ", " NEAR " offset:" OFFSET "\n\t"
# define TEXT_STORE32(NEAR, VALUE, OFFSET) "ds_write_b32 " NEAR ", " VALUE " offset:" OFFSET "\n\t"
# define TEXT_OR(NEAR, VALUE, OFFSET) "ds_or_b32 " NEAR ", " VALUE " offset:" OFFSET "\n\t"
# define TEXT_ADD(NEAR, VALUE, OFFSET) "ds_add_u32 " NEAR ", " VALUE " offset:" OFFSET "\n\t"
# define TEXT_FETCH_ADD(OLD, NEAR, VALUE, OFFSET)			\
  "ds_add_rtn_u32 " OLD ", " NEAR ", " VALUE " offset:" OFFSET "\n\t"
/* PAIR is two registers, V and W: what to store, and what is expected.  */
# define TEXT_CAS(OLD, NEAR, PAIR, V, W, OFFSET)			\
  ".if .amdgcn.gfx_generation_number >= 11\n\t"			\
  "ds_cmpstore_rtn_b32 " OLD ", " NEAR ", " V ", " W " offset:" OFFSET "\n\t"	\
  ".else\n\t"								\
  "ds_cmpst_rtn_b32 " OLD ", " NEAR ", " W ", " V " offset:" OFFSET "\n\t"	\
  ".endif\n\t"
# define TEXT_WAIT "s_waitcnt lgkmcnt(0)\n\t"
# define TEXT_THEN
#else
/* s[30:31]: how far the team's arena is behind that of the first one, whose address is in s[12:13].  */
# if MACHINE_ABI == 3
#  define TEXT_ARENA							\
  "s_load_dwordx2 s[12:13], " MACHINE_KERNARG ", %[arena]\n\t"		\
  "s_load_dword s30, " MACHINE_KERNARG ", %[arena_size]\n\t"		\
  "s_waitcnt lgkmcnt(0)\n\t"						\
  "s_mul_hi_u32 s31, s30, " MACHINE_GROUP "\n\t"			\
  "s_mul_i32 s30, s30, " MACHINE_GROUP "\n\t"
# else
#  define TEXT_ARENA							\
  "s_load_dwordx2 s[12:13], " MACHINE_KERNARG ", %[arena]\n\t"		\
  "s_lshl_b32 s30, " MACHINE_GROUP ", 16\n\t"				\
  "s_lshr_b32 s31, " MACHINE_GROUP ", 16\n\t"				\
  "s_waitcnt lgkmcnt(0)\n\t"
_Static_assert (GOMPX_GCN_ARENA_2 == 1u << 16, "TEXT_ARENA");
# endif
# define TEXT_BEGIN(OTHERWISE)						\
  ".if .amdgcn.gfx_generation_number < 9\n\t"				\
  TEXT_GO (OTHERWISE)							\
  ".else\n\t"								\
  TEXT_ARENA								\
  "s_add_u32 s12, s12, s30\n\t"						\
  "s_addc_u32 s13, s13, s31\n\t"
# define TEXT_END ".endif\n\t"
# define TEXT_LOAD32(TO, NEAR, OFFSET)					\
  "global_load_dword " TO ", " NEAR ", s[12:13] offset:" OFFSET " glc\n\t"
# define TEXT_LOAD64(TO, NEAR, OFFSET)					\
  "global_load_dwordx2 " TO ", " NEAR ", s[12:13] offset:" OFFSET " glc\n\t"
# define TEXT_STORE32(NEAR, VALUE, OFFSET)				\
  "global_store_dword " NEAR ", " VALUE ", s[12:13] offset:" OFFSET "\n\t"
# define TEXT_OR(NEAR, VALUE, OFFSET)					\
  "global_atomic_or " NEAR ", " VALUE ", s[12:13] offset:" OFFSET "\n\t"
# define TEXT_ADD(NEAR, VALUE, OFFSET)					\
  "global_atomic_add " NEAR ", " VALUE ", s[12:13] offset:" OFFSET "\n\t"
# define TEXT_FETCH_ADD(OLD, NEAR, VALUE, OFFSET)			\
  "global_atomic_add " OLD ", " NEAR ", " VALUE ", s[12:13] offset:" OFFSET " glc\n\t"
# define TEXT_CAS(OLD, NEAR, PAIR, V, W, OFFSET)			\
  "global_atomic_cmpswap " OLD ", " NEAR ", " PAIR ", s[12:13] offset:" OFFSET " glc\n\t"
# define TEXT_WAIT "s_waitcnt vmcnt(0)\n\t"
# define TEXT_THEN TEXT_WAIT
/* What an instruction can have.  */
_Static_assert (TEXT_OFFSET (team) < 4096 && TEXT_OFFSET (cancellation) < 4096, "offsets of the block");
#endif
#if MACHINE_ABI == 3
# define TEXT_RETURN(VALUE) "v_mov_b32 v8, " VALUE "\n\t"
#else
# define TEXT_RETURN(VALUE) "s_mov_b32 s24, " VALUE "\n\t"
#endif

/* Operands that these macros use.  */
#define TEXT_OPERANDS							\
  [thread] "n" (sizeof (struct accel_thread)),				\
  [arena] "n" (offsetof (struct gompx_gcn_launch, arena)),		\
  [arena_size] "n" (offsetof (struct gompx_gcn_launch, arena_size))

#endif /* GOMPX_TEXT_H */
