/* The counting protocol of streampool.Submission, with the frees and reuses that rest on it
 * (internal/fastpath/alloc.c's find_waits and note_waits, alloccache's marks): THREADS threads
 * use one block of memory on two streams, free it and take it again. It must never be given
 * out while work that was submitted before its free still runs.
 *
 * Each read or change of a shared word is a step of its own, as is each driver call's effect;
 * what the code does by compare-and-swap is one step. Names are those of the code. FAULT
 * leaves a rule of the protocol out; model_test.go expects that to be found. */

#ifndef THREADS
#define THREADS 3
#endif
#ifndef FAULT
#define FAULT 0
#endif
#define STREAMS 2

/* An entry's word in small: round 1 | calls under way, of round zero 2, of round one 2 |
 * number. */
#define roundBit 1
#define callsMask 30
#define oneMore 32
#define number(w) ((w) & ~(oneMore - 1))
#define oneCall(w) (2 << (2 * ((w)&roundBit)))
#define callsOf(w, round) (((w) >> (1 + 2 * (round))) & 3)
#define allReturned(w) (((w)&callsMask) == 0)
#define pending(w, synced) (((w) & ~roundBit) != (synced))
#define begun(w) ((w) + oneMore + oneCall(w))
#define covers(synced, count) ((synced) >= (count))

int word[STREAMS], synced[STREAMS], closed[STREAMS];

/* The driver: how many pieces of work a stream was given, and how many are done. Pieces are
 * done in order, and as late as possible: when a call says that they are. */
byte given[STREAMS], done[STREAMS];

/* The piece of work of each submission, by its number; 0: the driver does not have it. */
#define MOST 12
#define WORK(s, n) work[(s)*MOST + (n) / oneMore]
#define none 255 /* a question */
byte work[STREAMS * MOST];

/* The block. */
mtype = { live, freeing, listed };
mtype state = live;
byte used[STREAMS];  /* the stream's latest piece of work that uses it */
byte under_way;      /* calls that will give the driver such work: who frees, waits for them */
int marks[STREAMS];  /* what a listed block waits for; 0: nothing */

inline driver_did(s, last) {
  if
  :: done[s] < last -> done[s] = last
  :: else
  fi
}

/* Entry.Begin and stream_begin_submission. */
inline begin(s, sub) {
  do
  :: w = word[s];
     atomic {
       if
       :: word[s] == w -> sub = begun(w); word[s] = sub; w = 0; break
       :: else
       fi
     }
  od
}

/* Entry.End and stream_end_submission. */
inline end_call(s, sub) {
  atomic { word[s] = word[s] - oneCall(sub); sub = 0 }
}

/* Entry.Submissions. */
inline submissions(s, n) {
  c = closed[s];
  w = word[s];
  if
  :: allReturned(w) -> n = number(w)
  :: else ->
     if
#if FAULT != 1 /* a round changes though calls of the round before are under way */
     :: callsOf(w, 1 - (w & roundBit)) != 0 -> n = synced[s]
     :: else ->
#else
     :: true ->
#endif
        n = c;
        if
        :: atomic { word[s] == w -> word[s] = w ^ roundBit }
           closed[s] = number(w)
        :: atomic { word[s] != w -> skip }
        fi
     fi
  fi;
  atomic { w = 0; c = 0 }
}

/* Entry.Synchronized. What it says has to be true: the driver has each submission up to n,
 * and has done it. */
inline synchronized(s, n) {
  atomic {
    for (i : 1 .. n / oneMore) {
      assert(WORK(s, i * oneMore) != 0 && (WORK(s, i * oneMore) == none || WORK(s, i * oneMore) <= done[s]))
    }
    i = 0
  }
  if
  :: covers(synced[s], n)
  :: else -> synced[s] = n
  fi
}

/* A launch. The driver has the work before its call returns. */
inline submit(s) {
  atomic {
    if
    :: state == live -> uses = true; under_way++
    :: uses = false
    fi
  }
#if FAULT == 2 /* counted after the driver call only */
  atomic {
    given[s]++;
    if :: uses -> used[s] = given[s]; under_way-- :: else fi;
    uses = false
  }
  begin(s, sub);
  WORK(s, sub) = given[s];
#else
  begin(s, sub);
  atomic {
    given[s]++;
    WORK(s, sub) = given[s];
    if :: uses -> used[s] = given[s]; under_way-- :: else fi;
    uses = false
  }
#endif
  atomic { copied = s; copy = number(sub) }
  end_call(s, sub)
}

