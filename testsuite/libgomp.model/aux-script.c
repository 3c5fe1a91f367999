/* aux-script.c -- lists of operations: written, read, made shorter.

   A line is an operation; the numbers are offsets and sizes in the arena.

     arena 512
     point OFF TARGET                          write OFF LEN SEED
     enter DEV ITEM...      exit, update, data and target as well
     end_data               share DEV N        unshare DEV N
     associate DEV OFF LEN  disassociate DEV OFF
     copy_in DEV OFF LEN FROM   copy_out DEV OFF LEN TO   fill DEV OFF LEN VALUE
     copy_device DEV OFF LEN OTHER-DEV TO

   ITEM is KIND:OFF:SIZE with :aN for the alignment 1 << N, :iN for an iterator over N items from here
   on (i255: over none), :null, :slot.  A region's item may be write:ITEM-NUMBER:OFF:LEN:SEED, or
   shared.  With nowait as the last item the construct is a target task, which depends on those before
   it; the next operation without waits for them.  */

#include "aux-model.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const op_names[OP_TYPES] =
{
  "write", "point", "enter", "exit", "update", "data", "target", "end_data", "associate",
  "disassociate", "copy_in", "copy_out", "copy_device", "fill", "share", "unshare"
};

static const struct { unsigned char kind; const char *name; } kinds[] =
{
  { ALLOC, "alloc" }, { TO, "to" }, { FROM, "from" }, { TOFROM, "tofrom" },
  { POINTER, "pointer" }, { TO_PSET, "to_pset" }, { PRESENT, "present" }, { DELETE, "delete" },
  { FIRSTPRIVATE, "firstprivate" }, { VALUE, "value" }, { USE_DEVICE, "use_device" },
  { ZLAS, "zlas" }, { ALWAYS_TO, "always_to" }, { ALWAYS_FROM, "always_from" },
  { ALWAYS_TOFROM, "always_tofrom" }, { RELEASE, "release" }, { STRUCT, "struct" },
  { ALWAYS_POINTER, "always_pointer" }, { POINTER_ZLAS, "pointer_zlas" },
  { DELETE_ZLAS, "delete_zlas" }, { ATTACH, "attach" }, { DETACH, "detach" },
  { ATTACH_ZLAS, "attach_zlas" }, { STRUCT_UNORD, "struct_unord" },
  { IMPLICIT, "implicit_alloc" }, { IMPLICIT | TO, "implicit_to" },
  { IMPLICIT | FROM, "implicit_from" }, { IMPLICIT | TOFROM, "implicit_tofrom" },
  { ALWAYS_PRESENT_TO, "always_present_to" }, { ALWAYS_PRESENT_FROM, "always_present_from" },
  { ALWAYS_PRESENT_TOFROM, "always_present_tofrom" }
};
enum { KINDS = sizeof (kinds) / sizeof (kinds[0]) };

void
script_add (struct script *s, const struct op *op)
{
  if (s->n == s->room)
    {
      s->room = s->room * 2 + 64;
      s->ops = realloc (s->ops, s->room * sizeof (s->ops[0]));
    }
  s->ops[s->n++] = *op;
}

/* ---- Writing ---- */

static void
print_item (const struct map_item *it, FILE *f)
{
  const char *name = "?";
  for (int i = 0; i < KINDS; i++)
    if (kinds[i].kind == it->kind)
      name = kinds[i].name;
  fprintf (f, " %s:%d:%ld", name, it->off, it->size);
  if (it->align > 0)
    fprintf (f, ":a%d", it->align);
  if (it->elements > 0)
    fprintf (f, ":i%d", it->elements);
  fprintf (f, "%s%s", it->null ? ":null" : "", it->slot ? ":slot" : "");
}

static void
print_op (const struct op *op, FILE *f)
{
  fprintf (f, "%s", op_names[op->type]);
  switch ((enum op_type) op->type)
    {
    case OP_WRITE:
      fprintf (f, " %d %d %ld", op->off, op->len, op->value);
      break;
    case OP_POINT:
      fprintf (f, " %d %ld", op->off, op->value);
      break;
    case OP_ENTER: case OP_EXIT: case OP_UPDATE: case OP_DATA: case OP_TARGET:
      fprintf (f, " %d", op->dev);
      for (int i = 0; i < op->n; i++)
	print_item (&op->items[i], f);
      for (int i = 0; i < op->num_writes; i++)
	fprintf (f, " write:%d:%d:%d:%u", op->writes[i].item, op->writes[i].off,
		 op->writes[i].len, op->writes[i].seed);
      fprintf (f, "%s%s", op->shared ? " shared" : "", op->nowait ? " nowait" : "");
      break;
    case OP_ASSOCIATE:
      fprintf (f, " %d %d %d", op->dev, op->off, op->len);
      break;
    case OP_DISASSOCIATE:
      fprintf (f, " %d %d", op->dev, op->off);
      break;
    case OP_COPY_IN: case OP_COPY_OUT: case OP_FILL:
      fprintf (f, " %d %d %d %ld", op->dev, op->off, op->len, op->value);
      break;
    case OP_COPY_DEVICE:
      fprintf (f, " %d %d %d %d %ld", op->dev, op->off, op->len, op->other, op->value);
      break;
    case OP_SHARE: case OP_UNSHARE:
      fprintf (f, " %d %ld", op->dev, op->value);
      break;
    case OP_END_DATA:
    case OP_TYPES:
      break;
    }
  fputc ('\n', f);
}

void
script_print (const struct script *s, FILE *f)
{
  fprintf (f, "arena %u\n", s->size);
  for (size_t i = 0; i < s->n; i++)
    print_op (&s->ops[i], f);
}

/* ---- Reading ---- */

