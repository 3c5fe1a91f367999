/* An overlap: both ranges, their names, who mapped the old one and from where, what to do.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: Trying to map into device .* is already mapped$
   TEST-OUTPUT: ^  device 0 \(cpu worker\)$
   TEST-OUTPUT: ^  to be mapped: \[0x[0-9a-f]+\.\.0x[0-9a-f]+\), 400 bytes, `table'$
   TEST-OUTPUT: ^  mapped already: .*, 200 bytes, `table.0x64', mapped by target enter data, called from first.0x[0-9a-f]+, reference count 1$
   TEST-OUTPUT: ^  construct: target data, called from second.0x
   TEST-OUTPUT: ^  a list item has to lie in what is mapped already  */

static char table[400];

static void __attribute__ ((noipa))
first (void)
{
#pragma omp target enter data map (to: table[100:200])
}

static void __attribute__ ((noipa))
second (void)
{
#pragma omp target data map (table)
  table[0]++;
}

int
main (void)
{
  first ();
  second ();
  return 0;
}
