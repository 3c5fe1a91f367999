#!/usr/bin/env python3
"""run-kernels.py -- plain loops on an NVIDIA GPU: GCC's library, ours with warps and with lanes, and CUDA by hand.

    python3 run-kernels.py [--dir DIR] [--limit S] [--row-limit S] [--start S] [--warm S] [--columns A,B...] [--out DIR]
                           [--env NAME=VALUE] [--only ROW] [--compiler N]

DIR (default: where this script lies) is a pack (tools/gpu-pack): our libraries in gompx/, GCC's in peer/, and in
progs/N/bench.kernels, of GCC N (default: the newest), `kernels' (kernels/main.c and the others) and `hand' with hand.ptx.  Each
column is one process, which goes on with the next row in a new process if a row takes longer than its limit
(then the row is shown as > limit); the first row has --start more.  Times in milliseconds, medians of up to seven runs; "auto" is measured when it has
learned; "plain" is warps with the number of teams that is chosen without learning, and sums in order; "clang" is
clang's OpenMP with LLVM's library, where the pack was made with it (make-pack.py --clang).  "usual" is our library
with nothing set, and "limit", "threads", "teams" and "simd" are the same with the clauses thread_limit (256),
num_threads (256), num_teams (1056) thread_limit (256), and simd thread_limit (256); rows that they make slower by
more than 5 percent are told.  The last lines are geometric means over the rows that both columns have measured; a row
that was cut off counts in none.
"""

import argparse
import glob
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))

# Column: program, library, settings, options.
COLUMNS = {
    'gcc': ('kernels', 'peer', [], []),
    'warps': ('kernels', 'gompx', ['GOMP_NVPTX_LANES=off'], 'learn'),
    'plain': ('kernels', 'gompx', ['GOMP_NVPTX_LANES=off', 'GOMP_NVPTX_TEAMS=off'], 'learn'),
    'lanes': ('kernels', 'gompx', ['GOMP_NVPTX_LANES=force'], 'learn'),
    'auto': ('kernels', 'gompx', ['GOMP_NVPTX_LANES=wait'], 'learn'),
    'first': ('kernels', 'gompx', ['GOMP_NVPTX_LANES=wait'], []),
    'chunks': ('kernels', 'gompx', ['GOMP_NVPTX_LANES=wait', 'GOMP_NVPTX_LANES_STRIDE=off'], 'learn'),
    'limit': ('kernels-limit', 'gompx', [], 'learn'),
    'threads': ('kernels-threads', 'gompx', [], 'learn'),
    'teams': ('kernels-teams', 'gompx', [], 'learn'),
    'simd': ('kernels-simd', 'gompx', [], 'learn'),
    'usual': ('kernels', 'gompx', [], 'learn'),
    'hand': ('hand', 'gompx', [], []),
    'clang': ('kernels', 'clang', [], 'learn'),
}


def driver():
    """Where the CUDA driver's library is, for the libcuda.so beside the programs of clang."""
    places = ['/usr/local/nvidia/lib64', '/usr/lib/x86_64-linux-gnu', '/usr/lib64']
    listed = subprocess.run(['/sbin/ldconfig', '-p'], stdout=subprocess.PIPE, text=True).stdout
    found = [line.split('=> ')[1] for line in listed.splitlines() if line.split()[:1] == ['libcuda.so.1']]
    found += [os.path.join(p, 'libcuda.so.1') for p in places]
    return next((f for f in found if os.path.exists(f)), None)


