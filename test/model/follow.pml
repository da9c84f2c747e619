/* What orders submissions after frees that do not wait: streampool's submission_frees.go, mgpu's
 * stream_follow.go, and note_free and stream_follow in internal/fastpath. THREADS threads submit to
 * two open streams, free memory and wait. What a thread submits after its free follows the work
 * that the driver had when the free began, and waits for nothing that the thread submitted after
 * the free, unless another thread frees too.
 *
 * Each read or change of a shared word is a step of its own, as is each driver call's effect; what
 * the code does by compare-and-swap is one step. Names are those of the code. FAULT leaves a
 * rule out; model_test.go expects that to be found. */

#ifndef THREADS
#define THREADS 2
#endif
#ifndef OPERATIONS
#define OPERATIONS 5
#endif
#ifndef FAULT
#define FAULT 0
#endif
#define STREAMS 2

byte frees; /* Pool.frees */
byte number[STREAMS], under_way[STREAMS], synced[STREAMS], freed[STREAMS], followed[STREAMS];

/* The event of each stream: how many submissions are known to come before it, how many frees were
 * counted before it, and how many pieces of the driver's work come before it. */
bool locked[STREAMS];
byte count[STREAMS], frees_of[STREAMS], covers[STREAMS];

/* The driver: how many pieces of work a stream was given, how many are done, and up to which piece
 * of the other stream its next work waits. Work is done as late as possible. */
byte given[STREAMS], done[STREAMS], waits[STREAMS];

#define other(s) (1 - (s))
#define pending(s) (number[s] != synced[s])

byte freeing; /* the threads that have freed, a bit each */

/* Pool.NoteFree and note_free. must is the work that later submissions of the thread follow. */
inline note_free() {
  atomic { must[0] = given[0]; must[1] = given[1]; own[0] = 0; own[1] = 0; freeing = freeing | 1 << _pid }
#if FAULT == 1 /* counted before it is noted */
  frees++;
#endif
  if
  :: pending(1) -> note_freed(1)
  :: else
  fi;
  if
  :: pending(0) -> note_freed(0)
  :: else
  fi;
#if FAULT != 1
  frees++
#endif
}

/* Entry.noteFreed. */
inline note_freed(s) {
  n = number[s];
  atomic {
    if
    :: freed[s] < n -> freed[s] = n
    :: else
    fi;
    n = 0
  }
}

/* frame.renew: what has not returned may come to the driver after the event. */
inline renew(s) {
  if
  :: count[s] < freed[s] && frees_of[s] < f ->
#if FAULT == 2 /* the event counts for calls under way */
     n = freed[s];
#else
     atomic {
       if
       :: under_way[s] == 0 -> n = number[s]
       :: else -> n = synced[s]
       fi
     }
#endif
     covers[s] = given[s];
     atomic { count[s] = n; frees_of[s] = f; n = 0 }
  :: else
  fi
}

/* frame.followFrees: the event of the stream itself, then that of the other one. */
inline follow(s) {
  f = frees;
#if FAULT == 3 /* noted before the stream waits */
  old = followed[s];
  followed[s] = f;
#else
  old = followed[s];
#endif
  if
  :: old != f ->
#if FAULT != 4 /* the stream gets no event before its next submission */
     if
     :: freed[s] > synced[s] ->
        atomic { !locked[s] -> locked[s] = true }
        renew(s);
        locked[s] = false
     :: else
     fi;
#endif
     if
     :: freed[other(s)] > synced[other(s)] ->
        atomic { !locked[other(s)] -> locked[other(s)] = true }
        renew(other(s));
        atomic {
          assert(own[other(s)] == 0 || covers[other(s)] < own[other(s)] || (freeing & ~(1 << _pid)) != 0);
          if
          :: waits[s] < covers[other(s)] -> waits[s] = covers[other(s)]
          :: else
          fi;
          locked[other(s)] = false
        }
     :: else
     fi;
#if FAULT == 5 /* frees that came meanwhile are taken for followed */
     f = frees;
#endif
     followed[s] = f
  :: else
  fi;
  atomic { f = 0; old = 0 }
}

/* A submission: Entry.Begin, the driver's call, Entry.End. */
inline submit(s) {
  follow(s);
  atomic { number[s]++; under_way[s]++ }
  atomic {
    assert(must[other(s)] <= done[other(s)] || must[other(s)] <= waits[s]);
    given[s]++;
    if
    :: own[s] == 0 -> own[s] = given[s]
    :: else
    fi
  }
  under_way[s]--
}

/* A wait for a stream. */
inline wait(s) {
  atomic {
    if
    :: under_way[s] == 0 -> n = number[s]
    :: else -> n = synced[s]
    fi
  }
  atomic {
    done[s] = given[s];
    if
    :: done[other(s)] < waits[s] -> done[other(s)] = waits[s]
    :: else
    fi
  }
  atomic {
    if
    :: synced[s] < n -> synced[s] = n
    :: else
    fi;
    n = 0
  }
}

byte operations = OPERATIONS, started;

active [THREADS] proctype thread() {
  byte n = 0, f = 0, old = 0, must[STREAMS], own[STREAMS];
  started == _pid || operations == 0; /* threads are alike: in one order */
  do
  :: operations == 0 -> break
  :: atomic { operations > 0 -> operations--; if :: started == _pid -> started++ :: else fi }
     if
     :: submit(0)
     :: submit(1)
     :: note_free()
     :: wait(0)
     fi
  od
end:
}
