/* unit.h -- tests of single instructions: a wave, some memory, and a way to execute one of them.

   unit-main.c    the wave, the list of tests
   unit-space.c   memory, in place of the HSA half
   unit-scalar.c, unit-memory.c, unit-faults.c   the tests of scalar and memory instructions  */

#ifndef SIM_UNIT_H
#define SIM_UNIT_H 1

#include "isa.h"

/* Memory of the agent: device addresses, not where the bytes are.  */
enum { UNIT_BYTES = 4096 };
#define UNIT_DEVICE UINT64_C (0x600000001000)	/* with a shadow */
#define UNIT_SHARED UINT64_C (0x600000100000)	/* always defined, as the host's */
#define UNIT_SIGNAL UINT64_C (0x600000200000)	/* always defined; 64 bytes */
#define UNIT_CODE UINT64_C (0x600000300000)	/* where the instruction is executed; read-only */
extern unsigned char unit_device[UNIT_BYTES], unit_shadow[UNIT_BYTES], unit_shared[UNIT_BYTES],
  unit_signal[64], unit_lds[UNIT_BYTES], unit_lds_shadow[UNIT_BYTES];
extern uint32_t unit_code[4];

/* The wave: everything undefined before each unit_begin, EXEC all ones.  */
extern struct sim_wave unit_wave;

/* A new wave for ISA and an instruction of at most two words at UNIT_CODE, followed by s_endpgm.  */
void unit_begin (const char *isa, uint32_t word0, uint32_t word1);
/* Execute one instruction.  */
enum sim_stop unit_step (void);

/* Set registers and EXEC, defined.  */
void unit_s32 (unsigned reg, uint32_t);
void unit_s64 (unsigned reg, uint64_t);
void unit_v32 (unsigned reg, unsigned lane, uint32_t);
void unit_v64 (unsigned reg, unsigned lane, uint64_t);
void unit_scc (unsigned);

/* A failure: says where, and counts.  */
#define CHECK(condition, ...)						\
  ((condition) ? (void) 0 : unit_fail (__FILE__, __LINE__, #condition, __VA_ARGS__))
void unit_fail (const char *file, int line, const char *condition, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));
extern unsigned unit_failures;

/* Numbers that look random, the same in each run.  */
uint64_t unit_random (void);
/* Of a value that makes carries, signs and shifts interesting.  */
uint32_t unit_interesting (void);

/* The tests, by the name that is given on the command line.  */
void unit_scalar (void), unit_memory (void), unit_faults (void);

#endif /* SIM_UNIT_H */
