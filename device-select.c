/* device-select.c -- which devices the environment selects: OMP_AVAILABLE_DEVICES, and
   OMP_DEFAULT_DEVICE where it is more than a number (OpenMP 6.0, 4.3.7 and 4.3.8).

     list       = item {"," item}
     item       = ("*" | expression) ["[" (n | [n] ":" [n]) "]"]
     expression = primary {"&&" primary} | primary {"||" primary}
     primary    = {"!"} (trait "(" text ")" | "(" expression ")")
     trait      = kind | isa | arch | vendor | uid

   OMP_DEFAULT_DEVICE has no "*", but also the items n, "initial", "invalid" and "default", the
   trait device_num, and the host as a candidate (kind(host)).

   Each item means a set of devices, in the order of enumeration; the subscript picks one of them
   or, as an array section, some.  OMP_AVAILABLE_DEVICES is the sequence of these sets without
   repetitions, and "*" is everything that no earlier item has named.  OMP_DEFAULT_DEVICE is the
   first device of the first item that has any; when none has, the variable counts as not set.

   The text comes from outside: reading it keeps no state but a pointer, and nests at most
   MAX_DEPTH deep.  It is checked when the environment is read, and evaluated when the devices are
   known.  */

#include "libgomp.h"
#include "host/env.h"
#include "target.h"

#include <ctype.h>
#include <strings.h>

enum { MAX_DEPTH = 32 };

/* What an expression is evaluated for.  */
struct candidate
{
  const struct gomp_device_attr *attr;	/* NULL: the host */
  int number;
};

struct scanner
{
  const char *p;
  const struct candidate *c;	/* NULL: only the syntax is checked */
  bool is_default;		/* of OMP_DEFAULT_DEVICE */
  unsigned depth;
};

enum trait { KIND, ISA, ARCH, VENDOR, UID, DEVICE_NUM, TRAITS };

/* ---- one candidate ---- */

/* Is the name of N characters at NAME in the list of words LIST?  */
static bool
in_list (const char *list, const char *name, size_t n)
{
  while (*list != 0)
    {
      size_t len = strcspn (list, ",");
      if (len == n && strncasecmp (list, name, n) == 0)
	return true;
      list += len + (list[len] == ',');
    }
  return false;
}

static bool
is_text (const char *name, size_t n, const char *text)
{
  return n == strlen (text) && strncasecmp (name, text, n) == 0;
}

/* Does the candidate have TRAIT with the value of N characters at VALUE?  */
static bool
has_trait (const struct candidate *c, enum trait trait, const char *value, size_t n,
	   unsigned long number)
{
  const struct gomp_device_attr *attr = c->attr;
  switch (trait)
    {
    case KIND:
      if (attr == NULL)
	return is_text (value, n, "host") || is_text (value, n, "any")
	       || is_text (value, n, "cpu");
      return is_text (value, n, "nohost") || is_text (value, n, "any")
	     || in_list (attr->kind, value, n);
    case ISA:
      return attr != NULL && in_list (attr->isa, value, n);
    case ARCH:
      return attr != NULL && in_list (attr->arch, value, n);
    case VENDOR:
      return attr != NULL && in_list (attr->vendor, value, n);
    case UID:
      {
	const char *uid = attr != NULL ? attr->uid : GOMP_INITIAL_UID;
	return n == strlen (uid) && memcmp (uid, value, n) == 0;
      }
    case DEVICE_NUM:
      return c->number >= 0 && number == (unsigned long) c->number;
    default:
      return false;
    }
}

/* trait (text) at the scanner.  */
static bool
scan_trait (struct scanner *s, bool *match)
{
  static const char *const names[TRAITS] = {
    [KIND] = "kind", [ISA] = "isa", [ARCH] = "arch", [VENDOR] = "vendor", [UID] = "uid",
    [DEVICE_NUM] = "device_num"
  };
  unsigned long number = 0;
  unsigned trait = 0;

  while (trait < TRAITS && !gomp_scan_word (&s->p, names[trait]))
    trait++;
  if (trait == TRAITS || (trait == DEVICE_NUM && !s->is_default) || !gomp_scan_char (&s->p, '('))
    return false;
  while (isblank ((unsigned char) *s->p))
    s->p++;
  const char *value = s->p;
  size_t n = strcspn (value, ")");
  if (value[n] == 0)
    return false;
  s->p += n + 1;
  while (n > 0 && isblank ((unsigned char) value[n - 1]))
    n--;
  if (n == 0 || (trait == KIND && !s->is_default && is_text (value, n, "host")))
    return false;
  if (trait == DEVICE_NUM)
    {
      const char *q = value;
      if (!gomp_scan_number (&q, 10, &number) || q != value + n)
	return false;
    }
  *match = s->c != NULL && has_trait (s->c, trait, value, n, number);
  return true;
}

static bool scan_expression (struct scanner *, bool *match);

static bool
scan_primary (struct scanner *s, bool *match)
{
  bool invert = false, good;

  while (gomp_scan_char (&s->p, '!'))
    invert = !invert;
  if (!gomp_scan_char (&s->p, '('))
    good = scan_trait (s, match);
  else if (++s->depth > MAX_DEPTH)
    good = false;
  else
    {
      good = scan_expression (s, match) && gomp_scan_char (&s->p, ')');
      s->depth--;
    }
  *match ^= invert;
  return good;
}

/* "&&" or "||": one of them, else 0.  */
static char
scan_operator (const char **p)
{
  for (const char *c = "&|"; *c != 0; c++)
    {
      const char *q = *p;
      if (gomp_scan_char (&q, *c) && *q == *c)
	{
	  *p = q + 1;
	  return *c;
	}
    }
  return 0;
}

