/* nvptx-print.c -- PTX from the tree that nvptx-read.h describes.

   What is printed doesn't depend on how the text looked that was read, only on the tree: numbers
   are printed in one way, declarations one a line.  Called by the analysis of regions for what the
   driver is to link, and for messages.  */

#include "nvptx-read.h"
#include "nvptx-pages.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pages that are used for the first time can take longer than what is printed into them, so long texts are in large ones.  */
static bool
make_room (struct ptx_text *out, size_t room)
{
  char *text;

  if (room < NVPTX_LARGE_PAGE / 4 || room > SIZE_MAX / 2)
    text = realloc (out->text, room);
  else
    {
      room = nvptx_pages_size (room);
      text = nvptx_pages_alloc (room);
      if (text != NULL && out->text != NULL)
	{
	  memcpy (text, out->text, out->size + 1);
	  free (out->text);
	}
    }
  if (text == NULL)
    {
      out->no_memory = true;
      return false;
    }
  out->text = text;
  out->room = room;
  return true;
}

/* Make room for MORE, with a NUL behind it.  */
static bool
make_more_room (struct ptx_text *out, size_t more)
{
  size_t room = out->room < 1000 ? 1000 : out->room + out->room / 2;
  if (out->no_memory)
    return false;
  return make_room (out, room < out->size + more + 1 ? out->size + more + 1 : room);
}

bool
ptx_reserve (struct ptx_text *out, size_t more)
{
  return !out->no_memory && (more < out->room - out->size || make_room (out, out->size + more + 1));
}

/* Texts are made of many short pieces: this is inline.  */
static inline void
put (struct ptx_text *out, const char *text, size_t length)
{
  if ((length >= out->room - out->size || out->no_memory) && !make_more_room (out, length))
    return;
  memcpy (out->text + out->size, text, length);
  out->size += length;
  out->text[out->size] = 0;
}

static inline void
put_text (struct ptx_text *out, const char *text)
{
  put (out, text, __builtin_strlen (text));
}

static inline void
put_char (struct ptx_text *out, char c)
{
  put (out, &c, 1);
}

static void
put_number (struct ptx_text *out, uint64_t value)
{
  char digits[20], *p = digits + sizeof (digits);
  do
    *--p = (char) ('0' + value % 10);
  while ((value /= 10) != 0);
  put (out, p, (size_t) (digits + sizeof (digits) - p));
}

static void
put_signed (struct ptx_text *out, int64_t value)
{
  if (value < 0)
    put_char (out, '-');
  put_number (out, value < 0 ? -(uint64_t) value : (uint64_t) value);
}

/* The bits of a float or double.  */
static void
put_float (struct ptx_text *out, uint64_t bits, unsigned digits)
{
  char text[2 + 16] = { '0', digits == 8 ? 'f' : 'd' };
  for (unsigned i = 0; i < digits; i++)
    text[2 + i] = "0123456789abcdef"[bits >> 4 * (digits - 1 - i) & 15];
  put (out, text, 2 + digits);
}

/* One conversion of FORMAT, from behind its %.  NULL: it is not one of those that texts are mostly made with.  */
static const char *
put_converted (struct ptx_text *out, const char *format, va_list *args)
{
  switch (*format)
    {
    case '%': put_char (out, '%'); return format + 1;
    case 's': put_text (out, va_arg (*args, const char *)); return format + 1;
    case 'u': put_number (out, va_arg (*args, unsigned)); return format + 1;
    case 'd': put_signed (out, va_arg (*args, int)); return format + 1;
    case '.':
      if (format[1] == '*' && format[2] == 's')
	{
	  int length = va_arg (*args, int);
	  const char *text = va_arg (*args, const char *);
	  put (out, text, strnlen (text, (size_t) length));
	  return format + 3;
	}
      return NULL;
    case 'l':
      if (format[1] == 'd' || format[1] == 'u')
	{
	  long value = va_arg (*args, long);
	  if (format[1] == 'd')
	    put_signed (out, value);
	  else
	    put_number (out, (unsigned long) value);
	  return format + 2;
	}
      if (format[1] == 'l' && format[2] == 'd')
	{
	  put_signed (out, va_arg (*args, long long));
	  return format + 3;
	}
      return NULL;
    default: return NULL;
    }
}

