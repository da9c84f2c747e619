# find_package(mgpu): the target mgpu::mlir_rocm_runtime, from where this file
# was installed.

get_filename_component(_mgpu_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
find_path(_mgpu_include mgpu_runtime.h NO_DEFAULT_PATH NO_CACHE
  PATHS "${_mgpu_lib}/../include" "${_mgpu_lib}/../../include")

if(NOT EXISTS "${_mgpu_lib}/libmlir_rocm_runtime.so" OR NOT _mgpu_include)
  set(mgpu_FOUND FALSE)
  set(mgpu_NOT_FOUND_MESSAGE "no libmlir_rocm_runtime.so in ${_mgpu_lib}, or no mgpu_runtime.h beside it")
  return()
endif()

if(NOT TARGET mgpu::mlir_rocm_runtime)
  add_library(mgpu::mlir_rocm_runtime SHARED IMPORTED)
  set_target_properties(mgpu::mlir_rocm_runtime PROPERTIES
    IMPORTED_LOCATION "${_mgpu_lib}/libmlir_rocm_runtime.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_mgpu_include}")
endif()
unset(_mgpu_lib)
unset(_mgpu_include)
