/* Replaces libpthread.so.0 while the libraries are linked (build.mk). It has the functions
 * that the libraries call and of which glibc 2.32 or 2.34 has a second version in libc. */
void pthread_attr_getstack(void) {}
void pthread_attr_getstacksize(void) {}
void pthread_create(void) {}
void pthread_getattr_np(void) {}
void pthread_join(void) {}
void pthread_key_create(void) {}
void pthread_once(void) {}
void pthread_rwlock_rdlock(void) {}
void pthread_rwlock_unlock(void) {}
void pthread_rwlock_wrlock(void) {}
void pthread_setspecific(void) {}
void pthread_sigmask(void) {}
void sem_init(void) {}
void sem_post(void) {}
void sem_timedwait(void) {}
void sem_trywait(void) {}
