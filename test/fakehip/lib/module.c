#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "module.h"

#include "device.h"
#include "memory.h"
#include "real.h"
#include "stream.h"
#include "violation.h"

enum { longest_name = 4096 };

/* A variable that was looked up. */
struct variable {
  struct variable *next;
  const char *name;
  struct block *block;
};

static void module_end(struct object *o) {
  struct module *m = (struct module *)o;
  while (m->variables) {
    struct variable *v = m->variables;
    m->variables = v->next;
    memory_variable_end(v->block);
    free(v);
  }
  while (m->functions) {
    struct function_object *f = m->functions;
    m->functions = f->next;
    free(f);
  }
  if (m->library)
    dlclose(m->library);
  if (m->file >= 0)
    close(m->file);
  for (char **name = m->amd_kernels; name && *name; name++)
    free(*name);
  free(m->amd_kernels);
  image_free(&m->image);
  pthread_mutex_destroy(&m->lock);
  free(m);
}

/* Functions are freed with their module. */
static void function_end(struct object *o) {
  object_release(&((struct function_object *)o)->module->object);
}

/* Loads the shared object from a file that only this module has: the loader takes two of one name for the same. */
static hipError_t open_library(struct module *m) {
  char path[64];
  m->file = memfd_create("fakehip-module", MFD_CLOEXEC);
  if (m->file < 0 ||
      write(m->file, m->image.copy, m->image.bytes) != (ssize_t)m->image.bytes)
    return hipErrorOperatingSystem;
  snprintf(path, sizeof path, "/proc/self/fd/%d", m->file);
  m->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (m->library)
    return hipSuccess;
  fprintf(stderr, "fakehip: hipModuleLoadData: %s\n", dlerror());
  return hipErrorSharedObjectInitFailed;
}

hipError_t real_hipModuleLoadData(hipModule_t *out, const void *image) {
  struct device *d = device_current();
  if (!out || !image)
    return hipErrorInvalidValue;
  *out = NULL;
  if (!d)
    return hipErrorNoDevice;
  struct module *m = calloc(1, sizeof *m);
  if (!m)
    return hipErrorOutOfMemory;
  m->object = (struct object){
      .kind = kind_module, .device = d->number, .end = module_end};
  m->file = -1;
  pthread_mutex_init(&m->lock, NULL);
  hipError_t e = image_read(image, &m->image);
  if (e == hipSuccess && !m->image.amd)
    e = open_library(m);
  else if (e == hipSuccess && !(m->amd_kernels = image_amd_kernels(&m->image)))
    e = hipErrorInvalidImage;
  if (e != hipSuccess) {
    module_end(&m->object);
    return e;
  }
  *out = (hipModule_t)(uintptr_t)object_publish(&m->object,
                                                call_hipModuleLoadData);
  return hipSuccess;
}

hipError_t real_hipModuleUnload(hipModule_t handle) {
  struct module *m = object_retire(handle, kind_module);
  if (!m)
    return hipErrorInvalidHandle;
  if (m->variables)
    stream_wait_all(device_at(m->object.device));
  pthread_mutex_lock(&m->lock);
  struct function_object *next;
  for (struct function_object *f = m->functions; f; f = next) {
    next = f->next;
    (void)object_retire((void *)(uintptr_t)f->object.handle, kind_function);
    object_release(&f->object);
  }
  pthread_mutex_unlock(&m->lock);
  object_release(&m->object);
  return hipSuccess;
}

void forgive_hipModuleUnload(hipModule_t handle) {
  object_forgive(handle, kind_module);
}

/* Returns a copy of a text that is never freed: reports name functions of unloaded modules. */
static const char *kept(const char *text) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct kept {
    struct kept *next;
    char text[];
  } *all;
  size_t size = strlen(text) + 1;
  pthread_mutex_lock(&lock);
  struct kept *k = all;
  while (k && strcmp(k->text, text) != 0)
    k = k->next;
  if (!k && (k = malloc(sizeof *k + size))) {
    memcpy(k->text, text, size);
    k->next = all;
    all = k;
  }
  pthread_mutex_unlock(&lock);
  if (!k)
    abort();
  return k->text;
}

