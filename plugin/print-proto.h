/* print-proto.h -- what printf of device code sends to the host, and how formats are read.

   For both sides: freestanding C, as it is compiled for devices, too.

   A request is a struct gompx_print; the format with its final NUL; the packed arguments, each at its
   natural alignment, as compilers pass them to variadic functions of the device (abi/nvptx 3.1); the
   texts of %s, each with its NUL, in their order.  Format and arguments are filled up to a multiple
   of 8 bytes.  */

#ifndef GOMPX_PRINT_PROTO_H
#define GOMPX_PRINT_PROTO_H 1

#include <stdint.h>

struct gompx_print
{
  uint32_t format, args;	/* bytes */
};

static inline __attribute__ ((always_inline)) uint32_t
gompx_print_round (uint32_t bytes)
{
  return (bytes + 7) & -8u;
}

/* What a conversion takes.  COUNT is %n, which nobody serves.  */
enum
{
  GOMPX_PRINT_NONE, GOMPX_PRINT_INT, GOMPX_PRINT_LONG, GOMPX_PRINT_DOUBLE, GOMPX_PRINT_STRING,
  GOMPX_PRINT_COUNT
};

struct gompx_conversion
{
  unsigned length;		/* of its text */
  unsigned stars;		/* ints before its argument: width, precision */
  unsigned type;
};

/* The conversion that begins at AT, which is a %.  What is none takes nothing.  */
static inline __attribute__ ((always_inline)) void
gompx_print_conversion (const char *at, struct gompx_conversion *c)
{
  unsigned n = 1, longs = 0;
  c->stars = 0;
  while (at[n] == '-' || at[n] == '+' || at[n] == ' ' || at[n] == '#' || at[n] == '0'
	 || at[n] == '\'')
    n++;
  for (unsigned part = 0; part < 2; part++)
    {
      if (part == 1)
	{
	  if (at[n] != '.')
	    break;
	  n++;
	}
      if (at[n] == '*')
	{
	  c->stars++;
	  n++;
	}
      else
	while (at[n] >= '0' && at[n] <= '9')
	  n++;
    }
  for (;; n++)
    if (at[n] == 'l' || at[n] == 'j' || at[n] == 'z' || at[n] == 't' || at[n] == 'q')
      longs++;
    else if (at[n] != 'h' && at[n] != 'L')
      break;
  switch (at[n])
    {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'c':
      c->type = longs > 0 ? GOMPX_PRINT_LONG : GOMPX_PRINT_INT;
      break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
      c->type = GOMPX_PRINT_DOUBLE;
      break;
    case 'p':
      c->type = GOMPX_PRINT_LONG;
      break;
    case 's':
      c->type = GOMPX_PRINT_STRING;
      break;
    case 'n':
      c->type = GOMPX_PRINT_COUNT;
      break;
    default:
      c->type = GOMPX_PRINT_NONE;
      c->stars = 0;
      break;
    }
  c->length = at[n] != '\0' ? n + 1 : n;
}

#endif /* GOMPX_PRINT_PROTO_H */
