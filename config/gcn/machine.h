/* machine.h -- what the device runtime needs to know of an AMD GPU.

   This is the gcn form of the interface that config/accel is written against (config/nvptx/machine.h is
   the model).  A thread of OpenMP is a wave of 64 lanes.  Compiled code is scalar but for simd loops,
   which call nothing of the runtime, so all of this runs once a wave: with one lane enabled where an
   instruction is a vector one, and assembly statements need no precautions.

   Three forms, because of two things
     ABI	The kernel's pointers are in other registers since GCC 13 (MACHINE_* below), and more is told by the launch:
		GCC 12 has ABI 2, all others have ABI 3.
     Pointers	Those of GCC 14 and later are flat addresses, which reach all memory.  The block's state is in the LDS;
		what is asked often is read by DS instructions (MACHINE_LDS).
		GCC 12 and 13 take pointers for addresses of global memory, and cannot reach the LDS by them.
		The block's state is at the beginning of the team's arena, and the LDS is not used.
		The waves of a work-group share a cache, so this is right; it is only slower.

   Barriers.  All are s_barrier, which counts the waves of the work-group that have not ended.  So waves
   without a part in a region take part in its barriers (machine_await_launch): each turn of their loop is one
   barrier and one look at a word.  The other way would be to wait in memory where a team is smaller than
   the work-group: that costs the threads of the team many times as much, and two kinds of barriers to
   keep apart.
     How an idle wave knows when a region is over: a word says which launch comes next and at which barrier, counted
     from the launch before (machine_launch).  It may see the word a barrier early, while it is being
     announced; the number tells.  Thread 0 counts, and only in teams that are smaller than the work-group:
     otherwise nobody is idle.

   Exit.  A thread that calls exit or abort ends alone.  Others that wait in s_barrier are let go, as it
   counts the living; a worker then finds no launch in the word, looks whether the program has ended
   (machine_look_for_exit), and ends, too.  Loops that wait in memory look in machine_pause.

   Orders: the __atomic builtins are used with __ATOMIC_RELAXED only; what orders there are to be is
   said by the fences below.

   What exists only in some architectures is chosen by the assembler (.amdgcn.gfx_generation_number), so
   that the first step of the compilation is one for all.  */

#ifndef GOMPX_MACHINE_H
#define GOMPX_MACHINE_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device-abi.h"

#pragma omp declare target

#define ACCEL_MAX_THREADS 16u
/* Lanes of a thread, as far as code for it is concerned.  */
#define MACHINE_LANES 1u
/* gomp_gcn_enter_kernel is in entry.c.  */
#define MACHINE_ENTRY 1

/* Compilers and offload compilers come in pairs.  */
#if __GNUC__ < 13
# define MACHINE_ABI 2
# define MACHINE_DISPATCH "s[4:5]"
# define MACHINE_KERNARG "s[8:9]"
# define MACHINE_GROUP "s10"
#else
# define MACHINE_ABI 3
# define MACHINE_DISPATCH "s[0:1]"
# define MACHINE_KERNARG "s[4:5]"
# define MACHINE_GROUP "s6"
#endif
#define MACHINE_LDS (__GNUC__ >= 14)

/* Stores have a counter of their own since gfx10.  */
#define MACHINE_WAIT_ALL						\
  "s_waitcnt 0\n\t"							\
  ".if .amdgcn.gfx_generation_number >= 10\n\t"				\
  "s_waitcnt_vscnt null, 0\n\t"						\
  ".endif"
/* gfx940 and its kind: a scalar register that a vector instruction has written is not to be read by
   another one at once.  The compiler knows that of its own instructions only.  */
#define MACHINE_AFTER_READLANE						\
  "\n\t.if .amdgcn.gfx_generation_number == 9\n\t"			\
  ".if .amdgcn.gfx_generation_minor == 4\n\t"				\
  "s_nop 1\n\t"								\
  ".endif\n\t"								\
  ".endif"

/* The number of this wave in its work-group, the work-group's waves, this work-group, the work-groups.  */
static inline unsigned
machine_thread (void)
{
  unsigned value;
  __asm__ ("v_readlane_b32 %0, v2, 0" MACHINE_AFTER_READLANE : "=Sg" (value));
  return value;
}

