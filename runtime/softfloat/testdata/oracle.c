/* Writes lines "function x [y] result" of bit patterns, correctly rounded by
   MPFR 4.2, for random and hard arguments:

       cc -O1 oracle.c -o oracle -l:libmpfr.so.6 -l:libgmp.so.10
       ./oracle SEED COUNT [FUNCTION] > elementary.txt

   MPFR's headers are not needed; what is used of its ABI is declared here. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { long prec; int sign; long exp; unsigned long *d; } num[1];
typedef num *ref;
extern void mpfr_init2(void *, long);
extern int mpfr_set_d(void *, double, int);
extern double mpfr_get_d(void *, int);
extern int mpfr_set(void *, void *, int);
extern int mpfr_subnormalize(void *, int, int);
extern int mpfr_set_emin(long), mpfr_set_emax(long);
extern int mpfr_const_pi(void *, int), mpfr_mul_ui(void *, void *, unsigned long, int), mpfr_mul(void *, void *, void *, int),
    mpfr_div(void *, void *, void *, int), mpfr_div_ui(void *, void *, unsigned long, int);
#define F1(n) extern int mpfr_##n(void *, void *, int);
#define F2(n) extern int mpfr_##n(void *, void *, void *, int);
F1(exp) F1(exp2) F1(expm1) F1(log) F1(log2) F1(log10) F1(log1p) F1(sin) F1(cos) F1(tan) F1(asin) F1(acos) F1(atan)
F1(sinh) F1(cosh) F1(tanh) F1(asinh) F1(acosh) F1(atanh) F1(cbrt) F1(erf) F1(erfc) F1(gamma)
F2(pow) F2(atan2) F2(hypot)
extern int mpfr_lgamma(void *, int *, void *, int);

static num wide, wide2;
static int lgamma1(void *r, void *x, int m) { int s; return mpfr_lgamma(r, &s, x, m); }
static int scaled(void *r, void *x, int degrees) {
    mpfr_const_pi(wide, 0);
    if (degrees) { mpfr_mul_ui(wide2, x, 180, 0); mpfr_div(wide2, wide2, wide, 0); }
    else { mpfr_mul(wide2, x, wide, 0); mpfr_div_ui(wide2, wide2, 180, 0); }
    return mpfr_set(r, wide2, 0);
}
static int degrees(void *r, void *x, int m) { return scaled(r, x, 1); }
static int radians(void *r, void *x, int m) { return scaled(r, x, 0); }

static uint64_t state;
static uint64_t next(void) {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
static uint64_t bits(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
static double value(uint64_t u) { double d; memcpy(&d, &u, 8); return d; }
static double scaledby(int low, int high) { /* random sign, exponent in [low, high] */
    uint64_t u = next();
    int e = low + (int)(next() % (uint64_t)(high - low + 1)) + 1023;
    return value((u & 0x800fffffffffffffull) | (uint64_t)e << 52);
}
static double fewbits(int low, int high) {
    return value(bits(scaledby(low, high)) & ~((1ull << (20 + next() % 32)) - 1));
}
static double near(double x) { return value(bits(x) + next() % 65 - 32); }

/* How arguments are drawn. */
enum { ANY, UNIT, EXPO, POSITIVE, ABOVE1, GAMMA, ERFC, ANGLE, BIG };
static double draw(int kind) {
    static const double angles[] = {0.7853981633974483, 1.5707963267948966, 3.141592653589793, 4.71238898038469, 6.283185307179586,
        1e22, 6381956970095103.0 * 0x1p797, 0x1.6ac5b262ca1ffp+849, 0x1p1023, 710.0, 1e5};
    switch (kind) {
    case EXPO: return next() % 4 ? scaledby(-60, 9) : fewbits(-10, 9);
    case UNIT: switch (next() % 4) { case 0: return near(1.0); case 1: return fewbits(-20, -1); case 2: return scaledby(-3, -1); } return scaledby(-40, -1);
    case POSITIVE: switch (next() % 4) { case 0: return near(1.0); case 1: return value(next() >> 1); case 2: return scaledby(-3, 2); } return value(bits(fewbits(-30, 60)) & ~(1ull << 63));
    case ABOVE1: switch (next() % 3) { case 0: return near(1.0); case 1: return scaledby(0, 1023); } return scaledby(0, 6);
    case GAMMA: switch (next() % 6) { case 0: return near(1.0); case 1: return near(2.0); case 2: return scaledby(-40, 6); case 3: return (double)(int64_t)(next() % 360 - 180) + scaledby(-30, -1); case 4: return (next() % 800) / 4.0 - 100; } return scaledby(0, 7);
    case ERFC: return next() % 3 ? scaledby(-2, 4) : scaledby(-70, -1);
    case ANGLE: switch (next() % 4) { case 0: return near(angles[next() % 11]); case 1: return near(1.5707963267948966 * (double)(next() % 100000)); case 2: return scaledby(-40, 1023); } return scaledby(-5, 8);
    case BIG: return scaledby(-1022, 1023);
    }
    switch (next() % 4) { case 0: return scaledby(-3, 3); case 1: return fewbits(-30, 30); case 2: return scaledby(-60, 60); }
    return scaledby(-1022, 1023);
}