/* Reports whether a kernel exists; *kernel is NULL for one that does nothing. */
static bool find_kernel(const struct module *m, const char *name,
                        const struct kernel **kernel) {
  char symbol[longest_name + sizeof KERNEL_PREFIX];
  *kernel = NULL;
  for (char **k = m->amd_kernels; k && *k; k++)
    if (strcmp(*k, name) == 0)
      return true;
  if (!m->library || strlen(name) > longest_name)
    return false;
  snprintf(symbol, sizeof symbol, KERNEL_PREFIX "%s", name);
  *kernel = dlsym(m->library, symbol);
  return *kernel && (*kernel)->version == KERNEL_VERSION;
}

static struct function_object *function_of(struct module *m, const char *name) {
  const struct kernel *kernel;
  for (struct function_object *f = m->functions; f; f = f->next)
    if (strcmp(f->name, name) == 0)
      return f;
  if (!find_kernel(m, name, &kernel))
    return NULL;
  struct function_object *f = calloc(1, sizeof *f);
  if (!f)
    return NULL;
  f->object = (struct object){
      .kind = kind_function, .device = m->object.device, .end = function_end};
  f->module = m;
  f->name = kept(name);
  f->kernel = kernel;
  f->next = m->functions;
  m->functions = f;
  object_hold(&m->object);
  object_publish(&f->object, call_hipModuleGetFunction);
  return f;
}

hipError_t real_hipModuleGetFunction(hipFunction_t *out, hipModule_t handle,
                                     const char *name) {
  if (!out || !name)
    return hipErrorInvalidValue;
  *out = NULL;
  /* No violation: HIP and CUDA look modules up, so this is how one asks whether a module
   * is there. */
  if (object_was_destroyed(handle, kind_module))
    return hipErrorInvalidHandle;
  struct module *m = object_take(handle, kind_module);
  if (!m)
    return hipErrorInvalidHandle;
  if (!image_unchanged(&m->image))
    violation(
        violation_image,
        "module %p: its image at %p is not what it was when it was loaded",
        (void *)handle, (const void *)m->image.at);
  pthread_mutex_lock(&m->lock);
  struct function_object *f = function_of(m, name);
  uint64_t function = f ? f->object.handle : 0;
  pthread_mutex_unlock(&m->lock);
  object_release(&m->object);
  *out = (hipFunction_t)(uintptr_t)function;
  return function ? hipSuccess : hipErrorNotFound;
}

/* The variable of a name, found in the shared object if it was not asked for before; under the lock. */
static struct variable *variable_of(struct module *m, const char *name) {
  char symbol[longest_name + sizeof VARIABLE_PREFIX];
  struct variable *v = m->variables;
  while (v && strcmp(v->name, name) != 0)
    v = v->next;
  if (v || !m->library || strlen(name) > longest_name)
    return v;
  snprintf(symbol, sizeof symbol, VARIABLE_PREFIX "%s", name);
  void *at = dlsym(m->library, symbol);
  snprintf(symbol, sizeof symbol, VARIABLE_SIZE_PREFIX "%s", name);
  const uint64_t *size = dlsym(m->library, symbol);
  if (!at || !size || !(v = calloc(1, sizeof *v)))
    return NULL;
  v->name = kept(name);
  v->block = memory_variable(m->object.device, at, *size);
  if (!v->block) {
    free(v);
    return NULL;
  }
  v->next = m->variables;
  m->variables = v;
  return v;
}

hipError_t real_hipModuleGetGlobal(hipDeviceptr_t *p, size_t *bytes,
                                   hipModule_t handle, const char *name) {
  if (!name)
    return hipErrorInvalidValue;
  struct module *m = object_take(handle, kind_module);
  if (!m)
    return hipErrorInvalidHandle;
  pthread_mutex_lock(&m->lock);
  struct variable *v = variable_of(m, name);
  if (v && p)
    *p = (hipDeviceptr_t)(uintptr_t)v->block->address;
  if (v && bytes)
    *bytes = v->block->size;
  pthread_mutex_unlock(&m->lock);
  object_release(&m->object);
  return v ? hipSuccess : hipErrorNotFound;
}
