/* nvptx-reader.h -- what the parts of the reader of PTX share: its state, characters and names.

   nvptx-read.c reads modules and has the names and the memory, nvptx-read-body.c what is inside of
   functions, nvptx-read-build.c calls both to read pieces of text into functions and modules.

   Invariants
   1. The text ends with a NUL, which is at `end': whoever steps over a character has seen that it
      isn't that one.
   2. A function that returns false has said why (ptx_fail).  */

#ifndef NVPTX_READER_H
#define NVPTX_READER_H 1

#include "nvptx-read.h"

#include <string.h>

#pragma GCC visibility push (hidden)

enum
{
  PTX_MOST_DEPTH = 1000,	/* blocks in blocks */
  PTX_MOST_LISTS = 4,		/* operands in operands */
  PTX_MOST_PARENTHESES = 20,	/* in expressions */
  PTX_MOST_OPERANDS = 255,	/* of an instruction */
  PTX_MOST_OP_TEXT = 200,	/* length of an opcode with its words */
  PTX_MOST_DIMS = 16,
  PTX_MOST_VARS = 1 << 28	/* of a function */
};

/* A label was mentioned: where its index is to be put.  */
struct ptx_pending
{
  uint32_t *where;
  ptx_name name;
  uint32_t line;
};

/* What a name meant outside of the block.  */
struct ptx_undo
{
  ptx_name name;
  uint32_t var, label, range;
  uint16_t var_depth, label_depth;
};

/* A register of a range that is known by its name now, until blocks of DEPTH end.  */
struct ptx_member
{
  ptx_name name;
  uint32_t depth;
};

struct ptx_block
{
  uint32_t stmt;		/* where it begins */
  uint32_t num_undo, num_pending, num_members, num_vars;
};

/* Arrays that grow; they are kept for the next function.  */
struct ptx_scratch
{
  struct ptx_var *vars;
  struct ptx_label *labels;
  struct ptx_stmt *stmts;
  struct ptx_operand *operands;
  struct ptx_init *inits;
  struct ptx_pending *pending;
  struct ptx_undo *undo;
  struct ptx_member *members;
  struct ptx_block *blocks;
  uint32_t num_vars, var_room, num_labels, label_room, num_stmts, stmt_room;
  uint32_t num_operands, operand_room, num_inits, init_room, num_pending, pending_room;
  uint32_t num_undo, undo_room, num_members, member_room, depth, block_room;

  struct ptx_text text;		/* of ptx_emitf */

  /* The function whose outer names are known, for ptx_emitf.  */
  struct ptx_function *open;
  uint32_t open_vars, open_labels;	/* so many of them */
  bool open_ranges;
};

struct ptx_reader
{
  struct ptx *ptx;
  struct ptx_scratch *s;	/* ptx->scratch */
  struct ptx_module *module;
  struct ptx_function *function;
  const char *p;		/* the next character */
  const char *end;
  uint32_t line;
  unsigned flags;		/* PTX_LAZY, ... */
  uint8_t mark;			/* PTX_MARKED ...: seen, for the next item */
  bool mark_variable;
  bool is_body;			/* marks mean nothing */
  bool has_ranges;		/* of registers, in this function */
  bool piece;			/* of ptx_emitf: labels may be the function's */
  uint32_t first_var, first_label;	/* scratch has the function's from here on */
  unsigned lists;		/* operands in operands */
  char *why;
};

/* Say that the text is refused, and why; returns false.  */
bool ptx_fail (struct ptx_reader *, const char *format, ...)
  __attribute__ ((format (printf, 2, 3), cold));
bool ptx_fail_memory (struct ptx_reader *) __attribute__ ((cold));

/* NUM things of SIZE at FROM once more.  NULL: no memory.  */
void *ptx_copy (struct ptx *, const void *from, size_t num, size_t size);
/* Make room in a scratch array for one more.  */
bool ptx_grow (struct ptx_reader *, void *array, uint32_t *room, uint32_t num, size_t size);
#define PTX_ROOM(r, array, num, room)	\
  ((r)->s->num < (r)->s->room	\
   || ptx_grow (r, &(r)->s->array, &(r)->s->room, (r)->s->num, sizeof ((r)->s->array[0])))

/* ---- Characters ---- */

enum { PTX_C_NAME = 1, PTX_C_DIGIT = 2, PTX_C_HEX = 4 };
extern const uint8_t ptx_char[256];

static inline bool
ptx_is_name_char (char c)		/* letter, digit, _ or $ */
{
  return ptx_char[(unsigned char) c] & PTX_C_NAME;
}
static inline bool
ptx_is_digit (char c)
{
  return ptx_char[(unsigned char) c] & PTX_C_DIGIT;
}
static inline bool
ptx_begins_name (char c)
{
  return c == '%' || (ptx_is_name_char (c) && !ptx_is_digit (c));
}

/* Skip the comment at r->p, if it is one.  */
bool ptx_skip_comment (struct ptx_reader *);

static inline void
ptx_skip_space (struct ptx_reader *r)
{
  for (;;)
    switch (*r->p)
      {
      case '\n':
	r->line++;
	/* FALLTHRU */
      case ' ': case '\t': case '\r': case '\f': case '\v':
	r->p++;
	break;
      case '/':
	if (ptx_skip_comment (r))
	  break;
	/* FALLTHRU */
      default:
	return;
      }
}

/* Skip C if it is next.  */
static inline bool
ptx_accept (struct ptx_reader *r, char c)
{
  ptx_skip_space (r);
  if (*r->p != c)
    return false;
  r->p++;
  return true;
}
bool ptx_expected (struct ptx_reader *, const char *what) __attribute__ ((cold));
static inline bool
ptx_expect (struct ptx_reader *r, char c)
{
  char what[] = { '\'', c, '\'', 0 };
  return ptx_accept (r, c) || ptx_expected (r, what);
}

