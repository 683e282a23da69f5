# Language level, warnings and sanitizers; the same for every target.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(ASSENT_TESTS "Build the unit tests" ON)
option(ASSENT_BENCH "Build the benchmarks" OFF)
option(ASSENT_FUZZ "Build the fuzzers (clang only)" OFF)
set(ASSENT_SANITIZE "" CACHE STRING "Sanitizers for every target, as -fsanitize= takes them")

find_program(ASSENT_CCACHE ccache)
if(ASSENT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_NODEBUG=1
      ${ASSENT_CCACHE})
endif()

# What every unit is built with. The libraries of the precompiled header are part of it, because a
# header can only be shared between targets whose definitions are the same.
find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
add_library(assent_flags INTERFACE)
target_link_libraries(assent_flags INTERFACE fmt::fmt Boost::json Threads::Threads)
target_link_options(assent_flags INTERFACE -Wl,--as-needed)
# A designated initialiser that leaves members out value-initialises them: that is what it is for.
target_compile_options(assent_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # With inlining, g++ 12 sees impossible sizes in the standard library's own insert and replace:
  # "a" + std::string("b") is enough. The sanitizers look for what these three would find.
  target_compile_options(assent_flags INTERFACE
    $<$<CONFIG:Release>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ASSENT_CCACHE)
  # ccache can only store a unit that uses a precompiled header if the compiler keeps its name.
  target_compile_options(assent_flags INTERFACE -fpch-preprocess)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND ASSENT_CCACHE)
  target_compile_options(assent_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()
if(ASSENT_SANITIZE)
  target_compile_options(assent_flags INTERFACE
    -fsanitize=${ASSENT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(assent_flags INTERFACE -fsanitize=${ASSENT_SANITIZE})
endif()
