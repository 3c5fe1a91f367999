/* nvptx-read.h -- PTX text as a tree: reading, changing and printing it.

   The one reader of PTX in this project.  The plugin's analysis of regions (nvptx-lanes*.c) reads
   the program's objects with it and prints what it rewrote; the simulator in the testsuite executes
   what it read.  It understands what compilers write for a linker of PTX: GCC 12 to 16 and their
   libraries, hand-written objects, clang and nvcc.

   A `struct ptx' holds any number of texts that belong together, such as the objects of an image.
   Each text becomes a module: a list of items (variables, functions, ...) in the order of the text.
   A function's body is a flat array of statements; braces are statements, too.  What an operand
   means is found while reading: a register or variable of the function is an index of the
   function's vars (whatever block declared it: PTX has scopes), a label an index of its labels,
   anything else the name of a symbol of the module, to be looked up there by who needs it.

   Names are numbers, the same in all modules of a struct ptx, given out from 0 without gaps, so
   maps from names are arrays.  The words of the language are names as well, with fixed numbers:
   PTX_U32 is the name ".u32", PTX_OP_ADD "add", PTX_SREG_TID "%tid" (nvptx-read-words.h has all).
   What the reader doesn't know (an opcode of a later version of PTX, say) is a name like any other,
   not below PTX_NUM_WORDS: instructions are read by their form, not by a table of what they take.

   The same instruction text (`setp.eq.u32') is taken apart once: all instructions with it share a
   struct ptx_op.  Who decodes instructions can keep an array by ptx_op.index.

   Invariants
   1. Any text may be read, also a damaged one: it is read whole or refused with a reason.  Nothing
      outside of it is looked at, and reading takes time and memory in proportion to its size.
   2. What is printed is read again as the same tree, but for the lines' numbers, and means the same
      to ptxas.  Comments are lost except for the marks by which linkers work (struct ptx_item).
   3. Everything lives until ptx_free; single things can't be freed.  Texts given to ptx_read must
      live as long, as names are parts of them.
   4. No global state; a struct ptx is used by one thread at a time.
   5. If there is no memory functions return NULL or false, and struct ptx says so in no_memory.
      All is still well formed then, though what was to be added may be there in part.  */

#ifndef NVPTX_READ_H
#define NVPTX_READ_H 1

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvptx-read-words.h"

#pragma GCC visibility push (hidden)

typedef uint32_t ptx_name;	/* also an enum ptx_word; 0: none */

enum { PTX_WHY = 200 };			/* room for a reason, with its end */
#define PTX_NO_INDEX UINT32_MAX		/* of a variable, label or statement: there is none */

/* ---- Names ---- */

struct ptx_name_entry
{
  const char *text;		/* no NUL behind it */
  uint32_t length;
  uint32_t hash;
  struct ptx_op *op;		/* if an instruction begins with this text; else NULL */
  /* Only for nvptx-read*.c, while a body is read: what the name means there; 0: nothing.  */
  uint32_t var;			/* twice its index + 2; + 1: a register */
  uint32_t label, range;	/* index + 1 */
  uint16_t var_depth, label_depth;	/* of the block that says so */
};

/* Several modules that share their names.  */
struct ptx
{
  struct ptx_name_entry *names;	/* by ptx_name */
  uint32_t num_names;
  struct ptx_op **ops;		/* by ptx_op.index */
  uint32_t num_ops;
  struct ptx_module **modules;	/* in the order in which they were read */
  uint32_t num_modules;
  bool no_memory;
  /* Only for nvptx-read*.c.  */
  uint32_t name_room, op_room, module_room, num_fresh;
  uint32_t *name_table;		/* open, a power of two; 0: free */
  uint32_t name_mask;
  struct ptx_chunk *chunks;	/* memory, the newest first */
  char *free_at, *free_end;
  struct ptx_scratch *scratch;	/* what the parser keeps between functions */
};

/* NULL: no memory.  */
struct ptx *ptx_new (void);
void ptx_free (struct ptx *);		/* NULL is all right */