typedef int (*unary)(void *, void *, int);
typedef int (*binary)(void *, void *, void *, int);
static const struct { const char *name; unary f; int kind; } one[] = {
    {"exp", mpfr_exp, EXPO}, {"exp2", mpfr_exp2, EXPO}, {"expm1", mpfr_expm1, EXPO}, {"log", mpfr_log, POSITIVE},
    {"log2", mpfr_log2, POSITIVE}, {"log10", mpfr_log10, POSITIVE}, {"log1p", mpfr_log1p, UNIT}, {"log1p", mpfr_log1p, POSITIVE},
    {"sin", mpfr_sin, ANGLE}, {"cos", mpfr_cos, ANGLE}, {"tan", mpfr_tan, ANGLE}, {"asin", mpfr_asin, UNIT}, {"acos", mpfr_acos, UNIT},
    {"atan", mpfr_atan, ANY}, {"sinh", mpfr_sinh, EXPO}, {"cosh", mpfr_cosh, EXPO}, {"tanh", mpfr_tanh, EXPO},
    {"asinh", mpfr_asinh, ANY}, {"acosh", mpfr_acosh, ABOVE1}, {"atanh", mpfr_atanh, UNIT}, {"cbrt", mpfr_cbrt, ANY},
    {"erf", mpfr_erf, ERFC}, {"erfc", mpfr_erfc, ERFC}, {"gamma", mpfr_gamma, GAMMA}, {"lgamma", lgamma1, GAMMA},
    {"lgamma", lgamma1, POSITIVE}, {"degrees", degrees, ANY}, {"radians", radians, ANY}};
static const struct { const char *name; binary f; int kind; } two[] = {
    {"pow", mpfr_pow, 0}, {"atan2", mpfr_atan2, ANY}, {"atan2", mpfr_atan2, BIG}, {"hypot", mpfr_hypot, ANY}, {"hypot", mpfr_hypot, BIG}};

static void powargs(double *x, double *y) {
    switch (next() % 6) {
    case 0: *x = value(bits(scaledby(-2, 2)) & ~(1ull << 63)); *y = scaledby(-3, 8); break;
    case 1: *x = value(bits(fewbits(-8, 8)) & ~(1ull << 63)); *y = fewbits(-4, 5); break;
    case 2: *x = (double)(next() % 1000); *y = (double)(int64_t)(next() % 64 - 20) / (double)(1 << next() % 4); break;
    case 3: *x = near(1.0); *y = scaledby(-3, 60); break;
    case 4: *x = value(next() >> 1); *y = scaledby(-12, 1); break;
    default: *x = -(double)(next() % 100) / 8; *y = (double)(int64_t)(next() % 200 - 100); break;
    }
}

int main(int argc, char **argv) {
    num x, y, r;
    mpfr_init2(x, 53); mpfr_init2(y, 53); mpfr_init2(r, 53); mpfr_init2(wide, 3000); mpfr_init2(wide2, 3000);
    state = strtoull(argv[1], 0, 10);
    long count = atol(argv[2]);
    const char *only = argc > 3 ? argv[3] : 0;
    for (unsigned i = 0; i < sizeof one / sizeof *one; i++)
        for (long n = 0; n < count; n++) {
            if (only && strcmp(only, one[i].name)) break;
            double a = draw(one[i].kind);
            mpfr_set_emin(-1073); mpfr_set_emax(1024);
            mpfr_set_d(x, a, 0);
            if (one[i].f == degrees || one[i].f == radians) { mpfr_set_emin(-4000); mpfr_set_emax(4000); }
            int t = one[i].f(r, x, 0);
            mpfr_set_emin(-1073); mpfr_set_emax(1024);
            if (one[i].f != degrees && one[i].f != radians) mpfr_subnormalize(r, t, 0);
            else if (__builtin_fabs(mpfr_get_d(r, 0)) < 0x1p-1020) continue; /* rounded twice */
            printf("%s %016lx %016lx\n", one[i].name, bits(a), bits(mpfr_get_d(r, 0)));
        }
    for (unsigned i = 0; i < sizeof two / sizeof *two; i++)
        for (long n = 0; n < count; n++) {
            if (only && strcmp(only, two[i].name)) break;
            double a = draw(two[i].kind), b = draw(two[i].kind);
            mpfr_set_emin(-1073); mpfr_set_emax(1024);
            if (!strcmp(two[i].name, "pow")) powargs(&a, &b);
            mpfr_set_d(x, a, 0); mpfr_set_d(y, b, 0);
            mpfr_subnormalize(r, two[i].f(r, x, y, 0), 0);
            printf("%s %016lx %016lx %016lx\n", two[i].name, bits(a), bits(b), bits(mpfr_get_d(r, 0)));
        }
    return 0;
}
