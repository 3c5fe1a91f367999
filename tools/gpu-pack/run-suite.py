#!/usr/bin/env python3
"""run-suite.py -- what a first run of many different programs costs.

    python3 run-suite.py                     the programs of the pack once each with empty caches, 12 at a time, then once more
    python3 run-suite.py --other DIR         the same with another build of gompx or another library, whose files are in DIR
    python3 run-suite.py --rounds 3 -j 12 --programs 150

A program's first start has no cached image.  Device code may be linked in the background of it for later
starts, which must not slow down the programs that run meanwhile.  Between the two runs all such links are awaited, so the
second run finds the caches as they stay.  Libraries take turns from round to round; each run has its own cache.
A table comes last: seconds of the whole run, of a program in the mean and in the median, and first/second.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import statistics
import tempfile
import time

import run

WAIT = 180                             # seconds for links in the background, at most


def wait_for_links():
    """Seconds until no link runs any more: two looks in a row, as one may begin when another ends."""
    begin = time.monotonic()
    quiet = 0
    while quiet < 2 and time.monotonic() - begin < WAIT:
        quiet = 0 if run.links_running() else quiet + 1
        time.sleep(0.25)
    return time.monotonic() - begin


def one(library, entry, scratch):
    directory = tempfile.mkdtemp(dir=scratch)
    source = os.path.join(run.HERE, entry['dir'])
    env = library.environment(entry['compiler'], entry['env'])
    env.setdefault('OMP_TARGET_OFFLOAD', 'mandatory')
    command = run.command_of(entry, os.path.join(source, entry['exe']), env)
    result = run.execute(command + entry['arguments'], env, directory, 60)
    shutil.rmtree(directory, ignore_errors=True)
    good = result[0] == 'exit' and str(result[1]) == entry['exit']
    return result[2], good


def start_all(library, entries, jobs, scratch):
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda entry: one(library, entry, scratch), entries))
    return time.monotonic() - begin, [r[0] for r in results], [r[1] for r in results]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('-j', dest='jobs', type=int, default=12)
    parser.add_argument('--rounds', type=int, default=1)
    parser.add_argument('--programs', type=int, default=150)
    parser.add_argument('--other', action='append', default=[])
    arguments = parser.parse_args()
    manifest = json.load(open(os.path.join(run.HERE, 'pack.json')))
    entries = [e for e in manifest['tests'] if not e['fallback'] and not e['alone'] and e['devices'] < 2]
    # Some of all kinds.
    step = max(1, len(entries) / arguments.programs)
    entries = [entries[int(i * step)] for i in range(int(len(entries) / step))]
    scratch = tempfile.mkdtemp(prefix='gpu-suite.')
    directories = ['gompx'] + [os.path.abspath(d) for d in arguments.other]
    rows = {d: [] for d in directories}
    for turn in range(arguments.rounds):
        for d in directories:
            name = '%s-%d' % (os.path.basename(d), turn)
            library = run.Library(name, d, scratch)
            first, first_each, good1 = start_all(library, entries, arguments.jobs, scratch)
            waited = wait_for_links()
            second, second_each, good2 = start_all(library, entries, arguments.jobs, scratch)
            wait_for_links()
            # Of those that end rightly both times.
            both = [(a, b) for a, b, g, h in zip(first_each, second_each, good1, good2) if g and h]
            rows[d].append((first, second, [a for a, b in both], [b for a, b in both], waited))
            print('%s: first %.1f s, links went on for %.1f s, second %.1f s, %d of %d programs right'
                  % (name, first, waited, second, len(both), len(entries)), flush=True)
    print('\n%-20s %9s %9s %9s %9s %9s %9s' % ('library', 'first', 'second', 'mean 1st', 'mean 2nd', 'med. 1st', 'med. 2nd'))
    for d in directories:
        first = min(r[0] for r in rows[d])
        second = min(r[1] for r in rows[d])
        m1 = min(statistics.mean(r[2]) for r in rows[d])
        m2 = min(statistics.mean(r[3]) for r in rows[d])
        d1 = min(statistics.median(r[2]) for r in rows[d])
        d2 = min(statistics.median(r[3]) for r in rows[d])
        print('%-20s %9.2f %9.2f %9.3f %9.3f %9.3f %9.3f   first/second %.2f, median %.2f'
              % (os.path.basename(d), first, second, m1, m2, d1, d2, m1 / m2, d1 / d2))
    shutil.rmtree(scratch, ignore_errors=True)


if __name__ == '__main__':
    main()