def run_column(name, arguments, scratch, deadline):
    """Row -> ('ms', median, minimum) or ('late', seconds) or ('wrong',); (row, 'before') -> runs that were not measured, and
    their mean in ms."""
    program, library, settings, options = COLUMNS[name]
    if options == 'learn':
        options = ['-w', str(arguments.warm), '-W', '160']
    home = os.path.join(scratch, name)
    os.makedirs(home, exist_ok=True)
    env = {k: v for k, v in os.environ.items() if not k.startswith(('OMP_', 'GOMP_'))}
    env.update(HOME=home, XDG_CACHE_HOME=home + '/.cache', CUDA_CACHE_PATH=home + '/nv',
               OMP_TARGET_OFFLOAD='mandatory', LC_ALL='C')
    path = [os.path.join(arguments.dir, library)] + [p for p in [env.get('LD_LIBRARY_PATH')] if p]
    programs, loader = arguments.programs, list(arguments.loader)
    if library == 'clang':
        # All that it needs is beside it.
        programs = path[0]
        loader = [os.path.join(programs, 'ld-linux-x86-64.so.2'), '--library-path', '']
        found = driver()
        if found:
            os.symlink(found, os.path.join(home, 'libcuda.so.1'))
            path.append(home)
    if loader:
        # Not by the environment: programs that this one starts have the machine's C library.
        env.pop('LD_LIBRARY_PATH', None)
        loader[2] = ':'.join(path + [os.path.dirname(loader[0])])
    else:
        env['LD_LIBRARY_PATH'] = ':'.join(path)
    for setting in settings + arguments.env:
        key, _, value = setting.partition('=')
        env[key] = value
    rows, order, after = {}, [], None
    while time.monotonic() < deadline:
        command = loader + [os.path.join(programs, program)] + options
        if arguments.only:
            command += ['-o', arguments.only]
        if after:
            command += ['-a', after]
        log = open(os.path.join(scratch, name + '.log'), 'a')
        process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
        # Until the first row is through the driver compiles.
        state = {'row': None, 'since': time.monotonic() + arguments.start}

        def read():
            for line in process.stdout:
                words = line.rstrip('\n').split('\t')
                if words[1] != 'begins' or state['since'] < time.monotonic():
                    state['since'] = time.monotonic()
                state['row'] = words[0] if words[1] == 'begins' else None
                if words[1] == 'begins':
                    order.append(words[0])
                elif words[1] == 'before':
                    rows[words[0], 'before'] = (int(words[2]), float(words[3]) / 1e6)
                    state['row'] = words[0]
                elif words[1] == 'wrong':
                    rows[words[0]] = ('wrong',)
                elif len(words) == 3:
                    rows[words[0]] = ('ms', float(words[1]) / 1e6, float(words[2]) / 1e6)
        reader = threading.Thread(target=read)
        reader.start()
        late = False
        while process.poll() is None:
            time.sleep(0.02)
            limit = arguments.row_limit + (arguments.warm if '-w' in options else 0)
            if time.monotonic() - state['since'] > limit or time.monotonic() > deadline:
                late = True
                process.kill()
                process.wait()
        reader.join()
        if process.returncode == 0:
            break
        row = state['row']
        if row is None and not late:
            print('%s: status %d before the first row: %s' % (name, process.returncode, log.name))
            break
        if row is None:
            break
        rows[row] = ('late', arguments.row_limit) if late else ('died %d' % process.returncode,)
        after = row
    return rows, order


def text(cell):
    if cell is None:
        return '-'
    if cell[0] == 'ms':
        return '%.3f' % cell[1] if cell[1] < 99.95 else '%.1f' % cell[1]
    return '>%.0f' % (cell[1] * 1e3) if cell[0] == 'late' else cell[0]


def number(cell):
    if cell is None or cell[0] not in ('ms', 'late'):
        return None
    return cell[1] if cell[0] == 'ms' else cell[1] * 1e3


