/* memory-table.c -- the opcodes of SMEM, FLAT, GLOBAL, MUBUF and DS.  */

#include "memory.h"

#define ALL(n) { n, n, n }
#define GFX9(n) { -1, n, n }
#define GFX90A(n) { -1, -1, n }

#define ACCESS(...) &(const struct sim_access) { __VA_ARGS__ }

/* FLAT and GLOBAL, with the same numbers; the old generation has only FLAT.  */
#define LOAD(n, name, type, bytes, sign)						\
  { "flat_load_" name, SIM_FLAT, ALL (n), type, { SIM_B64, 0, 0 }, 0, sim_run_flat_load,	\
    ACCESS (bytes, sign, 0, 0) },							\
  { "global_load_" name, SIM_GLOBAL, GFX9 (n), type, { SIM_B64, 0, 0 }, 0, sim_run_flat_load,	\
    ACCESS (bytes, sign, 0, 0) }
#define STORE(n, name, type, bytes)							\
  { "flat_store_" name, SIM_FLAT, ALL (n), 0, { SIM_B64, type, 0 }, SIM_OP_STORE,	\
    sim_run_flat_store, ACCESS (bytes, 0, 0, 0) },					\
  { "global_store_" name, SIM_GLOBAL, GFX9 (n), 0, { SIM_B64, type, 0 }, SIM_OP_STORE,	\
    sim_run_flat_store, ACCESS (bytes, 0, 0, 0) }
