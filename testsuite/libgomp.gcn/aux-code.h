/* aux-code.h -- code objects made by hand, for programs about the simulator: they need no offload compiler, and
   anything about them can be wrong.

   What is here is for gfx900, in the register conventions of GCC 14 to 16 (dispatch packet s[0:1], queue s[2:3],
   kernel arguments s[4:5], work-group s6) unless it says otherwise; the first argument is the address of words
   for results.  */

#ifndef AUX_CODE_H
#define AUX_CODE_H 1

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The number of the work-group, and 100, to a word of its own.  */
static const uint32_t code_number[] __attribute__ ((unused)) =
  {
    0xc0060202, 0x00000000,  /* s_load_dwordx2 s[8:9], s[4:5], 0x0 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0x8e0a8206,              /* s_lshl_b32 s10, s6, 2 */
    0x80080a08,              /* s_add_u32 s8, s8, s10 */
    0x82098009,              /* s_addc_u32 s9, s9, 0 */
    0x7e060208,              /* v_mov_b32_e32 v3, s8 */
    0x7e080209,              /* v_mov_b32_e32 v4, s9 */
    0x800bff06, 0x00000064,  /* s_add_u32 s11, s6, 0x64 */
    0x7e0a020b,              /* v_mov_b32_e32 v5, s11 */
    0xbefe0181,              /* s_mov_b64 exec, 1 */
    0xdc700000, 0x00000503,  /* flat_store_dword v[3:4], v5 */
    0xbf8c0070,              /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,              /* s_endpgm */
  };

/* From each work-item the number of its work-group, and its x, y, z ids at bits 8, 16, 24, to a word
   of its own.  */
static const uint32_t code_ids[] __attribute__ ((unused)) =
  {
    0xc0060202, 0x00000000,  /* s_load_dwordx2 s[8:9], s[4:5], 0x0 */
    0xc0020300, 0x00000004,  /* s_load_dword s12, s[0:1], 0x4 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0x8f0d900c,              /* s_lshr_b32 s13, s12, 16 */
    0x860cff0c, 0x0000ffff,  /* s_and_b32 s12, s12, 0xffff */
    0xc0020380, 0x00000008,  /* s_load_dword s14, s[0:1], 0x8 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0x860eff0e, 0x0000ffff,  /* s_and_b32 s14, s14, 0xffff */
    0xd2850006, 0x00001b02,  /* v_mul_lo_u32 v6, v2, s13 */
    0x680c0306,              /* v_add_u32_e32 v6, v6, v1 */
    0xd2850006, 0x00001906,  /* v_mul_lo_u32 v6, v6, s12 */
    0x680c0106,              /* v_add_u32_e32 v6, v6, v0 */
    0x920f0d0c,              /* s_mul_i32 s15, s12, s13 */
    0x920f0e0f,              /* s_mul_i32 s15, s15, s14 */
    0x920f060f,              /* s_mul_i32 s15, s15, s6 */
    0x680c0c0f,              /* v_add_u32_e32 v6, s15, v6 */
    0x24000088,              /* v_lshlrev_b32_e32 v0, 8, v0 */
    0x24020290,              /* v_lshlrev_b32_e32 v1, 16, v1 */
    0x24040498,              /* v_lshlrev_b32_e32 v2, 24, v2 */
    0x280e0300,              /* v_or_b32_e32 v7, v0, v1 */
    0x280e0507,              /* v_or_b32_e32 v7, v7, v2 */
    0x280e0e06,              /* v_or_b32_e32 v7, s6, v7 */
    0x240c0c82,              /* v_lshlrev_b32_e32 v6, 2, v6 */
    0x7e080209,              /* v_mov_b32_e32 v4, s9 */
    0x32060c08,              /* v_add_co_u32_e32 v3, vcc, s8, v6 */
    0x38080880,              /* v_addc_co_u32_e32 v4, vcc, 0, v4, vcc */
    0xdc700000, 0x00000703,  /* flat_store_dword v[3:4], v7 */
    0xbf8c0070,              /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,              /* s_endpgm */
  };

