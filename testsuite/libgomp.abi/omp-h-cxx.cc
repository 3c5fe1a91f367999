/* omp.h in C++: types, names in the object file, default arguments, no exceptions.
   omp-h-cxx-compiler.cc is the same with the compiler's own header.  */

#include "omp-h-since.h"

#include <cstdio>
#include <type_traits>

/* Of the functions' types only what the language knows counts.  */
#pragma GCC diagnostic ignored "-Wignored-attributes"

#define TYPE(name, size, align, since)					\
  SINCE_##since (static_assert (sizeof (name) == (size), "size of " #name); \
		 static_assert (alignof (name) == (align), "alignment of " #name);)
#define VALUE(name, value, since)					\
  SINCE_##since (static_assert ((name) == (value), "value of " #name);)
#define FUNCTION(name, result, arguments, since)			\
  SINCE_##since (static_assert						\
		   (std::is_convertible<decltype (&name), result (*) arguments>::value, \
		    "type of " #name);)
#include "omp-h-list.h"

/* A function with a parameter of the type has the name that it has with the compiler's
   header: otherwise the program does not link.  */
#define MANGLED(type, text, since)					\
  SINCE_##since (__attribute__ ((noinline)) int				\
		 probe (type) { return 1; }				\
		 extern "C" int expected_##type () __asm__ ("_Z5probe" text);)
MANGLED (omp_lock_t, "10omp_lock_t", 12)
MANGLED (omp_nest_lock_t, "15omp_nest_lock_t", 12)
MANGLED (omp_lock_hint_t, "15omp_sync_hint_t", 12)
MANGLED (omp_sched_t, "11omp_sched_t", 12)
MANGLED (omp_proc_bind_t, "15omp_proc_bind_t", 12)
MANGLED (omp_depend_t, "12omp_depend_t", 12)
MANGLED (omp_event_handle_t, "18omp_event_handle_t", 12)
MANGLED (omp_pause_resource_t, "20omp_pause_resource_t", 12)
MANGLED (omp_memspace_handle_t, "21omp_memspace_handle_t", 12)
MANGLED (omp_allocator_handle_t, "22omp_allocator_handle_t", 12)
MANGLED (omp_alloctrait_key_t, "20omp_alloctrait_key_t", 12)
MANGLED (omp_alloctrait_value_t, "22omp_alloctrait_value_t", 12)
MANGLED (omp_alloctrait_t, "16omp_alloctrait_t", 12)
MANGLED (omp_uintptr_t, "m", 12)
MANGLED (omp_intptr_t, "l", 15)
MANGLED (omp_interop_t, "13omp_interop_t", 15)
MANGLED (omp_interop_fr_t, "16omp_interop_fr_t", 15)
MANGLED (omp_interop_property_t, "22omp_interop_property_t", 15)
MANGLED (omp_interop_rc_t, "16omp_interop_rc_t", 15)

static_assert (noexcept (omp_get_wtime ()), "omp_get_wtime may throw");
static_assert (noexcept (omp_alloc (1)), "omp_alloc may throw, or wants its allocator");
static_assert (noexcept (omp_aligned_alloc (8, 8)), "omp_aligned_alloc");
static_assert (noexcept (omp_calloc (1, 8)), "omp_calloc");
static_assert (noexcept (omp_aligned_calloc (8, 1, 8)), "omp_aligned_calloc");
static_assert (noexcept (omp_realloc (nullptr, 8)), "omp_realloc");
static_assert (noexcept (omp_free (nullptr)), "omp_free");

int
main ()
{
  int n = 0;
#undef MANGLED
#define MANGLED(type, text, since) SINCE_##since (n += expected_##type ();)
  MANGLED (omp_lock_t, , 12)
  MANGLED (omp_nest_lock_t, , 12)
  MANGLED (omp_lock_hint_t, , 12)
  MANGLED (omp_sched_t, , 12)
  MANGLED (omp_proc_bind_t, , 12)
  MANGLED (omp_depend_t, , 12)
  MANGLED (omp_event_handle_t, , 12)
  MANGLED (omp_pause_resource_t, , 12)
  MANGLED (omp_memspace_handle_t, , 12)
  MANGLED (omp_allocator_handle_t, , 12)
  MANGLED (omp_alloctrait_key_t, , 12)
  MANGLED (omp_alloctrait_value_t, , 12)
  MANGLED (omp_alloctrait_t, , 12)
  MANGLED (omp_uintptr_t, , 12)
  MANGLED (omp_intptr_t, , 15)
  MANGLED (omp_interop_t, , 15)
  MANGLED (omp_interop_fr_t, , 15)
  MANGLED (omp_interop_property_t, , 15)
  MANGLED (omp_interop_rc_t, , 15)
  if (n < 14)
    {
      std::printf ("only %d probes answered\n", n);
      return 1;
    }
  return 0;
}