#define MACHINE_PACKET32(OFFSET)					\
  ({									\
    unsigned packet32_;							\
    __asm__ ("s_load_dword %0, " MACHINE_DISPATCH ", " #OFFSET "\n\t"	\
	     "s_waitcnt lgkmcnt(0)" : "=Sg" (packet32_));		\
    packet32_;								\
  })

static inline unsigned
machine_threads (void)
{
  return MACHINE_PACKET32 (20);
}

static inline unsigned
machine_block (void)
{
  unsigned value;
  __asm__ ("s_mov_b32 %0, " MACHINE_GROUP : "=Sg" (value));
  return value;
}

static inline unsigned
machine_blocks (void)
{
  return MACHINE_PACKET32 (12);
}

/* What the launch says.  */
static inline const struct gompx_gcn_launch *
machine_kernarg (void)
{
  const struct gompx_gcn_launch *launch;
  __asm__ ("s_mov_b64 %0, " MACHINE_KERNARG : "=Sg" (launch));
  return launch;
}

/* A pointer of it.  */
#define MACHINE_KERNARG64(FIELD)						\
  ({										\
    uint64_t kernarg64_;							\
    __asm__ ("s_load_dwordx2 %0, " MACHINE_KERNARG ", %1\n\t"			\
	     "s_waitcnt lgkmcnt(0)"						\
	     : "=Sg" (kernarg64_) : "n" (offsetof (struct gompx_gcn_launch, FIELD)));	\
    kernarg64_;									\
  })

/* The thread ends.  */
static inline void __attribute__ ((noreturn))
machine_end_thread (void)
{
  __asm__ volatile (MACHINE_WAIT_ALL "\n\ts_endpgm" : : : "memory");
  __builtin_unreachable ();
}

/* Somebody has called exit: the thread ends as well.  */
static inline void
machine_look_for_exit (void)
{
  const unsigned *returned = (const unsigned *) (uintptr_t) MACHINE_KERNARG64 (output);
  /* relaxed: nothing is read because of it.  */
  if (__atomic_load_n (returned, __ATOMIC_RELAXED) >> 16 == 0xffff)
    machine_end_thread ();
}

/* ---- The block's memory ---- */

/* In front of it.  */
#define MACHINE_WORDS 64u
struct machine_words
{
  /* Launches, and the next one: the barrier at which it comes << 16 | its number modulo 2^16.  */
  unsigned xlaunch[2];
  unsigned next;		/* thread 0's */
};

#if MACHINE_LDS

static inline char *
machine_memory (void)
{
  char *address;
  __asm__ ("s_mov_b64 %0, src_shared_base" : "=Sg" (address));
  return address;
}

static inline unsigned
machine_lds32 (unsigned address)
{
  unsigned value;
  __asm__ volatile ("ds_read_b32 %0, %1\n\ts_waitcnt lgkmcnt(0)" : "=v" (value) : "v" (address) : "memory");
  return value;
}

/* The word at OFFSET of what the block's memory has for this thread, when each has STRIDE bytes there (both are
   constants).  */
#define machine_own32(STRIDE, OFFSET)						\
  ({										\
    unsigned own32_;								\
    __asm__ volatile ("v_mul_u32_u24 %0, %1, v2\n\t"				\
		      "ds_read_b32 %0, %0 offset:%2\n\t"			\
		      "s_waitcnt lgkmcnt(0)"					\
		      : "=v" (own32_) : "n" (STRIDE), "n" (MACHINE_WORDS + (OFFSET)) : "memory"); \
    own32_;									\
  })
/* The word at OFFSET of the block's memory.  */
#define machine_shared32(OFFSET) machine_lds32 (MACHINE_WORDS + (OFFSET))

static inline unsigned
machine_shared_add32 (unsigned *address, unsigned value)
{
  unsigned old;
  __asm__ volatile ("ds_add_rtn_u32 %0, %1, %2\n\ts_waitcnt lgkmcnt(0)"
		    : "=v" (old) : "v" ((unsigned) (uintptr_t) address), "v" (value) : "memory");
  return old;
}