/* Each wave leaves 7 + its number in LDS; behind the barrier, what the next one has left goes to
   word 16 * work-group + wave.  */
static const uint32_t code_relay[] __attribute__ ((unused)) =
  {
    0xc0060202, 0x00000000,  /* s_load_dwordx2 s[8:9], s[4:5], 0x0 */
    0xc0020300, 0x00000008,  /* s_load_dword s12, s[0:1], 0x8 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0x860cff0c, 0x0000ffff,  /* s_and_b32 s12, s12, 0xffff */
    0x7e140502,              /* v_readfirstlane_b32 s10, v2 */
    0xbefe0181,              /* s_mov_b64 exec, 1 */
    0x8e0b820a,              /* s_lshl_b32 s11, s10, 2 */
    0x7e06020b,              /* v_mov_b32_e32 v3, s11 */
    0x800d870a,              /* s_add_u32 s13, s10, 7 */
    0x7e08020d,              /* v_mov_b32_e32 v4, s13 */
    0xd81a0000, 0x00000403,  /* ds_write_b32 v3, v4 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0xbf8a0000,              /* s_barrier */
    0x800d810a,              /* s_add_u32 s13, s10, 1 */
    0xbf060c0d,              /* s_cmp_eq_u32 s13, s12 */
    0x850d0d80,              /* s_cselect_b32 s13, 0, s13 */
    0x8e0d820d,              /* s_lshl_b32 s13, s13, 2 */
    0x7e06020d,              /* v_mov_b32_e32 v3, s13 */
    0xd86c0000, 0x05000003,  /* ds_read_b32 v5, v3 */
    0x8e0e8606,              /* s_lshl_b32 s14, s6, 6 */
    0x800e0b0e,              /* s_add_u32 s14, s14, s11 */
    0x80080e08,              /* s_add_u32 s8, s8, s14 */
    0x82098009,              /* s_addc_u32 s9, s9, 0 */
    0x7e0c0208,              /* v_mov_b32_e32 v6, s8 */
    0x7e0e0209,              /* v_mov_b32_e32 v7, s9 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0xdc700000, 0x00000506,  /* flat_store_dword v[6:7], v5 */
    0xbf8c0070,              /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,              /* s_endpgm */
  };

/* All waves but the first end; it meets two barriers and stores 5.  */
static const uint32_t code_quit[] __attribute__ ((unused)) =
  {
    0x7e140502,              /* v_readfirstlane_b32 s10, v2 */
    0xbf06800a,              /* s_cmp_eq_u32 s10, 0 */
    0xbf850001,              /* s_cbranch_scc1 quit_go */
    0xbf810000,              /* s_endpgm */
    0xbf8a0000,              /* s_barrier */
    0xbf8a0000,              /* s_barrier */
    0xc0060202, 0x00000000,  /* s_load_dwordx2 s[8:9], s[4:5], 0x0 */
    0xbefe0181,              /* s_mov_b64 exec, 1 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0x7e060208,              /* v_mov_b32_e32 v3, s8 */
    0x7e080209,              /* v_mov_b32_e32 v4, s9 */
    0x7e0a0285,              /* v_mov_b32_e32 v5, 5 */
    0xdc700000, 0x00000503,  /* flat_store_dword v[3:4], v5 */
    0xbf8c0070,              /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,              /* s_endpgm */
  };

/* Wait until the first word is not 0; then the second one becomes 9.  */
static const uint32_t code_spin[] __attribute__ ((unused)) =
  {
    0xc0060202, 0x00000000,  /* s_load_dwordx2 s[8:9], s[4:5], 0x0 */
    0xbefe0181,              /* s_mov_b64 exec, 1 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0x7e060208,              /* v_mov_b32_e32 v3, s8 */
    0x7e080209,              /* v_mov_b32_e32 v4, s9 */
    0xbf8e0001,              /* s_sleep 1 */
    0xdc510000, 0x05000003,  /* flat_load_dword v5, v[3:4] glc */
    0xbf8c0070,              /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0x7e140505,              /* v_readfirstlane_b32 s10, v5 */
    0xbf06800a,              /* s_cmp_eq_u32 s10, 0 */
    0xbf85fff9,              /* s_cbranch_scc1 spin_loop */
    0x7e0a0289,              /* v_mov_b32_e32 v5, 9 */
    0xdc700004, 0x00000503,  /* flat_store_dword v[3:4], v5 offset:4 */
    0xbf8c0070,              /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,              /* s_endpgm */
  };