/* Not vsnprintf, which took a tenth of all the time that an image with lanes takes.  */
void
ptx_vprintf (struct ptx_text *out, const char *format, va_list args)
{
  const char *p = format, *next;
  size_t before = out->size;
  va_list all;

  va_copy (all, args);
  while (p != NULL && (next = strchr (p, '%')) != NULL)
    {
      put (out, p, (size_t) (next - p));
      p = put_converted (out, next + 1, &all);
    }
  if (p != NULL)
    put_text (out, p);
  va_end (all);
  if (p != NULL)
    return;
  /* Another way.  */
  out->size = before;
  va_copy (all, args);
  int n = vsnprintf (NULL, 0, format, all);
  va_end (all);
  if (n < 0 || ((size_t) n >= out->room - out->size && !make_more_room (out, (size_t) n)))
    return;
  vsnprintf (out->text + out->size, (size_t) n + 1, format, args);
  out->size += (size_t) n;
}

void
ptx_printf (struct ptx_text *out, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  ptx_vprintf (out, format, args);
  va_end (args);
}

static void
put_name (struct ptx_text *out, const struct ptx *ptx, ptx_name name)
{
  put (out, ptx->names[name].text, ptx->names[name].length);
}

/* ---- Variables ---- */

/* ptxas reads +-4, but not -4.  */
static void
put_offset (struct ptx_text *out, uint64_t offset)
{
  if (offset == 0)
    return;
  put_text (out, offset >> 63 ? "+-" : "+");
  put_number (out, offset >> 63 ? -offset : offset);
}

static void
put_init (struct ptx_text *out, const struct ptx *ptx, const struct ptx_init *init)
{
  switch ((enum ptx_init_kind) init->kind)
    {
    case PTX_INIT_INT:
      put_text (out, init->negative ? "-" : "");
      put_number (out, init->negative ? -init->bits : init->bits);
      break;
    case PTX_INIT_F32: put_float (out, init->bits, 8); break;
    case PTX_INIT_F64: put_float (out, init->bits, 16); break;
    case PTX_INIT_SYMBOL:
      put_name (out, ptx, init->name);
      put_offset (out, init->bits);
      break;
    case PTX_INIT_GENERIC:
      put_text (out, "generic(");
      put_name (out, ptx, init->name);
      put_text (out, ")");
      put_offset (out, init->bits);
      break;
    case PTX_INIT_MASK:
      ptx_printf (out, "0x%" PRIx64 "(", init[1].bits);
      put_name (out, ptx, init->name);
      put_offset (out, init->bits);
      put_text (out, ")");
      break;
    case PTX_INIT_OPEN: put_text (out, "{"); break;
    case PTX_INIT_CLOSE: put_text (out, "}"); break;
    }
}

static void
put_initialiser (struct ptx_text *out, const struct ptx *ptx, const struct ptx_var_more *more)
{
  put_text (out, more->init_braces ? " = {" : " = ");
  for (uint32_t i = 0; i < more->num_inits; i++)
    {
      const struct ptx_init *init = &more->inits[i];
      if (i > 0 && init->kind != PTX_INIT_CLOSE && init[-1].kind != PTX_INIT_OPEN)
	put_text (out, i % 16 == 0 ? ",\n" : ",");
      put_init (out, ptx, init);
      i += init->kind == PTX_INIT_MASK;
    }
  put_text (out, more->init_braces ? "}" : "");
}