/* The name that TEXT is, made if there is none yet; 0: no memory.  TEXT is copied if it is new.  */
ptx_name ptx_intern (struct ptx *, const char *text, size_t length);
/* The same with printf's formats.  Not longer than 1000 bytes (else 0).  */
ptx_name ptx_internf (struct ptx *, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* 0: nothing that was read or made has this name.  */
ptx_name ptx_find_name (const struct ptx *, const char *text, size_t length);
static inline bool
ptx_is_word (ptx_name name)
{
  return name < PTX_NUM_WORDS;
}
/* Zeroed memory that lives as long as the rest.  NULL: none.  */
void *ptx_alloc (struct ptx *, size_t size);

/* ---- Types ---- */

/* Bytes that one thing of a type takes: 4 for PTX_U32.  0: has none, such as PTX_PRED.  */
unsigned ptx_type_size (ptx_name type);
static inline bool
ptx_is_type (ptx_name word)
{
  return word > 0 && word <= PTX_LAST_TYPE;
}
static inline bool
ptx_is_signed (ptx_name type)
{
  return type >= PTX_S8 && type <= PTX_S64;
}
static inline bool
ptx_is_unsigned (ptx_name type)
{
  return type >= PTX_U8 && type <= PTX_U64;
}
static inline bool
ptx_is_bits (ptx_name type)
{
  return type >= PTX_B8 && type <= PTX_B128;
}
static inline bool
ptx_is_float (ptx_name type)		/* a single one: not .f16x2 and its like */
{
  return type >= PTX_F16 && type <= PTX_F64;
}
static inline bool
ptx_is_space (ptx_name word)
{
  return word > PTX_LAST_TYPE && word <= PTX_LAST_SPACE;
}

/* ---- Variables ---- */

/* An element of an initialiser.  */
enum ptx_init_kind
{
  PTX_INIT_INT,			/* bits; sign-extended if it was written as a negative number */
  PTX_INIT_F32,			/* the bits of a float, 0f... */
  PTX_INIT_F64,			/* the bits of a double, 0d... or 1.5 */
  PTX_INIT_SYMBOL,		/* address of name + bits in its space */
  PTX_INIT_GENERIC,		/* the same as generic address */
  PTX_INIT_MASK,		/* mask (name + bits): some of the address's bits; mask is the next
				   one, a PTX_INIT_INT that is no element of its own */
  PTX_INIT_OPEN,		/* { } around the elements of a row, if they were written */
  PTX_INIT_CLOSE
};

struct ptx_init
{
  uint8_t kind;			/* enum ptx_init_kind */
  bool negative;		/* PTX_INIT_INT whose value is below 0 */
  ptx_name name;
  uint64_t bits;
};

/* What few variables have.  */
struct ptx_var_more
{
  uint32_t num_dims;		/* 0: not an array */
  uint64_t *dims;		/* 0 in the first one: name[] */
  uint32_t num_inits;		/* 0: no initialiser */
  struct ptx_init *inits;
  bool init_braces;		/* { elements }, not a single value */
  bool is_ptr;			/* .ptr of a kernel's parameter */
  ptx_name ptr_space;		/* 0: not said */
  uint32_t ptr_align;		/* 0: not said */
  const char *attribute;	/* .attribute: what stands in its (), as written; NULL: none */
  uint32_t attribute_length;
};

enum
{
  PTX_VAR_RANGE = 1,		/* .reg .u32 %r<5>: declares %r0 to %r4; is none itself */
  PTX_VAR_MEMBER = 2,		/* one of a range that is used: not declared alone */
  PTX_VAR_INNER = 4		/* declared in an inner block of a function's body */
};

/* A register, parameter or other variable, of a function, prototype or module.  */
struct ptx_var
{
  ptx_name name;		/* PTX_UNDERSCORE (`_') for the nameless parameters of prototypes */
  uint32_t align;		/* 0: not said */
  uint8_t space;		/* PTX_REG, PTX_PARAM, PTX_LOCAL, PTX_SHARED, PTX_GLOBAL, ... */
  uint8_t type;			/* PTX_U32, ..., PTX_PRED */
  uint8_t vector;		/* 2, 4 or 8 of that type; else 1 */
  uint8_t flags;		/* PTX_VAR_... */
  uint8_t linkage;		/* PTX_EXTERN, PTX_VISIBLE, PTX_WEAK, PTX_COMMON; or 0 */
  uint32_t range;		/* PTX_VAR_RANGE: how many; PTX_VAR_MEMBER: var that is the range */
  struct ptx_var_more *more;	/* NULL: not an array, no initialiser, ... */
};

/* Bytes that it takes in memory; 0 for name[] without initial values, and when they don't fit into 64 bits.  */
uint64_t ptx_var_size (const struct ptx_var *);
/* Its alignment in memory: as said, or that of its type.  */
uint32_t ptx_var_align (const struct ptx_var *);

/* ---- Operands ---- */

enum ptx_operand_kind
{
  PTX_O_NONE,		/* not there (call without prototype ...) */
  PTX_O_REG,		/* vars[id], a register; perhaps an element of a vector */
  PTX_O_VAR,		/* vars[id], in memory: its address */
  PTX_O_SYMBOL,		/* of the module, by name id: its address; u.value is added */
  PTX_O_SPECIAL,	/* special register, by name id (PTX_SREG_TID); element x, y, z */
  PTX_O_LABEL,		/* labels[id] */
  PTX_O_INT,		/* u.value */
  PTX_O_F32,		/* u.value: the bits of a float */
  PTX_O_F64,		/* u.value: the bits of a double */
  PTX_O_SINK,		/* _ */
  PTX_O_ADDRESS,	/* [base + u.value]: base by kind `base' and id, as above */
  PTX_O_VECTOR,		/* {a, b}: u.list */
  PTX_O_PAIR,		/* p|q: u.list, two */
  PTX_O_ARGS,		/* (a, b) of call: u.list, perhaps none */
  PTX_O_BRACKETS	/* [a, {b, c}] of textures and the like: u.list */
};

enum
{
  PTX_NEGATED = 1,		/* !p */
  PTX_UNSIGNED = 2,		/* PTX_O_INT written with U behind it */
  PTX_NEGATIVE = 4		/* PTX_O_INT whose value is below 0 */
};

struct ptx_operand
{
  uint8_t kind;			/* enum ptx_operand_kind */
  uint8_t base;			/* PTX_O_ADDRESS: PTX_O_REG, _VAR or _SYMBOL; PTX_O_INT: none */
  uint8_t element;		/* 0: the whole; 1 to 4: .x .y .z .w (also .r .g .b .a) */
  uint8_t flags;		/* PTX_NEGATED, ... */
  uint32_t id;			/* index of a var or label, or a name; lists: how many */
  union
  {
    uint64_t value;		/* integers are sign-extended: -1 is UINT64_MAX */
    struct ptx_operand *list;
  } u;
};

/* ---- Statements ---- */

/* What all instructions with the same text share.  */
struct ptx_op
{
  uint32_t index;		/* in ptx.ops */
  ptx_name text;		/* all of it: "ld.global.v2.u32" */
  ptx_name opcode;		/* PTX_OP_LD; or a name that isn't known */
  uint8_t num_words;
  uint8_t num_types;
  uint8_t vector;		/* 2, 4, 8; else 1 */
  ptx_name *words;		/* what follows the opcode, in order: PTX_GLOBAL, PTX_V2, PTX_U32 */
  ptx_name types[4];		/* the types among them, the first four */
  ptx_name space;		/* the first space among them; 0: generic or none */
};

/* Is WORD (PTX_SYNC, say) among the words of OP?  */
bool ptx_op_has (const struct ptx_op *op, ptx_name word);

enum ptx_stmt_kind
{
  PTX_STMT_INSN,
  PTX_STMT_LABEL,
  PTX_STMT_DECLARE,	/* variables; consecutive declarations are one statement */
  PTX_STMT_BEGIN,
  PTX_STMT_END,
  PTX_STMT_LOC,
  PTX_STMT_PRAGMA,	/* .pragma "..." */
  PTX_STMT_PROTOTYPE,	/* label: .callprototype ... */
  PTX_STMT_TARGETS	/* label: .calltargets or .branchtargets names */
};

/* A call's operands are always these four.  */
enum
{
  PTX_CALL_RESULT,		/* PTX_O_ARGS, perhaps of none */
  PTX_CALL_TARGET,		/* PTX_O_SYMBOL or PTX_O_REG */
  PTX_CALL_ARGS,		/* PTX_O_ARGS, perhaps of none */
  PTX_CALL_PROTOTYPE,		/* PTX_O_LABEL of a prototype or targets; or PTX_O_NONE */
  PTX_CALL_OPERANDS
};

struct ptx_stmt
{
  uint8_t kind;			/* enum ptx_stmt_kind */
  uint8_t num_operands;		/* instructions */
  bool guard_negated;
  uint32_t line;		/* of the text, from 1; 0: it was built */
  uint32_t guard;		/* instructions: the predicate's var; or PTX_NO_INDEX */
  union
  {
    struct
    {
      struct ptx_op *op;
      struct ptx_operand *operands;	/* the result first, as written */
    } insn;
    uint32_t label;		/* PTX_STMT_LABEL */
    struct
    {
      uint32_t first, num;	/* PTX_STMT_DECLARE: vars [first, first + num) */
    } declare;
    uint32_t match;		/* braces: the statement that has the other one */
    struct
    {
      uint32_t file, line, column;	/* PTX_STMT_LOC; inlined_at and so on is dropped */
    } loc;
    struct
    {
      const char *text;		/* PTX_STMT_PRAGMA: with its quotes */
      uint32_t length;
    } pragma;
    struct
    {
      uint32_t label;
      struct ptx_prototype *prototype;
    } prototype;
    struct
    {
      uint32_t label;
      struct ptx_targets *targets;
    } targets;
  } u;
};

/* .callprototype: no names, only what is passed.  */
struct ptx_prototype
{
  uint32_t num_results, num_params;
  struct ptx_var *vars;		/* results first */
  bool noreturn;
};

struct ptx_targets
{
  bool calls;			/* .calltargets: names of symbols; else labels of the function */
  uint32_t num;
  uint32_t *ids;
};

/* ---- Functions ---- */

struct ptx_label
{
  ptx_name name;
  uint32_t stmt;		/* where it stands */
};

/* .maxntid 32, 1, 1 and the like between a function's head and its body.  */
struct ptx_directive
{
  ptx_name word;		/* PTX_MAXNTID, PTX_NORETURN, PTX_PRAGMA, ... */
  uint8_t num;
  uint32_t values[3];
  const char *text;		/* .pragma: with its quotes */
  uint32_t length;
};

struct ptx_function
{
  struct ptx_module *module;
  ptx_name name;
  uint8_t linkage;		/* as of a ptx_var */
  bool is_entry;		/* .entry, a kernel; else .func */
  bool has_body;		/* a definition */
  bool is_read;			/* its body is: always, if not PTX_LAZY */
  bool param_parens;		/* written with () though there are no parameters */
  uint32_t num_results, num_params;	/* vars [0, num_results), then the parameters */
  uint32_t num_directives;
  struct ptx_directive *directives;

  struct ptx_var *vars;		/* also those of the body */
  uint32_t num_vars, var_room;
  struct ptx_label *labels;
  uint32_t num_labels, label_room;
  struct ptx_stmt *stmts;	/* the body without the braces around it */
  uint32_t num_stmts, stmt_room;

  const char *text;		/* the body's text with its braces; NULL: built */
  uint32_t text_size, line;
};

/* ---- Modules ---- */

enum ptx_item_kind
{
  PTX_ITEM_VARIABLE,
  PTX_ITEM_FUNCTION,		/* definition or declaration */
  PTX_ITEM_ALIAS,		/* .alias name, of; */
  PTX_ITEM_FILE,		/* .file number "name" ... */
  PTX_ITEM_PRAGMA,
  PTX_ITEM_SECTION		/* .section: as written */
};

/* The comment that nvptx-none-as and -ld work by, in front of an item:
   // BEGIN [GLOBAL|WEAK] {FUNCTION|VAR} {DECL|DEF}: NAME  */
enum
{
  PTX_MARKED = 1,
  PTX_MARK_GLOBAL = 2,
  PTX_MARK_WEAK = 4,
  PTX_MARK_DEF = 8
};

struct ptx_item
{
  uint8_t kind;			/* enum ptx_item_kind */
  uint8_t mark;			/* PTX_MARKED, ... */
  bool left_out;		/* not to be printed */
  uint32_t line;
  union
  {
    struct ptx_var *variable;
    struct ptx_function *function;
    struct
    {
      ptx_name name, of;
    } alias;
    struct
    {
      const char *text;		/* the rest of the directive as written, without `;' */
      uint32_t length;
      uint32_t number;		/* .file */
    } raw;
  } u;
};

struct ptx_module
{
  struct ptx *ptx;
  uint32_t index;		/* in ptx.modules */
  uint16_t version_major, version_minor;	/* .version 6.0 */
  uint32_t sm;			/* .target sm_52: 52; 0: none said */
  uint32_t address_size;	/* 32 or 64; 0: none said */
  bool preamble;		/* has // BEGIN PREAMBLE: not an object that a tool made up */
  const char *target;		/* what follows .target, as written */
  uint32_t target_length;
  struct ptx_item **items;	/* in the order of the text; may be reordered and replaced */
  uint32_t num_items, item_room;
  const char *text;
  size_t size;
  /* For ptx_print_grown: items of the text, and where it has its version and target.  */
  uint32_t num_read;
  bool can_grow;		/* it has each once, and does not end in a comment */
  const char *version_at, *target_at;
  uint32_t version_size, target_size;
  struct ptx_item **symbol_table;	/* only for nvptx-read*.c: items by name */
  uint32_t symbol_mask, num_symbols;
};

enum
{
  PTX_LAZY = 1,			/* skip bodies; ptx_read_body reads the ones that are needed */
  PTX_NO_LOC = 2		/* drop .loc */
};

/* Read the module [TEXT, TEXT + SIZE) or up to the first NUL in it.  NULL: refused; WHY says the
   reason with the number of the line, in one line.  Refused modules are not in ptx.modules.  */
struct ptx_module *ptx_read (struct ptx *, const char *text, size_t size, unsigned flags,
			     char why[PTX_WHY]);
/* Read the body of a function that PTX_LAZY left.  True if it was read already or has none.  FLAGS:
   PTX_NO_LOC.  */
bool ptx_read_body (struct ptx_function *, unsigned flags, char why[PTX_WHY]);

/* The item that defines NAME in the module, a variable, function or alias; if none does, one that
   declares it; else NULL.  */
struct ptx_item *ptx_find_item (const struct ptx_module *, ptx_name name);
/* The same, if it is a function.  For an alias what it is an alias of.  */
struct ptx_function *ptx_find_function (const struct ptx_module *, ptx_name name);
struct ptx_var *ptx_find_variable (const struct ptx_module *, ptx_name name);
/* .file NUMBER of the module as written, with its quotes.  NULL: there is none.  */
const char *ptx_find_file (const struct ptx_module *, uint32_t number, uint32_t *length);

/* ---- Printing: nvptx-print.c ---- */

/* Grows while something is printed.  Begin with all 0; free (text) at the end.  */
struct ptx_text
{
  char *text;			/* NUL-terminated as soon as anything was printed */
  size_t size;			/* without the NUL */
  size_t room;
  bool no_memory;		/* something is missing */
};

/* Functions that were not read (PTX_LAZY) are copied.  */
void ptx_print_module (struct ptx_text *, const struct ptx_module *);
/* The same to who links it, for a module in which nothing was changed but .version and .target, and items were added behind
   the others: what was read stands as it was written, and is copied.  */
void ptx_print_grown (struct ptx_text *, const struct ptx_module *);
void ptx_print_item (struct ptx_text *, const struct ptx_module *, const struct ptx_item *);
void ptx_print_function (struct ptx_text *, const struct ptx_function *);
/* One statement, with the newline; also for messages.  */
void ptx_print_stmt (struct ptx_text *, const struct ptx_function *, const struct ptx_stmt *);
void ptx_print_operand (struct ptx_text *, const struct ptx_function *, const struct ptx_operand *);
/* Make room for MORE, so that what is printed next takes no other.  False: no memory.  */
bool ptx_reserve (struct ptx_text *, size_t more);
/* The text from *FROM up to AT; *FROM is behind the SIZE characters there then.  */
void ptx_print_up_to (struct ptx_text *, const char **from, const char *at, size_t size);
void ptx_printf (struct ptx_text *, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
void ptx_vprintf (struct ptx_text *, const char *format, va_list)
  __attribute__ ((format (printf, 2, 0)));

/* ---- Building: nvptx-read-build.c.  NULL, 0, false or PTX_NO_INDEX: no memory. ---- */

/* A copy of F in MODULE, which may be another one of the same struct ptx, as a new last item called
   NAME: directives, variables, labels and body (F must be read) are its own and can be changed in
   place.  It gets a mark as a definition.  Into another module .loc is not copied.  */
struct ptx_function *ptx_clone_function (struct ptx_module *, const struct ptx_function *f,
					 ptx_name name);
/* The same with an empty body, for who emits another one: no place of a label or brace is known before ptx_end_body.  */
struct ptx_function *ptx_clone_head (struct ptx_module *, const struct ptx_function *f, ptx_name name);
/* A declaration of F (.extern unless F is known in its module only) under NAME.  */
struct ptx_function *ptx_declare_function (struct ptx_module *, const struct ptx_function *f,
					   ptx_name name);
/* Read TEXT, items as in a module without .version and .target, and append them.  The text is
   copied.  For what is easier written than built: declarations, whole functions.  False: WHY says
   why, and what had been read before is left out when the module is printed.  */
bool ptx_add_items (struct ptx_module *, const char *text, size_t size, char why[PTX_WHY]);
/* Move the items from index FROM on, to the end, in front of the one with index TO.  */
bool ptx_move_items (struct ptx_module *, uint32_t from, uint32_t to);

/* A new variable or label of F; not declared by a statement yet (ptx_emit_declare).  */
uint32_t ptx_add_var (struct ptx_function *f, ptx_name space, ptx_name type, ptx_name name);
uint32_t ptx_add_label (struct ptx_function *f, ptx_name name);
/* A name that nothing in any module has: PREFIX and a number.  */
ptx_name ptx_fresh_name (struct ptx *, const char *prefix);

/* What all instructions with TEXT ("ld.global.u32") share.  NULL: also if TEXT is not an opcode
   with words.  */
struct ptx_op *ptx_get_op (struct ptx *, const char *text);

/* Rewriting a body: keep the array of statements aside, begin an empty one with ptx_begin_body, and
   emit statements, old and new.  End with ptx_end_body, which finds where labels and braces are.
   Statements may also be changed in place; their operands belong to them alone.  */
void ptx_begin_body (struct ptx_function *);
/* A new statement, without a guard and zeroed otherwise.  It stays in place until the next one.  */
struct ptx_stmt *ptx_emit (struct ptx_function *, enum ptx_stmt_kind);
/* The same statement again; it shares its operands.  */
struct ptx_stmt *ptx_emit_copy (struct ptx_function *, const struct ptx_stmt *);
struct ptx_stmt *ptx_emit_declare (struct ptx_function *, uint32_t first, uint32_t num);
struct ptx_stmt *ptx_emit_label (struct ptx_function *, uint32_t label);
/* An instruction with room for NUM operands, zeroed: NULL also if TEXT is no opcode.  */
struct ptx_stmt *ptx_emit_insn (struct ptx_function *, const char *text, unsigned num);
/* Statements as text, with printf's formats, at most 4000 bytes.  Names mean what they mean outside
   of inner blocks: parameters, vars that the function declares there, vars of ptx_add_var.  Labels
   are any of the function's; new ones are added.  Returns how many statements were added.  0:
   failed, and WHY says why as of ptx_read.  */
uint32_t ptx_emitf (struct ptx_function *, char why[PTX_WHY], const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
/* False: braces don't match, or a label that is used stands nowhere or twice (WHY).  */
bool ptx_end_body (struct ptx_function *, char why[PTX_WHY]);

static inline struct ptx_operand
ptx_reg (uint32_t var)
{
  return (struct ptx_operand) { .kind = PTX_O_REG, .id = var };
}
static inline struct ptx_operand
ptx_int (int64_t value)
{
  return (struct ptx_operand) { .kind = PTX_O_INT, .flags = value < 0 ? PTX_NEGATIVE : 0,
				.u.value = (uint64_t) value };
}
static inline struct ptx_operand
ptx_symbol (ptx_name name)
{
  return (struct ptx_operand) { .kind = PTX_O_SYMBOL, .id = name };
}
static inline struct ptx_operand
ptx_label_operand (uint32_t label)
{
  return (struct ptx_operand) { .kind = PTX_O_LABEL, .id = label };
}
/* [base + offset]; BASE: a register, variable or symbol.  */
static inline struct ptx_operand
ptx_address (struct ptx_operand base, int64_t offset)
{
  base.base = base.kind;
  base.kind = PTX_O_ADDRESS;
  base.u.value += (uint64_t) offset;
  return base;
}

#pragma GCC visibility pop

#endif /* NVPTX_READ_H */