/* For the ABI of GCC 12: each wave stores its number plus that of the work-group in its private memory,
   and behind a barrier what is there goes to word 16 * work-group + wave.  */
static const uint32_t code_scratch[] __attribute__ ((unused)) =
  {
    0xc0060304, 0x00000000,  /* s_load_dwordx2 s[12:13], s[8:9], 0x0 */
    0x8601ff01, 0x0000ffff,  /* s_and_b32 s1, s1, 0xffff */
    0x800e0b00,              /* s_add_u32 s14, s0, s11 */
    0x820f8001,              /* s_addc_u32 s15, s1, 0 */
    0x7e200502,              /* v_readfirstlane_b32 s16, v2 */
    0xbefe0181,              /* s_mov_b64 exec, 1 */
    0x7e06020e,              /* v_mov_b32_e32 v3, s14 */
    0x7e08020f,              /* v_mov_b32_e32 v4, s15 */
    0x80110a10,              /* s_add_u32 s17, s16, s10 */
    0x7e0a0211,              /* v_mov_b32_e32 v5, s17 */
    0xdc700000, 0x00000503,  /* flat_store_dword v[3:4], v5 */
    0xbf8c0070,              /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf8a0000,              /* s_barrier */
    0xdc500000, 0x06000003,  /* flat_load_dword v6, v[3:4] */
    0x8e12860a,              /* s_lshl_b32 s18, s10, 6 */
    0x8e138210,              /* s_lshl_b32 s19, s16, 2 */
    0x80121312,              /* s_add_u32 s18, s18, s19 */
    0x800c120c,              /* s_add_u32 s12, s12, s18 */
    0x820d800d,              /* s_addc_u32 s13, s13, 0 */
    0x7e0e020c,              /* v_mov_b32_e32 v7, s12 */
    0x7e10020d,              /* v_mov_b32_e32 v8, s13 */
    0xbf8c0070,              /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xdc700000, 0x00000607,  /* flat_store_dword v[7:8], v6 */
    0xbf8c0070,              /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,              /* s_endpgm */
  };

/* Loads from address 0.  */
static const uint32_t code_fault_null[] __attribute__ ((unused)) =
  {
    0xbefe0181,              /* s_mov_b64 exec, 1 */
    0x7e060280,              /* v_mov_b32_e32 v3, 0 */
    0x7e080280,              /* v_mov_b32_e32 v4, 0 */
    0xdc500000, 0x05000003,  /* flat_load_dword v5, v[3:4] */
    0xbf810000,              /* s_endpgm */
  };

/* Loads from an address that was never set.  */
static const uint32_t code_fault_undefined[] __attribute__ ((unused)) =
  {
    0xbefe0181,              /* s_mov_b64 exec, 1 */
    0xdc500000, 0x0500000a,  /* flat_load_dword v5, v[10:11] */
    0xbf810000,              /* s_endpgm */
  };

/* s_trap.  */
static const uint32_t code_fault_trap[] __attribute__ ((unused)) =
  {
    0xbf920002,              /* s_trap 2 */
    0xbf810000,              /* s_endpgm */
  };

/* Compares what was never set, and branches.  */
static const uint32_t code_fault_branch[] __attribute__ ((unused)) =
  {
    0xbf06803c,              /* s_cmp_eq_u32 s60, 0 */
    0xbf85fffc,              /* s_cbranch_scc1 fault_trap */
    0xbf810000,              /* s_endpgm */
  };

