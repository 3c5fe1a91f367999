/* map-check-report.c -- the mapping checker: findings as text.

   A finding is a few lines: what happened to what, where it was mapped, last copied and
   accessed, and a remedy.  The same finding again, from the same place in the program, is only
   counted.  What is possible but not certain is a note, printed with GOMP_CHECK=map,notes only.

   Symbols are looked up here, which reads files and takes the loader's locks: no lock of the checker
   is held but the one that keeps texts of several threads apart.  */

#include "map-check.h"
#include "elf-file.h"

bool gomp_check_notes, gomp_check_fatal;

/* One that was printed, or counted as a note.  */
struct told
{
  struct told *next;
  enum gomp_check_kind kind;
  bool note, write;
  const void *mapped, *region, *later;
  uint64_t ip, host;
};

static gomp_mutex_t report_lock;	/* a leaf of one's own: GOMP_RANK_NONE */
static struct told *told;
static uint64_t findings[GOMP_CHECK_KINDS], notes, repeated;
static bool ended_by_finding;	/* the program ends by GOMP_CHECK=fatal */

/* ---- Names ---- */

void
gomp_check_print_place (FILE *f, const struct gomp_check_place *place)
{
  char name[256];

  fprintf (f, "%s", place->construct != NULL ? place->construct : "an unknown construct");
  if (place->call_site != NULL)
    /* The call is before the address where it returns to.  */
    fprintf (f, " at %s", gomp_symbol_name ((const char *) place->call_site - 1, name,
					    sizeof (name)));
}

/* The variable that begins at or holds HOST, "a", and how far inside of it that is.  */
static bool
variable (uint64_t host, char *name, size_t size, uint64_t *offset)
{
  if (host == 0 || !gomp_symbol_lookup ((const void *) host, name, size))
    return false;
  char *plus = strstr (name, "+0x");
  *offset = 0;
  if (plus != NULL)
    {
      *offset = strtoull (plus + 1, NULL, 16);
      *plus = 0;
    }
  return true;
}

void
gomp_check_print_block (FILE *f, uint64_t host, uint64_t size, unsigned item,
			const struct gomp_check_place *place)
{
  char name[256];
  uint64_t offset;

  if (host == 0)
    fprintf (f, "%lld bytes", (long long) size);
  else if (variable (host, name, sizeof (name), &offset))
    {
      fprintf (f, "`%s'", name);
      if (offset > 0)
	fprintf (f, " from byte %llu", (unsigned long long) offset);
      fprintf (f, " (%lld bytes)", (long long) size);
    }
  else
    fprintf (f, "the %lld bytes at %#llx", (long long) size, (unsigned long long) host);
  if (place == NULL || place->construct == NULL)
    return;
  if (host != 0 && item == 0 && place->call_site == NULL)
    {
      fprintf (f, ", which is %s", place->construct);
      return;
    }
  if (host == 0)
    fputs (" from ", f);
  else if (item > 0)
    fprintf (f, ", item %u of ", item);
  else
    fputs (", mapped by ", f);
  gomp_check_print_place (f, place);
}

/* The bytes that F is about, as part of the variable if it has a name: "a[10:5]" where they are
   whole elements of the size of the access.  */
static void
print_section (FILE *out, const struct gomp_check_finding *f)
{
  char name[256];
  uint64_t offset = 0, size = f->access;
  bool named = variable (f->host, name, sizeof (name), &offset);
  uint64_t start = f->start + offset, end = f->end + offset;

  /* Whole elements, although some of their bytes may be the same.  */
  if (size > 0 && size <= 8 && (size & (size - 1)) == 0)
    {
      start &= -size;
      end = (end + size - 1) & -size;
    }

  if ((f->start == 0 && f->end == f->size) || (named && offset == 0 && start == 0 && end == f->size))
    fprintf (out, "%s", named && offset == 0 ? name : named ? "this part of it" : "it");
  else if (named && size > 0 && size <= 8 && start % size == 0)
    fprintf (out, "%s[%llu:%llu]", name, (unsigned long long) (start / size),
	     (unsigned long long) ((end - start) / size));
  else if (f->start + 1 == f->end)
    fprintf (out, "byte %llu", (unsigned long long) f->start);
  else
    fprintf (out, "bytes %llu to %llu", (unsigned long long) f->start,
	     (unsigned long long) f->end - 1);
}

