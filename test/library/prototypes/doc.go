// Package prototypes compares the drivers' own declarations of vendors' functions with the vendors' headers.
//
// Each file of vendors/ includes a vendor's header and declares everything again as the driver does. It compiles only
// if the two agree. A test compiles the file if the header is installed, and also a changed copy of the driver's
// declarations, to see that a difference is noticed.
package prototypes