/* A declaration without its end.  */
static void
put_var (struct ptx_text *out, const struct ptx *ptx, const struct ptx_var *v)
{
  const struct ptx_var_more *more = v->more;
  if (v->linkage != 0)
    {
      put_name (out, ptx, v->linkage);
      put_text (out, " ");
    }
  put_name (out, ptx, v->space);
  put_text (out, " ");
  if (more != NULL && more->attribute != NULL)
    {
      put_text (out, ".attribute(");
      put (out, more->attribute, more->attribute_length);
      put_text (out, ") ");
    }
  if (v->align != 0)
    {
      put_text (out, ".align ");
      put_number (out, v->align);
      put_text (out, " ");
    }
  if (v->vector > 1)
    put_text (out, v->vector == 2 ? ".v2 " : v->vector == 4 ? ".v4 " : ".v8 ");
  put_name (out, ptx, v->type);
  put_text (out, " ");
  if (more != NULL && more->is_ptr)
    {
      put_text (out, ".ptr ");
      if (more->ptr_space != 0)
	{
	  put_name (out, ptx, more->ptr_space);
	  put_text (out, " ");
	}
      if (more->ptr_align != 0)
	ptx_printf (out, ".align %" PRIu32 " ", more->ptr_align);
    }
  put_name (out, ptx, v->name);
  if (v->flags & PTX_VAR_RANGE)
    ptx_printf (out, "<%" PRIu32 ">", v->range);
  if (more == NULL)
    return;
  for (uint32_t i = 0; i < more->num_dims; i++)
    if (more->dims[i] == 0 && i == 0)
      put_text (out, "[]");
    else
      {
	put_text (out, "[");
	put_number (out, more->dims[i]);
	put_text (out, "]");
      }
  if (more->inits != NULL)
    put_initialiser (out, ptx, more);
}

static void
put_params (struct ptx_text *out, const struct ptx *ptx, const struct ptx_var *vars, uint32_t num)
{
  put_text (out, "(");
  for (uint32_t i = 0; i < num; i++)
    {
      put_text (out, i > 0 ? ", " : "");
      put_var (out, ptx, &vars[i]);
    }
  put_text (out, ")");
}

/* ---- Operands ---- */

static void
put_list (struct ptx_text *out, const struct ptx_function *f, const struct ptx_operand *o,
	  const char *open, const char *between, const char *close)
{
  put_text (out, open);
  for (uint32_t i = 0; i < o->id; i++)
    {
      put_text (out, i > 0 ? between : "");
      ptx_print_operand (out, f, &o->u.list[i]);
    }
  put_text (out, close);
}

static void
put_base (struct ptx_text *out, const struct ptx_function *f, const struct ptx_operand *o,
	  uint8_t kind)
{
  const struct ptx *ptx = f->module->ptx;
  put_name (out, ptx, kind == PTX_O_REG || kind == PTX_O_VAR ? f->vars[o->id].name : o->id);
  if (o->element != 0)
    {
      char element[] = { '.', "xyzw"[(o->element - 1) & 3] };
      put (out, element, 2);
    }
}

