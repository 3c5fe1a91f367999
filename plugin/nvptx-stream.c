/* nvptx-stream.c -- loads of simd loops ask for what the next iterations read.

   In a simd loop a warp reads a piece of memory from its begin to its end, 128 bytes at a time if the elements have
   four.  The next iteration's loads stay behind this one's stores, as the driver's assembler cannot know that they are of
   other memory.  So a warp waits for memory in each iteration, and with all the warps that a multiprocessor can hold too little is
   asked for at a time.  A load can say that 256 bytes are wanted in the L2 cache (PTX ISA, "ld", level::prefetch_size): every other
   iteration then finds there what it reads.

   It is a hint: what is loaded is the same, and nothing is read that a load would fault for.  But where the neighbours are not
   wanted it costs bandwidth, so only such loads get it of which the loop shows that they are.

   Invariants
   1. Loops are those of one block: a line that ends with a label, statements without labels and branches, and a branch to the
      label, in functions with simd code.  To a thread that is a lane the neighbour of what it reads says nothing.
   2. In such a loop the values of registers are followed as far as constants are added.  A load gets the hint if its element has at
      most four bytes, its address is a register and a constant, that register's value at the begin of the iteration is another one in
      the next, by a number of bytes known, and the loads that begin with it read as many: each 32 elements side by side.
   3. The version and target of the text are raised to the first that have the hint, and it has nothing that these do not
      have any more: shuffles and votes without .sync.
   4. Nothing else of the text is changed.

   Constant data only.  Called by nvptx-texts.c when an image with versions for lanes or warps is linked.  */

#define _GNU_SOURCE 1
#include "nvptx-stream.h"
#include "nvptx-read.h"
#include "nvptx-tokens.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 32, MAX_VALUES = 64, MAX_LOADS = 128, VERSION = 704, TARGET = 80 };

static const char hint[] = ".L2::256B";

/* What a register has: what ROOT had when the iteration began, and OFFSET.  */
struct value
{
  struct token reg, root;
  long offset;
  bool known;
};

struct load
{
  const char *at;		/* behind its first two characters, where the hint belongs */
  struct token root;
  unsigned bytes;
};

/* An iteration, from its first statement on.  */
struct loop
{
  struct value values[MAX_VALUES];	/* of registers that have been changed */
  struct load loads[MAX_LOADS];		/* with an address that is known */
  size_t num_values, num_loads;
  bool whole;				/* they are all there */
};

/* How many bytes a load of that opcode reads.  0: it is no load of one element of any memory.  */
static unsigned
loaded_bytes (struct token opcode)
{
  static const struct { const char *name; unsigned bytes; } loads[]
    = { { "ld.f32", 4 }, { "ld.u32", 4 }, { "ld.s32", 4 }, { "ld.b32", 4 }, { "ld.u16", 2 }, { "ld.s16", 2 }, { "ld.b16", 2 },
	{ "ld.u8", 1 }, { "ld.s8", 1 }, { "ld.b8", 1 } };
  for (size_t i = 0; i < sizeof (loads) / sizeof (loads[0]); i++)
    if (token_is (opcode, loads[i].name))
      return loads[i].bytes;
  return 0;
}

/* The constant at *T, with its sign.  */
static bool
skip_number (struct token *t, long *number)
{
  bool negative = skip_token (t, "-");
  if (!t->word || *t->at < '0' || *t->at > '9' || t->length > 9)
    return false;
  char *end;
  long value = strtol (t->at, &end, 10);
  if (end != t->at + t->length)
    return false;
  *number = negative ? -value : value;
  *t = token_after (*t);
  return true;
}

/* Behind the statement at T: its semicolon, or a brace or label; or behind a line that is not ended otherwise.  */
static struct token
skip_statement (struct token t)
{
  if (token_is (t, ".loc") || token_is (t, "/"))
    return token_at (t.at + strcspn (t.at, "\n"));
  if (token_is (t, "{") || token_is (t, "}"))
    return token_after (t);
  while (t.length > 0 && !token_is (t, ";") && !token_is (t, ":"))
    t = token_after (t);
  return t.length > 0 ? token_after (t) : t;
}

static bool
is_label (struct token t)
{
  return t.word && token_is (token_after (t), ":");
}

static struct value
value_of (const struct loop *loop, struct token reg)
{
  for (size_t i = 0; i < loop->num_values; i++)
    if (token_same (loop->values[i].reg, reg))
      return loop->values[i];
  return (struct value) { reg, reg, 0, true };
}

