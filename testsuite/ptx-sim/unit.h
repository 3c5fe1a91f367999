/* unit.h -- tests of the PTX simulator alone: kernels as text, executed, compared with what is known.

   unit-main.c     kernels from text; the list of tests
   unit-int.c      integer instructions, against host arithmetic that is written down separately
   unit-float.c    floating point and conversions
   unit-kernels.c  memory, calls, warps, barriers, orders: whole kernels
   unit-faults.c   what must not go unnoticed  */

#ifndef PTX_SIM_UNIT_H
#define PTX_SIM_UNIT_H 1

#include "ptx-sim.h"

/* Memory of the device: addresses are not where the bytes are.  */
enum { UNIT_BYTES = 1 << 16 };
#define UNIT_DEVICE UINT64_C (0x700000000000)
extern unsigned char unit_memory[UNIT_BYTES], unit_shadow[UNIT_BYTES];

/* How unit_run launches; all but memory and parameters.  */
extern struct psim_launch unit_launch;
/* What vprintf printed.  */
extern char unit_printed[4096];

/* Link BODY, a module without its head, and run its kernel `k' with the parameters P0 (UNIT_DEVICE) and P1
   (UINT64_C (64)), as far as it has them.  The report is in unit_launch.report until the next one.  */
enum psim_result unit_run (const char *body);
/* The same, and it has to end well.  */
bool unit_good (const char *body);
/* It must end with RESULT, and the report must have WORDS.  */
void unit_bad (const char *body, enum psim_result result, const char *words);
uint32_t unit_word (unsigned i);

/* One instruction, on many values: TEXT uses %d, %a, %b, %c; TYPES are letters for them in this
   order: h, w, d: 16, 32, 64 bits; f, g: single, double; p: predicate.  */
typedef uint64_t unit_expect (uint64_t a, uint64_t b, uint64_t c);
void unit_op (const char *text, const char *types, unit_expect *);

/* A failure: says where, and counts.  */
#define CHECK(condition, ...)						\
  ((condition) ? (void) 0 : unit_fail (__FILE__, __LINE__, #condition, __VA_ARGS__))
void unit_fail (const char *file, int line, const char *condition, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));

uint64_t unit_random (void);

void unit_int (void), unit_float (void), unit_kernels (void), unit_faults (void);

#endif /* PTX_SIM_UNIT_H */