static bool
read_item (char *word, struct op *op)
{
  struct map_item it = { 0 };
  char *save, *part = strtok_r (word, ":", &save);
  int kind = -1;

  if (part == NULL)
    return false;
  if (strcmp (part, "shared") == 0)
    return op->shared = true;
  if (strcmp (part, "nowait") == 0)
    return op->nowait = true;
  if (strcmp (part, "write") == 0)
    {
      struct kernel_write *w = &op->writes[op->num_writes];
      if (op->num_writes == MAX_WRITES
	  || sscanf (save, "%d:%d:%d:%u", &w->item, &w->off, &w->len, &w->seed) != 4)
	return false;
      op->num_writes++;
      return true;
    }
  for (int i = 0; i < KINDS; i++)
    if (strcmp (kinds[i].name, part) == 0)
      kind = it.kind = kinds[i].kind;
  if (kind < 0 || op->n == MAX_ITEMS || sscanf (save, "%d:%ld", &it.off, &it.size) != 2)
    return false;
  strtok_r (NULL, ":", &save);
  strtok_r (NULL, ":", &save);
  while ((part = strtok_r (NULL, ":", &save)) != NULL)
    if (*part == 'a')
      it.align = atoi (part + 1);
    else if (*part == 'i')
      it.elements = atoi (part + 1);
    else if (strcmp (part, "null") == 0)
      it.null = true;
    else if (strcmp (part, "slot") == 0)
      it.slot = true;
    else
      return false;
  op->items[op->n++] = it;
  return true;
}

static bool
read_op (char *line, struct op *op)
{
  char *save, *word = strtok_r (line, " \n", &save);
  long number[5] = { 0 };
  unsigned type, dev;

  memset (op, 0, sizeof (*op));
  for (type = 0; type < OP_TYPES; type++)
    if (strcmp (word, op_names[type]) == 0)
      break;
  op->type = type;
  if (type == OP_TYPES)
    return false;
  if (type >= OP_ENTER && type <= OP_TARGET)
    {
      if ((word = strtok_r (NULL, " \n", &save)) == NULL || sscanf (word, "%u", &dev) != 1)
	return false;
      op->dev = dev;
      while ((word = strtok_r (NULL, " \n", &save)) != NULL)
	if (!read_item (word, op))
	  return false;
      return true;
    }
  for (int i = 0; i < 5 && (word = strtok_r (NULL, " \n", &save)) != NULL; i++)
    number[i] = atol (word);
  if (type == OP_WRITE || type == OP_POINT)
    {
      op->off = number[0];
      op->len = number[1];
      op->value = number[type == OP_WRITE ? 2 : 1];
      return true;
    }
  op->dev = number[0];
  op->off = number[1];
  op->len = number[2];
  op->value = number[type == OP_SHARE || type == OP_UNSHARE ? 1 : type == OP_COPY_DEVICE ? 4 : 3];
  op->other = type == OP_COPY_DEVICE ? number[3] : 0;
  return true;
}

bool
script_read (struct script *s, FILE *f)
{
  char line[8192];
  struct op op;

  if (fgets (line, sizeof (line), f) == NULL || sscanf (line, "arena %u", &s->size) != 1)
    return false;
  while (fgets (line, sizeof (line), f) != NULL)
    if (line[0] != '#' && line[0] != '\n')
      {
	if (!read_op (line, &op))
	  return false;
	script_add (s, &op);
      }
  return true;
}

/* ---- Shrinking ---- */

/* Does a new process that does S find a difference?  */
static bool
still_fails (const struct script *s)
{
  char name[] = "/tmp/model-XXXXXX";
  int fd = mkstemp (name), status = 0;
  FILE *f = fd < 0 ? NULL : fdopen (fd, "w");

  if (f == NULL)
    return false;
  script_print (s, f);
  fclose (f);
  pid_t pid = fork ();
  if (pid == 0)
    {
      alarm (20);
      freopen ("/dev/null", "w", stdout);
      freopen ("/dev/null", "w", stderr);
      execl ("/proc/self/exe", "model", "--replay", name, (char *) NULL);
      _exit (0);
    }
  if (pid > 0)
    waitpid (pid, &status, 0);
  unlink (name);
  return status != 0;
}

/* Try S without the operations [FROM, TO).  */
static bool
drop (struct script *s, size_t from, size_t to)
{
  struct script less = { .size = s->size };
  for (size_t i = 0; i < s->n; i++)
    if (i < from || i >= to)
      script_add (&less, &s->ops[i]);
  bool fails = still_fails (&less);
  if (fails)
    {
      free (s->ops);
      *s = less;
    }
  else
    free (less.ops);
  return fails;
}

static void
drop_items (struct script *s, time_t end)
{
  for (size_t i = 0; i < s->n; i++)
    for (int k = s->ops[i].n - 1; k >= 0 && time (NULL) < end; k--)
      {
	struct op old = s->ops[i], *op = &s->ops[i];
	memmove (&op->items[k], &op->items[k + 1], (op->n - k - 1) * sizeof (op->items[0]));
	op->n--;
	for (int w = 0; w < op->num_writes; w++)
	  op->writes[w].item -= op->writes[w].item > k;
	if (!still_fails (s))
	  *op = old;
      }
}

void
script_shrink (struct script *s)
{
  time_t end = time (NULL) + 60;
  if (!still_fails (s))
    {
      fprintf (stderr, "(does not fail again on its own: it takes several threads, or luck)\n");
      return;
    }
  for (size_t chunk = s->n / 2; chunk > 0; chunk /= 2)
    for (size_t at = 0; at < s->n && time (NULL) < end; )
      if (!drop (s, at, at + chunk))
	at += chunk;
  drop_items (s, end);
  for (size_t at = 0; at < s->n && time (NULL) < end; )
    if (!drop (s, at, at + 1))
      at++;
}