#define ATOMIC1(n, name, type, data, bytes, op, where, all)				\
  { #where "_atomic_" name, all, n, type, { SIM_B64, data, 0 }, SIM_OP_ATOMIC,		\
    sim_run_flat_atomic, ACCESS (bytes, 0, SIM_RMW_##op, 0) }
#define ATOMIC(n, name, op)								\
  ATOMIC1 (ALL (n), name, SIM_B32, SIM_B32, 4, op, flat, SIM_FLAT),			\
  ATOMIC1 (GFX9 (n), name, SIM_B32, SIM_B32, 4, op, global, SIM_GLOBAL),		\
  ATOMIC1 (ALL (n + 32), name "_x2", SIM_B64, SIM_B64, 8, op, flat, SIM_FLAT),		\
  ATOMIC1 (GFX9 (n + 32), name "_x2", SIM_B64, SIM_B64, 8, op, global, SIM_GLOBAL)

#define SMEM_LOAD(n, name, type)							\
  { name, SIM_SMEM, ALL (n), type, { SIM_B64, 0, 0 }, 0, sim_run_smem_load, NULL }
#define SMEM_NOTHING(n, name)								\
  { name, SIM_SMEM, ALL (n), 0, { 0, 0, 0 }, 0, sim_run_nothing, NULL }

#define DS_LOAD(n, name, type, bytes, sign)						\
  { name, SIM_DS, ALL (n), type, { SIM_B32, 0, 0 }, 0, sim_run_ds_load,			\
    ACCESS (bytes, sign, 0, 0) }
#define DS_STORE(n, name, type, bytes)							\
  { name, SIM_DS, ALL (n), 0, { SIM_B32, type, 0 }, SIM_OP_STORE, sim_run_ds_store,	\
    ACCESS (bytes, 0, 0, 0) }
#define DS_LOAD2(n, name, type, bytes, stride)						\
  { name, SIM_DS, ALL (n), type, { SIM_B32, 0, 0 }, SIM_OP_OFFSETS, sim_run_ds_load2,	\
    ACCESS (bytes, 0, 0, stride) }
#define DS_STORE2(n, name, type, bytes, stride)						\
  { name, SIM_DS, ALL (n), 0, { SIM_B32, type, type }, SIM_OP_STORE | SIM_OP_OFFSETS,	\
    sim_run_ds_store2, ACCESS (bytes, 0, 0, stride) }
/* Without and with a result, 32 and 64 bits.  */
#define DS_ATOMIC(n, name, letter, op)							\
  { "ds_" name "_" letter "32", SIM_DS, ALL (n), 0, { SIM_B32, SIM_B32, 0 }, SIM_OP_STORE,	\
    sim_run_ds_atomic, ACCESS (4, 0, SIM_RMW_##op, 0) },				\
  { "ds_" name "_rtn_" letter "32", SIM_DS, ALL (n + 32), SIM_B32, { SIM_B32, SIM_B32, 0 }, 0,	\
    sim_run_ds_atomic, ACCESS (4, 0, SIM_RMW_##op, 0) },				\
  { "ds_" name "_" letter "64", SIM_DS, ALL (n + 64), 0, { SIM_B32, SIM_B64, 0 }, SIM_OP_STORE,	\
    sim_run_ds_atomic, ACCESS (8, 0, SIM_RMW_##op, 0) },				\
  { "ds_" name "_rtn_" letter "64", SIM_DS, ALL (n + 96), SIM_B64, { SIM_B32, SIM_B64, 0 }, 0,	\
    sim_run_ds_atomic, ACCESS (8, 0, SIM_RMW_##op, 0) }
#define DS_CMPST(n, name, result, type, bytes)						\
  { name, SIM_DS, ALL (n), result, { SIM_B32, type, type }, 0, sim_run_ds_atomic,	\
    ACCESS (bytes, 0, SIM_RMW_CMPSWAP, 0) }
#define DS_SWAP(n, name, type, bytes)							\
  { name, SIM_DS, ALL (n), type, { SIM_B32, type, 0 }, 0, sim_run_ds_atomic,		\
    ACCESS (bytes, 0, SIM_RMW_SWAP, 0) }

const struct sim_opcode sim_memory_opcodes[] =
{
  SMEM_LOAD (0, "s_load_dword", SIM_B32),
  SMEM_LOAD (1, "s_load_dwordx2", SIM_B64),
  SMEM_LOAD (2, "s_load_dwordx4", SIM_B128),
  SMEM_LOAD (3, "s_load_dwordx8", SIM_B256),
  SMEM_LOAD (4, "s_load_dwordx16", SIM_B512),
  SMEM_NOTHING (32, "s_dcache_inv"),
  SMEM_NOTHING (33, "s_dcache_wb"),
  SMEM_NOTHING (34, "s_dcache_inv_vol"),
  SMEM_NOTHING (35, "s_dcache_wb_vol"),
  { "s_memtime", SIM_SMEM, ALL (36), SIM_B64, { 0, 0, 0 }, 0, sim_run_smem_time,
    ACCESS (8, 0, 0, 1) },
  { "s_memrealtime", SIM_SMEM, ALL (37), SIM_B64, { 0, 0, 0 }, 0, sim_run_smem_time,
    ACCESS (8, 0, 0, 10) },

  LOAD (16, "ubyte", SIM_B32, 1, false),
  LOAD (17, "sbyte", SIM_B32, 1, true),
  LOAD (18, "ushort", SIM_B32, 2, false),
  LOAD (19, "sshort", SIM_B32, 2, true),
  LOAD (20, "dword", SIM_B32, 4, false),
  LOAD (21, "dwordx2", SIM_B64, 8, false),
  LOAD (22, "dwordx3", SIM_B96, 12, false),
  LOAD (23, "dwordx4", SIM_B128, 16, false),
  STORE (24, "byte", SIM_B32, 1),
  STORE (26, "short", SIM_B32, 2),
  STORE (28, "dword", SIM_B32, 4),
  STORE (29, "dwordx2", SIM_B64, 8),
  STORE (30, "dwordx3", SIM_B96, 12),
  STORE (31, "dwordx4", SIM_B128, 16),
  ATOMIC (64, "swap", SWAP),
  ATOMIC1 (ALL (65), "cmpswap", SIM_B32, SIM_B64, 4, CMPSWAP, flat, SIM_FLAT),
  ATOMIC1 (GFX9 (65), "cmpswap", SIM_B32, SIM_B64, 4, CMPSWAP, global, SIM_GLOBAL),
  ATOMIC1 (ALL (97), "cmpswap_x2", SIM_B64, SIM_B128, 8, CMPSWAP, flat, SIM_FLAT),
  ATOMIC1 (GFX9 (97), "cmpswap_x2", SIM_B64, SIM_B128, 8, CMPSWAP, global, SIM_GLOBAL),
  ATOMIC (66, "add", ADD),
  ATOMIC (67, "sub", SUB),
  ATOMIC (68, "smin", SMIN),
  ATOMIC (69, "umin", UMIN),
  ATOMIC (70, "smax", SMAX),
  ATOMIC (71, "umax", UMAX),
  ATOMIC (72, "and", AND),
  ATOMIC (73, "or", OR),
  ATOMIC (74, "xor", XOR),
  ATOMIC (75, "inc", INC),
  ATOMIC (76, "dec", DEC),
  ATOMIC1 (GFX90A (77), "add_f32", SIM_B32, SIM_B32, 4, FADD, global, SIM_GLOBAL),
  ATOMIC1 (GFX90A (79), "add_f64", SIM_B64, SIM_B64, 8, FADD, flat, SIM_FLAT),
  ATOMIC1 (GFX90A (79), "add_f64", SIM_B64, SIM_B64, 8, FADD, global, SIM_GLOBAL),
  ATOMIC1 (GFX90A (80), "min_f64", SIM_B64, SIM_B64, 8, FMIN, flat, SIM_FLAT),
  ATOMIC1 (GFX90A (80), "min_f64", SIM_B64, SIM_B64, 8, FMIN, global, SIM_GLOBAL),
  ATOMIC1 (GFX90A (81), "max_f64", SIM_B64, SIM_B64, 8, FMAX, flat, SIM_FLAT),
  ATOMIC1 (GFX90A (81), "max_f64", SIM_B64, SIM_B64, 8, FMAX, global, SIM_GLOBAL),

  /* Caches: there are none.  */
  { "buffer_wbinvl1", SIM_MUBUF, ALL (62), 0, { 0, 0, 0 }, 0, sim_run_nothing, NULL },
  { "buffer_wbinvl1_vol", SIM_MUBUF, ALL (63), 0, { 0, 0, 0 }, 0, sim_run_nothing, NULL },
  { "buffer_wbl2", SIM_MUBUF, GFX90A (40), 0, { 0, 0, 0 }, 0, sim_run_nothing, NULL },
  { "buffer_invl2", SIM_MUBUF, GFX90A (41), 0, { 0, 0, 0 }, 0, sim_run_nothing, NULL },

  DS_ATOMIC (0, "add", "u", ADD),
  DS_ATOMIC (1, "sub", "u", SUB),
  DS_ATOMIC (2, "rsub", "u", RSUB),
  DS_ATOMIC (3, "inc", "u", INC),
  DS_ATOMIC (4, "dec", "u", DEC),
  DS_ATOMIC (5, "min", "i", SMIN),
  DS_ATOMIC (6, "max", "i", SMAX),
  DS_ATOMIC (7, "min", "u", UMIN),
  DS_ATOMIC (8, "max", "u", UMAX),
  DS_ATOMIC (9, "and", "b", AND),
  DS_ATOMIC (10, "or", "b", OR),
  DS_ATOMIC (11, "xor", "b", XOR),
  DS_CMPST (16, "ds_cmpst_b32", 0, SIM_B32, 4),
  DS_CMPST (48, "ds_cmpst_rtn_b32", SIM_B32, SIM_B32, 4),
  DS_CMPST (80, "ds_cmpst_b64", 0, SIM_B64, 8),
  DS_CMPST (112, "ds_cmpst_rtn_b64", SIM_B64, SIM_B64, 8),
  DS_SWAP (45, "ds_wrxchg_rtn_b32", SIM_B32, 4),
  DS_SWAP (109, "ds_wrxchg_rtn_b64", SIM_B64, 8),
  DS_STORE (13, "ds_write_b32", SIM_B32, 4),
  DS_STORE (30, "ds_write_b8", SIM_B32, 1),
  DS_STORE (31, "ds_write_b16", SIM_B32, 2),
  DS_STORE (77, "ds_write_b64", SIM_B64, 8),
  DS_STORE (222, "ds_write_b96", SIM_B96, 12),
  DS_STORE (223, "ds_write_b128", SIM_B128, 16),
  DS_STORE2 (14, "ds_write2_b32", SIM_B32, 4, 1),
  DS_STORE2 (15, "ds_write2st64_b32", SIM_B32, 4, 64),
  DS_STORE2 (78, "ds_write2_b64", SIM_B64, 8, 1),
  DS_STORE2 (79, "ds_write2st64_b64", SIM_B64, 8, 64),
  DS_LOAD (54, "ds_read_b32", SIM_B32, 4, false),
  DS_LOAD (57, "ds_read_i8", SIM_B32, 1, true),
  DS_LOAD (58, "ds_read_u8", SIM_B32, 1, false),
  DS_LOAD (59, "ds_read_i16", SIM_B32, 2, true),
  DS_LOAD (60, "ds_read_u16", SIM_B32, 2, false),
  DS_LOAD (118, "ds_read_b64", SIM_B64, 8, false),
  DS_LOAD (254, "ds_read_b96", SIM_B96, 12, false),
  DS_LOAD (255, "ds_read_b128", SIM_B128, 16, false),
  DS_LOAD2 (55, "ds_read2_b32", SIM_B64, 4, 1),
  DS_LOAD2 (56, "ds_read2st64_b32", SIM_B64, 4, 64),
  DS_LOAD2 (119, "ds_read2_b64", SIM_B128, 8, 1),
  DS_LOAD2 (120, "ds_read2st64_b64", SIM_B128, 8, 64),
  { "ds_nop", SIM_DS, ALL (20), 0, { 0, 0, 0 }, 0, sim_run_nothing, NULL },
  { "ds_swizzle_b32", SIM_DS, ALL (61), SIM_B32, { SIM_B32, 0, 0 }, 0, sim_run_ds_swizzle, NULL },
  { "ds_permute_b32", SIM_DS, ALL (62), SIM_B32, { SIM_B32, SIM_B32, 0 }, 0, sim_run_ds_permute,
    NULL },
  { "ds_bpermute_b32", SIM_DS, ALL (63), SIM_B32, { SIM_B32, SIM_B32, 0 }, 0, sim_run_ds_bpermute,
    NULL },
  { .name = NULL }
};
