// Package model checks the two protocols that Go and C keep together by spin: submissions.pml
// is streampool's counting of submissions with the frees that rest on it, relaunch.pml the
// slots by which C launches recorded graphs again. Spin tries every order of the steps.
//
// Random programs hold the code itself to the first protocol: judge_test.go.
//
// Each model can leave a rule of its protocol out (FAULT); the tests expect spin to find
// each of these.
package model
