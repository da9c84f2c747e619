/* What fails to compile where a number, or a structure's field, is not the vendor's. */
#define SAME(ours, theirs, value) _Static_assert(theirs == value, #theirs);

#define FIELD(theirs, field, ours, our_field)                                  \
  _Static_assert(offsetof(theirs, field) ==                                    \
                         offsetof(struct ours, our_field) &&                   \
                     sizeof(((theirs *)0)->field) ==                           \
                         sizeof(((struct ours *)0)->our_field),                \
                 #theirs "." #field);
