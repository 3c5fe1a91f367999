/* aux-kernels.h -- what the two files of the generator of random target regions share: aux-kernels.c has the
   program and its regions, aux-kernels-code.c expressions, statements and functions.  */

#ifndef AUX_KERNELS_H
#define AUX_KERNELS_H 1

#include <stdbool.h>

enum { IN = 64, OUT = 512, MAX_VARS = 60, MAX_HELPERS = 24, BUDGET = 600 };

enum kind { INTEGERS, FLOATS, FUNCTIONS };	/* the letters i, f and a */

struct type_names { const char *name, *tag; };
enum { NUM_INTEGERS = 8, NUM_TYPES = 10 };	/* the former come first */
extern const struct type_names types[NUM_TYPES];

/* Of the function at hand.  */
extern enum kind kind;
extern int returns;		/* its type, if statements may return; -1: they may not */
extern bool shared_allowed;	/* statements may change shared variables */
extern bool calls_allowed;	/* expressions may be what the compiler makes calls of */
extern unsigned names;		/* for fresh ones */

/* A random number below N, and true in PERCENT of cases.  */
unsigned below (unsigned n);
bool chance (unsigned percent);
#define PICK(...) \
  ((const char *const[]) { __VA_ARGS__ })[below (sizeof ((const char *[]) { __VA_ARGS__ }) / sizeof (char *))]
void start_from (unsigned long seed);

/* Text that lives as long as the program; a line of output.  */
const char *text (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
void line (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
void open_block (void);
void close_block (void);

unsigned any_type (void);
bool is_float (unsigned type);
const char *int_expr (unsigned depth);
/* Nothing is declared and nothing has been spent.  */
void start_code (void);
void shared_stmt (void);
void stmts (unsigned num, unsigned depth);
void locals (unsigned scalars, unsigned arrays);
/* The value of all variables that are declared, as a number.  */
const char *sum_of_variables (void);
void make_helper (void);

#endif /* AUX_KERNELS_H */
