# Libraries of Debian 12, each behind one module (those of the precompiled
# header stand in Toolchain.cmake); the reasons are in docs/dependencies.md.
find_package(PkgConfig REQUIRED)
find_package(OpenSSL 3 REQUIRED)
# SHA-256 comes from the archive: a few object files instead of a shared library whose start costs
# half as much again as a bare program's. Only SHA256_* may be taken from it; whatever else of
# OpenSSL is needed is loaded on first use.
find_library(ASSENT_LIBCRYPTO_ARCHIVE libcrypto.a REQUIRED)
find_package(SQLite3 3.40 REQUIRED)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
find_package(CLI11 2.1 REQUIRED)
find_path(ASSENT_CURL_HEADERS curl/curl.h REQUIRED)
if(ASSENT_TESTS)
  enable_testing()
  find_package(GTest 1.12 REQUIRED)
endif()
