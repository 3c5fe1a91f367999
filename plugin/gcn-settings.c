/* gcn-settings.c -- what the user wants of regions on AMD GPUs, by environment variables.

   Read once, when the plugin starts; constant afterwards.  The names are those of GCC's library (abi/gcn
   section 2.1).  GCN_STACK_SIZE is looked for in the environment of the process, and not in what it was
   when the library was loaded: constructors of programs that were linked with -mstack-size set it.  It
   names no file.

   Called by plugin-gcn.c.  */

#include "gcn-launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct gcn_settings gcn_settings;

/* A number with one of the UNITS behind it ("", "k"), in bytes if there are units.  */
static bool
parse (const char *text, const char *units, uint64_t *number)
{
  char *end;

  text += strspn (text, " \t");
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  unsigned long long n = strtoull (text, &end, 10);
  unsigned shift = 0;
  if (*end != '\0' && strchr (units, *end | 0x20) != NULL)
    shift = 10 * (unsigned) (strchr (units, *end++ | 0x20) - units);
  end += strspn (end, " \t");
  if (errno != 0 || *end != '\0' || n > UINT64_MAX >> shift)
    return false;
  *number = n << shift;
  return true;
}

gomp_status_t
gcn_settings_read (void)
{
  struct gcn_settings *s = &gcn_settings;
  static const char sizes[] = "bkmg";
  const struct
  {
    const char *name;
    const char *units;		/* of sizes */
    uint64_t least, most;
    uint64_t *value;
    const char *wanted;
  } rows[] =
  {
    { "GCN_NUM_TEAMS", "", 1, GCN_MOST_TEAMS, &s->teams, "a number from 1 to 1048576" },
    { "GCN_NUM_GANGS", "", 1, GCN_MOST_TEAMS, &s->teams, "a number from 1 to 1048576" },
    { "GCN_NUM_THREADS", "", 1, GCN_MAX_WAVES, &s->threads, "a number from 1 to 16" },
    { "GCN_NUM_WORKERS", "", 1, GCN_MAX_WAVES, &s->threads, "a number from 1 to 16" },
    { "GCN_STACK_SIZE", sizes, 4096, UINT64_C (1) << 28, &s->stack, "a size from 4K to 256M" },
    { "GCN_HEAP_SIZE", sizes, 4096, UINT64_C (1) << 40, &s->heap, "a size from 4K to 1024G" },
    { "GCN_TEAM_ARENA_SIZE", sizes, 0, UINT64_C (1) << 30, &s->arena, "a size up to 1G" },
    { "GOMP_GCN_LOWLAT_POOL", sizes, 0, 65536, &s->pool, "a size up to 64K" }
  };

  *s = (struct gcn_settings) { .stack = 32 << 10, .heap = 100 << 20, .arena = 64 << 10,
			       .pool = GCN_POOL_SHARED };
  for (size_t i = sizeof (rows) / sizeof (rows[0]); i-- > 0; )
    {
      const char *text = rows[i].value == &s->stack ? getenv (rows[i].name)
			 : gcn_core->getenv (rows[i].name, false);
      uint64_t n;
      if (text == NULL || *text == '\0')
	continue;
      if (!parse (text, rows[i].units, &n) || n < rows[i].least || n > rows[i].most)
	{
	  gcn_core->set_error ("%s is not %s: `%s'", rows[i].name, rows[i].wanted, text);
	  return GOMP_INVALID;
	}
      *rows[i].value = n;
      s->stack_said |= rows[i].value == &s->stack;
    }
  s->stack = (s->stack + 63) & -UINT64_C (64);
  s->arena = (s->arena + 63) & -UINT64_C (64);
  s->pool &= -UINT64_C (16);
  return GOMP_OK;
}