/* A wait: by Go, or by C, which notes what it covers only where no call was under way. */
inline wait(s) {
  if
  :: submissions(s, n);
     atomic { last = given[s] }
     atomic { driver_did(s, last); last = 0 }
     synchronized(s, n)
  :: w = word[s];
     atomic { last = given[s] }
     atomic { driver_did(s, last); last = 0 }
     if
#if FAULT == 3 /* C covers calls that were under way */
     :: true -> synchronized(s, number(w))
#else
     :: allReturned(w) -> synchronized(s, number(w))
     :: else
#endif
     fi
  fi;
  atomic { w = 0; n = 0 }
}

/* idle_after_copy: asks the driver whether a stream is idle whose latest work is this
 * thread's copy. The question counts as a submission. */
inline ask_idle(s, idle) {
  idle = false;
  n = word[s];
  if
  :: copied == s && copy == number(n) && allReturned(n) ->
     begin(s, sub);
     WORK(s, sub) = none;
     atomic {
       if
       :: done[s] != given[s]
       :: driver_did(s, given[s]); idle = true
       fi
     }
#if FAULT != 4 /* asks though another submission has come between */
     idle = idle && sub == begun(n);
#endif
     n = number(sub);
     end_call(s, sub);
     if
     :: idle -> synchronized(s, n)
     :: else
     fi
  :: else
  fi;
  atomic { n = 0; copied = STREAMS; copy = 0 }
}

inline look(s, is_pending) { /* entry_pending: two reads */
  n = synced[s];
  atomic { is_pending = pending(word[s], n); n = 0 }
}

/* A free: by C if at most one stream has work pending, else by Go. */
inline free_block() {
  look(1, p1);
  look(0, p0);
  if
  :: p0 && p1 -> /* Entry.Latest of both */
     submissions(0, n);
     marks[0] = number(word[0]);
     submissions(1, n);
     marks[1] = number(word[1])
  :: p0 && !p1 ->
     ask_idle(0, p0);
     if
     :: p0
     :: else -> marks[0] = number(word[0])
     fi
  :: p1 && !p0 ->
     ask_idle(1, p1);
     if
     :: p1
     :: else ->
#if FAULT == 5 /* waits only for calls that have returned */
        submissions(1, n); marks[1] = n
#else
        marks[1] = number(word[1])
#endif
     fi
  :: else
  fi;
  atomic { n = 0; p0 = false; p1 = false; state = listed }
}

/* An allocation: the block, if all that it waits for is covered. */
inline reuse() {
  p0 = marks[0] == 0 || covers(synced[0], marks[0]);
  p1 = marks[1] == 0 || covers(synced[1], marks[1]);
  atomic {
    if
    :: p0 && p1 && state == listed ->
       assert(used[0] <= done[0] && used[1] <= done[1]);
       state = live; marks[0] = 0; marks[1] = 0; used[0] = 0; used[1] = 0
    :: else
    fi;
    p0 = false; p1 = false
  }
}

#ifdef OPERATIONS

/* Every thread does anything: the long form. */
#define submits true
#define waits true
#define frees true
byte operations = OPERATIONS, started;
#define begin_next                                                              \
  atomic {                                                                     \
    operations > 0 -> operations--;                                            \
    if :: started == _pid -> started++ :: else fi                              \
  }
#define may_start (started == _pid || operations == 0) /* threads are alike: in one order */
#define over (operations == 0)

#else

/* One thread submits, one waits, one frees and reuses the block, and with COPIES submits too. */
#ifndef COPIES
#define COPIES 0
#endif
#define submits (_pid == 0 || (_pid == 2 && COPIES))
#define waits (_pid == 1)
#define frees (_pid == 2)
#define begin_next atomic { left > 0 -> left-- }
#define may_start left = (_pid == 2 -> 2 + COPIES : 2 - COPIES)
#define over (left == 0)

#endif

active [THREADS] proctype thread() {
  byte left = 0, last = 0, copied = STREAMS, i = 0;
  int w = 0, c = 0, n = 0, sub = 0, copy = 0;
  bool uses = false, p0 = false, p1 = false;
  may_start;
  do
  :: over -> break
  :: begin_next;
     if
     :: submits -> submit(0)
     :: submits -> submit(1)
     :: waits -> wait(0)
     :: waits -> wait(1)
     :: atomic { frees && state == live && under_way == 0 -> state = freeing }
        free_block()
     :: frees && state == listed -> reuse()
     fi
  od
end:
}
