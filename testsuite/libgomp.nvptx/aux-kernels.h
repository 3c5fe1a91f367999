/* aux-kernels.h -- what the files of the generator of random target regions share: aux-kernels.c has the
   program and its regions, aux-kernels-blocks.c (and its header) block kernels, aux-kernels-code.c expressions, statements
   and functions.  */

#ifndef AUX_KERNELS_H
#define AUX_KERNELS_H 1

#include <stdbool.h>
#include <stdio.h>

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
/* Nothing for which threads may have to be warps: recursion, differences of addresses, lists of local
   variables.  */
extern bool plain_code;
extern const char *(*more_leaves) (void);	/* more operands of expressions, unless NULL */
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
/* Lines go to both from now on; NULL: not; both NULL: to standard output.  */
void lines_to (FILE *one, FILE *other);
void open_block (void);
void close_block (void);

unsigned any_type (void);
bool is_float (unsigned type);
const char *int_expr (unsigned depth);
/* Nothing is declared and nothing has been spent; and all but COST has been.  */
void start_code (void);
void allow_cost (unsigned cost);
/* Declared elsewhere: an integer that statements may use and set.  */
void add_var (unsigned type, const char *name);
void shared_stmt (void);
void stmts (unsigned num, unsigned depth);
void locals (unsigned scalars, unsigned arrays);
/* The value of all variables that are declared, as a number.  */
const char *sum_of_variables (void);
void make_helper (void);

/* Region NUMBER as a block kernel: its functions, the last of which is kernelNUMBER; what these need;
   what they share with the program's end.  */
void block_kernel (unsigned number);
void block_prologue (void);
void block_epilogue (void);

#endif /* AUX_KERNELS_H */