static void
print_accessor (FILE *out, const struct gomp_check_finding *f, const char *verb)
{
  char name[256];

  fputs ("  ", out);
  gomp_check_print_place (out, &f->region);
  fprintf (out, " %s", verb);
  if (f->ip != 0)
    fprintf (out, ", by the code at %s", gomp_symbol_name ((const void *) f->ip, name,
							   sizeof (name)));
  if (f->count > 1)
    fprintf (out, " (%llu times)", (unsigned long long) f->count);
  fputs ("\n", out);
  if (f->ip != 0)
    gomp_print_source_line (out, (const void *) f->ip);
}

/* ---- The kinds ---- */

static void
print_stale (FILE *out, const struct gomp_check_finding *f)
{
  fputs ("stale read: the device used an old value of ", out);
  gomp_check_print_block (out, f->host, f->size, f->item, &f->mapped);
  fputs ("\n  the host has changed ", out);
  print_section (out, f);
  if (f->synced.construct != NULL)
    {
      fputs (" after ", out);
      gomp_check_print_place (out, &f->synced);
      fputs (" copied it\n", out);
    }
  else
    fputs (", and the device has its initial value\n", out);
  print_accessor (out, f, f->wide ? "read some of that, or only bytes beside it"
				  : "read what was there before");
  if (f->late)
    {
      fputs ("  the new value was copied later, by ", out);
      gomp_check_print_place (out, &f->later);
      fputs ("\n  if it was meant for that region, copy it earlier\n", out);
    }
  else if (f->overwritten)
    {
      fputs ("  the host's change was overwritten later, by ", out);
      gomp_check_print_place (out, &f->later);
      fputs ("\n  if it was meant for the device, write before the region:"
	     " target update to(", out);
      print_section (out, f);
      fputs (")\n", out);
    }
  else
    {
      fputs ("  remedy: before that region write `target update to(", out);
      print_section (out, f);
      fputs (")', or map it there with map(always, to: ...)\n", out);
      if (f->synced.construct == NULL && gomp_symbol_function (f->host, "_GLOBAL__sub_I_"))
	fputs ("  if it is an object of C++ with a constructor: that ran on the host only, no constructor runs on a cpu"
	       " device; let a region initialise it\n", out);
    }
}

static void
print_unwritten (FILE *out, const struct gomp_check_finding *f)
{
  fputs ("uninitialized read: the device used ", out);
  if (f->start != 0 || f->end != f->size)
    {
      print_section (out, f);
      fputs (" of ", out);
    }
  gomp_check_print_block (out, f->host, f->size, f->item, &f->mapped);
  fputs ("\n", out);
  print_accessor (out, f, "read it before anything was written there");
  if (f->host != 0)
    fputs ("  remedy: map it with `to' or `tofrom' instead of `from' or `alloc', or let the device"
	   " write it first\n", out);
  else
    fputs ("  remedy: fill it by omp_target_memcpy, omp_target_memset or a region first\n", out);
}

/* A routine that copies.  */
static void
print_beyond (FILE *out, const struct gomp_check_finding *f)
{
  fprintf (out, "access beside a mapping: %llu bytes at byte %lld of ",
	   (unsigned long long) (f->end - f->start), (long long) f->start);
  gomp_check_print_block (out, f->host, f->size, f->item, &f->mapped);
  fputs ("\n", out);
  print_accessor (out, f, f->write ? "writes there" : "reads there");
  fputs ("  remedy: copy no more than there is, or allocate more (lengths and offsets count bytes)\n",
	 out);
}

static void
print_outside (FILE *out, const struct gomp_check_finding *f)
{
  if (f->access == 0)
    {
      print_beyond (out, f);
      return;
    }
  bool before = (int64_t) f->start < 0;
  uint64_t away = before ? -f->start : f->start - f->size;

  fprintf (out, "access beside a mapping: the device %s %u bytes ", f->write ? "wrote" : "read",
	   f->access);
  if (before)
    fprintf (out, "%llu bytes before ", (unsigned long long) away);
  else if (f->start < f->size)
    fputs ("across the end of ", out);
  else
    fprintf (out, "%llu bytes behind the end of ", (unsigned long long) away);
  gomp_check_print_block (out, f->host, f->size, f->item, &f->mapped);
  fputs ("\n", out);
  print_accessor (out, f, f->write ? "wrote there" : "read there");
  fputs ("  remedy: map as much as the region uses (the length of an array section counts"
	 " elements)\n", out);
}

