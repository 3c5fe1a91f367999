/* vector-int.c -- vector opcodes on integers and bits.

   vector-int.def has them; here are the functions that are more than an expression, and the ones
   with a carry.  Integers wrap around: clamp (saturation) of integers is refused by simv_bind.  */

#include "vector.h"

static inline uint32_t
reverse (uint32_t a)
{
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
  return __builtin_bswap32 (a);
}

static inline uint32_t
ones (uint32_t a)
{
  a -= a >> 1 & 0x55555555;
  a = (a & 0x33333333) + (a >> 2 & 0x33333333);
  a = (a + (a >> 4)) & 0x0f0f0f0f;
  return a * 0x01010101 >> 24;
}

/* Number of equal bits at the top; all ones when all of them are equal.  */
static inline uint32_t
sign_bits (uint32_t a)
{
  uint32_t b = a ^ (a & UINT32_C (1) << 31 ? UINT32_MAX : 0);
  return b == 0 ? UINT32_MAX : (uint32_t) __builtin_clz (b);
}

/* The low 24 bits as a signed number.  */
static inline int32_t
signed24 (uint32_t a)
{
  return (int32_t) (a << 8) >> 8;
}

/* The low WIDTH bits as a signed number; width 0 is 0.  */
static inline int32_t
signed_field (int32_t a, unsigned width)
{
  if (width == 0)
    return 0;
  return (int32_t) ((uint32_t) a << (32 - width)) >> (32 - width);
}

/* Those with a carry.  The kernels have it as 32-bit comparisons, which can be vectorised: OVER of the
   wrapped sums R of A and B, and S of R and C.  */
#define OVER_ADD(a, b, c, r, s) (((r) < (a)) | ((s) < (c)))
#define OVER_SUB(a, b, c, r, s) (((a) < (b)) | ((r) < (c)))
#define DEFINE_CARRY(id, fl, over, left, right, op) \
  static inline uint64_t v_##id (uint32_t a, uint32_t b, uint64_t c) \
  { return (uint64_t) left op right op c; } \
  static void v_##id##_all (struct simv_args *args) \
  { \
    const struct simv_args y = *args, *x = &y; \
    uint8_t in[SIM_LANES], out[SIM_LANES]; \
    if ((fl) & SIM_OP_CARRY_IN) \
      simv_unpack (x->cin, in); \
    SIMV_LOOP_CHEAP (x, l) \
      { \
	uint32_t a = x->lo[0][l], b = x->lo[1][l], c = (fl) & SIM_OP_CARRY_IN ? in[l] : 0; \
	uint32_t r = left op right, s = r op c; \
	out[l] = over (left, right, c, r, s); \
	x->dlo[l] = s; \
      } \
    args->cout = simv_pack (out); \
  } \
  static void v_##id##_one (struct sim_wave *w, const struct sim_insn *in) \
  { \
    if (__builtin_expect (sim_exec (w) != 1, 0)) \
      { \
	simv_many (w, in); \
	return; \
      } \
    uint64_t def = 1; \
    uint32_t a = simv_get32 (w, in, 0, &def); \
    uint32_t b = simv_get32 (w, in, 1, &def); \
    uint64_t c = (fl) & SIM_OP_CARRY_IN ? sim_read64 (w, in, 2, &def) & 1 : 0; \
    uint64_t r = v_##id (a, b, c); \
    simv_set32 (w, in, (uint32_t) r, def); \
    simv_set_mask (w, in->sdst, r >> 32 & 1, def); \
  } \
  static const struct simv_impl v_##id##_impl = { v_##id##_one, v_##id##_all, 0 };

#define OP1(form, id, g8, g9, g90a, td, ta, expr) SIMV_DEFINE1 (id, CHEAP, 0, td, ta, expr)
#define OP2(form, id, g8, g9, g90a, td, ta, tb, expr) SIMV_DEFINE2 (id, CHEAP, 0, td, ta, tb, expr)
#define OP3(form, id, g8, g9, g90a, td, ta, tb, tc, expr) \
  SIMV_DEFINE3 (id, CHEAP, 0, td, ta, tb, tc, expr)