void
ptx_print_operand (struct ptx_text *out, const struct ptx_function *f, const struct ptx_operand *o)
{
  switch ((enum ptx_operand_kind) o->kind)
    {
    case PTX_O_NONE: break;
    case PTX_O_REG:
      put_text (out, o->flags & PTX_NEGATED ? "!" : "");
      put_base (out, f, o, PTX_O_REG);
      break;
    case PTX_O_SPECIAL:
      put_base (out, f, o, PTX_O_SPECIAL);
      break;
    case PTX_O_VAR:
    case PTX_O_SYMBOL:
      put_base (out, f, o, o->kind);
      put_offset (out, o->u.value);
      break;
    case PTX_O_LABEL: put_name (out, f->module->ptx, f->labels[o->id].name); break;
    case PTX_O_INT:
      put_text (out, o->flags & PTX_NEGATIVE ? "-" : "");
      put_number (out, o->flags & PTX_NEGATIVE ? -o->u.value : o->u.value);
      put_text (out, o->flags & PTX_UNSIGNED ? "U" : "");
      break;
    case PTX_O_F32: put_float (out, o->u.value, 8); break;
    case PTX_O_F64: put_float (out, o->u.value, 16); break;
    case PTX_O_SINK: put_text (out, "_"); break;
    case PTX_O_ADDRESS:
      put_text (out, "[");
      if (o->base == PTX_O_INT)
	put_number (out, o->u.value);
      else
	{
	  put_base (out, f, o, o->base);
	  put_offset (out, o->u.value);
	}
      put_text (out, "]");
      break;
    case PTX_O_VECTOR: put_list (out, f, o, "{", ",", "}"); break;
    case PTX_O_PAIR: put_list (out, f, o, "", "|", ""); break;
    case PTX_O_ARGS: put_list (out, f, o, "(", ", ", ")"); break;
    case PTX_O_BRACKETS: put_list (out, f, o, "[", ", ", "]"); break;
    }
}

/* ---- Statements ---- */

static void
put_call (struct ptx_text *out, const struct ptx_function *f, const struct ptx_operand *o)
{
  put_text (out, " ");
  if (o[PTX_CALL_RESULT].id > 0)
    {
      ptx_print_operand (out, f, &o[PTX_CALL_RESULT]);
      put_text (out, ", ");
    }
  ptx_print_operand (out, f, &o[PTX_CALL_TARGET]);
  if (o[PTX_CALL_ARGS].id > 0)
    {
      put_text (out, ", ");
      ptx_print_operand (out, f, &o[PTX_CALL_ARGS]);
    }
  if (o[PTX_CALL_PROTOTYPE].kind != PTX_O_NONE)
    {
      put_text (out, ", ");
      ptx_print_operand (out, f, &o[PTX_CALL_PROTOTYPE]);
    }
}

static void
put_insn (struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *stmt)
{
  const struct ptx *ptx = f->module->ptx;
  put_text (out, "\t");
  if (stmt->guard != PTX_NO_INDEX)
    {
      put_text (out, stmt->guard_negated ? "@!" : "@");
      put_name (out, ptx, f->vars[stmt->guard].name);
      put_text (out, " ");
    }
  put_name (out, ptx, stmt->u.insn.op->text);
  if (stmt->u.insn.op->opcode == PTX_OP_CALL && stmt->num_operands == PTX_CALL_OPERANDS)
    put_call (out, f, stmt->u.insn.operands);
  else
    for (unsigned i = 0; i < stmt->num_operands; i++)
      {
	put_text (out, i == 0 ? " " : ", ");
	ptx_print_operand (out, f, &stmt->u.insn.operands[i]);
      }
  put_text (out, ";\n");
}

static void
put_prototype (struct ptx_text *out, const struct ptx *ptx, const struct ptx_prototype *p)
{
  put_text (out, " .callprototype ");
  if (p->num_results > 0)
    {
      put_params (out, ptx, p->vars, p->num_results);
      put_text (out, " ");
    }
  put_text (out, "_");
  if (p->num_params > 0)
    {
      put_text (out, " ");
      put_params (out, ptx, p->vars + p->num_results, p->num_params);
    }
  put_text (out, p->noreturn ? " .noreturn;\n" : ";\n");
}

static void
put_label (struct ptx_text *out, const struct ptx_function *f, uint32_t label)
{
  put_name (out, f->module->ptx, f->labels[label].name);
  put_text (out, ":");
}

