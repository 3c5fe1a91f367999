/* nvptx-read-words.h -- the words of PTX that the reader of it knows by number.

   Each is the ptx_name of its text from the beginning (nvptx-read.c).  The order matters in part:
   the first groups are small enough for a byte, and the tests in nvptx-read.h (ptx_is_signed ...)
   and the parser go by the order of groups.  */

#ifndef NVPTX_READ_WORDS_H
#define NVPTX_READ_WORDS_H 1

/* Types, .b8 to .surfref.  */
#define PTX_WORDS_TYPES(WORD) \
	WORD (PTX_B8, ".b8") WORD (PTX_B16, ".b16") WORD (PTX_B32, ".b32") \
	WORD (PTX_B64, ".b64") WORD (PTX_B128, ".b128") WORD (PTX_U8, ".u8") \
	WORD (PTX_U16, ".u16") WORD (PTX_U32, ".u32") WORD (PTX_U64, ".u64") \
	WORD (PTX_S8, ".s8") WORD (PTX_S16, ".s16") WORD (PTX_S32, ".s32") \
	WORD (PTX_S64, ".s64") WORD (PTX_F16, ".f16") WORD (PTX_BF16, ".bf16") \
	WORD (PTX_TF32, ".tf32") WORD (PTX_F32, ".f32") WORD (PTX_F64, ".f64") \
	WORD (PTX_PRED, ".pred") WORD (PTX_F16X2, ".f16x2") WORD (PTX_BF16X2, ".bf16x2") \
	WORD (PTX_U16X2, ".u16x2") WORD (PTX_S16X2, ".s16x2") WORD (PTX_U8X4, ".u8x4") \
	WORD (PTX_S8X4, ".s8x4") WORD (PTX_E4M3, ".e4m3") WORD (PTX_E5M2, ".e5m2") \
	WORD (PTX_E4M3X2, ".e4m3x2") WORD (PTX_E5M2X2, ".e5m2x2") WORD (PTX_TEXREF, ".texref") \
	WORD (PTX_SAMPLERREF, ".samplerref") WORD (PTX_SURFREF, ".surfref")

/* State spaces.  */
#define PTX_WORDS_SPACES(WORD) \
	WORD (PTX_REG, ".reg") WORD (PTX_SREG, ".sreg") WORD (PTX_CONST, ".const") \
	WORD (PTX_GLOBAL, ".global") WORD (PTX_LOCAL, ".local") WORD (PTX_PARAM, ".param") \
	WORD (PTX_SHARED, ".shared") WORD (PTX_TEX, ".tex")

/* Linkage.  */
#define PTX_WORDS_LINKAGE(WORD) \
	WORD (PTX_EXTERN, ".extern") WORD (PTX_VISIBLE, ".visible") WORD (PTX_WEAK, ".weak") \
	WORD (PTX_COMMON, ".common")

/* Directives.  */
#define PTX_WORDS_DIRECTIVES(WORD) \
	WORD (PTX_VERSION, ".version") WORD (PTX_TARGET, ".target") \
	WORD (PTX_ADDRESS_SIZE, ".address_size") WORD (PTX_ENTRY, ".entry") \
	WORD (PTX_FUNC, ".func") WORD (PTX_ALIAS, ".alias") WORD (PTX_FILE, ".file") \
	WORD (PTX_LOC, ".loc") WORD (PTX_SECTION, ".section") WORD (PTX_PRAGMA, ".pragma") \
	WORD (PTX_ALIGN, ".align") WORD (PTX_PTR, ".ptr") WORD (PTX_ATTRIBUTE, ".attribute") \
	WORD (PTX_NORETURN, ".noreturn") WORD (PTX_MAXNREG, ".maxnreg") \
	WORD (PTX_MAXNTID, ".maxntid") WORD (PTX_REQNTID, ".reqntid") \
	WORD (PTX_MINNCTAPERSM, ".minnctapersm") WORD (PTX_MAXNCTAPERSM, ".maxnctapersm") \
	WORD (PTX_MAXCLUSTERRANK, ".maxclusterrank") \
	WORD (PTX_REQNCTAPERCLUSTER, ".reqnctapercluster") \
	WORD (PTX_EXPLICITCLUSTER, ".explicitcluster") \
	WORD (PTX_CALLPROTOTYPE, ".callprototype") WORD (PTX_CALLTARGETS, ".calltargets") \
	WORD (PTX_BRANCHTARGETS, ".branchtargets") WORD (PTX_MANAGED, ".managed") \
	WORD (PTX_ABI_PRESERVE, ".abi_preserve") \
	WORD (PTX_ABI_PRESERVE_CONTROL, ".abi_preserve_control") \
	WORD (PTX_BLOCKSARECLUSTERS, ".blocksareclusters")

