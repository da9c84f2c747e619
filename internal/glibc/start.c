/* Starts a program by the first version of __libc_start_main, which every glibc has. The
 * second version, of glibc 2.34, runs the program's constructors itself. The first version
 * calls a function for that, which programs linked with a newer glibc lack. */
typedef void constructor(int, char **, char **);
typedef int function(int, char **, char **);

extern constructor *const __init_array_start[]
    __attribute__((visibility("hidden")));
extern constructor *const __init_array_end[]
    __attribute__((visibility("hidden")));

extern int start_main_2_2_5(function *program, int argc, char **argv,
                            function *init, void (*fini)(void),
                            void (*end_of_loader)(void), void *stack_end);
__asm__(".symver start_main_2_2_5,__libc_start_main@GLIBC_2.2.5");

static int construct(int argc, char **argv, char **environment) {
  for (constructor *const *c = __init_array_start; c < __init_array_end; c++)
    (*c)(argc, argv, environment);
  return 0;
}

/* Hidden: an exported function would be found before glibc's, and call itself. */
__attribute__((visibility("hidden"))) int
__libc_start_main(function *program, int argc, char **argv, function *init,
                  void (*fini)(void), void (*end_of_loader)(void),
                  void *stack_end) {
  return start_main_2_2_5(program, argc, argv, init ? init : construct, fini,
                          end_of_loader, stack_end);
}
