#!/usr/bin/env python3
"""minimax.py -- coefficients of the device's mathematical functions (config/math).

    minimax.py NAME...      prints the coefficients of these fits; without a name lists the fits

A fit approximates a function G by a polynomial such that the greatest weighted error is smallest:
the exchange algorithm of Remez on a grid of Chebyshev points.  Coefficients are rounded one after
the other, and those not yet rounded are fitted again.  The high ones become short as long as the
error stays small: a double with zeros in its low 32 bits is an immediate operand of the GPU's
instructions, another one costs two moves.  Needs mpmath; gmpy2 makes it faster.
"""

import sys
from mpmath import mp, mpf
import mpmath as m

mp.dps = 60
FULL, SHORT = 53, 21


def rounded(x, bits):
    with mp.workprec(bits):
        return +x


def solve(xs, ws, gs, powers):
    """The best polynomial on the grid: its coefficients and the greatest weighted error."""
    n, size = len(powers), len(xs)
    if n == 0:
        return [], max(abs(w * g) for w, g in zip(ws, gs))
    basis = [[x ** p for p in powers] for x in xs]
    # Chebyshev points are dense at the ends already.
    picked = [round(i * (size - 1) / n) for i in range(n + 1)]
    best = None
    for turn in range(40):
        a = m.matrix(n + 1, n + 1)
        b = m.matrix(n + 1, 1)
        for row, i in enumerate(picked):
            for k in range(n):
                a[row, k] = basis[i][k]
            # A weight of 0 would say nothing about the coefficients.
            a[row, n] = (-1) ** row / ws[i]
            b[row] = gs[i]
        c = m.lu_solve(a, b)
        c = [c[k] for k in range(n)]
        errors = [w * (m.fdot(c, row) - g) for w, row, g in zip(ws, basis, gs)]
        worst = max(abs(e) for e in errors)
        if best is None or worst < best[1]:
            best = (c, worst)
        level = min(abs(errors[i]) for i in picked)
        if worst <= level * mpf('1.0005'):
            break
        tops = []
        for i, e in enumerate(errors):
            if e == 0:
                continue
            if tops and (errors[tops[-1]] > 0) == (e > 0):
                if abs(e) > abs(errors[tops[-1]]):
                    tops[-1] = i
            else:
                tops.append(i)
        while len(tops) > n + 1:
            tops.pop(0 if abs(errors[tops[0]]) < abs(errors[tops[-1]]) else -1)
        if len(tops) < n + 1:
            break
        picked = tops
    return best


def grid(a, b, size):
    a, b = mpf(a), mpf(b)
    return [(a + b) / 2 - (b - a) / 2 * m.cos(m.pi * (2 * i + 1) / (2 * size)) for i in range(size)]


def fit(g, weight, a, b, powers, given=None, slack=1.25, floor=2.0 ** -62, pair=False):
    """Coefficients of POWERS, lowest first, and the error.

    GIVEN: coefficients by power that are fixed.  The error may become SLACK times the best one, or
    FLOOR.  PAIR: the lowest coefficient is a sum of two doubles.
    """
    powers = list(powers)
    xs = grid(a, b, 24 * (len(powers) + 2))
    ws = [weight(x) for x in xs]
    xs, ws = zip(*[(x, w) for x, w in zip(xs, ws) if w != 0])
    ws = [abs(w) for w in ws]
    gs = [g(x) for x in xs]
    fixed = dict(given or {})
    rest = [gv - sum(c * x ** p for p, c in fixed.items()) for gv, x in zip(gs, xs)]
    free = [p for p in powers if p not in fixed]
    c, first = solve(xs, ws, rest, free)
    limit = max(first * slack, mpf(floor))

    def fix(index, bits, c):
        value = rounded(c[index], bits)
        nrest = [r - value * x ** free[index] for r, x in zip(rest, xs)]
        nfree = free[:index] + free[index + 1:]
        nc, err = solve(xs, ws, nrest, nfree)
        same = c[:index] + c[index + 1:]
        kept = max(abs(w * (sum(v * x ** p for v, p in zip(same, nfree)) - r))
                   for w, x, r in zip(ws, xs, nrest))
        if kept < err:
            nc, err = same, kept
        return value, nrest, nfree, nc, err

    while free:
        value, nrest, nfree, nc, err = fix(len(free) - 1, SHORT, c)
        if err > limit:
            break
        fixed[free[-1]] = value
        rest, free, c = nrest, nfree, nc
    err = first
    while free:
        bits = 2 * FULL if pair and powers[0] not in fixed else FULL
        value, nrest, nfree, nc, err = fix(0, bits, c)
        fixed[free[0]] = value
        rest, free, c = nrest, nfree, nc
    err = max(abs(w * r) for w, r in zip(ws, rest))
    result = [fixed[p] for p in powers]
    if pair:
        result.append(result[0] - rounded(result[0], FULL))
    return result, first, err


