// Package model checks by spin the protocols that Go and C keep together. submissions.pml is
// streampool's counting of submissions with the frees that rest on it; follow.pml is the order
// after frees, and destroyed.pml the same where a stream is destroyed; relaunch.pml has the
// slots by which C launches recorded graphs again. Spin tries every order of the steps.
//
// Random programs hold the code itself to all but the last: judge_test.go. A seed chooses the order of their threads, which
// stop at each atomic operation of C and Go and at each driver call (judge/schedule.c), so that what they find does not
// depend on how busy the machine is.
//
// Each model can leave a rule of its protocol out (FAULT); the tests expect spin to find
// each of these.
package model
