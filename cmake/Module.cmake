# A module is one folder of src/, one target, one namespace, one layer.
#
#   assent_module(NAME LAYER n [USES module…] [PRIVATE library…])
#
# Boundaries that the build enforces:
#  * The only include root that a module exports is a build folder holding one link to that module,
#    so a header of a module that was not declared in USES is not found.
#  * assent_check_layers() fails at configure where a used module is not on a lower layer.
#  * Every header compiles alone: target all_verify_interface_header_sets.
#
# NAME.cc files form the library assent::NAME; *_test.cc one executable NAME_test; testing/ the
# fakes, a library assent::NAME_testing that only tests may use (through TEST_USES).

define_property(GLOBAL PROPERTY ASSENT_MODULES BRIEF_DOCS "All modules")
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)

# One precompiled header for the libraries, one for the tests: every target has the same flags.
add_library(assent_pch OBJECT ${CMAKE_SOURCE_DIR}/cmake/empty.cc)
target_link_libraries(assent_pch PRIVATE assent_flags)
target_precompile_headers(assent_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch.h)
if(ASSENT_TESTS)
  add_library(assent_test_pch OBJECT ${CMAKE_SOURCE_DIR}/cmake/empty.cc)
  target_link_libraries(assent_test_pch PRIVATE assent_flags GTest::gmock GTest::gtest)
  target_precompile_headers(assent_test_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/test_pch.h)
endif()

function(assent_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LAYER" "USES;PRIVATE;TEST_USES;TEST_PRIVATE")
  set(dir ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  set(root ${CMAKE_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${dir} ${root}/${name} SYMBOLIC)

  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${dir} ${dir}/*.h)
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cc)
  file(GLOB tests CONFIGURE_DEPENDS ${dir}/*_test.cc)
  file(GLOB fakes CONFIGURE_DEPENDS ${dir}/testing/*.cc ${dir}/testing/*.h)
  list(REMOVE_ITEM sources ${tests} ${dir}/main.cc)
  list(TRANSFORM headers PREPEND ${root}/${name}/)

  if(sources)
    set(kind STATIC)
    set(scope PUBLIC)
  else()
    set(kind INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(assent_${name} ${kind} ${sources})
  add_library(assent::${name} ALIAS assent_${name})
  target_sources(assent_${name} ${scope} FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers})
  target_include_directories(assent_${name} ${scope} ${root})
  list(TRANSFORM arg_USES PREPEND assent_ OUTPUT_VARIABLE used)
  target_link_libraries(assent_${name} ${scope} ${used})
  if(sources)
    target_link_libraries(assent_${name} PRIVATE assent_flags ${arg_PRIVATE})
    target_precompile_headers(assent_${name} REUSE_FROM assent_pch)
  endif()
  set_property(GLOBAL APPEND PROPERTY ASSENT_MODULES ${name})
  set_property(GLOBAL PROPERTY ASSENT_LAYER_${name} ${arg_LAYER})
  set_property(GLOBAL PROPERTY ASSENT_USES_${name} "${arg_USES}")

  if(ASSENT_TESTS AND fakes)
    add_library(assent_${name}_testing INTERFACE)
    target_link_libraries(assent_${name}_testing INTERFACE assent_${name})
    file(GLOB fake_sources CONFIGURE_DEPENDS ${dir}/testing/*.cc)
    target_sources(assent_${name}_testing INTERFACE ${fake_sources})
  endif()
  if(ASSENT_TESTS AND tests)
    add_executable(${name}_test ${tests})
    list(TRANSFORM arg_TEST_USES PREPEND assent_)
    if(fakes)
      list(APPEND arg_TEST_USES assent_${name}_testing)
    endif()
    target_link_libraries(${name}_test PRIVATE
      assent_flags assent_${name} ${arg_TEST_USES} ${arg_PRIVATE} ${arg_TEST_PRIVATE}
      GTest::gmock GTest::gtest_main)
    target_compile_definitions(${name}_test PRIVATE
      ASSENT_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
    target_precompile_headers(${name}_test REUSE_FROM assent_test_pch)
    add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1)
  endif()
endfunction()

function(assent_check_layers)
  get_property(modules GLOBAL PROPERTY ASSENT_MODULES)
  foreach(module ${modules})
    get_property(layer GLOBAL PROPERTY ASSENT_LAYER_${module})
    get_property(uses GLOBAL PROPERTY ASSENT_USES_${module})
    foreach(other ${uses})
      get_property(below GLOBAL PROPERTY ASSENT_LAYER_${other})
      if(below STREQUAL "")
        message(FATAL_ERROR
          "module ${module} uses ${other}, which is no module of src/CMakeLists.txt")
      endif()
      if(NOT below LESS layer)
        message(FATAL_ERROR
          "module ${module} (layer ${layer}) may not use ${other} (layer ${below}): "
          "a module includes only modules of lower layers")
      endif()
    endforeach()
  endforeach()
endfunction()
