/* vector.h -- the vector half of the instruction set, among its own files only (vector*.c).

   An opcode is a row in a vector-*.def: its numbers, the types of its operands, and what it
   computes for one lane as a C expression.  The macros here make of it

     v_NAME       the expression, as an inline function
     v_NAME_one   a handler for the usual case, EXEC == 1: lane 0 alone, no loop
     v_NAME_all   a kernel that computes all lanes of prepared arrays; the compiler vectorises
                  the cheap ones

   Any other EXEC is simv_many's: it prepares the arrays, calls the kernel and merges the result
   into the registers.  DPP, SDWA, clamp and op_sel are simv_complex's, whatever EXEC is.  Both
   are in vector.c.

   Invariants
   1. A lane that is not active keeps its destination and its definedness.  Its bit in a lane mask
      (carry, condition) becomes 0, and the whole mask is written.
   2. A result is defined when all sources are, lane by lane; v_cndmask asks the selected source
      only, or that both are the same.  With EXEC other than 1 there are two exceptions, because
      newlib's vector functions compute in all lanes, of which the caller may have set some or
      none: v_and, v_or, v_xor and their combinations are content with one defined source
      (selection by ((a ^ b) & m) ^ a), and a lane mask is always defined (branches on "any
      lane").
   3. Kernels may compute lanes that are not in `mask' (nobody reads them), from whatever bits are
      there: no kernel may trap or have undefined behaviour for any bits.
   4. Destination arrays of a kernel may be source arrays, too: each lane reads all its sources
      before it writes.  */

#ifndef SIM_VECTOR_H
#define SIM_VECTOR_H 1

#include "sim.h"

#include <math.h>
#include <string.h>

/* Operands of a kernel: arrays of 64 lanes; hi halves only for 64-bit types.  */
struct simv_args
{
  const uint32_t *lo[3], *hi[3];
  uint32_t *dlo, *dhi;
  uint64_t mask;		/* lanes whose results are wanted */
  uint64_t cin;			/* lane mask read by the instruction: carry, condition */
  uint64_t cout;		/* lane mask made by it: carry, condition */
};

typedef void simv_kernel (struct simv_args *);

enum simv_impl_flags
{
  SIMV_CMPX = 1,		/* the lane mask is written to EXEC, too */
  SIMV_SELECT = 2,		/* v_cndmask: src[1] where cin, else src[0] */
  SIMV_READS_VCC = 4,		/* cin is VCC, not an operand */
  SIMV_BITS = 8			/* the exception of invariant 2 */
};

/* What `aux' of a row points to.  Without kernel: no DPP, no SDWA, no modifiers, any EXEC is up
   to the handler.  */
struct simv_impl
{
  sim_handler *one;
  simv_kernel *all;
  unsigned flags;
};

/* Handlers of any EXEC, see above.  */
void simv_many (struct sim_wave *, const struct sim_insn *);
void simv_complex (struct sim_wave *, const struct sim_insn *);

extern const struct sim_opcode simv_move_opcodes[], simv_int_opcodes[], simv_float_opcodes[],
  simv_convert_opcodes[], simv_compare_opcodes[];

/* -- Bits of floating point -- */

static inline float
simv_f32 (uint32_t bits)
{
  float f;
  memcpy (&f, &bits, sizeof f);
  return f;
}

static inline double
simv_f64 (uint64_t bits)
{
  double f;
  memcpy (&f, &bits, sizeof f);
  return f;
}

static inline uint32_t
simv_b32 (float f)
{
  uint32_t bits;
  memcpy (&bits, &f, sizeof f);
  return bits;
}

static inline uint64_t
simv_b64 (double f)
{
  uint64_t bits;
  memcpy (&bits, &f, sizeof f);
  return bits;
}

static inline uint64_t
simv_pair (uint32_t lo, uint32_t hi)
{
  return (uint64_t) hi << 32 | lo;
}

/* -- Types, as the rows name them -- */

#define SIMV_C_U16 uint16_t
#define SIMV_C_I16 int16_t
#define SIMV_C_U32 uint32_t
#define SIMV_C_I32 int32_t
#define SIMV_C_F32 float
#define SIMV_C_U64 uint64_t
#define SIMV_C_I64 int64_t
#define SIMV_C_F64 double

#define SIMV_ENUM_U16 SIM_B16
#define SIMV_ENUM_I16 SIM_I16
#define SIMV_ENUM_U32 SIM_B32
#define SIMV_ENUM_I32 SIM_I32
#define SIMV_ENUM_F32 SIM_F32
#define SIMV_ENUM_U64 SIM_B64
#define SIMV_ENUM_I64 SIM_I64
#define SIMV_ENUM_F64 SIM_F64