#define MACHINE_DS_CAS(BITS)						\
  ".if .amdgcn.gfx_generation_number >= 11\n\t"				\
  "ds_cmpstore_rtn_b" #BITS " %0, %1, %3, %2\n\t"			\
  ".else\n\t"								\
  "ds_cmpst_rtn_b" #BITS " %0, %1, %2, %3\n\t"				\
  ".endif\n\t"								\
  "s_waitcnt lgkmcnt(0)"

static inline unsigned
machine_shared_cas32 (unsigned *address, unsigned expected, unsigned desired)
{
  unsigned old;
  __asm__ volatile (MACHINE_DS_CAS (32) : "=&v" (old)
		    : "v" ((unsigned) (uintptr_t) address), "v" (expected), "v" (desired) : "memory");
  return old;
}

static inline unsigned long long
machine_shared_cas64 (unsigned long long *address, unsigned long long expected,
		      unsigned long long desired)
{
  unsigned long long old;
  __asm__ volatile (MACHINE_DS_CAS (64) : "=&v" (old)
		    : "v" ((unsigned) (uintptr_t) address), "v" (expected), "v" (desired) : "memory");
  return old;
}

/* The part of the LDS that is left over.  */
static inline void *
machine_pool (unsigned *size)
{
  unsigned all = MACHINE_PACKET32 (28);
  *size = all > GOMPX_GCN_LDS ? (all - GOMPX_GCN_LDS) & -16u : 0;
  return machine_memory () + GOMPX_GCN_LDS;
}

static inline unsigned
machine_launch_word (unsigned turn)
{
  return machine_lds32 (turn % 2 * 4);
}

#else

static inline char *
machine_memory (void)
{
# if MACHINE_ABI == 3
  uint64_t arena;
  uint32_t size;
  __asm__ ("s_load_dwordx2 %0, " MACHINE_KERNARG ", %2\n\t"
	   "s_load_dword %1, " MACHINE_KERNARG ", %3\n\t"
	   "s_waitcnt lgkmcnt(0)"
	   : "=&Sg" (arena), "=Sg" (size)
	   : "n" (offsetof (struct gompx_gcn_launch, arena)), "n" (offsetof (struct gompx_gcn_launch, arena_size)));
# else
  uint64_t arena = MACHINE_KERNARG64 (arena);
  uint32_t size = GOMPX_GCN_ARENA_2;
# endif
  return (char *) (uintptr_t) (arena + (uint64_t) machine_block () * size);
}

#define machine_own32(STRIDE, OFFSET)						\
  (*(volatile unsigned *) (machine_memory () + machine_thread () * (STRIDE) + (MACHINE_WORDS + (OFFSET))))
#define machine_shared32(OFFSET) (*(volatile unsigned *) (machine_memory () + (MACHINE_WORDS + (OFFSET))))

static inline unsigned
machine_shared_add32 (unsigned *address, unsigned value)
{
  unsigned old;
  __asm__ volatile ("flat_atomic_add %0, %1, %2 glc\n\ts_waitcnt 0"
		    : "=v" (old) : "v" (address), "v" (value) : "memory");
  return old;
}

static inline unsigned
machine_shared_cas32 (unsigned *address, unsigned expected, unsigned desired)
{
  /* relaxed: fences order it.  */
  __atomic_compare_exchange_n (address, &expected, desired, false, __ATOMIC_RELAXED,
			       __ATOMIC_RELAXED);
  return expected;
}

static inline unsigned long long
machine_shared_cas64 (unsigned long long *address, unsigned long long expected,
		      unsigned long long desired)
{
  /* relaxed: as above.  */
  __atomic_compare_exchange_n (address, &expected, desired, false, __ATOMIC_RELAXED,
			       __ATOMIC_RELAXED);
  return expected;
}

/* Programs could not use addresses of the LDS.  */
static inline void *
machine_pool (unsigned *size)
{
  *size = 0;
  return NULL;
}

static inline unsigned
machine_launch_word (unsigned turn)
{
  return ((volatile struct machine_words *) machine_memory ())->xlaunch[turn % 2];
}

#endif

/* The block's memory has addresses of 32 bits as well, for text.h.  */
#define MACHINE_NEAR 1
static inline unsigned
machine_near (const void *address)
{
#if MACHINE_LDS
  return (unsigned) (uintptr_t) address;
#else
  return (unsigned) ((const char *) address - machine_memory ());
#endif
}