void
ptx_print_stmt (struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *stmt)
{
  const struct ptx *ptx = f->module->ptx;
  switch ((enum ptx_stmt_kind) stmt->kind)
    {
    case PTX_STMT_INSN: put_insn (out, f, stmt); break;
    case PTX_STMT_LABEL:
      put_label (out, f, stmt->u.label);
      put_text (out, "\n");
      break;
    case PTX_STMT_DECLARE:
      for (uint32_t i = 0; i < stmt->u.declare.num; i++)
	{
	  put_text (out, "\t");
	  put_var (out, ptx, &f->vars[stmt->u.declare.first + i]);
	  put_text (out, ";\n");
	}
      break;
    case PTX_STMT_BEGIN: put_text (out, "\t{\n"); break;
    case PTX_STMT_END: put_text (out, "\t}\n"); break;
    case PTX_STMT_LOC:
      put_text (out, "\t.loc ");
      put_number (out, stmt->u.loc.file);
      put_text (out, " ");
      put_number (out, stmt->u.loc.line);
      put_text (out, " ");
      put_number (out, stmt->u.loc.column);
      put_text (out, "\n");
      break;
    case PTX_STMT_PRAGMA:
      put_text (out, "\t.pragma ");
      put (out, stmt->u.pragma.text, stmt->u.pragma.length);
      put_text (out, ";\n");
      break;
    case PTX_STMT_PROTOTYPE:
      put_label (out, f, stmt->u.prototype.label);
      put_prototype (out, ptx, stmt->u.prototype.prototype);
      break;
    case PTX_STMT_TARGETS:
      put_label (out, f, stmt->u.targets.label);
      put_text (out, stmt->u.targets.targets->calls ? " .calltargets " : " .branchtargets ");
      for (uint32_t i = 0; i < stmt->u.targets.targets->num; i++)
	{
	  uint32_t id = stmt->u.targets.targets->ids[i];
	  put_text (out, i > 0 ? ", " : "");
	  put_name (out, ptx, stmt->u.targets.targets->calls ? id : f->labels[id].name);
	}
      put_text (out, ";\n");
      break;
    }
}

/* ---- Functions and modules ---- */

static void
put_directives (struct ptx_text *out, const struct ptx_function *f)
{
  for (uint32_t i = 0; i < f->num_directives; i++)
    {
      const struct ptx_directive *d = &f->directives[i];
      put_text (out, " ");
      put_name (out, f->module->ptx, d->word);
      for (unsigned k = 0; k < d->num; k++)
	ptx_printf (out, "%s%" PRIu32, k == 0 ? " " : ", ", d->values[k]);
      if (d->text != NULL)
	{
	  put_text (out, " ");
	  put (out, d->text, d->length);
	  put_text (out, ";");
	}
    }
}

/* COPY: a body that was read stands as it was written.  */
static void
put_function (struct ptx_text *out, const struct ptx_function *f, bool copy)
{
  const struct ptx *ptx = f->module->ptx;
  if (f->linkage != 0)
    {
      put_name (out, ptx, f->linkage);
      put_text (out, " ");
    }
  put_text (out, f->is_entry ? ".entry " : ".func ");
  if (f->num_results > 0)
    {
      put_params (out, ptx, f->vars, f->num_results);
      put_text (out, " ");
    }
  put_name (out, ptx, f->name);
  if (f->num_params > 0 || f->param_parens)
    {
      put_text (out, " ");
      put_params (out, ptx, f->vars + f->num_results, f->num_params);
    }
  put_directives (out, f);
  if (!f->has_body)
    {
      put_text (out, ";\n");
      return;
    }
  put_text (out, "\n");
  if (!f->is_read || (copy && f->text != NULL))
    put (out, f->text, f->text_size);
  else
    {
      put_text (out, "{\n");
      for (uint32_t i = 0; i < f->num_stmts; i++)
	ptx_print_stmt (out, f, &f->stmts[i]);
      put_text (out, "}");
    }
  put_text (out, "\n");
}

void
ptx_print_function (struct ptx_text *out, const struct ptx_function *f)
{
  put_function (out, f, false);
}

