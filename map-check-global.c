/* map-check-global.c -- the mapping checker: variables of the program's modules.

   A function that a region calls finds global variables by name, and gets the device's.  The device
   tells which data of modules a region has accessed (GOMP_MARK_GLOBAL).  What is said about that:

     declare target   as for a block: the value that both sides had at the last copy is known, and
		      when the host's is another one, and the device reads the old one, that is a stale
		      read (map-check.c).  At first it is the device's initial value, which the host's
		      is, too, unless the program, or a constructor of C++, changes it before the image
		      is loaded
     any other        the region may not use it.  A finding, if the host has another value than what was
		      read, or if the device writes it; otherwise a note

   Variables without a symbol, local static variables, which each device has for itself, and what
   compilers and libraries make are left alone.

   Invariants
   1. known[i] is 1 if and only if copy[i] is what both sides had at the last copy of the byte, and
      no region has written it since.  Addresses of the program, which the device has relocated, are
      never known.
   2. stale[i] is set while no region runs, as marks of blocks are.
   3. Devices and files are read without the checker's lock.  */

#include "elf-file.h"
#include "image.h"
#include "map-check.h"

#define CHUNK ((size_t) 64 << 10)
#define MOST_BYTES ((uint64_t) 256 << 20)	/* of a variable that is checked */
#define PAGE UINT64_C (4096)
#define EXPLAINED 16

struct variable
{
  struct gomp_splay_node node;	/* device addresses; first */
  struct gomp_device *dev;
  uint64_t host, size;
  bool any_stale;
  struct gomp_check_place synced;	/* construct NULL: it has its initial value */
  uint8_t *copy, *known, *stale;
  struct gomp_check_read *reads;
};

/* What the symbol of an address says.  */
struct symbol
{
  struct symbol *next;
  struct gomp_variable is;
  bool skip;			/* nothing to tell about it */
};

static struct gomp_splay_tree variables[64];	/* by device number; with the checker's lock, and what follows */
static struct symbol *symbols;

static struct gomp_splay_tree *
tree_of (const struct gomp_device *dev)
{
  return &variables[dev->number & 63];
}

static struct variable *
variable_at (struct gomp_device *dev, uint64_t start, uint64_t end)
{
  struct variable *v = (struct variable *) gomp_splay_overlap (tree_of (dev), start, end);
  return v != NULL && v->dev == dev ? v : NULL;
}

/* SIZE bytes at ADDR of the device.  */
static bool
read_device (struct gomp_device *dev, void *buf, uint64_t addr, size_t size)
{
  struct gomp_plugin_queue *queue = gomp_queue_get (dev, NULL);
  gomp_status_t status = dev->ops->copy_d2h (queue, buf, addr, size);
  gomp_status_t end = gomp_queue_try_finish (dev, queue);
  gomp_queue_put (dev, queue);
  return status == GOMP_OK && end == GOMP_OK;
}

/* Is the word HERE, of the host, what the program means by THERE, of the device?  Its own addresses
   differ by whole pages.  Without the loader's lock: an image is perhaps being loaded, and whoever
   closes its module waits for that.  */
static bool
same_word (uint64_t here, uint64_t there)
{
  return here == there || (((here ^ there) & (PAGE - 1)) == 0 && here >= PAGE && there >= PAGE
			   && gomp_modules_contain (here, here + 1));
}

static struct gomp_check_finding
stale_variable (const struct variable *v)
{
  return (struct gomp_check_finding) {
    .kind = GOMP_CHECK_STALE, .device = v->dev->number, .host = v->host, .dev = v->node.start,
    .size = v->size, .mapped = { .construct = "declare target" }, .count = 1
  };
}

static void
settle (struct gomp_check_finding **list, struct variable *v, uint64_t start, uint64_t end,
	const struct gomp_check_place *later, bool to_device)
{
  const struct gomp_check_finding what = stale_variable (v);
  gomp_check_settle (list, &v->reads, &what, start, end, later, to_device);
}