/* What follows an opcode, apart from types and spaces.  */
#define PTX_WORDS_MODIFIERS(WORD) \
	WORD (PTX_EQ, ".eq") WORD (PTX_NE, ".ne") WORD (PTX_LT, ".lt") WORD (PTX_LE, ".le") \
	WORD (PTX_GT, ".gt") WORD (PTX_GE, ".ge") WORD (PTX_LO, ".lo") WORD (PTX_LS, ".ls") \
	WORD (PTX_HI, ".hi") WORD (PTX_HS, ".hs") WORD (PTX_EQU, ".equ") WORD (PTX_NEU, ".neu") \
	WORD (PTX_LTU, ".ltu") WORD (PTX_LEU, ".leu") WORD (PTX_GTU, ".gtu") \
	WORD (PTX_GEU, ".geu") WORD (PTX_NUM, ".num") WORD (PTX_NAN, ".nan") \
	WORD (PTX_RN, ".rn") WORD (PTX_RZ, ".rz") WORD (PTX_RM, ".rm") WORD (PTX_RP, ".rp") \
	WORD (PTX_RNI, ".rni") WORD (PTX_RZI, ".rzi") WORD (PTX_RMI, ".rmi") \
	WORD (PTX_RPI, ".rpi") WORD (PTX_RNA, ".rna") WORD (PTX_FTZ, ".ftz") \
	WORD (PTX_SAT, ".sat") WORD (PTX_SATFINITE, ".satfinite") WORD (PTX_RELU, ".relu") \
	WORD (PTX_APPROX, ".approx") WORD (PTX_FULL, ".full") WORD (PTX_WIDE, ".wide") \
	WORD (PTX_CC, ".cc") WORD (PTX_V2, ".v2") WORD (PTX_V4, ".v4") WORD (PTX_V8, ".v8") \
	WORD (PTX_SYNC, ".sync") WORD (PTX_ALIGNED, ".aligned") WORD (PTX_UNI, ".uni") \
	WORD (PTX_IDX, ".idx") WORD (PTX_UP, ".up") WORD (PTX_DOWN, ".down") \
	WORD (PTX_BFLY, ".bfly") WORD (PTX_ALL, ".all") WORD (PTX_ANY, ".any") \
	WORD (PTX_BALLOT, ".ballot") WORD (PTX_AND, ".and") WORD (PTX_OR, ".or") \
	WORD (PTX_XOR, ".xor") WORD (PTX_ADD, ".add") WORD (PTX_INC, ".inc") \
	WORD (PTX_DEC, ".dec") WORD (PTX_MIN, ".min") WORD (PTX_MAX, ".max") \
	WORD (PTX_CAS, ".cas") WORD (PTX_EXCH, ".exch") WORD (PTX_POPC, ".popc") \
	WORD (PTX_VOLATILE, ".volatile") WORD (PTX_RELAXED, ".relaxed") \
	WORD (PTX_ACQUIRE, ".acquire") WORD (PTX_RELEASE, ".release") \
	WORD (PTX_ACQ_REL, ".acq_rel") WORD (PTX_SC, ".sc") WORD (PTX_MMIO, ".mmio") \
	WORD (PTX_CTA, ".cta") WORD (PTX_CLUSTER, ".cluster") WORD (PTX_GPU, ".gpu") \
	WORD (PTX_SYS, ".sys") WORD (PTX_GL, ".gl") WORD (PTX_UNIFIED, ".unified") \
	WORD (PTX_CA, ".ca") WORD (PTX_CG, ".cg") WORD (PTX_CS, ".cs") WORD (PTX_LU, ".lu") \
	WORD (PTX_CV, ".cv") WORD (PTX_WB, ".wb") WORD (PTX_WT, ".wt") WORD (PTX_NC, ".nc") \
	WORD (PTX_TO, ".to") WORD (PTX_SHIFTAMT, ".shiftamt") WORD (PTX_CLAMP, ".clamp") \
	WORD (PTX_WRAP, ".wrap") WORD (PTX_L, ".l") WORD (PTX_R, ".r") WORD (PTX_B4E, ".b4e") \
	WORD (PTX_F4E, ".f4e") WORD (PTX_B4R, ".b4r") WORD (PTX_RC8, ".rc8") \
	WORD (PTX_ECL, ".ecl") WORD (PTX_ECR, ".ecr") WORD (PTX_RC16, ".rc16") \
	WORD (PTX_B0, ".b0") WORD (PTX_B1, ".b1") WORD (PTX_B2, ".b2") WORD (PTX_B3, ".b3") \
	WORD (PTX_H0, ".h0") WORD (PTX_H1, ".h1") WORD (PTX_FINITE, ".finite") \
	WORD (PTX_INFINITE, ".infinite") WORD (PTX_NUMBER, ".number") \
	WORD (PTX_NOTANUMBER, ".notanumber") WORD (PTX_NORMAL, ".normal") \
	WORD (PTX_SUBNORMAL, ".subnormal") WORD (PTX_ARRIVE, ".arrive") WORD (PTX_RED, ".red") \
	WORD (PTX_WARP, ".warp") WORD (PTX_NOFTZ, ".noftz")