static void
put_mark (struct ptx_text *out, const struct ptx *ptx, const struct ptx_item *item)
{
  bool variable = item->kind == PTX_ITEM_VARIABLE;
  put_text (out, "// BEGIN ");
  put_text (out, item->mark & PTX_MARK_GLOBAL ? "GLOBAL "
		 : item->mark & PTX_MARK_WEAK ? "WEAK " : "");
  put_text (out, variable ? "VAR " : "FUNCTION ");
  put_text (out, item->mark & PTX_MARK_DEF ? "DEF: " : "DECL: ");
  put_name (out, ptx, variable ? item->u.variable->name : item->u.function->name);
  put_text (out, "\n");
}

static void
put_item (struct ptx_text *out, const struct ptx_module *m, const struct ptx_item *item, bool copy)
{
  static const char *const raw[] = { [PTX_ITEM_FILE] = ".file ", [PTX_ITEM_PRAGMA] = ".pragma ",
				     [PTX_ITEM_SECTION] = ".section " };
  if (item->left_out)
    return;
  if (item->mark != 0)
    put_mark (out, m->ptx, item);
  switch ((enum ptx_item_kind) item->kind)
    {
    case PTX_ITEM_VARIABLE:
      put_var (out, m->ptx, item->u.variable);
      put_text (out, ";\n");
      break;
    case PTX_ITEM_FUNCTION:
      put_function (out, item->u.function, copy);
      break;
    case PTX_ITEM_ALIAS:
      put_text (out, ".alias ");
      put_name (out, m->ptx, item->u.alias.name);
      put_text (out, ", ");
      put_name (out, m->ptx, item->u.alias.of);
      put_text (out, ";\n");
      break;
    case PTX_ITEM_FILE:
    case PTX_ITEM_PRAGMA:
    case PTX_ITEM_SECTION:
      put_text (out, raw[item->kind]);
      put (out, item->u.raw.text, item->u.raw.length);
      put_text (out, item->kind == PTX_ITEM_PRAGMA ? ";\n" : "\n");
      break;
    }
}

void
ptx_print_item (struct ptx_text *out, const struct ptx_module *m, const struct ptx_item *item)
{
  put_item (out, m, item, false);
}

void
ptx_print_module (struct ptx_text *out, const struct ptx_module *m)
{
  put_text (out, m->preamble ? "// BEGIN PREAMBLE\n" : "");
  ptx_printf (out, ".version %u.%u\n", m->version_major, m->version_minor);
  if (m->target != NULL)
    {
      put_text (out, ".target ");
      put (out, m->target, m->target_length);
      put_text (out, "\n");
    }
  if (m->address_size != 0)
    ptx_printf (out, ".address_size %" PRIu32 "\n", m->address_size);
  put_text (out, m->preamble ? "// END PREAMBLE\n" : "");
  for (uint32_t i = 0; i < m->num_items; i++)
    ptx_print_item (out, m, m->items[i]);
}

void
ptx_print_up_to (struct ptx_text *out, const char **from, const char *at, size_t size)
{
  put (out, *from, (size_t) (at - *from));
  *from = at + size;
}

void
ptx_print_grown (struct ptx_text *out, const struct ptx_module *m)
{
  const char *from = m->text;

  if (!m->can_grow)
    {
      ptx_print_module (out, m);
      return;
    }
  for (unsigned i = 0; i < 2; i++)
    if ((i == 0) == (m->version_at < m->target_at))
      {
	ptx_print_up_to (out, &from, m->version_at, m->version_size);
	ptx_printf (out, "%u.%u", m->version_major, m->version_minor);
      }
    else
      {
	ptx_print_up_to (out, &from, m->target_at, m->target_size);
	put (out, m->target, m->target_length);
      }
  ptx_print_up_to (out, &from, m->text + m->size, 0);
  /* The last line may have no end.  */
  put_text (out, "\n");
  for (uint32_t i = m->num_read; i < m->num_items; i++)
    put_item (out, m, m->items[i], true);
}
