#include <fmt/format.h>

#include "builtin/file_worker.h"

namespace assent::builtin {
namespace {

using base::ErrorKind;
using base::failure;

std::string with_crlf(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) out += '\r';
    out += text[i];
  }
  return out;
}

std::size_t occurrences(std::string_view content, std::string_view part) {
  std::size_t count = 0;
  for (auto at = content.find(part); at != std::string_view::npos;
       at = content.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

}  // namespace

base::Result<std::string> apply_edit(std::string_view content, std::string_view old_text,
                                     std::string_view new_text) {
  if (old_text.empty()) {
    return failure(ErrorKind::invalid, "old_text is empty; use write_file to write a whole file");
  }
  if (old_text == new_text) {
    return failure(ErrorKind::invalid, "old_text and new_text are the same");
  }
  std::string find(old_text);
  std::string replace(new_text);
  std::size_t count = occurrences(content, find);
  if (count == 0 && content.contains("\r\n")) {
    find = with_crlf(find);
    replace = with_crlf(replace);
    count = occurrences(content, find);
  }
  if (count == 0) {
    return failure(ErrorKind::not_found,
                   "old_text was not found; read the file again and copy the text exactly");
  }
  if (count > 1) {
    return failure(
        ErrorKind::conflict,
        fmt::format("old_text stands {} times; add lines around it until it stands once", count));
  }
  std::string edited(content);
  edited.replace(edited.find(find), find.size(), replace);
  return edited;
}

}  // namespace assent::builtin
