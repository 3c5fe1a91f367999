/* vector-convert.c -- vector conversions between integers and floating point.

   To integers: towards zero, values out of range become the nearest one in range, a NaN 0.  To
   floating point: to nearest, ties to even.  */

#include "vector.h"

static inline int32_t
to_i32 (double a)
{
  return a != a ? 0 : a <= INT32_MIN ? INT32_MIN : a >= INT32_MAX ? INT32_MAX : (int32_t) a;
}

static inline uint32_t
to_u32 (double a)
{
  return !(a > 0) ? 0 : a >= UINT32_MAX ? UINT32_MAX : (uint32_t) a;
}

/* Half precision, in the low 16 bits.  */
static uint16_t
to_f16 (float f)
{
  uint32_t a = simv_b32 (f), sign = a >> 16 & 0x8000, mantissa = a & 0x7fffff;
  int exponent = (int) (a >> 23 & 0xff) - 127 + 15;
  if (exponent == 255 - 127 + 15)
    return (uint16_t) (sign | 0x7c00 | (mantissa != 0 ? 0x200 | mantissa >> 13 : 0));
  if (exponent < -10)
    return (uint16_t) sign;
  /* SHIFT bits are dropped, more of them for denormal results.  */
  unsigned shift = 13;
  uint32_t value = mantissa;
  if (exponent <= 0)
    {
      value |= 0x800000;
      shift += (unsigned) (1 - exponent);
      exponent = 0;
    }
  uint32_t kept = value >> shift, half = UINT32_C (1) << (shift - 1);
  uint32_t rest = value & ((UINT32_C (1) << shift) - 1);
  kept += (uint32_t) exponent << 10;
  if (rest > half || (rest == half && (kept & 1) != 0))
    kept++;			/* may carry into the exponent, up to infinity: right as it is */
  return (uint16_t) (sign | (kept > 0x7c00 ? 0x7c00 : kept));
}

static float
from_f16 (uint16_t a)
{
  uint32_t sign = (uint32_t) (a & 0x8000) << 16, mantissa = a & 0x3ff;
  int exponent = a >> 10 & 0x1f;
  if (exponent == 0x1f)
    return simv_f32 (sign | 0x7f800000 | mantissa << 13 | (mantissa != 0 ? 0x400000 : 0));
  float f = exponent == 0 ? ldexpf ((float) mantissa, -24)
			  : ldexpf ((float) (mantissa | 0x400), exponent - 25);
  return sign != 0 ? -f : f;
}

#define OPS \
  OP (cvt_i32_f64, 3, CHEAP, I32, F64, to_i32 (a)) \
  OP (cvt_f64_i32, 4, CHEAP, F64, I32, a) \
  OP (cvt_f32_i32, 5, CHEAP, F32, I32, a) \
  OP (cvt_f32_u32, 6, CHEAP, F32, U32, a) \
  OP (cvt_u32_f32, 7, CHEAP, U32, F32, to_u32 (a)) \
  OP (cvt_i32_f32, 8, CHEAP, I32, F32, to_i32 (a)) \
  OP (cvt_f16_f32, 10, SLOW, U16, F32, to_f16 (a)) \
  OP (cvt_f32_f16, 11, SLOW, F32, U16, from_f16 (a)) \
  OP (cvt_rpi_i32_f32, 12, SLOW, I32, F32, to_i32 (floor ((double) a + 0.5))) \
  OP (cvt_flr_i32_f32, 13, SLOW, I32, F32, to_i32 (floor (a))) \
  OP (cvt_f32_f64, 15, CHEAP, F32, F64, a) \
  OP (cvt_f64_f32, 16, CHEAP, F64, F32, a) \
  OP (cvt_f32_ubyte0, 17, CHEAP, F32, U32, (int) (a & 0xff)) \
  OP (cvt_f32_ubyte1, 18, CHEAP, F32, U32, (int) (a >> 8 & 0xff)) \
  OP (cvt_f32_ubyte2, 19, CHEAP, F32, U32, (int) (a >> 16 & 0xff)) \
  OP (cvt_f32_ubyte3, 20, CHEAP, F32, U32, (int) (a >> 24)) \
  OP (cvt_u32_f64, 21, CHEAP, U32, F64, to_u32 (a)) \
  OP (cvt_f64_u32, 22, CHEAP, F64, U32, a)

#define OP(id, code, loop, td, ta, expr) SIMV_DEFINE1 (id, loop, 0, td, ta, expr)
OPS
#undef OP
#define OP(id, code, loop, td, ta, expr) SIMV_ROW1 (VOP1, id, code, code, code, td, ta, 0)

const struct sim_opcode simv_convert_opcodes[] = {
  OPS
  SIMV_ROWS_END
};
