/* aux-lanes-reductions.c -- as aux-lanes-corpus.c: reductions by every operator, of every type that it takes.  One function has one
   operator; its regions are told apart by their numbers only.  */

#include <complex.h>
#include <stdbool.h>

#define STRING(...) _Pragma (#__VA_ARGS__)
#define REDUCTION(op, type, update)						\
  {										\
    type s = ((type *) o)[0];							\
    STRING (omp target teams distribute parallel for map (p[:n], s) reduction (op: s))	\
    for (int i = 0; i < n; i++)							\
      { type e = p[i]; update; }						\
    ((type *) o)[0] = s;							\
  }
#define INTEGERS(op, update)							\
  REDUCTION (op, signed char, update) REDUCTION (op, unsigned char, update)	\
  REDUCTION (op, short, update) REDUCTION (op, unsigned short, update)		\
  REDUCTION (op, int, update) REDUCTION (op, unsigned, update)			\
  REDUCTION (op, long, update) REDUCTION (op, unsigned long, update)
#define FLOATS(op, update) REDUCTION (op, float, update) REDUCTION (op, double, update)
#define COMPLEX(op, update) REDUCTION (op, float complex, update) REDUCTION (op, double complex, update)
#define TRUTH(op, update) REDUCTION (op, bool, update)

/* EXPECT: sums lanes */
void sums (void *o, const int *p, int n) { INTEGERS (+, s += e) FLOATS (+, s += e) COMPLEX (+, s += e) }
/* EXPECT: differences lanes */
void differences (void *o, const int *p, int n) { INTEGERS (-, s -= e) FLOATS (-, s -= e) COMPLEX (-, s -= e) }
/* EXPECT: products lanes */
void products (void *o, const int *p, int n) { INTEGERS (*, s *= e) FLOATS (*, s *= e) COMPLEX (*, s *= e) }
/* EXPECT: ands lanes */
void ands (void *o, const int *p, int n) { INTEGERS (&, s &= e) }
/* EXPECT: ors lanes */
void ors (void *o, const int *p, int n) { INTEGERS (|, s |= e) }
/* EXPECT: exclusives lanes */
void exclusives (void *o, const int *p, int n) { INTEGERS (^, s ^= e) }
/* EXPECT: all lanes */
void all (void *o, const int *p, int n) { INTEGERS (&&, s = s && e) FLOATS (&&, s = s && e) TRUTH (&&, s = s && e) }
/* EXPECT: any lanes */
void any (void *o, const int *p, int n) { INTEGERS (||, s = s || e) FLOATS (||, s = s || e) TRUTH (||, s = s || e) }
/* EXPECT: least lanes */
void least (void *o, const int *p, int n) { INTEGERS (min, s = e < s ? e : s) FLOATS (min, s = e < s ? e : s) }
/* EXPECT: greatest lanes */
void greatest (void *o, const int *p, int n) { INTEGERS (max, s = s < e ? e : s) FLOATS (max, s = s < e ? e : s) }

int
main (void)
{
  return 0;
}
