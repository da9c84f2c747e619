#include "fault.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fakehip.h"
#include "option.h"

enum { any_function = call_functions, most_rules = 64 };

static const hipError_t usual[call_functions] = {
#define F(name, fault, parameters, arguments) [call_##name] = fault,
#define D(name, fault, type) [call_##name] = fault,
#define S(name) [call_##name] = hipSuccess, /* always answer */
#include "functions.h"
#undef F
#undef D
#undef S
    [call_kernel] = hipErrorLaunchFailure,
    [call_copy] = hipErrorLaunchFailure,
    [call_fill] = hipErrorLaunchFailure,
};

static const struct {
  const char *name;
  hipError_t value;
} error[] = {
#define E(name, value, text) {#name, value},
#include "errors.h"
#undef E
};

struct rule {
  int function; /* or any_function */
  uint64_t nth;
  bool onwards;
  hipError_t error;
};

struct rules {
  int n;
  struct rule rule[most_rules];
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct rules rules; /* under lock */
static atomic_bool armed;  /* whether there are any, or an error has stuck */
static bool sticky;
static _Atomic hipError_t stuck;

/* Reads one rule, function:nth[+][:error]. Returns NULL, or what is wrong with the rule. */
static const char *read_rule(const char *text, size_t length, struct rule *r) {
  const char *end = text + length, *colon = memchr(text, ':', length);
  if (!colon)
    return "no number of a call";
  r->function = any_function;
  if (colon - text != 1 || *text != '*') {
    r->function = (int)call_find(text, (size_t)(colon - text));
    if (r->function == call_functions)
      return "no such function";
  }
  char *after;
  r->nth = strtoull(colon + 1, &after, 10);
  if (after == colon + 1 || r->nth == 0 || after > end)
    return "no number of a call";
  if ((r->onwards = after < end && *after == '+'))
    after++;
  r->error = r->function == any_function ? hipErrorUnknown : usual[r->function];
  if (after == end)
    return r->error == hipSuccess ? "it never fails" : NULL;
  if (*after++ != ':')
    return "an error begins with a colon";
  for (size_t i = 1; i < sizeof error / sizeof *error; i++)
    if (strlen(error[i].name) == (size_t)(end - after) &&
        memcmp(error[i].name, after, (size_t)(end - after)) == 0) {
      r->error = error[i].value;
      return NULL;
    }
  r->error = (hipError_t)strtoul(after, (char **)&text, 10);
  return text == end && text != after && r->error != hipSuccess
             ? NULL
             : "no such error";
}

int fakehip_fail(const char *text) {
  struct rules fresh = {0};
  for (struct list l = list_of(text); list_next(&l);) {
    const char *wrong = fresh.n == most_rules
                            ? "too many rules"
                            : read_rule(l.item, l.length, &fresh.rule[fresh.n]);
    if (wrong) {
      fprintf(stderr, "fakehip: rule %.*s: %s\n", (int)l.length, l.item, wrong);
      return -1;
    }
    fresh.n++;
  }
  pthread_rwlock_wrlock(&lock);
  rules = fresh;
  call_clear();
  atomic_store(&stuck, hipSuccess);
  atomic_store(&armed, fresh.n > 0);
  pthread_rwlock_unlock(&lock);
  return 0;
}

void fault_configure(void) {
  sticky = option_set("FAKEHIP_STICKY");
  if (fakehip_fail(getenv("FAKEHIP_FAIL")) != 0)
    exit(2); /* a test that injects nothing would pass */
}

static bool applies(const struct rule *r, enum function f, uint64_t nth,
                    uint64_t any) {
  if (r->function != any_function && r->function != (int)f)
    return false;
  uint64_t n = r->function == any_function ? any : nth;
  return n == r->nth || (r->onwards && n > r->nth);
}

hipError_t fault_of(enum function f, uint64_t nth, uint64_t any) {
  if (!atomic_load(&armed))
    return hipSuccess;
  hipError_t e = hipSuccess;
  if (any != 0 && usual[f] != hipSuccess && f != call_hipGetLastError &&
      f != call_hipPeekAtLastError)
    e = atomic_load(&stuck);
  pthread_rwlock_rdlock(&lock);
  for (int i = 0; i < rules.n && e == hipSuccess; i++)
    if (applies(&rules.rule[i], f, nth, any))
      e = rules.rule[i].error;
  pthread_rwlock_unlock(&lock);
  return e;
}

void fault_on_stream(hipError_t e) {
  hipError_t none = hipSuccess;
  if (sticky && atomic_compare_exchange_strong(&stuck, &none, e))
    atomic_store(&armed, true);
}