def trim(s):
    head, tail = s.split('p')
    return head.rstrip('0').rstrip('.') + 'p' + tail


FITS = {}


def named(name):
    def keep(f):
        FITS[name] = f
        return f
    return keep


def tiny(f, series):
    """F, but SERIES (Taylor coefficients) where F cancels."""
    def g(x):
        if abs(x) < mpf('1e-12'):
            return sum(c * x ** k for k, c in enumerate(series))
        with mp.workdps(100):
            return f(x)
    return g


LN2 = m.log(2)
EXP_TOP = LN2 / 2 * mpf('1.0001')


@named('exp')
def _():
    # exp (r) = 1 + r + r^2 P (r)
    g = tiny(lambda r: (m.exp(r) - 1 - r) / r ** 2, [mpf(1) / 2, mpf(1) / 6])
    return fit(g, lambda r: r ** 2 / m.exp(r), -EXP_TOP, EXP_TOP, range(10),
               floor=2.0 ** -58)


@named('expm1')
def _():
    # exp (r) - 1 = r + r^2 P (r)
    g = tiny(lambda r: (m.exp(r) - 1 - r) / r ** 2, [mpf(1) / 2, mpf(1) / 6])
    return fit(g, lambda r: r ** 2 / (m.exp(r) - 1), -EXP_TOP, EXP_TOP, range(11),
               given={0: mpf('.5')}, floor=2.0 ** -57)


@named('exp2')
def _():
    # 2^r = 1 + r P (r)
    g = tiny(lambda r: (mpf(2) ** r - 1) / r, [LN2, LN2 ** 2 / 2])
    return fit(g, lambda r: r / mpf(2) ** r, mpf('-.5'), mpf('.5'), range(11), floor=2.0 ** -58)


@named('exp10')
def _():
    # 10^r = 1 + r P (r)
    ln10 = m.log(10)
    g = tiny(lambda r: (mpf(10) ** r - 1) / r, [ln10, ln10 ** 2 / 2])
    top = m.log10(2) / 2 * mpf('1.0001')
    return fit(g, lambda r: r / mpf(10) ** r, -top, top, range(11), floor=2.0 ** -58)


LOG_TOP = (2 * (m.sqrt(2) - 1) / (m.sqrt(2) + 1)) ** 2 * mpf('1.00001')


def atanh_rest(t):
    s = m.sqrt(t)
    return (2 * m.atanh(s / 2) / s - 1) / t


@named('log')
def _():
    # log (m) = u + u^3 P (u^2) with u = 2 (m - 1) / (m + 1)
    g = tiny(atanh_rest, [mpf(1) / 12, mpf(1) / 80])
    return fit(g, lambda t: t, mpf(0), LOG_TOP, range(7), floor=2.0 ** -58)


@named('pow')
def _():
    # log (m) = u + u^3 / 12 + u^5 P (u^2)
    g = tiny(lambda t: (atanh_rest(t) - mpf(1) / 12) / t, [mpf(1) / 80, mpf(1) / 448])
    return fit(g, lambda t: t ** 2, mpf(0), LOG_TOP, range(7), floor=2.0 ** -66)


TRIG_TOP = (m.pi / 4) ** 2 * mpf('1.00001')


def odd(f):
    def g(t):
        s = m.sqrt(t)
        return (f(s) / s - 1) / t
    return g


def relative(f):
    return lambda t: t ** mpf('1.5') / f(m.sqrt(t)) if t else 0


@named('sin')
def _():
    # sin (r) = r + r^3 P (r^2)
    return fit(tiny(odd(m.sin), [-mpf(1) / 6, mpf(1) / 120]), lambda t: t, mpf(0), TRIG_TOP,
               range(6), floor=2.0 ** -59)


@named('cos')
def _():
    # cos (r) = 1 - r^2 / 2 + r^4 P (r^2)
    g = tiny(lambda t: (m.cos(m.sqrt(t)) - 1 + t / 2) / t ** 2, [mpf(1) / 24, -mpf(1) / 720])
    return fit(g, lambda t: t ** 2 / m.cos(m.sqrt(t)), mpf(0), TRIG_TOP, range(6), floor=2.0 ** -59)


