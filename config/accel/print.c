/* print.c -- printf, puts and putchar of device code.

   With a host that serves, what is printed goes there at once, and the thread waits until it has been
   written: so it appears while the region runs, in each thread's order.  print-proto.h tells what is
   sent.  Otherwise, in simd code, and when it does not fit into a request, it goes to the driver's vprintf as
   in the compiler's library: that output appears when the region has ended.  So does that of lanes that are threads.

   These functions take the place of those of the device's C library (abi/nvptx, section 2.9): a
   variadic call passes the address of its packed arguments.  */

#include "call.h"
#include "print-proto.h"

#include <stddef.h>

#ifdef REMOTE_PRINTS		/* a device with an output of its own */

#pragma omp declare target

int printf (const char *, const unsigned char *);
extern int vprintf (const char *, const unsigned char *);
int puts (const char *);
int putchar (int);

#ifdef MACHINE_EACH_LANE

/* The host's serving is by warps.  */
int
printf (const char *format, const unsigned char *args)
{
  return vprintf (format, args);
}

#else

enum { TYPE_PRINTF = 8, MOST = 960 };

/* What goes to the host.  */
struct message
{
  struct gompx_print head;
  _Alignas (8) unsigned char data[MOST - sizeof (struct gompx_print)];
};

/* Append the text S, with its NUL, at *AT.  False: it does not fit.  */
static inline bool
add_text (struct message *m, unsigned *at, const char *s)
{
  do
    {
      if (*at >= sizeof (m->data))
	return false;
      m->data[(*at)++] = *s;
    }
  while (*s++ != '\0');
  return true;
}

/* The bytes of all arguments of FORMAT, and, with STRINGS, the texts behind them.  UINT32_MAX: something
   that cannot be sent.  */
static inline uint32_t
walk (const char *format, const unsigned char *args, struct message *m, unsigned *strings)
{
  uint32_t at = 0;
  while (*format != '\0')
    {
      struct gompx_conversion c;
      if (*format++ != '%')
	continue;
      gompx_print_conversion (--format, &c);
      format += c.length;
      at = (at + 4 * c.stars + 3) & -4u;
      if (c.type == GOMPX_PRINT_NONE)
	continue;
      if (c.type == GOMPX_PRINT_COUNT)
	return UINT32_MAX;
      uint32_t bytes = c.type == GOMPX_PRINT_INT ? 4 : 8;
      at = (at + bytes - 1) & -bytes;
      if (c.type == GOMPX_PRINT_STRING && m != NULL)
	{
	  const char *s = *(const char *const *) (args + at);
	  if (!add_text (m, strings, s != NULL ? s : "(null)"))
	    return UINT32_MAX;
	}
      at += bytes;
    }
  return at;
}

static inline bool
pack (struct message *m, const char *format, const unsigned char *args, unsigned *size)
{
  unsigned n = 0;
  uint32_t bytes = walk (format, args, NULL, NULL);
  if (bytes == UINT32_MAX || !add_text (m, &n, format))
    return false;
  m->head.format = n;
  m->head.args = bytes;
  n = gompx_print_round (n);
  if (n + gompx_print_round (bytes) > sizeof (m->data))
    return false;
  for (unsigned i = 0; i < bytes; i++)
    m->data[n + i] = args[i];
  n += gompx_print_round (bytes);
  if (walk (format, args, m, &n) == UINT32_MAX)
    return false;
  *size = n + sizeof (m->head);
  return true;
}

/* Let the host print; false: it does not.  */
static __attribute__ ((noinline)) bool
send (const char *format, const unsigned char *args, int *result)
{
  struct message m;
  struct accel_call c;
  unsigned size;

  if (!pack (&m, format, args, &size) || !accel_call_begin (&c))
    return false;
  c.type = TYPE_PRINTF;
  c.function = c.argument = 0;
  accel_call_set_data (&c, &m, size);
  accel_call_send (&c);
  accel_call_await (&c);
  bool ok = GOMPX_HEAD_TYPE (accel_call_word (&c, GOMPX_ANSWER_HEAD)) == ACCEL_CALL_OK;
  *result = (int) accel_call_value (&c);
  accel_call_end (&c);
  return ok;
}

int
printf (const char *format, const unsigned char *args)
{
  unsigned lanes;
  int result;

  remote_lane (&lanes);
  /* A lane of simd code has no stack for this.  */
  if (gompx_reverse->area == 0 || REMOTE_ALONE (lanes) || !send (format, args, &result))
    return vprintf (format, args);
  return result;
}

#endif /* MACHINE_EACH_LANE */

int
puts (const char *s)
{
  return printf ("%s\n", (const unsigned char *) &s);
}

int
putchar (int c)
{
  printf ("%c", (const unsigned char *) &c);
  return c & 0xff;
}

#pragma omp end declare target

#endif /* REMOTE_PRINTS */
