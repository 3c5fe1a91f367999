/* Entry points that tests call as compiled code would.  */
#include <stdbool.h>
#include <stdint.h>

typedef unsigned long long ull;
typedef void (*FN) (void *);
extern void GOMP_parallel (FN, void *, unsigned, unsigned);
extern void GOMP_parallel_start (FN, void *, unsigned);
extern void GOMP_parallel_end (void);
extern void GOMP_parallel_loop_static (FN, void *, unsigned, long, long, long, long, unsigned);
extern void GOMP_parallel_loop_dynamic (FN, void *, unsigned, long, long, long, long, unsigned);
extern void GOMP_parallel_loop_static_start (FN, void *, unsigned, long, long, long, long);
extern void GOMP_parallel_loop_dynamic_start (FN, void *, unsigned, long, long, long, long);
extern void GOMP_parallel_loop_guided_start (FN, void *, unsigned, long, long, long, long);
extern void GOMP_parallel_loop_runtime_start (FN, void *, unsigned, long, long, long);
extern void GOMP_parallel_sections_start (FN, void *, unsigned, unsigned);
#define LOOP_K(k) \
  extern bool GOMP_loop_##k##_start (long, long, long, long, long *, long *); \
  extern bool GOMP_loop_##k##_next (long *, long *); \
  extern bool GOMP_loop_ull_##k##_start (bool, ull, ull, ull, ull, ull *, ull *); \
  extern bool GOMP_loop_ull_##k##_next (ull *, ull *);
LOOP_K (static) LOOP_K (dynamic) LOOP_K (guided)
LOOP_K (nonmonotonic_dynamic) LOOP_K (nonmonotonic_guided)
LOOP_K (ordered_static) LOOP_K (ordered_dynamic) LOOP_K (ordered_guided)
extern bool GOMP_loop_runtime_start (long, long, long, long *, long *);
extern bool GOMP_loop_runtime_next (long *, long *);
extern bool GOMP_loop_maybe_nonmonotonic_runtime_start (long, long, long, long *, long *);
extern bool GOMP_loop_maybe_nonmonotonic_runtime_next (long *, long *);
extern bool GOMP_loop_start (long, long, long, long, long, long *, long *, uintptr_t *, void **);
extern bool GOMP_loop_ordered_start (long, long, long, long, long, long *, long *, uintptr_t *,
				     void **);
extern bool GOMP_loop_ull_start (bool, ull, ull, ull, long, ull, ull *, ull *, uintptr_t *, void **);
extern void GOMP_loop_end (void);
extern void GOMP_loop_end_nowait (void);
extern void GOMP_ordered_start (void);
extern void GOMP_ordered_end (void);
extern unsigned GOMP_sections_start (unsigned);
extern unsigned GOMP_sections2_start (unsigned, uintptr_t *, void **);
extern unsigned GOMP_sections_next (void);
extern void GOMP_sections_end (void);
extern void GOMP_sections_end_nowait (void);
extern bool GOMP_single_start (void);
extern void *GOMP_single_copy_start (void);
extern void GOMP_single_copy_end (void *);
extern void GOMP_barrier (void);
extern void GOMP_critical_start (void);
extern void GOMP_critical_end (void);
extern void GOMP_critical_name_start (void **);
extern void GOMP_critical_name_end (void **);
extern void GOMP_atomic_start (void);
extern void GOMP_atomic_end (void);
extern void GOMP_teams_reg (FN, void *, unsigned, unsigned, unsigned);
extern void GOMP_taskwait (void);
extern void GOMP_taskyield (void);
#define DOACROSS(pre, t) \
  extern bool GOMP_##pre##_static_start (unsigned, t *, t, t *, t *); \
  extern bool GOMP_##pre##_dynamic_start (unsigned, t *, t, t *, t *); \
  extern bool GOMP_##pre##_guided_start (unsigned, t *, t, t *, t *); \
  extern bool GOMP_##pre##_runtime_start (unsigned, t *, t *, t *); \
  extern bool GOMP_##pre##_start (unsigned, t *, long, t, t *, t *, uintptr_t *, void **);
DOACROSS (loop_doacross, long) DOACROSS (loop_ull_doacross, ull)
extern void GOMP_doacross_post (long *), GOMP_doacross_wait (long, ...);
extern void GOMP_doacross_ull_post (ull *), GOMP_doacross_ull_wait (ull, ...);
extern bool GOMP_cancel (int, bool), GOMP_cancellation_point (int);
extern bool GOMP_barrier_cancel (void), GOMP_loop_end_cancel (void), GOMP_sections_end_cancel (void);
