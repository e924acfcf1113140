package main

import (
	"flag"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"
)

// patience bounds a wait for what has to happen, so that a test ends that cannot pass. It decides nothing: no machine
// is as busy as that.
const patience = 5 * time.Minute

// patientTurns are settings of a server whose turns and models have as long as they take, so that what a busy machine
// does late is done all the same.
var patientTurns = []string{
	"--turn-deadline=10m", "--classify-deadline=5m", "--template-deadline=5m", "--select-deadline=5m",
	"--plan-deadline=5m",
}

// testsAtOnce is how many of these tests run at the same time. Most of them wait for other processes, and for leases to
// lapse.
const testsAtOnce = 6

// runMoreAtOnce sets the default of -parallel, which is the number of processors otherwise.
func runMoreAtOnce() {
	if err := flag.Set("test.parallel", strconv.Itoa(max(testsAtOnce, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
}

// collectSeldom lets garbage be collected at four times the memory in use: hundreds of small servers come and go, which
// leave much and keep little.
func collectSeldom() { debug.SetGCPercent(400) }
