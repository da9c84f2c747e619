//go:build !spin

package model

// fault is a rule left out: a piece of the code's text, and what stands there while the fault
// is on. FAULT is that condition, in C and in Go. All faults are in one program, which
// JUDGE_FAULT chooses from.
type fault struct {
	name     string
	file     string
	old, new string
	kind     string // of programs that find it: C, Go or both
	found    string // in the output: a regular expression
}

// What finds a fault: the detector, what the programs check, or the checks of internal/invariants.
const (
	race     = "DATA RACE"
	checked  = "seed "
	either   = race + "|" + checked // another thread takes the block, or its memory, at a bad time
	unlisted = "Go has no transition from"
	left     = "left: "
	hangs    = "hangs: "
)

const (
	alloc      = "internal/fastpath/alloc.c"
	copies     = "internal/fastpath/copy.c"
	onenode    = "internal/fastpath/onenode.c"
	generated  = "internal/fastpath/layout.h" // from streampool
	streams    = "internal/fastpath/stream.c"
	threads    = "internal/fastpath/thread.c"
	submission = "streampool/submission.go"
)

// Random stops are too coarse for what comes between two reads of a word: spin tries those
// (submissions.pml, FAULT 3 and 4; destroyed.pml; progress.pml).
var faults = []fault{
	{"C's launch counts as returned before it is", "internal/fastpath/launch.c", "  int32_t status =\n      driver.simple ? launch_plain(l) : launch_cheaper(l, e, &launched);\n  stream_end_submission(e, submission);\n",
		"  if (FAULT)\n    stream_end_submission(e, submission);\n  int32_t status =\n      driver.simple ? launch_plain(l) : launch_cheaper(l, e, &launched);\n  if (!FAULT)\n    stream_end_submission(e, submission);\n", "C", checked},
	{"C counts no call under way", generated, "static inline uint64_t one_call(uint64_t word) {\n", "static inline uint64_t one_call(uint64_t word) {\n  if (FAULT)\n    return 0;\n", "C", checked},
	{"C's call is under way for ever", generated, "return (uint64_t)((uint64_t)(word + (uint64_t)1048576) + one_call(word));",
		"return word + 1048576 + one_call(word) * (FAULT ? 2 : 1);", "C", hangs},
	{"C's wait covers calls under way", streams, "else if (__builtin_expect(all_calls_returned(word), 1))",
		"else if (FAULT || all_calls_returned(word))", "C", checked},
	{"C's block does not wait for the latest submission", alloc, "w->number = latest_submission(entry_word(w->stream));",
		"w->number = latest_submission(entry_word(w->stream)) - (FAULT ? stream_one_more : 0);", "C", checked},
	{"C's block waits for no stream", alloc, "if (w->stream == NULL)\n    return;", "if (w->stream == NULL)\n    return;\n  if (FAULT)\n    __atomic_store_n(&b->waits_for, 0, __ATOMIC_RELAXED);", "C", checked},
	{"C does not look at the null stream", alloc, "while (n-- > 0) {", "while (n-- > (FAULT ? 1 : 0)) {", "C", checked},
	{"C's block waits for one of two streams", alloc, "if (w->stream != NULL)\n      return false;", "if (w->stream != NULL && !FAULT)\n      return false;", "C", checked},
	{"C's free does not mind that the host sees memory", alloc, "free_reason_to_wait(e->source, host_shares())",
		"free_reason_to_wait(e->source, !FAULT && host_shares())", "C", checked},
	{"C's free does not ask for the addresses of copies", generated, "static inline bool copy_addresses_known(struct copy_addresses * a) {\n", "static inline bool copy_addresses_known(struct copy_addresses * a) {\n  if (FAULT)\n    return true;\n", "C", checked},
	{"C lists a block before it notes what the block waits for", alloc, "  note_waits(b, &w);", "  if (FAULT) {\n    __atomic_store_n(&place[i], b, __ATOMIC_RELEASE);\n    schedule_pause(30);\n  }\n  note_waits(b, &w);", "both", either},
	{"C's larger table of blocks is not published", alloc, "__atomic_store_n(&table, bigger, __ATOMIC_RELEASE);",
		"__atomic_store_n(&table, bigger, FAULT ? __ATOMIC_RELAXED : __ATOMIC_RELEASE);", "C", race},
	{"C's free is not counted for later submissions", alloc, "__atomic_add_fetch(streams.frees, 1, __ATOMIC_SEQ_CST);", "__atomic_add_fetch(streams.frees, FAULT ? 0 : 1, __ATOMIC_SEQ_CST);", "C", checked},
	{"C's free notes one submission too few", alloc, "entry_note_freed(w->stream, w->number);", "entry_note_freed(w->stream, w->number - (FAULT ? stream_one_more : 0));", "C", checked},
	{"C's submission follows no other stream", streams, "if (others || !entry_freed_done(other))", "if (others || (!FAULT && !entry_freed_done(other)))", "C", checked},
	{"C gives a stream back with work pending", streams, "entry_pending_at(e, word)", "(!FAULT && entry_pending_at(e, word))", "C", checked},
	{"a thread's state is published without order", threads, "__ATOMIC_RELEASE, __ATOMIC_RELAXED))\n      ;", "FAULT ? __ATOMIC_RELAXED : __ATOMIC_RELEASE, __ATOMIC_RELAXED))\n      ;", "C", race},
	{"an ended thread's state is left without order", threads, "__atomic_store_n(&t->in_use, 0, __ATOMIC_RELEASE);",
		"__atomic_store_n(&t->in_use, 0, FAULT ? __ATOMIC_RELAXED : __ATOMIC_RELEASE);", "C", race},
	{"a thread's state is taken over without order", threads, "__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))\n      return t;", "FAULT ? __ATOMIC_RELAXED : __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))\n      return t;", "C", race},
	{"two threads take one state", threads, "uint32_t unused = 0;", "uint32_t unused = FAULT ? t->in_use : 0;", "C", race},

	{"Go asks about a stream that the program may have destroyed", "mgpu/stream_progress.go", "return !k.unchecked || ", "return !k.unchecked || FAULT || ", "Go", checked},
	{"C's copy counts as returned before it is made", copies, "  uint64_t from = driver_call_begin();\n  int32_t status = function(driver.self, dst, what, amount, stream);\n  stream_end_submission(e, submission);\n",
		"  uint64_t from = driver_call_begin();\n  if (FAULT)\n    stream_end_submission(e, submission);\n  int32_t status = function(driver.self, dst, what, amount, stream);\n  if (!FAULT)\n    stream_end_submission(e, submission);\n", "C", checked},
	{"C's copy does not note where it writes", copies, "(!ours && !copy_addresses_add(a, dst))", "(!ours && !FAULT && !copy_addresses_add(a, dst))", "C", checked},
	{"C's copy does not note what it reads", copies, "(src != 0 && !alloc_holds(src) && !copy_addresses_add(a, src))", "(src != 0 && !FAULT && !alloc_holds(src) && !copy_addresses_add(a, src))", "C", checked},
	{"C's copy is made although its address has no slot", copies, "    return false;\n  if (!ours && src != 0)", "    return FAULT;\n  if (!ours && src != 0)", "C", checked},
	{"C's copy notes its addresses after the driver call", copies, "  if (!note_addresses(dst, copies ? what : 0,",
		"  if (FAULT) {\n    function(driver.self, dst, what, amount, stream);\n    note_addresses(dst, copies ? what : 0, (struct noted_copy){0});\n    stream_end_submission(e, submission);\n    return true;\n  }\n  if (!note_addresses(dst, copies ? what : 0,", "C", checked},
	{"C's address of a copy is taken for another one", generated, "    if ((bool)(old == p)) {\n", "    if ((bool)(old == p) || FAULT) {\n", "C", checked},
	{"C's address of a copy is counted after it is stored", generated, "      __atomic_add_fetch(&a->unknown, (int32_t)1, __ATOMIC_SEQ_CST);\n      if (__sync_bool_compare_and_swap(slot, (uintptr_t)0, p)) {\n        return true;\n",
		"      if (!FAULT)\n        __atomic_add_fetch(&a->unknown, (int32_t)1, __ATOMIC_SEQ_CST);\n      if (__sync_bool_compare_and_swap(slot, (uintptr_t)0, p)) {\n        if (FAULT)\n          __atomic_add_fetch(&a->unknown, (int32_t)1, __ATOMIC_SEQ_CST);\n        return true;\n", "C", checked},
	{"C launches a graph with the parameters of an earlier launch", onenode, "differs |= now != before;", "differs |= !FAULT && now != before;", "C", checked},
	{"C launches a graph of another shape", onenode, "c->grid.z == (uint32_t)l->grid[2]", "(FAULT || c->grid.z == (uint32_t)l->grid[2])", "C", checked},
	{"C launches a graph of an unloaded function", onenode, "c->updates_left != 0 && c->epoch == lookup_epoch();", "c->updates_left != 0 && (FAULT || c->epoch == lookup_epoch());", "C", checked},
	{"C changes a graph that executes", onenode, "c->node_stale = update && by_graph.pinned &&", "c->node_stale = !FAULT && update && by_graph.pinned &&", "C", checked},
	{"C changes a graph too often", onenode, "c->updates_left -= update;", "c->updates_left -= FAULT ? 0 : update;", "C", checked},
	{"C forgets that a graph was not changed", onenode, "  if (c->node_stale)\n    return false;\n", "  if (c->node_stale) {\n    c->node_stale = !FAULT;\n    return false;\n  }\n", "C", checked},

	{"Go counts no call under way", submission, "if allReturned(w) {\n\t\treturn number(w)", "if FAULT || allReturned(w) {\n\t\treturn number(w)", "Go", checked},
	{"Go's round changes though calls of the round before are under way", submission, "if w/oneCall(w^roundBit)&callMask != 0 {", "if !FAULT && w/oneCall(w^roundBit)&callMask != 0 {", "Go", checked},
	{"Go's free is not noted for later submissions", "mgpu/memory_free.go", "if o == alloccache.Deferred {", "if o == alloccache.Deferred && !FAULT {", "Go", checked},
	{"Go's submission follows no other stream", "mgpu/stream_follow.go", "if owed := f.k.pool.Owed(s); len(owed) > 0 {", "if owed := f.k.pool.Owed(s); len(owed) > 0 && !FAULT {", "Go", checked},
	{"Go follows an event of an earlier free", "mgpu/stream_follow.go", "if b.event == 0 || b.frees < frees && int64(b.count-other.Freed()) < 0 {", "if b.event == 0 || !FAULT && b.frees < frees && int64(b.count-other.Freed()) < 0 {", "both", checked},
	{"Go's event counts as recorded after calls under way", "mgpu/stream_follow.go", "b.event, b.count, b.frees = event, count, frees", "b.event, b.count, b.frees = event, count, frees\n\t\tif FAULT {\n\t\t\tb.count = of.Freed()\n\t\t}", "C", checked},
	{"Go's block waits for returned calls alone", submission, "return number(e.word.Load()), returned", "if FAULT {\n\t\treturn returned, returned\n\t}\n\treturn number(e.word.Load()), returned", "Go", checked},
	{"Go gives a stream back with work pending", "streampool/pool.go", "if !e.pending(w) && e.id != 0", "if (FAULT || !e.pending(w)) && e.id != 0", "Go", checked},
	{"Go forgets a stream that is destroyed with work pending", "streampool/idle.go", "if e.Pending() {\n\t\t\tp.abandoned(e)", "if e.Pending() && !FAULT {\n\t\t\tp.abandoned(e)", "Go", checked},
	{"Go destroys a stream that another thread has pinned", "streampool/entry.go", "return e.pins.Load() != 0 || ", "return e.pins.Load() != 0 && !FAULT || ", "Go", checked},
	{"Go destroys a stream on which a call is under way", "streampool/entry.go", "!allReturned(e.word.Load()) }", "!allReturned(e.word.Load()) && !FAULT }", "Go", checked},
	{"Go pins a stream that is about to be destroyed", "streampool/entry.go", "if s := e.State(); s != Ending && s != Gone {", "if s := e.State(); FAULT || s != Ending && s != Gone {", "Go", checked},
	{"Go forgets what a listed block waits for", "alloccache/trim.go", "waited = b.waitsFor.Swap(0) != 0; waited {", "waited = b.waitsFor.Swap(0) != 0; waited && !FAULT {", "both", checked},
	{"Go gives out a block that waits", "alloccache/bins.go", "if b.ready() {", "if FAULT || b.ready() {", "Go", checked},
	{"Go's list of free blocks has no lock", "alloccache/bins.go", "func (s *bins) insert(b *Block) {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()", "func (s *bins) insert(b *Block) {\n\tif !FAULT {\n\t\ts.mu.Lock()\n\t\tdefer s.mu.Unlock()\n\t}", "Go", race},
	{"Go's queue of draining streams has no lock", "streampool/queue.go", "func (q *queue) pushBack(e *Entry) {\n\tq.mu.Lock()\n\tdefer q.mu.Unlock()\n\tn := int(q.length.Load())\n",
		"func (q *queue) pushBack(e *Entry) {\n\tif !FAULT {\n\t\tq.mu.Lock()\n\t\tdefer q.mu.Unlock()\n\t}\n\tn := int(q.length.Load())\n\tfor i := 0; FAULT && i < 50000; i++ {\n\t}\n", "both", race},
	{"Go lists a block, which is C's to do", "alloccache/bins.go", "b.leave(to)", "if FAULT {\n\t\tto = Listed\n\t}\n\tb.leave(to)", "Go", unlisted},
	{"Go's submission never returns", submission, "defer s.End(s.Begin())", "if FAULT {\n\t\ts.Begin()\n\t\treturn call()\n\t}\n\tdefer s.End(s.Begin())", "Go", hangs},
	{"Go leaves a stream pinned", "mgpu/memory_driver.go", "\t\treturn false, nil\n\t}\n\tdefer e.Unpin()", "\t\treturn false, nil\n\t}\n\tif !FAULT {\n\t\tdefer e.Unpin()\n\t}", "Go", left},
	{"Go's free does not ask for the addresses of copies", "mgpu/copy_notes.go", "f.anyPending(device) && !m.addresses.known()", "f.anyPending(device) && !FAULT && !m.addresses.known()", "Go", checked},
	{"Go's copy does not note its addresses", "mgpu/copy_notes.go", "if m == nil || !m.asksAddresses() {", "if FAULT || m == nil || !m.asksAddresses() {", "Go", checked},
	{"Go destroys a graph that executes", "mgpu/launch_onenode.go", "k.graphs.GraphTraits().Pinned && e.Pending() && e.Pin()", "!FAULT && k.graphs.GraphTraits().Pinned && e.Pending() && e.Pin()", "both", checked},
	{"Go does not wait for foreign streams", "mgpu/work_in_flight.go", "\tm.foreign.Submitted()", "\tif !FAULT {\n\t\tm.foreign.Submitted()\n\t}", "Go", checked},
	{"Go's free does not mind that the host sees memory", "mgpu/memory_free.go", "reasonToWait(m.untold(device), m.sharedWithHost.Load())", "reasonToWait(m.untold(device), !FAULT && m.sharedWithHost.Load())", "Go", checked},
}
