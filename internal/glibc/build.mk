# What is linked here runs with glibc 2.28 and later, whatever glibc this machine has.
# Functions of libpthread and libdl got a second version when glibc 2.32 and 2.34 moved
# them into libc, and a linker binds to the newest. So it finds them in two stubs first,
# which name the libraries and versions of before; newer glibcs still have both names.
# test/library/dist compares the versions that the results ask for.
#
#   GLIBC_LIBRARY  for the linker, where it makes a library
#   GLIBC_PROGRAM  where it makes a program, which is started too
ifeq ($(shell uname -m)-$(shell uname -s),x86_64-Linux)
GLIBC_LIBRARY := $(BUILD)/glibc/libpthread.so.0 $(BUILD)/glibc/libdl.so.2
GLIBC_PROGRAM := $(BUILD)/glibc/start.o $(GLIBC_LIBRARY)
endif
GLIBC_SOURCES := $(wildcard internal/glibc/*)

$(BUILD)/glibc/libpthread.so.0: internal/glibc/libpthread.c $(GLIBC_SOURCES)
$(BUILD)/glibc/libdl.so.2: internal/glibc/libdl.c $(GLIBC_SOURCES)
$(BUILD)/glibc/%:
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) -shared -nostdlib -fPIC -fno-builtin -w -Wl,-soname,$(@F) -Wl,--version-script=internal/glibc/first.map -o $@ $<

$(BUILD)/glibc/start.o: internal/glibc/start.c
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) -std=gnu11 -Wall -Wextra -Werror -O2 -fPIC -c -o $@ $<