/* ---- what happens to variables ---- */

void
gomp_check_variable (struct gomp_check_finding **list, struct gomp_device *dev, uint64_t host,
		     uint64_t size, gomp_devptr_t addr)
{
  if (!gomp_check_covers (dev) || size > MOST_BYTES)
    return;
  uint8_t *copy = gomp_malloc (size), *known = gomp_malloc (size), *now = gomp_malloc (size);
  if (!read_device (dev, copy, addr, size) || !gomp_check_read_host (now, host, size))
    {
      free (copy);
      free (known);
      free (now);
      return;
    }
  memset (known, 1, size);
  for (uint64_t i = -host & 7; i + 8 <= size; i += 8)
    {
      uint64_t here, there;
      memcpy (&here, now + i, 8);
      memcpy (&there, copy + i, 8);
      if (here != there && same_word (here, there))
	memset (known + i, 0, 8);
    }
  free (now);

  gomp_check_lock ();
  for (struct gomp_splay_node *old;
       (old = gomp_splay_overlap (tree_of (dev), addr, addr + size)) != NULL; )
    {
      struct variable *v = (struct variable *) old;
      settle (list, v, 0, v->size, NULL, false);
      gomp_splay_remove (tree_of (dev), old);
      free (v->copy);
      free (v->known);
      free (v->stale);
      free (v);
    }
  struct variable *v = gomp_calloc (1, sizeof (*v));
  v->node.start = addr;
  v->node.end = addr + size;
  v->dev = dev;
  v->host = host;
  v->size = size;
  v->copy = copy;
  v->known = known;
  gomp_splay_insert (tree_of (dev), &v->node);
  gomp_check_unlock ();
}

void
gomp_check_link (uint64_t host, uint64_t size)
{
  struct symbol *s = gomp_calloc (1, sizeof (*s));
  s->is.start = host;
  s->is.end = host + size;
  s->skip = true;
  gomp_check_lock ();
  s->next = symbols;
  symbols = s;
  gomp_check_unlock ();
}

/* The part of the host's memory that has been read last: one system call for many variables.  */
struct window
{
  uint64_t start, end;
  uint8_t bytes[CHUNK];
};

/* The SIZE bytes at HOST of the variable NODE, at most CHUNK; NULL: they cannot be read.  The variables
   of DEV behind it are read with them, if they are near.  */
static const uint8_t *
look (struct window *w, struct gomp_device *dev, struct gomp_splay_node *node, uint64_t host, uint64_t size)
{
  if (host < w->start || host + size > w->end)
    {
      uint64_t end = host + size;
      while ((node = gomp_splay_above (tree_of (dev), node->start)) != NULL)
	{
	  const struct variable *v = (const struct variable *) node;
	  if (v->dev == dev && (v->host < host || v->host > end + PAGE || v->host + v->size > host + CHUNK))
	    break;
	  if (v->dev == dev && v->host + v->size > end)
	    end = v->host + v->size;
	}
      w->start = host;
      w->end = end;
      if (!gomp_check_read_host (w->bytes, host, end - host))
	{
	  w->end = host + size;
	  if (end == host + size || !gomp_check_read_host (w->bytes, host, size))
	    {
	      w->end = w->start;
	      return NULL;
	    }
	}
    }
  return w->bytes + (host - w->start);
}

void
gomp_check_globals_compare (struct gomp_device *dev)
{
  struct window *window = NULL;

  for (struct gomp_splay_node *node = gomp_splay_first (tree_of (dev)); node != NULL;
       node = gomp_splay_above (tree_of (dev), node->start))
    {
      struct variable *v = (struct variable *) node;
      if (v->dev != dev)
	continue;
      if (window == NULL)
	{
	  window = gomp_malloc (sizeof (*window));
	  window->start = window->end = 0;
	}
      bool any = false;
      for (uint64_t start = 0, n; start < v->size; start += n)
	{
	  n = v->size - start < CHUNK ? v->size - start : CHUNK;
	  const uint8_t *now = look (window, dev, node, v->host + start, n);
	  if (!v->any_stale && (now == NULL || memcmp (now, v->copy + start, n) == 0))
	    continue;
	  if (v->stale == NULL)
	    v->stale = gomp_calloc (1, v->size);
	  v->any_stale = true;
	  for (uint64_t i = 0; i < n; i++)
	    {
	      v->stale[start + i] = now != NULL && v->known[start + i] && now[i] != v->copy[start + i];
	      any |= v->stale[start + i];
	    }
	}
      v->any_stale = any;
    }
  free (window);
}

