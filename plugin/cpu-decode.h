/* cpu-decode.h -- what an instruction that faulted in device memory does there (cpu-decode.c).  */

#ifndef GOMP_CPU_DECODE_H
#define GOMP_CPU_DECODE_H 1

#include <stdbool.h>
#include <stdint.h>

enum gomp_cpu_op
{
  GOMP_CPU_OP_OTHER,
  GOMP_CPU_OP_LOAD,		/* memory to register: only a copy so far */
  GOMP_CPU_OP_STORE,		/* register to memory */
  GOMP_CPU_OP_MOVE,		/* register to register */
  GOMP_CPU_OP_USE,		/* computes, compares or converts: what it reads matters */
  GOMP_CPU_OP_BITS,		/* and, or: may keep some bits and drop others, as bit-fields do */
  GOMP_CPU_OP_LEA
};

struct gomp_cpu_insn
{
  enum gomp_cpu_op op;
  bool mem;			/* has a memory operand */
  bool read, write;		/* of it */
  bool exact;			/* size is right, and all of it is accessed */
  bool scalar;			/* one number, not a vector of several */
  bool floating;		/* of a floating point type by the instruction itself */
  bool vector_reg;		/* reg and rm are vector registers */
  bool copies;			/* memory to memory (movs) */
  uint8_t size;			/* bytes */
  int8_t reg, rm;		/* register operands, -1 none; rm only without memory */
  int8_t vvvv;			/* of VEX, -1 none */
  int8_t base, index;		/* of the memory operand, -1 none */
};

/* False: not known; then nothing but MEM is filled in.  */
bool gomp_cpu_decode (const uint8_t *code, struct gomp_cpu_insn *);

#endif /* GOMP_CPU_DECODE_H */
