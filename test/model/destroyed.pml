/* What keeps the order after frees where a stream is destroyed with work pending: streampool's
 * idle.go and submission_frees.go, mgpu's stream_follow.go, and note_free in internal/fastpath. One
 * thread destroys the stream. The other frees, in C or in Go, and submits to a stream of its own: the
 * submission waits for the destroyed stream's work, or that is done. The thread's event is recorded
 * on the stream as long as it exists.
 *
 * Each read or change of a shared word is a step of its own. Names are those of the code. FAULT
 * leaves a rule out; model_test.go expects that to be found. */

#ifndef FAULT
#define FAULT 0
#endif

mtype = { live, draining, ending, gone }

/* The stream, which has one submission that no wait covers, and the queue that stands for the work
 * of streams that were destroyed. */
mtype state = live;
bool listed = true, freed, queue_pending, queue_freed;
byte pins, frees;

/* The driver: whether the stream exists and its work is done. */
bool exists = true, done;

/* Entry.Pin. */
inline pin() {
#if FAULT == 1 /* looks at the state before it counts */
  if
  :: state == live || state == draining -> pins++; pinned = true
  :: else -> pinned = false
  fi
#else
  pins++;
  if
  :: state == live || state == draining -> pinned = true
  :: else -> pins--; pinned = false
  fi
#endif
}

/* Pool.NoteFree: the stream first, then the queue. */
inline note_in_go() {
  left = false;
  if
  :: listed -> freed = true; left = true
  :: else
  fi;
  if
  :: queue_pending -> queue_freed = true; left = true
  :: else
  fi;
  if
  :: left -> frees++
  :: else
  fi
}

/* What alloc_free finds of the stream: find_waits, then note_free. */
inline free_in_c() {
  in_c = false;
  if
  :: listed ->
     if
     :: queue_pending
     :: else ->
        if
        :: state == live ->
           freed = true;
#if FAULT == 2 /* does not look whether the stream is live still */
           in_c = true
#else
           if
           :: state == live -> in_c = true
           :: else
           fi
#endif
        :: else
        fi
     fi
  :: else
  fi;
  if
  :: in_c -> frees++
  :: else -> note_in_go()
  fi
}

/* frame.followFrees, with frame.follow for the stream and for the queue. */
inline follow() {
  if
  :: listed && freed ->
     pin();
     if
     :: pinned -> atomic { assert(exists); waits = true }; pins--
#if FAULT == 3 /* takes the queue for noted already */
     :: !pinned
#else
     :: !pinned -> done = true
#endif
     fi
  :: else
  fi;
  if
  :: queue_freed -> done = true
  :: else
  fi
}

active proctype freeing() {
  bool left, in_c, pinned, waits;
  if
  :: note_in_go()
  :: free_in_c()
  fi;
  follow();
  assert(waits || done)
}

/* Pool.retire. */
active proctype destroying() {
  bool noted;
  state = ending;
  if
#if FAULT != 4 /* ends a stream that is pinned */
  :: pins != 0 -> state = draining
#endif
  :: else ->
     state = gone;
#if FAULT == 5 /* looks for notes before the queue is seen to have work */
     noted = freed;
     queue_pending = true;
#else
     queue_pending = true;
     noted = freed;
#endif
     if
     :: noted -> queue_freed = true; frees++
     :: else
     fi;
     listed = false;
     exists = false
  fi
}
