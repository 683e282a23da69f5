#include "net/curl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace assent::net {
namespace {

template <class Function>
bool resolve(void* library, const char* name, Function& out) {
  out = reinterpret_cast<Function>(::dlsym(library, name));
  return out != nullptr;
}

}  // namespace

base::Result<CurlLibrary> CurlLibrary::load(const char* soname) {
  void* library = ::dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    return base::failure(base::ErrorKind::not_found,
                         fmt::format("{} is needed for HTTP and is not installed (Debian: "
                                     "libcurl4)",
                                     soname));
  }
  CurlLibrary curl;
  const bool complete = resolve(library, "curl_global_init", curl.global_init) &&
                        resolve(library, "curl_easy_init", curl.easy_init) &&
                        resolve(library, "curl_easy_cleanup", curl.easy_cleanup) &&
                        resolve(library, "curl_easy_setopt", curl.easy_setopt) &&
                        resolve(library, "curl_easy_getinfo", curl.easy_getinfo) &&
                        resolve(library, "curl_easy_strerror", curl.easy_strerror) &&
                        resolve(library, "curl_slist_append", curl.slist_append) &&
                        resolve(library, "curl_slist_free_all", curl.slist_free_all) &&
                        resolve(library, "curl_multi_init", curl.multi_init) &&
                        resolve(library, "curl_multi_cleanup", curl.multi_cleanup) &&
                        resolve(library, "curl_multi_add_handle", curl.multi_add_handle) &&
                        resolve(library, "curl_multi_remove_handle", curl.multi_remove_handle) &&
                        resolve(library, "curl_multi_perform", curl.multi_perform) &&
                        resolve(library, "curl_multi_poll", curl.multi_poll) &&
                        resolve(library, "curl_multi_info_read", curl.multi_info_read) &&
                        resolve(library, "curl_multi_strerror", curl.multi_strerror) &&
                        resolve(library, "curl_url", curl.url) &&
                        resolve(library, "curl_url_cleanup", curl.url_cleanup) &&
                        resolve(library, "curl_url_set", curl.url_set) &&
                        resolve(library, "curl_url_get", curl.url_get) &&
                        resolve(library, "curl_free", curl.free);
  if (!complete) {
    return base::failure(
        base::ErrorKind::not_found,
        fmt::format("{} lacks functions that HTTP needs; 7.85 or newer is needed", soname));
  }
  // Thread-safe since 7.84, and counted: it is never undone, as the library is never unloaded.
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return base::failure(base::ErrorKind::unavailable,
                         fmt::format("{} cannot be initialised", soname));
  }
  return curl;
}

}  // namespace assent::net