static void
set_value (struct loop *loop, struct token reg, struct value value)
{
  size_t i = 0;
  while (i < loop->num_values && !token_same (loop->values[i].reg, reg))
    i++;
  if (i == MAX_VALUES)
    {
      loop->whole = false;
      return;
    }
  loop->num_values += i == loop->num_values;
  value.reg = reg;
  loop->values[i] = value;
}

/* The load that the statement at T is, if its address is known.  */
static void
note_load (struct loop *loop, struct token t)
{
  struct token opcode, reg, base;
  long offset;

  if (!skip_word_token (&t, &opcode) || loaded_bytes (opcode) == 0 || !skip_word_token (&t, &reg) || !skip_token (&t, ",")
      || !skip_token (&t, "[") || !skip_word_token (&t, &base) || *base.at != '%')
    return;
  if (skip_token (&t, "+") && !skip_number (&t, &offset))
    return;
  struct value value = value_of (loop, base);
  if (!token_is (t, "]") || !value.known)
    return;
  if (loop->num_loads == MAX_LOADS)
    loop->whole = false;
  else
    loop->loads[loop->num_loads++] = (struct load) { opcode.at + 2, value.root, loaded_bytes (opcode) };
}

/* What the statement at T changes; ALWAYS: in each iteration.  */
static void
note_change (struct loop *loop, struct token t, bool always)
{
  struct token opcode, reg, from;
  struct value value = { .known = false };
  long step;

  if (*t.at == '.' || !skip_word_token (&t, &opcode))
    return;
  loop->whole &= !token_is (t, "{");	/* several at once */
  if (!skip_word_token (&t, &reg) || *reg.at != '%')
    return;
  if (always && (token_is (opcode, "add.u64") || token_is (opcode, "add.s64")) && skip_token (&t, ",")
      && skip_word_token (&t, &from) && *from.at == '%' && skip_token (&t, ",") && skip_number (&t, &step) && token_is (t, ";"))
    {
      value = value_of (loop, from);
      value.offset += step;
    }
  set_value (loop, reg, value);
}

/* Does a loop of one block begin at T, behind the label LABEL?  It is *LOOP.  */
static bool
look_at_loop (struct token label, struct token t, struct loop *loop)
{
  loop->num_values = loop->num_loads = 0;
  loop->whole = true;
  for (; t.length > 0 && !is_label (t); t = skip_statement (t))
    {
      struct token word = t;
      bool always = !token_is (t, "@");
      if (!always)
	{
	  word = token_after (t);
	  if (token_is (word, "!"))
	    word = token_after (word);
	  word = token_after (word);
	}
      if (token_is (word, "bra") || token_is (word, "bra.uni"))
	return loop->whole && token_same (token_after (word), label);
      if (token_is (word, "ret") || token_is (word, "exit") || token_is (word, "trap") || token_begins (word, "brx"))
	return false;
      if (always)
	note_load (loop, word);
      note_change (loop, word, always);
    }
  return false;
}

/* Does what LOAD reads go on in the next iteration where it ends in this one?  */
static bool
is_stream (const struct loop *loop, const struct load *load)
{
  struct value next = value_of (loop, load->root);
  long step = labs (next.offset), bytes = LANES * load->bytes, read = 0;

  if (!next.known || !token_same (next.root, load->root) || step == 0 || step % bytes != 0)
    return false;
  for (size_t i = 0; i < loop->num_loads; i++)
    if (token_same (loop->loads[i].root, load->root) && loop->loads[i].bytes == load->bytes)
      read += bytes;
  return read >= step;
}

/* Where hints belong, in the order of the text.  */
struct places
{
  const char **v;
  size_t num, room;
  bool no_memory;
};

static void
add_place (struct places *places, const char *at)
{
  if (places->num == places->room)
    {
      size_t room = 2 * places->room + 16;
      const char **v = realloc (places->v, room * sizeof (*v));
      if (v == NULL)
	{
	  places->no_memory = true;
	  return;
	}
      places->v = v;
      places->room = room;
    }
  places->v[places->num++] = at;
}

/* Does a line end at END with TEXT?  */
static bool
line_ends (const char *line, const char *end, const char *text, size_t length)
{
  return (size_t) (end - line) >= length && memcmp (end - length, text, length) == 0;
}

/* The label that a line which ends in ':' declares.  */
static struct token
line_label (const char *line, const char *colon)
{
  const char *begin = colon;
  while (begin > line && is_token_char (begin[-1]))
    begin--;
  return (struct token) { begin, (size_t) (colon - begin), begin < colon };
}