/* GOMP_barrier and GOMP_task are in assembly (meet.c, meet-wait.c, task-text.c).  */
#define MACHINE_TEXT 1

static inline struct machine_words *
machine_words (void)
{
  return (struct machine_words *) machine_memory ();
}

static inline void *
machine_shared (void)
{
  return machine_memory () + MACHINE_WORDS;
}

/* Copy those of the up to 64 words at FROM whose bits are set in MASK, a constant: a word for each lane, in a
   tenth of the instructions that one after the other would take.  */
#define MACHINE_COPIES 1
#define machine_copy(TO, FROM, MASK)						\
  do										\
    {										\
      uint64_t to_, from_, exec_, carry_;					\
      unsigned word_;								\
      __asm__ volatile ("s_mov_b64 %3, exec\n\t"				\
			"s_mov_b32 exec_lo, %7\n\t"				\
			"s_mov_b32 exec_hi, %8\n\t"				\
			"v_mad_u64_u32 %1, %4, v1, 4, %6\n\t"			\
			"v_mad_u64_u32 %0, %4, v1, 4, %5\n\t"			\
			"flat_load_dword %2, %1\n\t"				\
			"s_waitcnt 0\n\t"					\
			"flat_store_dword %0, %2\n\t"				\
			"s_waitcnt 0\n\t"					\
			"s_mov_b64 exec, %3"					\
			: "=&v" (to_), "=&v" (from_), "=&v" (word_), "=&Sg" (exec_), "=&Sg" (carry_) \
			: "Sg" (TO), "Sg" (FROM), "n" ((int) ((MASK) & 0xffffffff)),	\
			  "n" ((int) ((uint64_t) (MASK) >> 32)) : "memory");	\
    }										\
  while (0)

/* To read fields of a record of up to 63 words, all in one assembly statement: MACHINE_ROW loads the WORDS at FROM, one
   into each lane of the vector register ROW, and MACHINE_FIELD32 and 64 bring the fields at OFFSET into scalar registers.
   Each field by itself would be a load with its address.  MACHINE_ROW_END comes last: a scalar register that v_readlane
   has written is not to be an address of memory for five wait states, which the compiler looks after for its own
   instructions only.  WHERE is two vector registers, EXEC two scalar ones; vcc is
   clobbered.  All operands but OFFSET are names of the statement's.
   With LDS only: images of GCC 12 execute more with it where one thread makes tasks for all.  */
#if MACHINE_LDS
# define MACHINE_ROWS 1
# define MACHINE_ROW(ROW, FROM, WORDS, WHERE, EXEC)				\
  "s_mov_b64 " EXEC ", exec\n\t"						\
  "s_bfm_b64 exec, " WORDS ", 0\n\t"						\
  "v_mad_u64_u32 " WHERE ", vcc, v1, 4, " FROM "\n\t"				\
  "flat_load_dword " ROW ", " WHERE "\n\t"					\
  "s_mov_b64 exec, " EXEC "\n\t"						\
  "s_waitcnt 0\n\t"
# define MACHINE_FIELD32(TO, ROW, OFFSET) "v_readlane_b32 " TO ", " ROW ", " OFFSET "/4\n\t"
# define MACHINE_FIELD64(TO, ROW, OFFSET)					\
  "v_readlane_b32 vcc_lo, " ROW ", " OFFSET "/4\n\t"				\
  "v_readlane_b32 vcc_hi, " ROW ", " OFFSET "/4+1\n\t"				\
  "s_mov_b64 " TO ", vcc\n\t"
# define MACHINE_ROW_END "s_nop 4"
#endif

/* The calling thread's part of what begins at OFFSET of it, SIZE bytes for each.  The compiler is kept from
   working out the address again for each field, which takes longer than all else.  */
#define MACHINE_OWN 1
static inline void *
machine_own (unsigned offset, unsigned size)
{
  char *own = machine_memory () + (MACHINE_WORDS + offset + machine_thread () * size);
  __asm__ ("" : "+Sg" (own));
  return own;
}

/* ---- Barriers ---- */