/* Loads from beyond its LDS.  */
static const uint32_t code_fault_lds[] __attribute__ ((unused)) =
  {
    0xbefe0181,              /* s_mov_b64 exec, 1 */
    0x7e0602ff, 0x00001000,  /* v_mov_b32_e32 v3, 0x1000 */
    0xd86c0000, 0x04000003,  /* ds_read_b32 v4, v3 */
    0xbf810000,              /* s_endpgm */
  };

/* Stores into its own code.  */
static const uint32_t code_fault_write_code[] __attribute__ ((unused)) =
  {
    0xbe941c00,              /* s_getpc_b64 s[20:21] */
    0xbefe0181,              /* s_mov_b64 exec, 1 */
    0x7e060214,              /* v_mov_b32_e32 v3, s20 */
    0x7e080215,              /* v_mov_b32_e32 v4, s21 */
    0x7e0a0280,              /* v_mov_b32_e32 v5, 0 */
    0xdc700000, 0x00000503,  /* flat_store_dword v[3:4], v5 */
    0xbf810000,              /* s_endpgm */
  };

/* Ends without s_endpgm.  */
static const uint32_t code_fault_run_off[] __attribute__ ((unused)) =
  {
    0xbf800000,              /* s_nop 0 */
  };

/* The first wave leaves 77 in LDS, and each one stores what it finds there: without a barrier.  */
static const uint32_t code_follow[] __attribute__ ((unused)) =
  {
    0xc0060202, 0x00000000,  /* s_load_dwordx2 s[8:9], s[4:5], 0x0 */
    0x7e140502,              /* v_readfirstlane_b32 s10, v2 */
    0xbefe0181,              /* s_mov_b64 exec, 1 */
    0x7e060280,              /* v_mov_b32_e32 v3, 0 */
    0xbf06800a,              /* s_cmp_eq_u32 s10, 0 */
    0xbf840005,              /* s_cbranch_scc0 follow_read */
    0x7e0802ff, 0x0000004d,  /* v_mov_b32_e32 v4, 0x4d */
    0xd81a0000, 0x00000403,  /* ds_write_b32 v3, v4 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0xd86c0000, 0x05000003,  /* ds_read_b32 v5, v3 */
    0x8e0b820a,              /* s_lshl_b32 s11, s10, 2 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0x80080b08,              /* s_add_u32 s8, s8, s11 */
    0x82098009,              /* s_addc_u32 s9, s9, 0 */
    0x7e0c0208,              /* v_mov_b32_e32 v6, s8 */
    0x7e0e0209,              /* v_mov_b32_e32 v7, s9 */
    0xbf8cc07f,              /* s_waitcnt lgkmcnt(0) */
    0xdc700000, 0x00000506,  /* flat_store_dword v[6:7], v5 */
    0xbf8c0070,              /* s_waitcnt vmcnt(0) lgkmcnt(0) */
    0xbf810000,              /* s_endpgm */
  };

enum
{
  ABI3_PROPERTIES = 0xe, ABI3_RSRC2 = 0x108c,
  ABI2_PROPERTIES = 0xf, ABI2_RSRC2 = 0x1095,
  FLAGS_GFX900 = 0x22c, FLAGS_GFX906 = 0x62f, FLAGS_GFX90A = 0x53f, FLAGS_GFX9_GENERIC = 0x1000151
};

/* What can be chosen of a code object with one kernel, "test.kd", and one variable, "test_var", a word that
   holds its own address.  */
struct code_choice
{
  const uint32_t *code;
  size_t code_bytes;
  uint32_t e_flags;
  unsigned abi_version;
  uint32_t group_size, private_size, kernarg_size;
  unsigned properties, rsrc2, vgprs;	/* vgprs: in granules of 4, of gfx90a of 8 */
  unsigned relocation;
};

#define CHOOSE(array)							\
  { .code = (array), .code_bytes = sizeof (array), .e_flags = FLAGS_GFX900, .abi_version = 2,	\
    .group_size = 1024, .kernarg_size = 8, .properties = ABI3_PROPERTIES, .rsrc2 = ABI3_RSRC2,	\
    .vgprs = 6, .relocation = 13 }

