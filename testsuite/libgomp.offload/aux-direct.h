/* aux-direct.h -- for tests that call the entry points of target constructs themselves.

   What newer compilers emit can be tested with any compiler that way: a test writes down the
   arrays of abi/target section 2 and calls the library as generated code would.  A region is
   a function declared with KERNEL, which gets the table of slots.  */

#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void GOMP_target_ext (int, void (*) (void *), size_t, void **, size_t *, unsigned short *,
			     unsigned, void **, void **);
extern void GOMP_target_data_ext (int, size_t, void **, size_t *, unsigned short *);
extern void GOMP_target_end_data (void);
extern void GOMP_target_update_ext (int, size_t, void **, size_t *, unsigned short *, unsigned,
				    void **);
extern void GOMP_target_enter_exit_data (int, size_t, void **, size_t *, unsigned short *,
					 unsigned, void **);

/* Kinds, abi/target section 2.2.  */
enum
{
  ALLOC = 0x00, TO = 0x01, FROM = 0x02, TOFROM = 0x03, POINTER = 0x04, TO_PSET = 0x05,
  PRESENT = 0x06, DELETE = 0x07, FIRSTPRIVATE = 0x0c, VALUE = 0x0d, USE_DEVICE = 0x0e,
  ZLAS = 0x0f, ALWAYS_TO = 0x11, ALWAYS_FROM = 0x12, ALWAYS_TOFROM = 0x13, RELEASE = 0x17,
  STRUCT = 0x1c, ALWAYS_POINTER = 0x1d, POINTER_ZLAS = 0x1e, DELETE_ZLAS = 0x1f,
  ATTACH = 0x50, DETACH = 0x51, ATTACH_ZLAS = 0x52, STRUCT_UNORD = 0x5c, IMPLICIT = 0x60,
  ALWAYS_PRESENT_TO = 0x95, ALWAYS_PRESENT_FROM = 0x96, ALWAYS_PRESENT_TOFROM = 0x97
};
#define ALIGNED(log2) ((log2) << 8)

/* A region: a function that the compiler's tables name, as for a target construct.  */
#define KERNEL(name)							\
  void name (void *);							\
  void (*name##_entry) (void *)					\
    __attribute__ ((used, section (".gnu.offload_funcs"))) = name;	\
  void name (void *name##_arg)

struct list
{
  void *addr[64];
  size_t size[64];
  unsigned short kind[64];
  size_t n;
};

static inline void
add (struct list *l, const void *addr, size_t size, unsigned kind)
{
  l->addr[l->n] = (void *) addr;
  l->size[l->n] = size;
  l->kind[l->n++] = kind;
}

#define ITEM(addr, size, kind) { (const void *) (addr), (size), (kind) }
struct item { const void *addr; size_t size; unsigned kind; };

static inline struct list
make_list (const struct item *items, size_t n)
{
  struct list l = { .n = 0 };
  for (size_t i = 0; i < n; i++)
    add (&l, items[i].addr, items[i].size, items[i].kind);
  return l;
}
#define LIST(...)							\
  make_list ((const struct item[]) { __VA_ARGS__ },			\
	     sizeof ((const struct item[]) { __VA_ARGS__ }) / sizeof (struct item))

static inline void
target_list (struct list *l, void (*fn) (void *))
{
  void *args[] = { (void *) -130816L /* num_teams -2 */, (void *) 0x200, NULL };
  GOMP_target_ext (-1, fn, l->n, l->addr, l->size, l->kind, 0, NULL, args);
}

static inline void
data_list (struct list *l)
{
  GOMP_target_data_ext (-1, l->n, l->addr, l->size, l->kind);
}

#define TARGET(fn, ...)							\
  do { struct list l_ = LIST (__VA_ARGS__); target_list (&l_, fn); } while (0)
#define DATA(...)							\
  do { struct list l_ = LIST (__VA_ARGS__); data_list (&l_); } while (0)
#define END_DATA() GOMP_target_end_data ()
#define ENTER(...)							\
  do									\
    {									\
      struct list l_ = LIST (__VA_ARGS__);				\
      GOMP_target_enter_exit_data (-1, l_.n, l_.addr, l_.size, l_.kind, 0, NULL);	\
    }									\
  while (0)
#define EXIT(...)							\
  do									\
    {									\
      struct list l_ = LIST (__VA_ARGS__);				\
      GOMP_target_enter_exit_data (-1, l_.n, l_.addr, l_.size, l_.kind, 2, NULL);	\
    }									\
  while (0)
/* In a region: a reverse call.  */
#define CALL_HOST(fn, ...)						\
  do									\
    {									\
      struct list l_ = LIST (__VA_ARGS__);				\
      void *no_args_ = NULL;						\
      GOMP_target_ext (-2, fn, l_.n, l_.addr, l_.size, l_.kind, 0, NULL, &no_args_);	\
    }									\
  while (0)
#define UPDATE(...)							\
  do									\
    {									\
      struct list l_ = LIST (__VA_ARGS__);				\
      GOMP_target_update_ext (-1, l_.n, l_.addr, l_.size, l_.kind, 0, NULL);	\
    }									\
  while (0)

static int failures;
#define CHECK(cond)							\
  do									\
    if (!(cond))							\
      {									\
	printf ("%s:%d: failed: %s\n", __FILE__, __LINE__, #cond);	\
	failures++;							\
      }									\
  while (0)
#define CHECK_EQUAL(a, b)						\
  do									\
    {									\
      long long a_ = (long long) (a), b_ = (long long) (b);		\
      if (a_ != b_)							\
	{								\
	  printf ("%s:%d: %s is %lld, should be %s = %lld\n", __FILE__, __LINE__, #a, a_, #b, b_); \
	  failures++;							\
	}								\
    }									\
  while (0)

#define IS_PRESENT(p) omp_target_is_present ((const void *) (p), 0)

/* The device address of P, as use_device_ptr hands it out.  */
static inline uint64_t
device_address (const void *p)
{
  struct list l = LIST (ITEM (p, 0, USE_DEVICE));
  data_list (&l);
  END_DATA ();
  return (uint64_t) l.addr[0];
}

/* Most of these tests make no sense without a device.  */
static inline void
need_device (void)
{
  if (omp_get_num_devices () == 0)
    {
      printf ("no device\n");
      exit (77);
    }
}

static inline int
result (void)
{
  return failures != 0;
}