/* Beside the number of threads: there are waves without a part in the region.  */
#define MACHINE_PARTIAL 0x100u

static inline unsigned
machine_barrier_count (unsigned count)
{
  return count < machine_threads () ? count | MACHINE_PARTIAL : count;
}

static inline void
machine_all_waves (void)
{
  __asm__ volatile (MACHINE_WAIT_ALL "\n\ts_barrier" : : : "memory");
}

/* Wait until all threads of the team have come to this point; what they wrote is visible afterwards to all of
   them.  COUNT: machine_barrier_count of it.  */
static inline void
machine_barrier (unsigned id, unsigned count)
{
  (void) id;
  if ((count & MACHINE_PARTIAL) && machine_thread () == 0)
    machine_words ()->next += 0x10000;
  machine_all_waves ();
}

/* Before the first launch.  */
static inline void
machine_start_words (void)
{
  struct machine_words *words = machine_words ();
  words->xlaunch[0] = words->xlaunch[1] = 0xffff;
  words->next = 0x10000;
}

/* Thread 0 has a launch for the others, number TURN of them modulo 2.  */
static inline void
machine_launch (unsigned turn)
{
  struct machine_words *words = machine_words ();
  unsigned next = words->next;
  words->xlaunch[turn] = next;
  words->next = ((next + 1) & 0xffff) | 0x10000;
  machine_all_waves ();
}

/* Wait for launch number TURN.  IDLE: the region before was one without this thread.  */
static inline void
machine_await_launch (unsigned turn, bool idle)
{
  unsigned due = turn & 0xffff;
  while (1)
    {
      machine_all_waves ();
      due += 0x10000;
      unsigned word = machine_launch_word (turn);
      if (idle ? word == due : ((word ^ turn) & 0xffff) == 0)
	return;
      machine_look_for_exit ();
    }
}

static inline unsigned
machine_next_turn (unsigned turn)
{
  return turn + 1;
}

/* ---- Order ---- */

/* Order memory accesses of this thread as the work-group, the device, everybody sees them.  */
static inline void
machine_fence_block (void)
{
  __asm__ volatile (MACHINE_WAIT_ALL : : : "memory");
}

static inline void
machine_fence_device (void)
{
  machine_fence_block ();
  /* seq_cst: what is in the caches of the compute unit is thrown away.  */
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
}

static inline void
machine_fence_system (void)
{
  machine_fence_device ();
}

/* Loads and stores that are really made, and past the cache of the compute unit.  */
static inline unsigned
machine_load32 (const unsigned *address)
{
  /* relaxed: as all of these; the fences order.  */
  return __atomic_load_n (address, __ATOMIC_RELAXED);
}

static inline unsigned long long
machine_load64 (const unsigned long long *address)
{
  return __atomic_load_n (address, __ATOMIC_RELAXED);
}

static inline void
machine_store32 (unsigned *address, unsigned value)
{
  __atomic_store_n (address, value, __ATOMIC_RELAXED);
}

static inline void
machine_store64 (unsigned long long *address, unsigned long long value)
{
  __atomic_store_n (address, value, __ATOMIC_RELAXED);
}

/* There is one lane.  */
static inline unsigned long long
machine_uniform_load64 (const unsigned long long *address)
{
  return machine_load64 (address);
}

static inline void
machine_uniform_store64 (unsigned long long *address, unsigned long long value)
{
  machine_store64 (address, value);
}

static inline unsigned
machine_exchange32 (unsigned *address, unsigned value)
{
  return __atomic_exchange_n (address, value, __ATOMIC_RELAXED);
}

/* The compiler makes loops of compare and swap of the builtins for these.  Orders are relaxed.  */
#define machine_atomic_add(ADDRESS, VALUE, ORDER)				\
  __asm__ volatile ("flat_atomic_add %0, %1\n\ts_waitcnt 0"			\
		    : : "v" (ADDRESS), "v" ((unsigned) (VALUE)) : "memory")
#define machine_atomic_or(ADDRESS, VALUE, ORDER)				\
  __asm__ volatile ("flat_atomic_or %0, %1\n\ts_waitcnt 0"			\
		    : : "v" (ADDRESS), "v" ((unsigned) (VALUE)) : "memory")