/* ---- Names ---- */

/* The name of TEXT with that hash; a new one points to TEXT.  0: no memory.  */
ptx_name ptx_enter_name (struct ptx *, const char *text, uint32_t length, uint32_t hash);

static inline uint32_t
ptx_hash_step (uint32_t hash, char c)
{
  return hash * 31 + (unsigned char) c;
}
static inline uint32_t
ptx_hash_end (uint32_t hash)
{
  hash *= 0x9e3779b1u;
  return hash ^ hash >> 15;
}

static inline ptx_name
ptx_look_up (const struct ptx *ptx, const char *text, uint32_t length, uint32_t hash)
{
  for (uint32_t i = hash & ptx->name_mask;; i = (i + 1) & ptx->name_mask)
    {
      ptx_name name = ptx->name_table[i];
      if (name == 0)
	return 0;
      const struct ptx_name_entry *e = &ptx->names[name];
      if (e->hash == hash && e->length == length && memcmp (e->text, text, length) == 0)
	return name;
    }
}

/* Read the name at r->p, whose first character has been looked at.  0: no memory, said so.  */
static inline ptx_name
ptx_read_name (struct ptx_reader *r)
{
  const char *start = r->p, *p = start;
  uint32_t hash = ptx_hash_step (0, *p++);
  for (; ptx_is_name_char (*p); p++)
    hash = ptx_hash_step (hash, *p);
  r->p = p;
  hash = ptx_hash_end (hash);
  ptx_name name = ptx_look_up (r->ptx, start, (uint32_t) (p - start), hash);
  if (name == 0 && (name = ptx_enter_name (r->ptx, start, (uint32_t) (p - start), hash)) == 0)
    ptx_fail_memory (r);
  return name;
}

/* Skip space and read a name.  0: there is none, or no memory; said so.  */
ptx_name ptx_expect_name (struct ptx_reader *);
/* Read .word at r->p.  0: it is none; said so.  */
ptx_name ptx_read_word (struct ptx_reader *);
/* What instructions with the text of that name share.  NULL: no memory, or it can't be one.  */
struct ptx_op *ptx_make_op (struct ptx *, ptx_name text);

/* ---- Pieces of the language ---- */

/* An integer expression as in .align 8.  */
bool ptx_read_integer (struct ptx_reader *, uint64_t *value);
bool ptx_read_u32 (struct ptx_reader *, uint32_t *value);
/* Digits only.  */
bool ptx_read_plain (struct ptx_reader *, uint32_t *value);
/* A number at r->p or an expression of integers that begins there: a PTX_O_INT, _F32 or _F64.  */
bool ptx_read_number (struct ptx_reader *, struct ptx_operand *);
/* A string at r->p: with its quotes.  */
bool ptx_read_string (struct ptx_reader *, const char **text, uint32_t *length);
/* What comes behind the space of a declaration: types, .align and so on, into V.  */
bool ptx_read_var_words (struct ptx_reader *, struct ptx_var *v);
/* name[4] = { ... }, into V, which has the rest.  NAMELESS: there need not be a name.  */
bool ptx_read_declarator (struct ptx_reader *, struct ptx_var *v, bool nameless);
/* (.param .u32 a, ...) at r->p, into the scratch vars.  */
bool ptx_read_params (struct ptx_reader *, uint32_t *num, bool nameless);

/* nvptx-read-body.c: from behind the opening brace to behind the closing one.  F has the variables
   of its head.  */
bool ptx_read_statements (struct ptx_reader *, struct ptx_function *f);
/* Statements up to the end of the text, into the scratch arrays.  */
bool ptx_read_piece (struct ptx_reader *);
/* nvptx-read-scope.c.  */

/* Forget what names mean in the function.  */
void ptx_close_scopes (struct ptx *);
/* Put back what names meant before what was noted since NUM.  */
void ptx_undo_to (struct ptx *, uint32_t num);
/* Blocks of more than DEPTH have ended: forget their registers of ranges, of which there are none
   before FIRST.  */
void ptx_forget_members (struct ptx *, uint32_t first, uint32_t depth);
/* V, which is variable INDEX, has its name from now on in the block.  */
bool ptx_bind_var (struct ptx_reader *, uint32_t index, const struct ptx_var *v);
bool ptx_bind_label (struct ptx_reader *, ptx_name name, uint32_t label);
/* A copy of V is the next variable.  */
bool ptx_push_var (struct ptx_reader *, const struct ptx_var *v, uint32_t *index);
/* If NAME is in a range of registers, make the register.  */
bool ptx_find_member (struct ptx_reader *, ptx_name name);
/* The label NAME is mentioned; its index goes to *WHERE, which stays there.  */
bool ptx_mention_label (struct ptx_reader *, ptx_name name, uint32_t *where);
/* Look up the labels mentioned since FIRST; the block ends that these are in.  */
void ptx_find_labels (struct ptx_reader *, uint32_t first);
bool ptx_new_label (struct ptx_reader *, ptx_name name, uint32_t stmt, uint32_t *label);
/* The label NAME stands before statement STMT.  */
bool ptx_place_label (struct ptx_reader *, ptx_name name, uint32_t stmt, uint32_t *label);

/* nvptx-read.c: items up to the end of the text.  */
bool ptx_read_items (struct ptx_reader *);
/* Append the item, and find it by its name.  */
bool ptx_add_item (struct ptx_module *, struct ptx_item *);

#pragma GCC visibility pop

#endif /* NVPTX_READER_H */
