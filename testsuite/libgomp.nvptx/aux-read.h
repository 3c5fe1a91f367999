/* aux-read.h -- for tests of the reader of PTX, and the fuzz target: all of it, and checks.  */

#ifndef AUX_READ_H
#define AUX_READ_H 1

#include "../../plugin/nvptx-read.c"
#include "../../plugin/nvptx-read-body.c"
#include "../../plugin/nvptx-read-build.c"
#include "../../plugin/nvptx-read-lex.c"
#include "../../plugin/nvptx-read-names.c"
#include "../../plugin/nvptx-read-scope.c"
#include "../../plugin/nvptx-print.c"

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	fprintf (stderr, "line %d: not so: %s\n", __LINE__, #condition);	\
	abort ();							\
      }									\
  while (0)

#define HEAD ".version 6.0\n.target sm_30\n.address_size 64\n"

/* Read TEXT, which is all right.  */
static inline struct ptx_module *
read_good (struct ptx *ptx, const char *text)
{
  char why[PTX_WHY] = "";
  struct ptx_module *m = ptx_read (ptx, text, strlen (text) + 1, 0, why);
  if (m == NULL)
    {
      printf ("refused: %s\n%s\n", why, text);
      exit (1);
    }
  return m;
}

static inline bool
is_name (const struct ptx *ptx, ptx_name name, const char *text)
{
  return ptx->names[name].length == strlen (text)
	 && memcmp (ptx->names[name].text, text, strlen (text)) == 0;
}

/* Printing TEXT gives PRINTED, which is read as what prints the same.  */
static inline void
check_printed (const char *text, const char *printed)
{
  struct ptx *ptx = ptx_new ();
  struct ptx_text first = { .text = NULL }, second = { .text = NULL };
  ptx_print_module (&first, read_good (ptx, text));
  if (printed != NULL && strcmp (first.text, printed) != 0)
    {
      printf ("printed:\n%s\nexpected:\n%s\n", first.text, printed);
      exit (1);
    }
  ptx_print_module (&second, read_good (ptx, first.text));
  if (strcmp (first.text, second.text) != 0)
    {
      printf ("printed first:\n%s\nthen:\n%s\n", first.text, second.text);
      exit (1);
    }
  CHECK (first.size == strlen (first.text));
  free (first.text);
  free (second.text);
  ptx_free (ptx);
}

/* SIZE bytes that may be anything.  What is read must come out the same if bodies are read later,
   when it is printed and read again, and as copies.  False: refused.  */
static inline bool
read_anything (const char *text, size_t size)
{
  struct ptx *ptx = ptx_new (), *other = ptx_new ();
  struct ptx_text printed = { .text = NULL }, again = { .text = NULL };
  char why[PTX_WHY] = "";
  struct ptx_module *m = ptx_read (ptx, text, size, 0, why);
  struct ptx_module *lazy = ptx_read (other, text, size, PTX_LAZY, why);

  CHECK (m == NULL || lazy != NULL);
  if (lazy != NULL)
    {
      bool good = true;
      for (uint32_t i = 0; i < lazy->num_items; i++)
	if (lazy->items[i]->kind == PTX_ITEM_FUNCTION)
	  good &= ptx_read_body (lazy->items[i]->u.function, 0, why);
      CHECK (good == (m != NULL));
    }
  if (m == NULL)
    CHECK (strncmp (why, "line ", 5) == 0 && strlen (why) < PTX_WHY && strchr (why, '\n') == NULL);
  else
    {
      ptx_print_module (&printed, m);
      ptx_print_module (&again, lazy);
      CHECK (strcmp (printed.text, again.text) == 0 && strlen (printed.text) == printed.size);
      again.size = 0;
      struct ptx_module *second = read_good (other, printed.text);
      ptx_print_module (&again, second);
      CHECK (strcmp (printed.text, again.text) == 0);
      struct ptx_text grown = { .text = NULL };
      ptx_print_grown (&grown, m);
      again.size = 0;
      ptx_print_module (&again, read_good (other, grown.text));
      CHECK (strcmp (printed.text, again.text) == 0);
      free (grown.text);
      uint32_t num = m->num_items;
      for (uint32_t i = 0; i < num; i++)
	if (m->items[i]->kind == PTX_ITEM_FUNCTION)
	  {
	    const struct ptx_function *f = m->items[i]->u.function;
	    struct ptx_function *clone = ptx_clone_function (m, f, f->name);
	    CHECK (clone != NULL && clone->num_stmts == f->num_stmts);
	    printed.size = again.size = 0;
	    ptx_print_function (&printed, f);
	    ptx_print_function (&again, clone);
	    CHECK (strcmp (printed.text, again.text) == 0);
	  }
    }
  free (printed.text);
  free (again.text);
  ptx_free (other);
  ptx_free (ptx);
  return m != NULL;
}

#endif /* AUX_READ_H */