/* Opcodes.  */
#define PTX_WORDS_OPCODES(WORD) \
	WORD (PTX_OP_ABS, "abs") WORD (PTX_OP_ADD, "add") WORD (PTX_OP_ADDC, "addc") \
	WORD (PTX_OP_ACTIVEMASK, "activemask") WORD (PTX_OP_ALLOCA, "alloca") \
	WORD (PTX_OP_AND, "and") WORD (PTX_OP_ATOM, "atom") WORD (PTX_OP_BAR, "bar") \
	WORD (PTX_OP_BARRIER, "barrier") WORD (PTX_OP_BFE, "bfe") WORD (PTX_OP_BFI, "bfi") \
	WORD (PTX_OP_BFIND, "bfind") WORD (PTX_OP_BMSK, "bmsk") WORD (PTX_OP_BRA, "bra") \
	WORD (PTX_OP_BREV, "brev") WORD (PTX_OP_BRKPT, "brkpt") WORD (PTX_OP_BRX, "brx") \
	WORD (PTX_OP_CALL, "call") WORD (PTX_OP_CLZ, "clz") WORD (PTX_OP_CNOT, "cnot") \
	WORD (PTX_OP_COPYSIGN, "copysign") WORD (PTX_OP_COS, "cos") WORD (PTX_OP_CP, "cp") \
	WORD (PTX_OP_CREATEPOLICY, "createpolicy") WORD (PTX_OP_CVT, "cvt") \
	WORD (PTX_OP_CVTA, "cvta") WORD (PTX_OP_DISCARD, "discard") WORD (PTX_OP_DIV, "div") \
	WORD (PTX_OP_DP2A, "dp2a") WORD (PTX_OP_DP4A, "dp4a") WORD (PTX_OP_ELECT, "elect") \
	WORD (PTX_OP_EX2, "ex2") WORD (PTX_OP_EXIT, "exit") WORD (PTX_OP_FENCE, "fence") \
	WORD (PTX_OP_FMA, "fma") WORD (PTX_OP_FNS, "fns") \
	WORD (PTX_OP_GETCTARANK, "getctarank") WORD (PTX_OP_GRIDDEPCONTROL, "griddepcontrol") \
	WORD (PTX_OP_ISSPACEP, "isspacep") WORD (PTX_OP_ISTYPEP, "istypep") \
	WORD (PTX_OP_LD, "ld") WORD (PTX_OP_LDMATRIX, "ldmatrix") WORD (PTX_OP_LDU, "ldu") \
	WORD (PTX_OP_LG2, "lg2") WORD (PTX_OP_LOP3, "lop3") WORD (PTX_OP_MAD, "mad") \
	WORD (PTX_OP_MAD24, "mad24") WORD (PTX_OP_MADC, "madc") WORD (PTX_OP_MAPA, "mapa") \
	WORD (PTX_OP_MATCH, "match") WORD (PTX_OP_MAX, "max") \
	WORD (PTX_OP_MBARRIER, "mbarrier") WORD (PTX_OP_MEMBAR, "membar") \
	WORD (PTX_OP_MIN, "min") WORD (PTX_OP_MMA, "mma") WORD (PTX_OP_MOV, "mov") \
	WORD (PTX_OP_MOVMATRIX, "movmatrix") WORD (PTX_OP_MUL, "mul") \
	WORD (PTX_OP_MUL24, "mul24") WORD (PTX_OP_MULTIMEM, "multimem") \
	WORD (PTX_OP_NANOSLEEP, "nanosleep") WORD (PTX_OP_NEG, "neg") WORD (PTX_OP_NOT, "not") \
	WORD (PTX_OP_OR, "or") WORD (PTX_OP_PMEVENT, "pmevent") WORD (PTX_OP_POPC, "popc") \
	WORD (PTX_OP_PREFETCH, "prefetch") WORD (PTX_OP_PREFETCHU, "prefetchu") \
	WORD (PTX_OP_PRMT, "prmt") WORD (PTX_OP_RCP, "rcp") WORD (PTX_OP_RED, "red") \
	WORD (PTX_OP_REDUX, "redux") WORD (PTX_OP_REM, "rem") WORD (PTX_OP_RET, "ret") \
	WORD (PTX_OP_RSQRT, "rsqrt") WORD (PTX_OP_SAD, "sad") WORD (PTX_OP_SELP, "selp") \
	WORD (PTX_OP_SET, "set") WORD (PTX_OP_SETMAXNREG, "setmaxnreg") \
	WORD (PTX_OP_SETP, "setp") WORD (PTX_OP_SHF, "shf") WORD (PTX_OP_SHFL, "shfl") \
	WORD (PTX_OP_SHL, "shl") WORD (PTX_OP_SHR, "shr") WORD (PTX_OP_SIN, "sin") \
	WORD (PTX_OP_SLCT, "slct") WORD (PTX_OP_SQRT, "sqrt") WORD (PTX_OP_ST, "st") \
	WORD (PTX_OP_STACKRESTORE, "stackrestore") WORD (PTX_OP_STACKSAVE, "stacksave") \
	WORD (PTX_OP_STMATRIX, "stmatrix") WORD (PTX_OP_SUB, "sub") WORD (PTX_OP_SUBC, "subc") \
	WORD (PTX_OP_SULD, "suld") WORD (PTX_OP_SUQ, "suq") WORD (PTX_OP_SURED, "sured") \
	WORD (PTX_OP_SUST, "sust") WORD (PTX_OP_SZEXT, "szext") WORD (PTX_OP_TANH, "tanh") \
	WORD (PTX_OP_TESTP, "testp") WORD (PTX_OP_TEX, "tex") WORD (PTX_OP_TLD4, "tld4") \
	WORD (PTX_OP_TRAP, "trap") WORD (PTX_OP_TXQ, "txq") WORD (PTX_OP_VABSDIFF, "vabsdiff") \
	WORD (PTX_OP_VADD, "vadd") WORD (PTX_OP_VMAD, "vmad") WORD (PTX_OP_VMAX, "vmax") \
	WORD (PTX_OP_VMIN, "vmin") WORD (PTX_OP_VSET, "vset") WORD (PTX_OP_VSHL, "vshl") \
	WORD (PTX_OP_VSHR, "vshr") WORD (PTX_OP_VSUB, "vsub") WORD (PTX_OP_VOTE, "vote") \
	WORD (PTX_OP_WMMA, "wmma") WORD (PTX_OP_WGMMA, "wgmma") WORD (PTX_OP_XOR, "xor")

