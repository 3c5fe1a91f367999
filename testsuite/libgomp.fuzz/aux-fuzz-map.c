/* aux-fuzz-map.c -- fuzz target: map lists of any kind words and sizes, on a device that is in the process
   (bench/target/plugin-null.c), whose memory is malloc's.  The input is a sequence of directives.  What
   is wrong ends with a message; what is not must not touch memory outside of the arena or of device blocks.  */

#include "aux-fuzz.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

void GOMP_target_ext (int, void (*) (void *), size_t, void **, size_t *, unsigned short *, unsigned,
		      void **, void **);
void GOMP_target_data_ext (int, size_t, void **, size_t *, unsigned short *);
void GOMP_target_end_data (void);
void GOMP_target_update_ext (int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
void GOMP_target_enter_exit_data (int, size_t, void **, size_t *, unsigned short *, unsigned,
				  void **);

enum { ARENA = 512, MAX_ITEMS = 12, DIRECTIVES = 64 };

#ifdef __clang__
/* No gaps between the entries of a table.  */
# define TABLE_ENTRY __attribute__ ((used, section (".gnu.offload_funcs"), no_sanitize ("address")))
#else
# define TABLE_ENTRY __attribute__ ((used, section (".gnu.offload_funcs")))
#endif

void fuzz_region (void *);
TABLE_ENTRY void (*fuzz_region_entry) (void *) = fuzz_region;
void
fuzz_region (void *args)
{
  (void) args;
}

static _Alignas (64) unsigned char arena[ARENA];

struct list
{
  size_t n;
  void *addr[MAX_ITEMS];
  size_t size[MAX_ITEMS];
  unsigned short kind[MAX_ITEMS];
  uint64_t words[MAX_ITEMS][9];
};

/* Ranges in the arena only: that a program maps memory that it has not got is its own fault.  */
static void
some_list (struct fuzz_input *in, struct list *l)
{
  l->n = fuzz_byte (in) % (MAX_ITEMS + 1);
  for (size_t i = 0; i < l->n; i++)
    {
      unsigned flags = fuzz_byte (in), kind = fuzz_byte (in);
      size_t off = fuzz_byte (in) * 2, size = fuzz_byte (in);
      if (flags & 1)
	off &= -8;
      if (off + size > ARENA - 8)
	size = ARENA - 8 - off > ARENA ? 0 : ARENA - 8 - off;
      if (off > ARENA - 8)
	off = ARENA - 8;
      l->addr[i] = flags & 2 && (flags & 4) ? NULL : arena + off;
      l->size[i] = size;
      l->kind[i] = kind | (flags & 8 ? fuzz_byte (in) % 14 << 8 : 0);
      switch (kind)
	{
	case 0x04: case 0x1d: case 0x1e: case 0x50: case 0x51: case 0x52:
	  /* The size is a bias.  Consumed by a private copy, the address would be a slot.  */
	  if (i > 0 && (l->kind[i - 1] & 0xff) == 0x0c)
	    {
	      l->addr[i] = NULL;
	      break;
	    }
	  if (flags & 16)
	    l->size[i] = fuzz_word (in);
	  break;
	case 0x1c: case 0x5c: case 0x0d: case 0x0e: case 0x0f: case 0x1f:
	  if (flags & 16)
	    l->size[i] = fuzz_word (in);
	  if (l->size[i] == SIZE_MAX)
	    l->size[i] = 3;
	  break;
	default:
	  if (flags & 32)
	    {
	      uint64_t n = fuzz_byte (in) % 5;
	      l->words[i][0] = n;
	      for (uint64_t k = 0; k < n; k++)
		{
		  uint64_t at = fuzz_byte (in), len = fuzz_byte (in);
		  l->words[i][1 + 2 * k] = at == 255 ? 0 : (uint64_t) arena + at;
		  l->words[i][2 + 2 * k] = len;
		}
	      l->addr[i] = l->words[i];
	      l->size[i] = SIZE_MAX;
	    }
	}
    }
}

static void
some_pointer (struct fuzz_input *in)
{
  unsigned off = fuzz_byte (in) * 8 % (ARENA - 8), how = fuzz_byte (in);
  uint64_t value = how == 0 ? 0 : how == 255 ? fuzz_word (in) : (uint64_t) arena + how * 2;
  memcpy (arena + off, &value, 8);
}

/* Unmap all of the arena: every byte, and every empty range.  */
static void
leave_nothing (void)
{
  static void *addr[2 * ARENA];
  static size_t size[2 * ARENA];
  static unsigned short kind[2 * ARENA];

  for (int i = 0; i < DIRECTIVES; i++)
    FUZZ_UNTIL_EXIT (GOMP_target_end_data ());
  for (int i = 0; i < ARENA; i++)
    {
      omp_target_disassociate_ptr (arena + i, 0);
      addr[2 * i] = addr[2 * i + 1] = arena + i;
      size[2 * i] = 1;
      size[2 * i + 1] = 0;
      kind[2 * i] = kind[2 * i + 1] = 0x07;
    }
  GOMP_target_enter_exit_data (0, 2 * ARENA, addr, size, kind, 2, NULL);
  for (int i = 0; i < ARENA; i++)
    if (omp_target_is_present (arena + i, 0))
      abort ();
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct fuzz_input in = { data, data + size };
  static void *args[] = { (void *) -130816L, (void *) 0x200, NULL };
  void *old[DIRECTIVES];
  unsigned n = 0;
  struct list l;

  if (omp_get_num_devices () < 1)
    abort ();
  memset (arena, 0, sizeof (arena));
  for (int i = 0; i < DIRECTIVES && in.p < in.end; i++)
    switch (fuzz_byte (&in) % 8)
      {
      case 0:
      case 1:
	some_list (&in, &l);
	FUZZ_UNTIL_EXIT (GOMP_target_enter_exit_data (0, l.n, l.addr, l.size, l.kind, 0, NULL));
	break;
      case 2:
	some_list (&in, &l);
	FUZZ_UNTIL_EXIT (GOMP_target_enter_exit_data (0, l.n, l.addr, l.size, l.kind, 2, NULL));
	break;
      case 3:
	some_list (&in, &l);
	FUZZ_UNTIL_EXIT (GOMP_target_ext (0, fuzz_region, l.n, l.addr, l.size, l.kind, 0, NULL, args));
	break;
      case 4:
	some_list (&in, &l);
	FUZZ_UNTIL_EXIT (GOMP_target_data_ext (0, l.n, l.addr, l.size, l.kind));
	break;
      case 5:
	FUZZ_UNTIL_EXIT (GOMP_target_end_data ());
	break;
      case 6:
	some_list (&in, &l);
	FUZZ_UNTIL_EXIT (GOMP_target_update_ext (0, l.n, l.addr, l.size, l.kind, 0, NULL));
	break;
      case 7:
	{
	  unsigned how = fuzz_byte (&in);
	  if (how < 160 || n == DIRECTIVES)
	    some_pointer (&in);
	  else
	    {
	      old[n] = omp_target_alloc (ARENA, 0);
	      unsigned off = fuzz_byte (&in), len = fuzz_byte (&in);
	      omp_target_associate_ptr (arena + off, old[n], len, off, 0);
	      n++;
	    }
	}
	break;
      }

  leave_nothing ();
  while (n > 0)
    omp_target_free (old[--n], 0);
  return 0;
}