/* Offsets in the file, which are the addresses as well.  */
enum
{
  AT_DYNSYM = 0x200, AT_DYNSTR = 0x280, AT_RELA = 0x300, AT_DYNAMIC = 0x340, AT_KD = 0x400, AT_VAR = 0x480,
  AT_CODE = 0x500
};

static inline unsigned char *
make_code_object (const struct code_choice *c, size_t *size)
{
  static const char names[] = "\0test.kd\0test_var\0test_function";
  static const char sections[] = "\0.dynsym\0.dynstr\0.shstrtab";
  size_t at_sections = AT_CODE + (c->code_bytes + 63) / 64 * 64, at_names = at_sections + 4 * 64;
  *size = at_names + sizeof (sections);
  unsigned char *file = calloc (1, *size);
  if (file == NULL)
    abort ();
  Elf64_Ehdr *h = (Elf64_Ehdr *) file;
  memcpy (h->e_ident, ELFMAG, SELFMAG);
  h->e_ident[EI_CLASS] = ELFCLASS64;
  h->e_ident[EI_DATA] = ELFDATA2LSB;
  h->e_ident[EI_VERSION] = EV_CURRENT;
  h->e_ident[EI_OSABI] = 0x40;
  h->e_ident[EI_ABIVERSION] = (unsigned char) c->abi_version;
  h->e_type = ET_DYN;
  h->e_machine = 0xe0;
  h->e_version = EV_CURRENT;
  h->e_flags = c->e_flags;
  h->e_ehsize = sizeof (*h);
  h->e_phoff = sizeof (*h);
  h->e_phentsize = sizeof (Elf64_Phdr);
  h->e_phnum = 3;
  h->e_shoff = at_sections;
  h->e_shentsize = sizeof (Elf64_Shdr);
  h->e_shnum = 4;
  h->e_shstrndx = 3;
  Elf64_Phdr *p = (Elf64_Phdr *) (file + h->e_phoff);
  p[0] = (Elf64_Phdr) { .p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = AT_CODE, .p_memsz = AT_CODE,
			.p_align = 4096 };
  p[1] = (Elf64_Phdr) { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = AT_CODE,
			.p_vaddr = AT_CODE, .p_filesz = c->code_bytes, .p_memsz = c->code_bytes,
			.p_align = 4096 };
  p[2] = (Elf64_Phdr) { .p_type = PT_DYNAMIC, .p_offset = AT_DYNAMIC, .p_vaddr = AT_DYNAMIC,
			.p_filesz = 4 * sizeof (Elf64_Dyn), .p_memsz = 4 * sizeof (Elf64_Dyn) };
  Elf64_Sym *s = (Elf64_Sym *) (file + AT_DYNSYM);
  s[1] = (Elf64_Sym) { 1, ELF64_ST_INFO (STB_GLOBAL, STT_OBJECT), 0, 1, AT_KD, 64 };
  s[2] = (Elf64_Sym) { 9, ELF64_ST_INFO (STB_GLOBAL, STT_OBJECT), 0, 1, AT_VAR, 8 };
  s[3] = (Elf64_Sym) { 18, ELF64_ST_INFO (STB_GLOBAL, STT_FUNC), 0, 1, AT_CODE, c->code_bytes };
  memcpy (file + AT_DYNSTR, names, sizeof (names));
  Elf64_Rela *r = (Elf64_Rela *) (file + AT_RELA);
  *r = (Elf64_Rela) { AT_VAR, c->relocation, AT_VAR };
  Elf64_Dyn *d = (Elf64_Dyn *) (file + AT_DYNAMIC);
  d[0] = (Elf64_Dyn) { DT_RELA, { AT_RELA } };
  d[1] = (Elf64_Dyn) { DT_RELASZ, { sizeof (*r) } };
  d[2] = (Elf64_Dyn) { DT_RELAENT, { sizeof (*r) } };
  uint32_t kd[16] = { c->group_size, c->private_size, c->kernarg_size, 0, AT_CODE - AT_KD };
  kd[12] = c->vgprs - 1;
  kd[13] = c->rsrc2;
  kd[14] = c->properties;
  memcpy (file + AT_KD, kd, sizeof (kd));
  memcpy (file + AT_CODE, c->code, c->code_bytes);
  Elf64_Shdr *t = (Elf64_Shdr *) (file + at_sections);
  t[1] = (Elf64_Shdr) { .sh_name = 1, .sh_type = SHT_DYNSYM, .sh_addr = AT_DYNSYM,
			.sh_offset = AT_DYNSYM, .sh_size = 4 * sizeof (*s), .sh_link = 2,
			.sh_entsize = sizeof (*s) };
  t[2] = (Elf64_Shdr) { .sh_name = 9, .sh_type = SHT_STRTAB, .sh_addr = AT_DYNSTR,
			.sh_offset = AT_DYNSTR, .sh_size = sizeof (names) };
  t[3] = (Elf64_Shdr) { .sh_name = 17, .sh_type = SHT_STRTAB, .sh_offset = at_names,
			.sh_size = sizeof (sections) };
  memcpy (file + at_names, sections, sizeof (sections));
  return file;
}