/* Source K of lane L, from the arrays of a kernel.  */
#define SIMV_LANE_U16(x, k, l) ((uint16_t) (x)->lo[k][l])
#define SIMV_LANE_I16(x, k, l) ((int16_t) (x)->lo[k][l])
#define SIMV_LANE_U32(x, k, l) ((x)->lo[k][l])
#define SIMV_LANE_I32(x, k, l) ((int32_t) (x)->lo[k][l])
#define SIMV_LANE_F32(x, k, l) simv_f32 ((x)->lo[k][l])
#define SIMV_LANE_U64(x, k, l) simv_pair ((x)->lo[k][l], (x)->hi[k][l])
#define SIMV_LANE_I64(x, k, l) ((int64_t) simv_pair ((x)->lo[k][l], (x)->hi[k][l]))
#define SIMV_LANE_F64(x, k, l) simv_f64 (simv_pair ((x)->lo[k][l], (x)->hi[k][l]))

#define SIMV_PUT32(x, l, v) ((x)->dlo[l] = (v))
#define SIMV_PUT64(x, l, v) \
  do \
    { \
      uint64_t put_ = (v); \
      (x)->dlo[l] = (uint32_t) put_; \
      (x)->dhi[l] = (uint32_t) (put_ >> 32); \
    } \
  while (0)
#define SIMV_STORE_U16(x, l, v) SIMV_PUT32 (x, l, (uint16_t) (v))
#define SIMV_STORE_I16(x, l, v) SIMV_PUT32 (x, l, (uint16_t) (v))
#define SIMV_STORE_U32(x, l, v) SIMV_PUT32 (x, l, v)
#define SIMV_STORE_I32(x, l, v) SIMV_PUT32 (x, l, (uint32_t) (v))
#define SIMV_STORE_F32(x, l, v) SIMV_PUT32 (x, l, simv_b32 (v))
#define SIMV_STORE_U64(x, l, v) SIMV_PUT64 (x, l, v)
#define SIMV_STORE_I64(x, l, v) SIMV_PUT64 (x, l, (uint64_t) (v))
#define SIMV_STORE_F64(x, l, v) SIMV_PUT64 (x, l, simv_b64 (v))

/* -- Lane masks as arrays of 0 and 1 -- */

/* Eight of them at a time: the multiplication collects the lowest bits of the bytes in the highest
   byte.  */
static inline uint64_t
simv_pack (const uint8_t *flags)
{
  uint64_t mask = 0;
  for (int i = 0; i < SIM_LANES / 8; i++)
    {
      uint64_t bytes = 0;
      for (int k = 0; k < 8; k++)
	bytes |= (uint64_t) flags[8 * i + k] << 8 * k;
      mask |= bytes * UINT64_C (0x0102040810204080) >> 56 << 8 * i;
    }
  return mask;
}