def mean(table, a, b):
    """How many times faster A is than B, and over how many rows."""
    logs = []
    for row in (r for r in table.get(a, {}) if isinstance(r, str)):
        x, y = number(table[a][row]), number(table.get(b, {}).get(row))
        if x and y and table[a][row][0] == 'ms' and table[b][row][0] == 'ms':
            logs.append(math.log(y / x))
    return (math.exp(sum(logs) / len(logs)), len(logs)) if logs else (float('nan'), 0)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--dir', default=HERE)
    parser.add_argument('--limit', type=float, default=200)
    parser.add_argument('--row-limit', type=float, default=8)
    parser.add_argument('--start', type=float, default=15)
    parser.add_argument('--warm', type=float, default=2)
    parser.add_argument('--columns', default='hand,warps,lanes,auto,gcc')
    parser.add_argument('--env', action='append', default=[])
    parser.add_argument('--only', default='')
    parser.add_argument('--compiler', type=int, default=0)
    parser.add_argument('--out', default='')
    arguments = parser.parse_args()
    versions = sorted(int(d.split(os.sep)[-2]) for d in
                      glob.glob(os.path.join(arguments.dir, 'progs', '*', 'bench.kernels')))
    version = arguments.compiler or (versions[-1] if versions else 0)
    arguments.programs = os.path.join(arguments.dir, 'progs', str(version), 'bench.kernels')
    if version not in versions:
        parser.error('no programs in ' + arguments.programs)
    # Programs of compilers from newer systems, as in run.py.
    libc = os.path.join(arguments.dir, 'lib', '%d-libc' % version, 'ld-linux-x86-64.so.2')
    arguments.loader = [libc, '--library-path', ''] if os.path.exists(libc) else []
    begin = time.monotonic()
    scratch = tempfile.mkdtemp(prefix='gpu-kernels.')
    table, order = {}, []
    columns = arguments.columns.split(',')
    for column in columns:
        start = time.monotonic()
        table[column], rows = run_column(column, arguments, scratch, begin + arguments.limit)
        order += [r for r in rows if r not in order]
        print('%s: %.0f s' % (column, time.monotonic() - start), flush=True)
    for column in columns:
        log = os.path.join(scratch, column + '.log')
        if os.path.exists(log) and os.path.getsize(log):
            print('%s said: %s' % (column, open(log, errors='replace').read()[:1500]))

    print('%-18s' % 'ms' + ''.join('%12s' % c for c in columns))
    for row in order:
        print('%-18s' % row + ''.join('%12s' % text(table[c].get(row)) for c in columns))
    for ours in ('warps', 'lanes', 'chunks', 'auto'):
        for other in ('gcc', 'warps', 'chunks', 'hand'):
            if ours in columns and other in columns and ours != other:
                print('%s is %.2f times faster than %s (geometric mean of %d rows)'
                      % ((ours, mean(table, ours, other)[0], other, mean(table, ours, other)[1])))
    if 'auto' in columns and 'warps' in columns:
        for row in order:
            a, w = number(table['auto'].get(row)), number(table['warps'].get(row))
            if a and w and a > 1.02 * w:
                print('%s: auto takes %.2f times as long as warps' % (row, a / w))
    for shape in (c for c in ('limit', 'threads', 'teams', 'simd') if c in columns and 'usual' in columns):
        for row in order:
            a, u = number(table[shape].get(row)), number(table['usual'].get(row))
            if a and u and a > 1.05 * u:
                print('%s: %s takes %.2f times as long as without clauses' % (row, shape, a / u))
    if 'plain' in columns and 'warps' in columns:
        print('\n%-18s%12s%12s%12s   the runs before: mean, ms (runs)' % ('learning', 'plain', 'warps', 'ratio'))
        for row in order:
            p, w = (table[c].get((row, 'before')) for c in ('plain', 'warps'))
            x, y = (number(table[c].get(row)) for c in ('plain', 'warps'))
            if p and w and x and y:
                print('%-18s%12.3f%12.3f%12.2f   %.3f (%d), %.3f (%d): %.2f'
                      % (row, x, y, y / x, p[1], p[0], w[1], w[0], w[1] / p[1]))
    if arguments.out:
        os.makedirs(arguments.out, exist_ok=True)
        with open(os.path.join(arguments.out, 'gpu-kernels.json'), 'w') as f:
            json.dump({c: {r: v for r, v in rows.items() if isinstance(r, str)} for c, rows in table.items()}, f, indent=1)
    wrong = [r for c in columns for r in order if table[c].get(r, ('',))[0] not in ('ms', 'late', '')]
    return 1 if wrong else 0


sys.exit(main())