static void
print_dropped (FILE *out, const struct gomp_check_finding *f)
{
  fputs ("lost change: the device has changed ", out);
  print_section (out, f);
  fputs (" of ", out);
  gomp_check_print_block (out, f->host, f->size, f->item, &f->mapped);
  if (f->later.construct != NULL)
    {
      fputs ("\n  its mapping ended without a copy to the host, by ", out);
      gomp_check_print_place (out, &f->later);
    }
  else
    fputs ("\n  it was never copied to the host", out);
  fputs ("\n  if the host needs the result, map it with `from' or `tofrom', or write"
	 " `target update from(", out);
  print_section (out, f);
  fputs (")'\n", out);
}

/* "grid" of "__store_MOD_grid"; else NAME itself.  */
const char *
gomp_check_bare_name (const char *name)
{
  const char *module = strncmp (name, "__", 2) == 0 ? strstr (name, "_MOD_") : NULL;
  return module != NULL ? module + 5 : name;
}

void
gomp_check_print_variable (FILE *f, uint64_t host, const char *name)
{
  const char *bare = gomp_check_bare_name (name);
  char spelt[256];
  if (bare != name)
    fprintf (f, "`%s' of the module %.*s", bare, (int) (bare - 5 - name - 2), name + 2);
  else
    fprintf (f, "`%s'", gomp_symbol_name ((const void *) host, spelt, sizeof (spelt)));
}

static void
print_global (FILE *out, const struct gomp_check_finding *f)
{
  char name[256];
  if (!gomp_symbol_lookup ((const void *) f->host, name, sizeof (name)))
    return;
  fputs ("not declare target: the device used a variable of its own for ", out);
  gomp_check_print_variable (out, f->host, name);
  fprintf (out, " (%llu bytes)\n", (unsigned long long) f->size);
  print_accessor (out, f, f->write ? "wrote it" : "read it");
  fputs (f->write ? "  what the device writes there never gets to the host\n"
	 : f->note ? "  so far it has the host's value, but it does not follow the host's changes\n"
		   : "  the host has another value\n", out);
  const char *bare = gomp_check_bare_name (name);
  fprintf (out, "  remedy: write `declare target (%s)' behind its declaration, and copy it with `target update %s(%s)',"
	   " or pass it as an argument\n", bare, f->write ? "from" : "to", bare);
}

/* ---- All of them ---- */

/* Has the like of F been told?  Remembers it.  */
static bool
is_known (const struct gomp_check_finding *f)
{
  for (struct told *t = told; t != NULL; t = t->next)
    if (f->kind == GOMP_CHECK_GLOBAL)
      {
	/* A variable once, and not as a note behind that.  */
	if (t->kind == f->kind && t->host == f->host && (f->note || !t->note))
	  return true;
      }
    else if (t->kind == f->kind && t->note == f->note && t->write == f->write && t->ip == f->ip
	&& t->mapped == f->mapped.call_site && t->region == f->region.call_site
	&& t->later == f->later.call_site)
      return true;
  struct told *t = gomp_malloc (sizeof (*t));
  *t = (struct told) {
    .next = told, .kind = f->kind, .note = f->note, .write = f->write,
    .mapped = f->mapped.call_site, .region = f->region.call_site, .later = f->later.call_site,
    .ip = f->ip, .host = f->host
  };
  told = t;
  return false;
}

static void
print_finding (const struct gomp_check_finding *f)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);

  if (out == NULL)
    return;
  fprintf (out, "libgomp: check%s: ", f->note ? " (note)" : "");
  switch (f->kind)
    {
    case GOMP_CHECK_STALE:
      print_stale (out, f);
      break;
    case GOMP_CHECK_UNWRITTEN:
      print_unwritten (out, f);
      break;
    case GOMP_CHECK_OUTSIDE:
      print_outside (out, f);
      break;
    case GOMP_CHECK_GLOBAL:
      print_global (out, f);
      break;
    case GOMP_CHECK_DROPPED:
    case GOMP_CHECK_KINDS:
      print_dropped (out, f);
      break;
    }
  if (fclose (out) == 0)
    gomp_write_stderr (text, size);
  free (text);
}