static inline void
simv_unpack (uint64_t mask, uint8_t *flags)
{
  for (int i = 0; i < SIM_LANES / 8; i++)
    {
      uint64_t bits = (mask >> 8 * i & 0xff) * UINT64_C (0x0101010101010101);
      bits &= UINT64_C (0x8040201008040201);
      bits = (bits + UINT64_C (0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C (0x0101010101010101);
      for (int k = 0; k < 8; k++)
	flags[8 * i + k] = (uint8_t) (bits >> 8 * k);
    }
}

/* -- Lane 0 -- */

/* Source K of lane 0; bit 0 of *DEF becomes 0 when it is undefined.  */
static inline uint32_t
simv_get32 (struct sim_wave *w, const struct sim_insn *in, unsigned k, uint64_t *def)
{
  unsigned code = in->src[k];
  if (code >= SIM_VGPR)
    {
      *def &= w->vdef[code - SIM_VGPR];
      return w->vgpr[code - SIM_VGPR][0];
    }
  return sim_read32 (w, in, k, def);
}

static inline uint64_t
simv_get64 (struct sim_wave *w, const struct sim_insn *in, unsigned k, uint64_t *def)
{
  unsigned code = in->src[k];
  if (code >= SIM_VGPR)
    {
      const uint32_t (*v)[SIM_LANES] = w->vgpr + (code - SIM_VGPR);
      *def &= w->vdef[code - SIM_VGPR] & w->vdef[code - SIM_VGPR + 1];
      return simv_pair (v[0][0], v[1][0]);
    }
  return sim_read64 (w, in, k, def);
}

/* The modifiers abs and neg of source K, of which BITS are the bits.  */
static inline uint32_t
simv_modify32 (const struct sim_insn *in, unsigned k, uint32_t bits)
{
  bits &= ~((uint32_t) (in->abs >> k) << 31);
  return bits ^ (uint32_t) (in->neg >> k) << 31;
}

static inline uint64_t
simv_modify64 (const struct sim_insn *in, unsigned k, uint64_t bits)
{
  bits &= ~((uint64_t) (in->abs >> k) << 63);
  return bits ^ (uint64_t) (in->neg >> k) << 63;
}

#define SIMV_GET_U16(w, in, k, def) ((uint16_t) simv_get32 (w, in, k, def))
#define SIMV_GET_I16(w, in, k, def) ((int16_t) simv_get32 (w, in, k, def))
#define SIMV_GET_U32(w, in, k, def) simv_get32 (w, in, k, def)
#define SIMV_GET_I32(w, in, k, def) ((int32_t) simv_get32 (w, in, k, def))
#define SIMV_GET_F32(w, in, k, def) \
  simv_f32 (simv_modify32 (in, k, simv_get32 (w, in, k, def)))
#define SIMV_GET_U64(w, in, k, def) simv_get64 (w, in, k, def)
#define SIMV_GET_I64(w, in, k, def) ((int64_t) simv_get64 (w, in, k, def))
#define SIMV_GET_F64(w, in, k, def) \
  simv_f64 (simv_modify64 (in, k, simv_get64 (w, in, k, def)))

/* Lane 0 of the destination; bit 0 of DEF tells whether it is defined.  */
static inline void
simv_set32 (struct sim_wave *w, const struct sim_insn *in, uint32_t value, uint64_t def)
{
  unsigned d = in->dst - SIM_VGPR;
  w->vgpr[d][0] = value;
  w->vdef[d] = (w->vdef[d] & ~UINT64_C (1)) | (def & 1);
  w->lane_ops++;
}

static inline void
simv_set64 (struct sim_wave *w, const struct sim_insn *in, uint64_t value, uint64_t def)
{
  unsigned d = in->dst - SIM_VGPR;
  w->vgpr[d][0] = (uint32_t) value;
  w->vgpr[d + 1][0] = (uint32_t) (value >> 32);
  w->vdef[d] = (w->vdef[d] & ~UINT64_C (1)) | (def & 1);
  w->vdef[d + 1] = (w->vdef[d + 1] & ~UINT64_C (1)) | (def & 1);
  w->lane_ops++;
}

#define SIMV_SET_U16(w, in, v, def) simv_set32 (w, in, (uint16_t) (v), def)
#define SIMV_SET_I16(w, in, v, def) simv_set32 (w, in, (uint16_t) (v), def)
#define SIMV_SET_U32(w, in, v, def) simv_set32 (w, in, v, def)
#define SIMV_SET_I32(w, in, v, def) simv_set32 (w, in, (uint32_t) (v), def)
#define SIMV_SET_F32(w, in, v, def) simv_set32 (w, in, simv_b32 (v), def)
#define SIMV_SET_U64(w, in, v, def) simv_set64 (w, in, v, def)
#define SIMV_SET_I64(w, in, v, def) simv_set64 (w, in, (uint64_t) (v), def)
#define SIMV_SET_F64(w, in, v, def) simv_set64 (w, in, simv_b64 (v), def)

/* A lane mask made by an instruction with EXEC == 1.  */
static inline void
simv_set_mask (struct sim_wave *w, unsigned reg, uint64_t mask, uint64_t def)
{
  sim_write64 (w, reg, mask, -(def & 1));
}

/* -- Functions of a row -- */

/* Cheap: all 64 lanes, vectorised.  Slow: only those that are wanted.  */
#define SIMV_LOOP_CHEAP(x, l) _Pragma ("GCC ivdep") for (int l = 0; l < SIM_LANES; l++)
#define SIMV_LOOP_SLOW(x, l) \
  for (uint64_t left_ = (x)->mask; left_ != 0; left_ &= left_ - 1) \
    for (int l = __builtin_ctzll (left_), once_ = 1; once_; once_ = 0)

#define SIMV_DEFINE1(id, loop, fl, td, ta, expr) \
  static inline SIMV_C_##td v_##id (SIMV_C_##ta a) { return (SIMV_C_##td) (expr); } \
  static void v_##id##_all (struct simv_args *args) \
  { \
    const struct simv_args y = *args, *x = &y; \
    SIMV_LOOP_##loop (x, l) \
      { \
	SIMV_C_##td r = v_##id (SIMV_LANE_##ta (x, 0, l)); \
	SIMV_STORE_##td (x, l, r); \
      } \
  } \
  static void v_##id##_one (struct sim_wave *w, const struct sim_insn *in) \
  { \
    if (__builtin_expect (sim_exec (w) != 1, 0)) \
      { \
	simv_many (w, in); \
	return; \
      } \
    uint64_t def = 1; \
    SIMV_C_##ta a = SIMV_GET_##ta (w, in, 0, &def); \
    SIMV_SET_##td (w, in, v_##id (a), def); \
  } \
  static const struct simv_impl v_##id##_impl = { v_##id##_one, v_##id##_all, fl };

#define SIMV_DEFINE2(id, loop, fl, td, ta, tb, expr) \
  static inline SIMV_C_##td v_##id (SIMV_C_##ta a, SIMV_C_##tb b) \
  { return (SIMV_C_##td) (expr); } \
  static void v_##id##_all (struct simv_args *args) \
  { \
    const struct simv_args y = *args, *x = &y; \
    SIMV_LOOP_##loop (x, l) \
      { \
	SIMV_C_##td r = v_##id (SIMV_LANE_##ta (x, 0, l), SIMV_LANE_##tb (x, 1, l)); \
	SIMV_STORE_##td (x, l, r); \
      } \
  } \
  static void v_##id##_one (struct sim_wave *w, const struct sim_insn *in) \
  { \
    if (__builtin_expect (sim_exec (w) != 1, 0)) \
      { \
	simv_many (w, in); \
	return; \
      } \
    uint64_t def = 1; \
    SIMV_C_##ta a = SIMV_GET_##ta (w, in, 0, &def); \
    SIMV_C_##tb b = SIMV_GET_##tb (w, in, 1, &def); \
    SIMV_SET_##td (w, in, v_##id (a, b), def); \
  } \
  static const struct simv_impl v_##id##_impl = { v_##id##_one, v_##id##_all, fl };

#define SIMV_DEFINE3(id, loop, fl, td, ta, tb, tc, expr) \
  static inline SIMV_C_##td v_##id (SIMV_C_##ta a, SIMV_C_##tb b, SIMV_C_##tc c) \
  { return (SIMV_C_##td) (expr); } \
  static void v_##id##_all (struct simv_args *args) \
  { \
    const struct simv_args y = *args, *x = &y; \
    SIMV_LOOP_##loop (x, l) \
      { \
	SIMV_C_##td r = v_##id (SIMV_LANE_##ta (x, 0, l), SIMV_LANE_##tb (x, 1, l), \
				SIMV_LANE_##tc (x, 2, l)); \
	SIMV_STORE_##td (x, l, r); \
      } \
  } \
  static void v_##id##_one (struct sim_wave *w, const struct sim_insn *in) \
  { \
    if (__builtin_expect (sim_exec (w) != 1, 0)) \
      { \
	simv_many (w, in); \
	return; \
      } \
    uint64_t def = 1; \
    SIMV_C_##ta a = SIMV_GET_##ta (w, in, 0, &def); \
    SIMV_C_##tb b = SIMV_GET_##tb (w, in, 1, &def); \
    SIMV_C_##tc c = SIMV_GET_##tc (w, in, 2, &def); \
    SIMV_SET_##td (w, in, v_##id (a, b, c), def); \
  } \
  static const struct simv_impl v_##id##_impl = { v_##id##_one, v_##id##_all, fl };

/* -- Rows of the tables of opcodes -- */

#define SIMV_ROW1(form, id, g8, g9, g90a, td, ta, fl) \
  { "v_" #id, SIM_##form, { g8, g9, g90a }, SIMV_ENUM_##td, { SIMV_ENUM_##ta, 0, 0 }, fl, NULL, \
    &v_##id##_impl },
#define SIMV_ROW2(form, id, g8, g9, g90a, td, ta, tb, fl) \
  { "v_" #id, SIM_##form, { g8, g9, g90a }, SIMV_ENUM_##td, \
    { SIMV_ENUM_##ta, SIMV_ENUM_##tb, 0 }, fl, NULL, &v_##id##_impl },
#define SIMV_ROW3(form, id, g8, g9, g90a, td, ta, tb, tc, fl) \
  { "v_" #id, SIM_##form, { g8, g9, g90a }, SIMV_ENUM_##td, \
    { SIMV_ENUM_##ta, SIMV_ENUM_##tb, SIMV_ENUM_##tc }, fl, NULL, &v_##id##_impl },
#define SIMV_ROWS_END { NULL, SIM_F_NONE, { -1, -1, -1 }, 0, { 0, 0, 0 }, 0, NULL, NULL }

#endif /* SIM_VECTOR_H */