@named('tan')
def _():
    # tan (r) = r + r^3 P (r^2)
    return fit(tiny(odd(m.tan), [mpf(1) / 3, mpf(2) / 15]), relative(m.tan),
               mpf(0), TRIG_TOP, range(14), floor=2.0 ** -57)


@named('atan')
def _():
    # atan (x) = x + x^3 P (x^2), x to 1
    return fit(tiny(odd(m.atan), [-mpf(1) / 3, mpf(1) / 5]), relative(m.atan),
               mpf(0), mpf(1), range(20), floor=2.0 ** -57)


@named('asin')
def _():
    # asin (x) = x + x^3 P (x^2), x to 1/2
    return fit(tiny(odd(m.asin), [mpf(1) / 6, mpf(3) / 40]), relative(m.asin),
               mpf(0), mpf('.25'), range(12), floor=2.0 ** -58)


@named('erf')
def _():
    # erf (x) = x + x P (x^2), x to 1
    first = 2 / m.sqrt(m.pi)
    g = tiny(lambda t: m.erf(m.sqrt(t)) / m.sqrt(t) - 1, [first - 1, -first / 3])
    return fit(g, lambda t: m.sqrt(t) / m.erf(m.sqrt(t)), mpf('1e-20'), mpf(1), range(12),
               floor=2.0 ** -56)


@named('erf-far')
def _():
    # erfc (x) = exp (x P (x)), x from 1 to where erf is 1
    return fit(lambda a: m.log(m.erfc(a)) / a, lambda a: a * m.erfc(a) / m.erf(a), mpf(1),
               mpf('5.95'), range(18), floor=2.0 ** -56)


@named('erfc')
def _():
    # erfc (x) = exp (-x^2) P (t) / (2 x + 1) with t = (x - 3.5) / (x + 3.5), x to where erfc is 0
    def g(t):
        a = mpf('3.5') * (1 + t) / (1 - t)
        return m.exp(a * a) * m.erfc(a) * (2 * a + 1)
    return fit(g, lambda t: 1 / g(t), mpf(-1), mpf('24.5') / mpf('31.5'), range(23),
               floor=2.0 ** -56, pair=True)


@named('stirling')
def _():
    # log (gamma (x)) = (x - 1/2) (log (x) - 1) + (log (2 pi) - 1) / 2 + P (1 / x^2) / x, x from 3
    def g(u):
        if u < mpf('1e-12'):
            return mpf(1) / 12 - u / 360 + u * u / 1260
        x = 1 / m.sqrt(u)
        return x * (m.loggamma(x) - (x - mpf(1) / 2) * m.log(x) + x - m.log(2 * m.pi) / 2)
    return fit(g, m.sqrt, mpf('1e-14'), mpf(1) / 9, range(11), floor=2.0 ** -57)


@named('tgamma')
def _():
    # gamma (2 + f) = 1 + f P (f), f to 1
    g = tiny(lambda f: (m.gamma(2 + f) - 1) / f, [1 - m.euler])
    return fit(g, lambda f: f / m.gamma(2 + f), mpf(0), mpf(1), range(17), floor=2.0 ** -58)


@named('lgamma-1')
def _():
    # log (gamma (1 + f)) = f P (f)
    g = tiny(lambda f: m.loggamma(1 + f) / f, [-m.euler])
    return fit(g, lambda f: 1 / g(f), mpf('-.3'), mpf('.7'), range(25), floor=2.0 ** -56, pair=True)


@named('lgamma-2')
def _():
    # log (gamma (2 + f)) = f P (f)
    g = tiny(lambda f: m.loggamma(2 + f) / f, [1 - m.euler])
    return fit(g, lambda f: 1 / g(f), mpf('-.5'), mpf(1), range(22), floor=2.0 ** -56, pair=True)


def main():
    names = sys.argv[1:]
    if not names:
        print('\n'.join(FITS))
        return
    for name in names:
        c, best, err = FITS[name]()
        print('/* %s: error 2^%.2f (best 2^%.2f) */'
              % (name, float(m.log(err, 2)), float(m.log(best, 2))))
        print(', '.join(trim(float(x).hex()) for x in c))
        sys.stdout.flush()


if __name__ == '__main__':
    main()
