#include "tool/digest.h"

#include <sys/stat.h>

#include <boost/json.hpp>

#include "crypto/sha256.h"
#include "vocabulary/modes.h"

namespace assent::tool {
namespace {

json::Object place(const std::string& folder) {
  struct stat info {};
  json::Object object{{"path", folder}};
  if (::stat(folder.c_str(), &info) == 0) {
    object["device"] = std::to_string(info.st_dev);
    object["inode"] = std::to_string(info.st_ino);
  }
  return object;
}

json::Array texts(const std::vector<std::string>& list) {
  return json::Array(list.begin(), list.end());
}

void add_content(json::Object& contents, const std::string& path, const CallView& view) {
  if (!path.empty()) contents.insert_or_assign(path, view.content_digest(path));
}

}  // namespace

std::string digest(const Consent& consent, const CallView& view) {
  json::Array effects;
  json::Object contents;
  for (const auto& effect : consent.effects) {
    effects.emplace_back(vocabulary::to_text(effect));
    if (const auto* path = std::get_if<vocabulary::PathEffect>(&effect)) {
      if (path->access != vocabulary::PathAccess::read) add_content(contents, path->path, view);
    } else if (const auto* run = std::get_if<vocabulary::ExecuteEffect>(&effect)) {
      effects.emplace_back(run->program);
      add_content(contents, run->program, view);
    }
  }
  const json::Object whole{{"tool", consent.tool},
                           {"arguments", consent.arguments},
                           {"workDir", place(view.work_dir())},
                           {"effects", std::move(effects)},
                           {"contents", std::move(contents)},
                           {"mode", vocabulary::to_text(consent.confinement.mode)},
                           {"extraWrite", texts(consent.confinement.extra.write)},
                           {"extraConnect", texts(consent.confinement.extra.connect)}};
  crypto::Sha256 hash;
  hash.update(std::string_view("assent call v1\0", 15));
  hash.update(json::write(whole));
  return "sha256:" + crypto::to_hex(hash.finish());
}

}  // namespace assent::tool