void
gomp_check_report (struct gomp_check_finding *list)
{
  bool any = false;

  if (gomp_likely (list == NULL))
    return;
  gomp_mutex_lock (&report_lock);
  for (struct gomp_check_finding *f = list, *next; f != NULL; f = next)
    {
      next = f->next;
      if (is_known (f))
	repeated++;
      else
	{
	  if (f->note)
	    notes++;
	  else
	    findings[f->kind]++;
	  if (!f->note || gomp_check_notes)
	    print_finding (f);
	}
      any |= !f->note;
      free (f);
    }
  if (any && gomp_check_fatal)
    ended_by_finding = true;
  gomp_mutex_unlock (&report_lock);
  if (any && gomp_check_fatal)
    gomp_fatal ("ended by GOMP_CHECK=fatal");
}

uint64_t
gomp_check_summary (uint64_t regions, uint64_t blocks, bool blind, uint64_t at_once)
{
  static const char *const names[GOMP_CHECK_KINDS][2] = {
    [GOMP_CHECK_STALE] = { "stale read", "stale reads" },
    [GOMP_CHECK_UNWRITTEN] = { "uninitialized read", "uninitialized reads" },
    [GOMP_CHECK_OUTSIDE] = { "access beside a mapping", "accesses beside mappings" },
    [GOMP_CHECK_DROPPED] = { "lost change", "lost changes" },
    [GOMP_CHECK_GLOBAL] = { "variable that is not declare target",
			    "variables that are not declare target" }
  };
  char text[1024];
  uint64_t total = 0;
  int n;

  gomp_mutex_lock (&report_lock);
  for (int i = 0; i < GOMP_CHECK_KINDS; i++)
    total += findings[i];
  /* "0 findings" would be read as all being well.  */
  bool ended = gomp_ending_by_error && !ended_by_finding;
  total += ended;
  if (regions == 0 && blocks == 0 && !ended)
    n = snprintf (text, sizeof (text), "libgomp: check: nothing was checked: no region ran on a"
		  " cpu device (GOMP_CPU_DEVICES)\n");
  else
    {
      n = snprintf (text, sizeof (text), "libgomp: check: %llu finding%s",
		    (unsigned long long) total, total == 1 ? "" : "s");
      const char *separator = " (";
      for (int i = 0; i < GOMP_CHECK_KINDS; i++)
	if (findings[i] > 0)
	  {
	    n += snprintf (text + n, sizeof (text) - n, "%s%llu %s", separator,
			   (unsigned long long) findings[i], names[i][findings[i] != 1]);
	    separator = ", ";
	  }
      if (ended)
	n += snprintf (text + n, sizeof (text) - n, "%sthe error that ended the program", separator);
      n += snprintf (text + n, sizeof (text) - n, "%s", total > 0 ? ")" : "");
      if (notes > 0)
	n += snprintf (text + n, sizeof (text) - n, ", %llu note%s%s", (unsigned long long) notes,
		       notes == 1 ? "" : "s",
		       gomp_check_notes ? "" : " (GOMP_CHECK=map,notes shows them)");
      if (repeated > 0)
	n += snprintf (text + n, sizeof (text) - n, ", %llu repeated",
		       (unsigned long long) repeated);
      n += snprintf (text + n, sizeof (text) - n, "; %llu region%s, %llu block%s\n",
		     (unsigned long long) regions, regions == 1 ? "" : "s",
		     (unsigned long long) blocks, blocks == 1 ? "" : "s");
      if (at_once > 0)
	n += snprintf (text + n, sizeof (text) - n, "libgomp: check: %llu region%s with nowait ran at once,"
		       " so that the order is known: races with other regions and with the host are"
		       " not found, and may not happen here\n", (unsigned long long) at_once,
		       at_once == 1 ? "" : "s");
      if (blind)
	n += snprintf (text + n, sizeof (text) - n, "libgomp: check: global variables that are not mapped"
		       " were not watched: that needs Linux 5.11 on x86-64, without ThreadSanitizer\n");
    }
  gomp_mutex_unlock (&report_lock);
  gomp_write_stderr (text, n);
  return total;
}