void
gomp_check_globals_copied (struct gomp_check_finding **list, struct gomp_device *dev,
			   const struct gomp_check_place *place, gomp_devptr_t addr, uint64_t host,
			   size_t size, bool to_device)
{
  struct variable *v = size > 0 ? variable_at (dev, addr, addr + size) : NULL;
  if (v == NULL || addr < v->node.start || addr + size > v->node.end)
    return;
  uint64_t start = addr - v->node.start, end = start + size;
  if (place != NULL)
    {
      settle (list, v, start, end, place, to_device);
      v->synced = *place;
    }
  bool same = host != 0 && gomp_check_read_host (v->copy + start, host, size);
  memset (v->known + start, same, size);
}

void
gomp_check_globals_finish (struct gomp_check_finding **list)
{
  for (size_t i = 0; i < sizeof (variables) / sizeof (variables[0]); i++)
    for (struct gomp_splay_node *node = gomp_splay_first (&variables[i]); node != NULL;
	 node = gomp_splay_above (&variables[i], node->start))
      {
	struct variable *v = (struct variable *) node;
	settle (list, v, 0, v->size, NULL, false);
      }
}

/* ---- what a region has accessed ---- */

static bool
begins (const char *name, const char *prefix)
{
  return strncmp (name, prefix, strlen (prefix)) == 0;
}

/* Is NAME a variable of the program that a region may only use if it is declare target?  Static
   variables of functions are a device's own, and names with a point are theirs, or the
   compiler's.  */
static bool
is_meant (const char *name)
{
  static const char *const made[] = {
    "_ZZ", "_ZGV", "_ZTV", "_ZTI", "_ZTS", "_ZSt", "_ZNSt", "_ZN9__gnu_cxx", "_gfortran", "__gcov",
    "__asan", "__odr_asan", "__tsan", "__ubsan", "__sanitizer", "__dso_handle", "__data_start",
    "_DYNAMIC", "_GLOBAL_OFFSET_TABLE_", "__TMC_END__", "_ZN10__cxxabiv",
    /* What static libraries of C and C++ bring along.  */
    "_ZN12_GLOBAL__N_113c_locale_impl", "_ZN12_GLOBAL__N_19facet_vec", "_ZN12_GLOBAL__N_19cache_vec",
    "_ZN12_GLOBAL__N_18name_vec", "_ZN12_GLOBAL__N_16name_c", "_ZN12_GLOBAL__N_17ctype_c",
    "_ZN12_GLOBAL__N_110emergency", "dwarf_reg_size_table", "any_objects_registered", "__cpu_model"
  };
  if (strcmp (name, "environ") == 0 || strcmp (name, "__environ") == 0)
    return false;
  for (size_t i = 0; i < sizeof (made) / sizeof (made[0]); i++)
    if (begins (name, made[i]))
      return false;
  return strchr (name, '.') == NULL && strstr (name, "___vtab_") == NULL
	 && strstr (name, "___def_init_") == NULL;
}

