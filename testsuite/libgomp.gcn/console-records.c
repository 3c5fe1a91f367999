/* The ring in which kernels write: all kinds of records, texts without an end, types that nobody knows, records
   that are reserved and not written, calls between them, and what the return value says.
   The test plays the device; the plugin's code is compiled with it.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/gcn -pthread  */

#include "aux-console.h"

/* Everything that was printed since the last time is TEXT.  */
static void
printed (int line, const char *text)
{
  char got[4096] = "";
  fflush (stdout);
  rewind (out);
  size_t n = fread (got, 1, sizeof (got) - 1, out);
  got[n] = '\0';
  rewind (out);
  if (ftruncate (fileno (out), 0) != 0)
    abort ();
  if (strcmp (got, text) != 0)
    {
      fprintf (stderr, "line %d: printed `%s' instead of `%s'\n", line, got, text);
      failures++;
    }
}

#define PRINTED(text) printed (__LINE__, text)

int
main (void)
{
  struct gcn_console *c = aux_open (true);
  struct gcn_record *r;
  bool any;
  uint64_t words[6];

  aux_capture ();
  /* Nothing.  */
  gcn_console_begin (c, 1);
  CHECK (!gcn_console_speaks (c) && !gcn_console_idle (c));

  /* One of each kind.  */
  r = aux_record (c, GCN_RECORD_INTEGER, "n = ");
  r->u.integer = -5;
  aux_write (r);
  r = aux_record (c, GCN_RECORD_REAL, "x = ");
  r->u.real = 2.5;
  aux_write (r);
  r = aux_record (c, GCN_RECORD_TEXT, "t = ");
  strcpy (r->u.text, "text");
  aux_write (r);
  r = aux_record (c, GCN_RECORD_RAW, "raw, ");
  strcpy (r->u.text, "no end");
  aux_write (r);
  aux_write (aux_record (c, GCN_RECORD_RAW, ""));
  CHECK (gcn_console_speaks (c));
  CHECK (gcn_console_look (&aux_device, c, &any) == GOMP_OK && any);
  PRINTED ("n = -5\nx = 2.500000\nt = text\nraw, no end");
  CHECK (!gcn_console_speaks (c) && atomic_load (&c->output->xconsumed) == 5);

  /* Full to the last byte, both of them.  */
  r = aux_record (c, GCN_RECORD_RAW, "");
  memset (r->msg, 'a', sizeof (r->msg));
  memset (r->u.text, 'b', sizeof (r->u.text));
  aux_write (r);
  CHECK (gcn_console_look (&aux_device, c, &any) == GOMP_OK);
  char long_text[257];
  memset (long_text, 'a', 128);
  memset (long_text + 128, 'b', 128);
  long_text[256] = '\0';
  PRINTED (long_text);

  /* What was reserved first is printed first, once it is there.  */
  struct gcn_record *late = aux_record (c, GCN_RECORD_RAW, "first ");
  aux_write (aux_record (c, GCN_RECORD_RAW, "second"));
  CHECK (gcn_console_look (&aux_device, c, &any) == GOMP_OK && !any);
  PRINTED ("");
  aux_write (late);
  CHECK (gcn_console_look (&aux_device, c, &any) == GOMP_OK && any);
  PRINTED ("first second");

  /* A type that nobody knows is told once and passed over.  */
  aux_write (aux_record (c, 77, "secret"));
  aux_write (aux_record (c, -1, "secret"));
  aux_write (aux_record (c, GCN_RECORD_RAW, "behind"));
  CHECK (gcn_console_look (&aux_device, c, &any) == GOMP_OK);
  PRINTED ("behind");
  CHECK (aux_complaints == 1);

  /* Calls do not hold up text, are taken once, and keep their slots until they are answered.  */
  uint32_t at = atomic_load (&c->output->xconsumed);
  r = aux_record (c, GCN_RECORD_CALL, "");
  for (int i = 0; i < 6; i++)
    r->u.call[i] = 100 + i;
  aux_write (r);
  aux_write (aux_record (c, GCN_RECORD_RAW, "text"));
  struct gcn_record *other = aux_record (c, GCN_RECORD_CALL, "");
  other->u.call[0] = 7;
  aux_write (other);
  CHECK (gcn_console_look (&aux_device, c, &any) == GOMP_OK);
  PRINTED ("text");
  CHECK (atomic_load (&c->output->xconsumed) == at);
  int i = gcn_console_find_call (&aux_device);
  CHECK (i >= 0 && gcn_console_take_call (&aux_device, i, words) && words[0] == 100 && words[5] == 105);
  CHECK (!gcn_console_take_call (&aux_device, i, words));
  int j = gcn_console_find_call (&aux_device);
  CHECK (j >= 0 && j != i && gcn_console_take_call (&aux_device, j, words) && words[0] == 7);
  CHECK (gcn_console_find_call (&aux_device) == -1);
  gcn_console_answer (&aux_device, j);
  CHECK (atomic_load (&other->xwritten) == 0 && atomic_load (&r->xwritten) == 1);
  CHECK (atomic_load (&c->output->xconsumed) == at);
  gcn_console_answer (&aux_device, i);
  CHECK (atomic_load (&r->xwritten) == 0 && atomic_load (&c->output->xconsumed) == at + 3);

  /* A wave that ended between reserving and writing: what is behind it comes when the kernel has ended.  */
  (void) aux_record (c, GCN_RECORD_RAW, "never");
  aux_write (aux_record (c, GCN_RECORD_RAW, "after"));
  CHECK (gcn_console_look (&aux_device, c, &any) == GOMP_OK && !any);
  aux_done = 1;
  CHECK (gcn_console_look (&aux_device, c, &any) == GOMP_OK && any);
  PRINTED ("after");

  /* Nobody serves: the call is answered, and told.  */
  gcn_console_begin (c, 2);
  aux_device.reverse = NULL;
  c->told = false;
  r = aux_record (c, GCN_RECORD_CALL, "");
  aux_write (r);
  CHECK (gcn_console_look (&aux_device, c, &any) == GOMP_OK && atomic_load (&r->xwritten) == 0);
  CHECK (aux_complaints == 2);

  /* The counters start again before the device would think that its file is full.  */
  atomic_store (&c->output->xnext, (UINT32_C (1) << 30) + 5);
  c->looked = c->consumed = (UINT32_C (1) << 30) + 5;
  aux_done = 2;
  gcn_console_begin (c, 3);
  CHECK (atomic_load (&c->output->xnext) == 0 && atomic_load (&c->output->xconsumed) == 0);
  aux_write (aux_record (c, GCN_RECORD_RAW, "again"));
  CHECK (gcn_console_look (&aux_device, c, &any) == GOMP_OK);
  PRINTED ("again");

  /* exit, abort, another signal, corruption.  */
  aux_write (aux_record (c, GCN_RECORD_RAW, "last words"));
  atomic_store (&c->output->xreturn_value, 0xffff0003);
  CHECK (gcn_console_speaks (c));
  AUX_ENDS (gcn_console_look (&aux_device, c, NULL));
  CHECK (aux_ended && aux_status == 3 && !aux_aborted);
  PRINTED ("last words");
  atomic_store (&c->output->xreturn_value, 0xffff0686);
  AUX_ENDS (gcn_console_look (&aux_device, c, NULL));
  CHECK (aux_ended && aux_aborted);
  atomic_store (&c->output->xreturn_value, 0xffff0b8b);
  AUX_ENDS (CHECK (gcn_console_look (&aux_device, c, NULL) == GOMP_DRIVER_ERROR));
  CHECK (!aux_ended && strstr (aux_error, "signal 11") != NULL);
  atomic_store (&c->output->xreturn_value, 0x12345678);
  AUX_ENDS (CHECK (gcn_console_look (&aux_device, c, NULL) == GOMP_DRIVER_ERROR));
  CHECK (!aux_ended && strstr (aux_error, "0x12345678") != NULL);
  aux_close ();
  return failures != 0;
}