static bool
scan_expression (struct scanner *s, bool *match)
{
  char first = 0, operator;

  if (!scan_primary (s, match))
    return false;
  while ((operator = scan_operator (&s->p)) != 0)
    {
      bool other = false;
      if (first != 0 && operator != first)
	return false;		/* which binds closer?  Parentheses say so.  */
      first = operator;
      if (!scan_primary (s, &other))
	return false;
      *match = operator == '&' ? *match && other : *match || other;
    }
  return true;
}

/* ---- items ---- */

/* The subscript of an item: devices FROM to TO - 1 of its set.  */
struct section
{
  unsigned long from, to;
};

static bool
scan_section (const char **p, struct section *section)
{
  unsigned long length;

  *section = (struct section) { 0, ULONG_MAX };
  if (!gomp_scan_char (p, '['))
    return true;
  bool index = gomp_scan_number (p, 10, &section->from);
  if (gomp_scan_char (p, ':'))
    {
      if (gomp_scan_number (p, 10, &length)
	  && __builtin_add_overflow (section->from, length, &section->to))
	section->to = ULONG_MAX;
    }
  else if (index)
    section->to = section->from < ULONG_MAX ? section->from + 1 : ULONG_MAX;
  else
    return false;
  return gomp_scan_char (p, ']');
}

/* A set of devices at *P, which moves behind it: is candidate C in it?  False: wrong syntax.  */
static bool
scan_set (const char **p, const struct candidate *c, bool is_default, bool *match, bool *is_rest,
	  struct section *section)
{
  struct scanner s = { .p = *p, .c = c, .is_default = is_default };
  *match = false;
  *is_rest = !is_default && gomp_scan_char (&s.p, '*');
  if (*is_rest)
    *match = true;
  else if (!scan_expression (&s, match))
    return false;
  *p = s.p;
  return scan_section (p, section);
}

/* ---- OMP_AVAILABLE_DEVICES ---- */

bool
gomp_select_valid (const char *list)
{
  bool match, is_rest;
  struct section section;
  do
    if (!scan_set (&list, NULL, false, &match, &is_rest, &section))
      return false;
  while (gomp_scan_char (&list, ','));
  return gomp_scan_end (&list);
}

unsigned
gomp_select_devices (const char *list, const struct gomp_device *all, unsigned count,
		     unsigned *order)
{
  bool *taken = gomp_calloc (count + 1, sizeof (*taken));
  bool *before = gomp_calloc (count + 1, sizeof (*before));
  unsigned selected = 0;

  do
    {
      const char *end = list;
      unsigned long nth = 0;
      memcpy (before, taken, count * sizeof (*taken));
      for (unsigned i = 0; i < count; i++)
	{
	  const struct candidate c = { &all[i].attr, -1 };
	  bool match = false, is_rest = false;
	  struct section section;
	  end = list;
	  scan_set (&end, &c, false, &match, &is_rest, &section);
	  if (!match || (is_rest && before[i]))
	    continue;
	  if (nth >= section.from && nth < section.to && !taken[i])
	    {
	      taken[i] = true;
	      order[selected++] = i;
	    }
	  nth++;
	}
      list = end;
    }
  while (count > 0 && gomp_scan_char (&list, ','));
  free (taken);
  free (before);
  return selected;
}

/* ---- OMP_DEFAULT_DEVICE ---- */

/* Items that are no sets.  */
enum word { NUMBER, INITIAL, INVALID, DEFAULT, NO_WORD };

static enum word
scan_word (const char **p, unsigned long *number)
{
  if (gomp_scan_number (p, 10, number))
    return NUMBER;
  return gomp_scan_word (p, "initial") ? INITIAL : gomp_scan_word (p, "invalid") ? INVALID
	 : gomp_scan_word (p, "default") ? DEFAULT : NO_WORD;
}

bool
gomp_select_default_valid (const char *list)
{
  bool match, is_rest;
  struct section section;
  unsigned long number;
  do
    if (scan_word (&list, &number) == NO_WORD
	&& !scan_set (&list, NULL, true, &match, &is_rest, &section))
      return false;
  while (gomp_scan_char (&list, ','));
  return gomp_scan_end (&list);
}

/* The first device of the set at *LIST, which moves behind it, or -1.  The host comes last.  */
static int
first_of_set (const char **list, int count)
{
  const char *end = *list;
  unsigned long nth = 0;
  int found = -1;
  for (int i = 0; i <= count; i++)
    {
      const struct candidate c = { i < count ? &gomp_device_at (i)->attr : NULL, i };
      bool match = false, is_rest;
      struct section section;
      end = *list;
      scan_set (&end, &c, true, &match, &is_rest, &section);
      if (!match)
	continue;
      if (found < 0 && nth >= section.from && nth < section.to)
	found = i;
      nth++;
    }
  *list = end;
  return found;
}

int
gomp_select_default (const char *list, bool *found)
{
  int count = gomp_num_devices ();
  unsigned long number;

  *found = true;
  do
    switch (scan_word (&list, &number))
      {
      case NUMBER:
	if (number <= (unsigned long) count)
	  return number;
	break;
      case INITIAL:
	return GOMP_DEVICE_INITIAL;
      case INVALID:
	return GOMP_DEVICE_INVALID;
      case DEFAULT:
	*found = false;
	return 0;
      case NO_WORD:
	{
	  int n = first_of_set (&list, count);
	  if (n >= 0)
	    return n;
	  break;
	}
      }
  while (gomp_scan_char (&list, ','));
  gomp_debug (1, "no item of OMP_DEFAULT_DEVICE means a device");
  *found = false;
  return 0;
}