/* The symbol of the host address ADDR.  Without the lock.  */
static const struct symbol *
symbol_of (uint64_t addr)
{
  struct symbol *s;
  gomp_check_lock ();
  for (s = symbols; s != NULL; s = s->next)
    if (addr >= s->is.start && addr < s->is.end)
      break;
  gomp_check_unlock ();
  if (s != NULL)
    return s;
  s = gomp_calloc (1, sizeof (*s));
  if (!gomp_symbol_variable (addr, &s->is))
    s->skip = true;
  else
    /* The executable's copy of the C library's stdout, for example, is none of the program's.  */
    s->skip = !is_meant (s->is.name) || (s->is.copied && !gomp_modules_define (s->is.name));
  gomp_check_lock ();
  s->next = symbols;
  symbols = s;
  gomp_check_unlock ();
  return s;
}

/* Is [START, END) of variable V written by one of the N accesses?  */
static bool
is_written (const struct gomp_check_access *accesses, size_t n, uint64_t start, uint64_t end)
{
  for (size_t i = 0; i < n; i++)
    if (accesses[i].write && accesses[i].start < end && accesses[i].end > start)
      return true;
  return false;
}

/* A region has read [START, END), device addresses in V.  */
static void
read_variable (struct gomp_device *dev, const struct gomp_check_access *access, uint64_t start,
	       uint64_t end, const struct gomp_check_access *all, size_t n,
	       const struct gomp_region_note *note)
{
  uint64_t first = 0, last = 0, count = 0;

  if (is_written (all, n, start, end) || end - start > MOST_BYTES)
    return;
  /* GCC lists the static variables of functions, too.  They are a device's own.  */
  const struct symbol *s = symbol_of (access->host + (start - access->start));
  if (strchr (s->is.name, '.') != NULL)
    return;
  uint8_t *data = gomp_malloc (end - start);
  if (read_device (dev, data, start, end - start))
    {
      gomp_check_lock ();
      struct variable *v = variable_at (dev, start, end);
      if (v != NULL && v->any_stale && start >= v->node.start && end <= v->node.end)
	{
	  uint64_t at = start - v->node.start;
	  for (uint64_t i = 0; i < end - start; i++)
	    if (v->stale[at + i] && v->known[at + i] && data[i] == v->copy[at + i])
	      {
		if (count++ == 0)
		  first = at + i;
		last = at + i + 1;
	      }
	  if (count > 0)
	    gomp_check_add_read (&v->reads, first, last, access, !access->certain && count < end - start,
				 note, &v->synced);
	}
      gomp_check_unlock ();
    }
  free (data);
}

/* Does the host have other values than the device at START, which is HOST there?  */
static bool
differs (struct gomp_device *dev, uint64_t start, uint64_t host, uint64_t size)
{
  uint64_t before = host & 7, whole = (before + size + 7) & -UINT64_C (8);
  bool different = false;

  if (whole > CHUNK)
    whole = CHUNK;
  uint64_t *here = gomp_malloc (2 * whole), *there = here + whole / 8;
  if (gomp_check_read_host (here, host - before, whole) && read_device (dev, there, start - before, whole))
    for (uint64_t i = 0; i < whole && !different; i++)
      different = i >= before && i < before + size
		  && ((uint8_t *) here)[i] != ((uint8_t *) there)[i]
		  && !same_word (here[i / 8], there[i / 8]);
  free (here);
  return different;
}

/* A region has accessed SIZE bytes of S from START on, which is HOST there.  WRITTEN: it has also
   written some of them, so that what is there now tells nothing about the host's value.  */
static void
use_other (struct gomp_check_finding **list, struct gomp_device *dev, const struct symbol *s,
	   const struct gomp_check_access *access, uint64_t start, uint64_t host, uint64_t size,
	   bool written, const struct gomp_region_note *note)
{
  /* An instruction that may have written some bytes has not proven anything.  */
  if (access->write && !access->certain)
    return;
  bool different = !access->write && !written && differs (dev, start, host, size);
  struct gomp_check_finding *f;
  for (f = *list; f != NULL; f = f->next)
    if (f->kind == GOMP_CHECK_GLOBAL && f->host == s->is.start)
      break;
  if (f == NULL)
    {
      const struct gomp_check_finding what = {
	.kind = GOMP_CHECK_GLOBAL, .note = true, .device = dev->number, .host = s->is.start,
	.size = s->is.end - s->is.start, .region = gomp_check_place_of (note)
      };
      f = gomp_check_append (list, &what);
    }
  /* What proves most is shown.  */
  if (f->ip == 0 || (f->note && (different || access->write)) || (f->write && different))
    {
      f->note = !different && !access->write;
      f->write = access->write;
      f->start = host - s->is.start;
      f->end = f->start + size;
      f->ip = access->ip;
      f->access = access->size;
      f->count = access->count;
    }
}

