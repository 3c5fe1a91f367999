/* vector-compare.c -- VOPC: comparisons that make a lane mask.

   v_cmp writes the mask to VCC or, in the VOP3 form, to any SGPR pair; v_cmpx writes it to EXEC
   as well.  Lanes that are not active become 0.  */

#include "vector.h"

/* The functions of one comparison, which is the expression of a and b.  */
#define DEFINE(id, ta, tb, expr) \
  static inline bool v_cmp_##id (SIMV_C_##ta a, SIMV_C_##tb b) \
  { (void) a; (void) b; return expr; } \
  static void v_cmp_##id##_all (struct simv_args *args) \
  { \
    const struct simv_args y = *args, *x = &y; \
    uint8_t flags[SIM_LANES]; \
    for (int l = 0; l < SIM_LANES; l++) \
      flags[l] = v_cmp_##id (SIMV_LANE_##ta (x, 0, l), SIMV_LANE_##tb (x, 1, l)); \
    args->cout = simv_pack (flags); \
  } \
  static inline uint64_t v_cmp_##id##_0 (struct sim_wave *w, const struct sim_insn *in) \
  { \
    uint64_t def = 1; \
    SIMV_C_##ta a = SIMV_GET_##ta (w, in, 0, &def); \
    SIMV_C_##tb b = SIMV_GET_##tb (w, in, 1, &def); \
    uint64_t mask = v_cmp_##id (a, b); \
    simv_set_mask (w, in->dst, mask, def); \
    w->lane_ops++; \
    return mask | (def & 1) << 1; \
  } \
  static void v_cmp_##id##_one (struct sim_wave *w, const struct sim_insn *in) \
  { \
    if (__builtin_expect (sim_exec (w) != 1, 0)) \
      { \
	simv_many (w, in); \
	return; \
      } \
    v_cmp_##id##_0 (w, in); \
  } \
  static void v_cmpx_##id##_one (struct sim_wave *w, const struct sim_insn *in) \
  { \
    if (__builtin_expect (sim_exec (w) != 1, 0)) \
      { \
	simv_many (w, in); \
	return; \
      } \
    uint64_t result = v_cmp_##id##_0 (w, in); \
    simv_set_mask (w, SIM_EXEC, result & 1, result >> 1); \
  } \
  static const struct simv_impl v_cmp_##id##_impl \
    = { v_cmp_##id##_one, v_cmp_##id##_all, 0 }; \
  static const struct simv_impl v_cmpx_##id##_impl \
    = { v_cmpx_##id##_one, v_cmp_##id##_all, SIMV_CMPX };

#define ROW(id, code, ta, tb) \
  { "v_cmp_" #id, SIM_VOPC, { code, code, code }, SIM_T_MASK, \
    { SIMV_ENUM_##ta, SIMV_ENUM_##tb, 0 }, SIM_OP_SDST, NULL, &v_cmp_##id##_impl },
#define ROWX(id, code, ta, tb) \
  { "v_cmpx_" #id, SIM_VOPC, { code, code, code }, SIM_T_MASK, \
    { SIMV_ENUM_##ta, SIMV_ENUM_##tb, 0 }, SIM_OP_SDST, NULL, &v_cmpx_##id##_impl },

/* The conditions of floating point in the order of their opcodes; the ones with n are true for
   NaNs.  M (condition, number in its block of 16, expression, ...).  */
#define FLOAT_CONDITIONS(M, ...) \
  M (f, 0, false, __VA_ARGS__) \
  M (lt, 1, a < b, __VA_ARGS__) \
  M (eq, 2, a == b, __VA_ARGS__) \
  M (le, 3, a <= b, __VA_ARGS__) \
  M (gt, 4, a > b, __VA_ARGS__) \
  M (lg, 5, a < b || a > b, __VA_ARGS__) \
  M (ge, 6, a >= b, __VA_ARGS__) \
  M (o, 7, a == a && b == b, __VA_ARGS__) \
  M (u, 8, a != a || b != b, __VA_ARGS__) \
  M (nge, 9, !(a >= b), __VA_ARGS__) \
  M (nlg, 10, !(a < b || a > b), __VA_ARGS__) \
  M (ngt, 11, !(a > b), __VA_ARGS__) \
  M (nle, 12, !(a <= b), __VA_ARGS__) \
  M (neq, 13, !(a == b), __VA_ARGS__) \
  M (nlt, 14, !(a < b), __VA_ARGS__) \
  M (tru, 15, true, __VA_ARGS__)

/* Those of integers; blocks of 8.  */
#define INT_CONDITIONS(M, ...) \
  M (f, 0, false, __VA_ARGS__) \
  M (lt, 1, a < b, __VA_ARGS__) \
  M (eq, 2, a == b, __VA_ARGS__) \
  M (le, 3, a <= b, __VA_ARGS__) \
  M (gt, 4, a > b, __VA_ARGS__) \
  M (ne, 5, a != b, __VA_ARGS__) \
  M (ge, 6, a >= b, __VA_ARGS__) \
  M (t, 7, true, __VA_ARGS__)

#define DEFINE_ONE(cond, n, expr, suffix, type) DEFINE (cond##_##suffix, type, type, expr)
FLOAT_CONDITIONS (DEFINE_ONE, f32, F32)
FLOAT_CONDITIONS (DEFINE_ONE, f64, F64)
INT_CONDITIONS (DEFINE_ONE, i16, I16)
INT_CONDITIONS (DEFINE_ONE, u16, U16)
INT_CONDITIONS (DEFINE_ONE, i32, I32)
INT_CONDITIONS (DEFINE_ONE, u32, U32)
INT_CONDITIONS (DEFINE_ONE, i64, I64)
INT_CONDITIONS (DEFINE_ONE, u64, U64)

/* v_cmp_class: whether the first source is of one of the classes that the second names: 0
   signalling NaN, 1 quiet NaN, 2 -infinity, 3 negative, 4 denormal, 5 -0, 6 +0, 7 denormal, 8
   positive, 9 +infinity.  */
static inline unsigned
class32 (float a)
{
  uint32_t bits = simv_b32 (a), rest = bits & 0x7fffff;
  unsigned exponent = bits >> 23 & 0xff;
  if (exponent == 0xff && rest != 0)
    return rest >> 22 & 1;
  unsigned size = exponent == 0xff ? 3 : exponent != 0 ? 2 : rest != 0 ? 1 : 0;
  return bits >> 31 ? 5 - size : 6 + size;
}

static inline unsigned
class64 (double a)
{
  uint64_t bits = simv_b64 (a), rest = bits & UINT64_C (0xfffffffffffff);
  unsigned exponent = bits >> 52 & 0x7ff;
  if (exponent == 0x7ff && rest != 0)
    return rest >> 51 & 1;
  unsigned size = exponent == 0x7ff ? 3 : exponent != 0 ? 2 : rest != 0 ? 1 : 0;
  return bits >> 63 ? 5 - size : 6 + size;
}

DEFINE (class_f32, F32, U32, b >> class32 (a) & 1)
DEFINE (class_f64, F64, U32, b >> class64 (a) & 1)

#define ROWS_ONE(cond, n, expr, suffix, type, base, basex) \
  ROW (cond##_##suffix, base + n, type, type) \
  ROWX (cond##_##suffix, basex + n, type, type)

const struct sim_opcode simv_compare_opcodes[] = {
  ROW (class_f32, 0x10, F32, U32)
  ROWX (class_f32, 0x11, F32, U32)
  ROW (class_f64, 0x12, F64, U32)
  ROWX (class_f64, 0x13, F64, U32)
  FLOAT_CONDITIONS (ROWS_ONE, f32, F32, 0x40, 0x50)
  FLOAT_CONDITIONS (ROWS_ONE, f64, F64, 0x60, 0x70)
  INT_CONDITIONS (ROWS_ONE, i16, I16, 0xa0, 0xb0)
  INT_CONDITIONS (ROWS_ONE, u16, U16, 0xa8, 0xb8)
  INT_CONDITIONS (ROWS_ONE, i32, I32, 0xc0, 0xd0)
  INT_CONDITIONS (ROWS_ONE, u32, U32, 0xc8, 0xd8)
  INT_CONDITIONS (ROWS_ONE, i64, I64, 0xe0, 0xf0)
  INT_CONDITIONS (ROWS_ONE, u64, U64, 0xe8, 0xf8)
  SIMV_ROWS_END
};