/* ---- to run one: after aux-hsa.h ---- */
#ifdef AUX_HSA_H

struct loaded
{
  hsa_executable_t executable;
  uint64_t kernel;
  uint32_t private_size, group_size;
};

static inline uint32_t
kernel_word (hsa_executable_symbol_t symbol, int attribute)
{
  uint32_t word;
  DO (hsa_executable_symbol_get_info (symbol, attribute, &word));
  return word;
}

static inline struct loaded
load_code (unsigned gpu, const struct code_choice *c)
{
  struct loaded l;
  hsa_code_object_reader_t reader;
  hsa_executable_symbol_t symbol;
  size_t size;
  unsigned char *file = make_code_object (c, &size);
  DO (hsa_code_object_reader_create_from_memory (file, size, &reader));
  DO (hsa_executable_create_alt (HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
				 &l.executable));
  DO (hsa_executable_load_agent_code_object (l.executable, gpu_agent[gpu], reader, NULL, NULL));
  DO (hsa_executable_freeze (l.executable, NULL));
  DO (hsa_code_object_reader_destroy (reader));
  free (file);
  DO (hsa_executable_get_symbol_by_name (l.executable, "test.kd", &gpu_agent[gpu], &symbol));
  DO (hsa_executable_symbol_get_info (symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &l.kernel));
  l.private_size = kernel_word (symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE);
  l.group_size = kernel_word (symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE);
  return l;
}

/* A packet as OpenMP kernels have them.  */
static inline hsa_kernel_dispatch_packet_t
kernel_packet (const struct loaded *l, unsigned groups, unsigned waves, void *kernarg,
	       hsa_signal_t done)
{
  return (hsa_kernel_dispatch_packet_t)
    { .workgroup_size_x = 1, .workgroup_size_y = 64, .workgroup_size_z = (uint16_t) waves,
      .grid_size_x = groups, .grid_size_y = 64, .grid_size_z = waves,
      .private_segment_size = l->private_size, .group_segment_size = l->group_size,
      .kernel_object = l->kernel, .kernarg_address = kernarg, .completion_signal = done };
}

enum { KERNEL_HEADER = HSA_PACKET_TYPE_KERNEL_DISPATCH | FENCES | 3 << 16 };

/* Run it to its end, with one argument.  */
static inline void
run_code (hsa_queue_t *queue, const struct loaded *l, unsigned groups, unsigned waves, void *argument)
{
  hsa_signal_t done = new_signal (1);
  uint64_t *kernarg = shared_memory (64);
  kernarg[0] = (uintptr_t) argument;
  hsa_kernel_dispatch_packet_t p = kernel_packet (l, groups, waves, kernarg, done);
  enqueue (queue, &p, KERNEL_HEADER);
  wait_zero (done);
  DO (hsa_signal_destroy (done));
  DO (hsa_amd_memory_pool_free (kernarg));
}

#endif /* AUX_HSA_H */

#endif /* AUX_CODE_H */