void
gomp_check_globals_landed (struct gomp_check_finding **list, struct gomp_device *dev,
			   const struct gomp_check_access *accesses, size_t n,
			   const struct gomp_region_note *note)
{
  for (size_t i = 0; i < n; i++)
    for (uint64_t start = accesses[i].start, next; start < accesses[i].end; start = next)
      {
	const struct gomp_check_access *access = &accesses[i];
	uint64_t host = access->host + (start - access->start);
	gomp_check_lock ();
	struct variable *v = variable_at (dev, start, start + 1);
	next = v != NULL && v->node.end < access->end ? v->node.end : access->end;
	bool in_question = v != NULL && v->any_stale && !access->write;
	gomp_check_unlock ();
	if (in_question)
	  read_variable (dev, access, start, next, accesses, n, note);
	if (v != NULL)
	  continue;
	const struct symbol *s = symbol_of (host);
	next = s->is.end - host < access->end - start ? start + (s->is.end - host) : access->end;
	if (!s->skip)
	  use_other (list, dev, s, access, start, host, next - start,
		     is_written (accesses, n, start, next), note);
      }
  /* What has been written is the device's own from now on.  */
  gomp_check_lock ();
  for (size_t i = 0; i < n; i++)
    if (accesses[i].write)
      for (uint64_t start = accesses[i].start; start < accesses[i].end; )
	{
	  struct variable *v = variable_at (dev, start, accesses[i].end);
	  if (v == NULL)
	    break;
	  uint64_t from = start > v->node.start ? start - v->node.start : 0;
	  uint64_t to = accesses[i].end < v->node.end ? accesses[i].end - v->node.start : v->size;
	  memset (v->known + from, 0, to - from);
	  start = v->node.end;
	}
  gomp_check_unlock ();
}

/* ---- a device died ---- */

void
gomp_check_explain_globals (FILE *f, struct gomp_device *dev)
{
  struct gomp_check_access seen[EXPLAINED];
  uint64_t told[EXPLAINED];
  size_t num_told = 0, n;

  if (!gomp_check_covers (dev))
    return;
  while ((n = dev->ops->check_take (dev->handle, seen, EXPLAINED)) > 0)
    for (size_t i = 0; i < n; i++)
      {
	struct gomp_variable is;
	uint64_t here = 0, there = seen[i].value;
	if (seen[i].mark != GOMP_MARK_GLOBAL || seen[i].write || num_told == EXPLAINED
	    || !gomp_check_try ())
	  continue;
	bool ours = variable_at (dev, seen[i].start, seen[i].start + 1) != NULL;
	gomp_check_try_end ();
	size_t size = seen[i].size < sizeof (here) ? seen[i].size : sizeof (here);
	if (ours || !gomp_symbol_variable (seen[i].host, &is) || is.copied || !is_meant (is.name)
	    || !gomp_check_read_host (&here, seen[i].host, size) || same_word (here, there))
	  continue;
	bool known = false;
	for (size_t k = 0; k < num_told; k++)
	  known |= told[k] == is.start;
	if (known)
	  continue;
	told[num_told++] = is.start;
	fputs ("  before, it read ", f);
	gomp_check_print_variable (f, is.start, is.name);
	fputs (", which is not declare target: the device has a variable of its own there, with another value\n", f);
	fprintf (f, "  remedy: write `declare target (%s)' behind its declaration, and copy it with target update,"
		 " or pass it as an argument\n", gomp_check_bare_name (is.name));
      }
}
