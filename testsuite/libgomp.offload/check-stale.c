/* The mapping checker finds a region that reads what the host has changed meanwhile, and names variable,
   elements and remedy; a region that leaves the changed elements alone is fine.
   TEST-MODES: cpu
   TEST-OPTIONS: -O1
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: stale read: the device used an old value of `table' \(400 bytes\), item 1 of target enter data
   TEST-OUTPUT: ^  the host has changed table\[10:2\] after target enter data
   TEST-OUTPUT: ^  target at .*main.* read what was there before, by the code at main._omp_fn.* \(2 times\)$
   TEST-OUTPUT: ^  remedy: before that region write `target update to\(table\[10:2\]\)'
   TEST-OUTPUT: ^libgomp: check: 1 finding \(1 stale read\); 3 regions,  */

int table[100];

int
main (void)
{
  int sum = 0, few = 0;
  for (int i = 0; i < 100; i++)
    table[i] = i;
#pragma omp target enter data map (to: table)
  table[10] = 1000;
  table[11] = 1001;
#pragma omp target map (tofrom: few)
  for (int i = 0; i < 10; i++)
    few += table[i];
  for (int n = 0; n < 2; n++)
    {
#pragma omp target map (tofrom: sum)
      for (int i = 0; i < 100; i++)
	sum += table[i];
    }
#pragma omp target exit data map (release: table)
  return few != 45 || sum != 2 * 4950;
}
