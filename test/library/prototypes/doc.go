// Package prototypes compares what the drivers declare of their vendors' libraries
// by themselves with the vendors' headers.
//
// Each file of vendors/ includes a vendor's header and declares everything again
// as the driver has it: it compiles only where the two agree. A test compiles the
// file where the header is installed, and a changed copy of the driver's
// declarations to see that a difference would be noticed.
package prototypes