/* All places of TEXT.  Simd code is what has asked, since its function began by the compiler's comments, for the lane and for the
   variable that says whether all lanes run.  Lines are looked at from their ends, and most of them no further.  */
static void
find_places (const char *text, struct places *places)
{
  static const char mark[] = "// BEGIN ", lane[] = "%laneid;", uniform[] = "__nvptx_uni;";
  bool has_lane = false, has_uniform = false;
  struct token label = { .length = 0 };
  struct loop loop;

  for (const char *line = text, *end; *line != 0; line = end + (*end != 0))
    {
      end = strchrnul (line, '\n');
      if (end == line)
	continue;
      if (end[-1] == ':')
	label = line_label (line, end - 1);
      else if (end[-1] != ';')
	{
	  if (strncmp (line, mark, sizeof (mark) - 1) == 0)
	    {
	      has_lane = has_uniform = false;
	      label.length = 0;
	    }
	}
      else if (line_ends (line, end, lane, sizeof (lane) - 1))
	has_lane = true;
      else if (line_ends (line, end, uniform, sizeof (uniform) - 1))
	has_uniform = true;
      else if (has_lane && has_uniform && label.length > 0 && line_ends (line, end - 1, label.at, label.length))
	{
	  if (look_at_loop (label, token_at (label.at + label.length + 1), &loop))
	    for (size_t i = 0; i < loop.num_loads; i++)
	      if (is_stream (&loop, &loop.loads[i]))
		add_place (places, loop.loads[i].at);
	  label.length = 0;
	}
    }
}

/* Has the text what versions since then have no more?  */
static bool
is_old (const char *text)
{
  static const char *const words[] = { "shfl.", "vote." };
  for (size_t i = 0; i < sizeof (words) / sizeof (words[0]); i++)
    for (const char *at = text; (at = strstr (at, words[i])) != NULL; at += 5)
      if (strncmp (at + 5, "sync.", 5) != 0)
	return true;
  return false;
}

/* The number behind WORD at the begin of a line, with up to two digits behind a point.  *END: where it ends.  */
static const char *
find_number (const char *text, const char *word, unsigned *number, const char **end)
{
  const char *at = strstr (text, word);
  char *next;

  if (at == NULL)
    return NULL;
  at += strlen (word);
  *number = (unsigned) strtoul (at, &next, 10);
  if (next != at && *next == '.' && next[1] >= '0' && next[1] <= '9')
    {
      const char *point = next + 1;
      *number = *number * 100 + (unsigned) strtoul (point, &next, 10);
    }
  *end = next;
  return next != at ? at : NULL;
}

/* OBJECT's text with hints, unless it has no place for them or is too old.  */
static void
put_hints (struct ptx_text *out, const struct nvptx_object *object, const struct places *places)
{
  const char *text = object->text, *version_end, *target_end;
  unsigned version_number, target_number;
  const char *version = find_number (text, "\n.version ", &version_number, &version_end);
  const char *target = version == NULL ? NULL : find_number (version_end, "\n.target sm_", &target_number, &target_end);

  if (target == NULL || target_end > places->v[0] || is_old (text)
      || !ptx_reserve (out, object->size + places->num * sizeof (hint) + 16))
    return;
  if (version_number < VERSION)
    {
      ptx_print_up_to (out, &text, version, version_end - version);
      ptx_printf (out, "%u.%u", VERSION / 100, VERSION % 100);
    }
  if (target_number < TARGET)
    {
      ptx_print_up_to (out, &text, target, target_end - target);
      ptx_printf (out, "%u", TARGET);
    }
  for (size_t i = 0; i < places->num; i++)
    {
      ptx_print_up_to (out, &text, places->v[i], 0);
      ptx_printf (out, "%s", hint);
    }
  ptx_printf (out, "%s", text);
}

bool
nvptx_stream_loads (const struct nvptx_object *object, struct nvptx_object *result)
{
  struct places places = { .num = 0 };
  struct ptx_text out = { .size = 0 };

  result->text = NULL;
  if (object->size == 0 || memchr (object->text, 0, object->size) != object->text + object->size - 1)
    return true;
  find_places (object->text, &places);
  if (places.num > 0 && !places.no_memory)
    put_hints (&out, object, &places);
  free (places.v);
  bool good = !places.no_memory && !out.no_memory;
  if (good && out.size > 0)
    *result = (struct nvptx_object) { out.text, out.size + 1 };
  else
    free (out.text);
  return good;
}
