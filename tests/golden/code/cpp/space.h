#pragma once

#define SPACE_API __attribute__((visibility("default")))
#define SPACE_BEGIN namespace space { inline namespace v2 {
#define SPACE_END }}

class Outside;

SPACE_BEGIN

class SPACE_API Store;

template <typename T> struct Codec { static T read(const char* text); };

struct Text {
  Text(const char* text);
};

class Where {
 public:
  explicit Where(const char* name);
  Where() = default;
};

int print(Where where, Text text);
int print(Text text, int times = 1);
inline int print(Text text, Outside* to) { return 0; }

SPACE_END
