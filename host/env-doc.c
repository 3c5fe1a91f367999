/* env-doc.c -- prints the table of environment variables for the manual.

     env-doc man        man(7) paragraphs
     env-doc markdown   a table

   A program of the build, made of env-table.c alone.  A star stands for the suffixes of
   devices (_ALL, _DEV, _DEV_n), a plus for variables that set-user-ID programs ignore.  */

#include "host/env.h"

#include <stdio.h>

/* TEXT with what the format wants escaped.  */
static void
put (const char *text, bool man)
{
  for (; *text != '\0'; text++)
    {
      if (man ? *text == '-' || *text == '\\' : *text == '|' || *text == '<')
	putchar ('\\');
      putchar (*text);
    }
}

static const char *
marks (const struct gomp_env_text *row)
{
  static const char *const all[4] = { "", " *", " +", " * +" };
  return all[(row->flags & GOMP_ENV_DEVICES ? 1 : 0)
	     + (row->flags & GOMP_ENV_NOT_SETUID ? 2 : 0)];
}

static void
man_row (const struct gomp_env_text *row)
{
  printf (".TP\n\\fB%s\\fP%s = ", row->name, marks (row));
  put (row->grammar, true);
  printf ("\n");
  put (row->help, true);
  printf ("\nDefault: ");
  put (row->default_text, true);
  printf (".\n");
}

static void
markdown_row (const struct gomp_env_text *row)
{
  printf ("| `%s`%s | ", row->name, marks (row));
  put (row->grammar, false);
  printf (" | ");
  put (row->default_text, false);
  printf (" | ");
  put (row->help, false);
  printf (" |\n");
}

int
main (int argc, char **argv)
{
  bool man = argc == 2 && strcmp (argv[1], "man") == 0;

  if (argc != 2 || (!man && strcmp (argv[1], "markdown") != 0))
    {
      fprintf (stderr, "usage: %s man|markdown\n", argv[0]);
      return 2;
    }
  if (!man)
    printf ("| Variable | Values | Default | Meaning |\n|---|---|---|---|\n");
  for (int i = 0; i < GOMP_ENV_ROWS; i++)
    if (man)
      man_row (&gomp_env_texts[i]);
    else
      markdown_row (&gomp_env_texts[i]);
  return ferror (stdout) || fflush (stdout) != 0;
}