#define BITS2(form, id, g8, g9, g90a, expr) \
  SIMV_DEFINE2 (id, CHEAP, SIMV_BITS, U32, U32, U32, expr)
#define BITS3(form, id, g8, g9, g90a, expr) \
  SIMV_DEFINE3 (id, CHEAP, SIMV_BITS, U32, U32, U32, U32, expr)
#define CARRY(id, g8, g9, g90a, fl, over, left, right, op) \
  DEFINE_CARRY (id, fl, over, left, right, op)
#define ALIAS(name, id, g8, fl)
#include "vector-int.def"
#undef OP1
#undef OP2
#undef OP3
#undef BITS2
#undef BITS3
#undef CARRY
#undef ALIAS

/* v_mad_u64_u32, v_mad_i64_i32: a product of 64 bits, added to a 64-bit source, with the carry of
   that.  */
static void
mad64_all (struct simv_args *args, bool is_signed)
{
  const struct simv_args y = *args, *x = &y;
  uint64_t carry = 0;
  for (int l = 0; l < SIM_LANES; l++)
    {
      uint32_t a = x->lo[0][l], b = x->lo[1][l];
      uint64_t c = SIMV_LANE_U64 (x, 2, l), r;
      uint64_t product = is_signed ? (uint64_t) ((int64_t) (int32_t) a * (int32_t) b)
				   : (uint64_t) a * b;
      bool over = is_signed
		  ? __builtin_add_overflow ((int64_t) product, (int64_t) c, (int64_t *) &r)
		  : __builtin_add_overflow (product, c, &r);
      SIMV_STORE_U64 (x, l, r);
      carry |= (uint64_t) over << l;
    }
  args->cout = carry;
}

static void
v_mad_u64_u32_all (struct simv_args *args)
{
  mad64_all (args, false);
}

static void
v_mad_i64_i32_all (struct simv_args *args)
{
  mad64_all (args, true);
}

static const struct simv_impl v_mad_u64_u32_impl = { simv_many, v_mad_u64_u32_all, 0 };
static const struct simv_impl v_mad_i64_i32_impl = { simv_many, v_mad_i64_i32_all, 0 };

#define OP1(form, id, g8, g9, g90a, td, ta, expr) SIMV_ROW1 (form, id, g8, g9, g90a, td, ta, 0)
#define OP2(form, id, g8, g9, g90a, td, ta, tb, expr) \
  SIMV_ROW2 (form, id, g8, g9, g90a, td, ta, tb, 0)
#define OP3(form, id, g8, g9, g90a, td, ta, tb, tc, expr) \
  SIMV_ROW3 (form, id, g8, g9, g90a, td, ta, tb, tc, 0)
#define BITS2(form, id, g8, g9, g90a, expr) \
  SIMV_ROW2 (form, id, g8, g9, g90a, U32, U32, U32, 0)
#define BITS3(form, id, g8, g9, g90a, expr) \
  SIMV_ROW3 (form, id, g8, g9, g90a, U32, U32, U32, U32, 0)
#define CARRY_ROW(name, id, g8, g9, g90a, fl) \
  { "v_" #name, SIM_VOP2, { g8, g9, g90a }, SIM_B32, \
    { SIM_B32, SIM_B32, (fl) & SIM_OP_CARRY_IN ? SIM_T_MASK : SIM_T_NONE }, fl, NULL, \
    &v_##id##_impl },
#define CARRY(id, g8, g9, g90a, fl, over, left, right, op) \
  CARRY_ROW (id, id, g8, g9, g90a, fl)
#define ALIAS(name, id, g8, fl) CARRY_ROW (name, id, g8, -1, -1, fl)

const struct sim_opcode simv_int_opcodes[] = {
#include "vector-int.def"
  SIMV_ROW3 (VOP3, mad_u64_u32, 0x1e8, 0x1e8, 0x1e8, U64, U32, U32, U64,
	     SIM_OP_CARRY_OUT | SIM_OP_VOP3B)
  SIMV_ROW3 (VOP3, mad_i64_i32, 0x1e9, 0x1e9, 0x1e9, I64, I32, I32, I64,
	     SIM_OP_CARRY_OUT | SIM_OP_VOP3B)
  SIMV_ROWS_END
};