/* Special registers.  */
#define PTX_WORDS_SPECIAL(WORD) \
	WORD (PTX_SREG_TID, "%tid") WORD (PTX_SREG_NTID, "%ntid") \
	WORD (PTX_SREG_LANEID, "%laneid") WORD (PTX_SREG_WARPID, "%warpid") \
	WORD (PTX_SREG_NWARPID, "%nwarpid") WORD (PTX_SREG_CTAID, "%ctaid") \
	WORD (PTX_SREG_NCTAID, "%nctaid") WORD (PTX_SREG_SMID, "%smid") \
	WORD (PTX_SREG_NSMID, "%nsmid") WORD (PTX_SREG_GRIDID, "%gridid") \
	WORD (PTX_SREG_CLUSTERID, "%clusterid") WORD (PTX_SREG_NCLUSTERID, "%nclusterid") \
	WORD (PTX_SREG_CLUSTER_CTAID, "%cluster_ctaid") \
	WORD (PTX_SREG_CLUSTER_NCTAID, "%cluster_nctaid") \
	WORD (PTX_SREG_CLUSTER_CTARANK, "%cluster_ctarank") \
	WORD (PTX_SREG_CLUSTER_NCTARANK, "%cluster_nctarank") \
	WORD (PTX_SREG_IS_EXPLICIT_CLUSTER, "%is_explicit_cluster") \
	WORD (PTX_SREG_LANEMASK_EQ, "%lanemask_eq") WORD (PTX_SREG_LANEMASK_LE, "%lanemask_le") \
	WORD (PTX_SREG_LANEMASK_LT, "%lanemask_lt") WORD (PTX_SREG_LANEMASK_GE, "%lanemask_ge") \
	WORD (PTX_SREG_LANEMASK_GT, "%lanemask_gt") WORD (PTX_SREG_CLOCK, "%clock") \
	WORD (PTX_SREG_CLOCK_HI, "%clock_hi") WORD (PTX_SREG_CLOCK64, "%clock64") \
	WORD (PTX_SREG_GLOBALTIMER, "%globaltimer") \
	WORD (PTX_SREG_GLOBALTIMER_LO, "%globaltimer_lo") \
	WORD (PTX_SREG_GLOBALTIMER_HI, "%globaltimer_hi") \
	WORD (PTX_SREG_TOTAL_SMEM_SIZE, "%total_smem_size") \
	WORD (PTX_SREG_AGGR_SMEM_SIZE, "%aggr_smem_size") \
	WORD (PTX_SREG_DYNAMIC_SMEM_SIZE, "%dynamic_smem_size") \
	WORD (PTX_SREG_CURRENT_GRAPH_EXEC, "%current_graph_exec") \
	WORD (PTX_SREG_RESERVED_SMEM_OFFSET_BEGIN, "%reserved_smem_offset_begin") \
	WORD (PTX_SREG_RESERVED_SMEM_OFFSET_END, "%reserved_smem_offset_end") \
	WORD (PTX_SREG_RESERVED_SMEM_OFFSET_CAP, "%reserved_smem_offset_cap")

#define PTX_WORDS(WORD) \
	PTX_WORDS_TYPES (WORD) PTX_WORDS_SPACES (WORD) PTX_WORDS_LINKAGE (WORD) \
	PTX_WORDS_DIRECTIVES (WORD) PTX_WORDS_MODIFIERS (WORD) WORD (PTX_UNDERSCORE, "_") \
	PTX_WORDS_OPCODES (WORD) PTX_WORDS_SPECIAL (WORD)

enum ptx_word
{
  PTX_NO_NAME,
#define PTX_WORD(id, text) id,
  PTX_WORDS (PTX_WORD)
#undef PTX_WORD
  PTX_NUM_WORDS,

  PTX_LAST_TYPE = PTX_SURFREF,
  PTX_LAST_SPACE = PTX_TEX,
  PTX_LAST_LINKAGE = PTX_COMMON,
  PTX_LAST_DIRECTIVE = PTX_BLOCKSARECLUSTERS,
  PTX_FIRST_OPCODE = PTX_OP_ABS,
  PTX_LAST_OPCODE = PTX_OP_XOR,
  PTX_FIRST_SPECIAL = PTX_SREG_TID
};

#endif /* NVPTX_READ_WORDS_H */