static inline unsigned
machine_fetch_and32 (unsigned *address, unsigned value)
{
  unsigned old;
  __asm__ volatile (".if .amdgcn.gfx_generation_number == 9 && .amdgcn.gfx_generation_minor == 4\n\t"
		    "flat_atomic_and %0, %1, %2 sc0\n\t"
		    ".else\n\t"
		    "flat_atomic_and %0, %1, %2 glc\n\t"
		    ".endif\n\t"
		    "s_waitcnt 0" : "=v" (old) : "v" (address), "v" (value) : "memory");
  return old;
}

static inline unsigned
machine_lane (void)
{
  return 0;
}

/* Where in the device the thread is: no architecture tells in the same way, so the work-group.  */
static inline unsigned
machine_processor (void)
{
  return machine_block ();
}

/* The order of an atomic access to memory that another thread may use for something else as soon as it
   sees the result.  Nothing: the accesses of a word keep their order.  */
#define MACHINE_LEAVE __ATOMIC_RELAXED

static inline void
machine_left (const unsigned *address)
{
  (void) address;
}

/* Which of the first COUNT words at ADDRESS, in the block's memory, are not zero: bit I for word I.  A word for
   each lane.  */
static inline unsigned
machine_nonzero_words (const unsigned *address, unsigned count)
{
  uint64_t where, exec, carry;
  unsigned word;
  __asm__ volatile ("s_mov_b64 %2, exec\n\t"
		    "s_bfm_b64 exec, %5, 0\n\t"
		    "v_mad_u64_u32 %0, %3, v1, 4, %4\n\t"
		    "flat_load_dword %1, %0\n\t"
		    "s_waitcnt 0\n\t"
		    "v_cmp_ne_u32_e64 %3, 0, %1\n\t"
		    "s_mov_b64 exec, %2"
		    : "=&v" (where), "=&v" (word), "=&Sg" (exec), "=&Sg" (carry)
		    : "Sg" (address), "Sg" (count) : "memory");
  return (unsigned) carry;
}

static inline void
machine_rare_loop (void)
{
}

/* ---- Waiting ---- */

/* Turn TURN of a loop that waits.  */
static inline void
machine_pause (unsigned turn)
{
  __asm__ volatile ("s_sleep 1");
  if (turn % 64 == 63)
    machine_look_for_exit ();
}

/* Let about so many cycles of the processor pass; 0: none.  */
static inline void
machine_delay (unsigned cycles)
{
  /* One unit of s_sleep is 64 cycles.  A wave that waits for one which has ended would wait for ever.  */
  for (unsigned i = 0; i < cycles; i += 64 * 16)
    __asm__ volatile ("s_sleep 8");
  machine_look_for_exit ();
}

/* ---- Clock, messages, the end ---- */

/* Nanoseconds of a clock that all work-groups share.  */
static inline unsigned long long
machine_clock (void)
{
  uint64_t ticks;
  __asm__ volatile (".if .amdgcn.gfx_generation_number >= 11\n\t"
		    "s_sendmsg_rtn_b64 %0, 0x83\n\t"
		    ".else\n\t"
		    "s_memrealtime %0\n\t"
		    ".endif\n\t"
		    "s_waitcnt 0" : "=Sg" (ticks));
  extern struct gompx_plugin gompx_plugin;
  unsigned khz = gompx_plugin.clock_khz;
  if (khz == 0 || khz == 100000)
    return ticks * 10;
  return ticks / khz * 1000000 + ticks % khz * 1000000 / khz;
}

/* Of the device's C library.  */
extern long machine_write (int, const void *, unsigned long) __asm__ ("write");

/* A message; it comes out on the host's standard output while the kernel runs.  */
static inline void
machine_print (const char *text)
{
  unsigned long n = 0;
  while (text[n] != '\0')
    n++;
  machine_write (1, text, n);
}

/* The program cannot go on, and has said why: it exits with status 1.  */
static inline void __attribute__ ((noreturn))
machine_end_program (void)
{
  machine_fence_block ();
  machine_store32 ((unsigned *) (uintptr_t) MACHINE_KERNARG64 (output), 0xffff0001);
  machine_end_thread ();
}

#pragma omp end declare target

#endif /* GOMPX_MACHINE_H */
