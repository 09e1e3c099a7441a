#pragma once
#include "space.h"

namespace store {

namespace log {
class Writer {
 public:
  void add(int level);
};
}  // namespace log

class Key {
 public:
  Key(const Key&) = delete;
  explicit Key(int number) : number(number) {}
  operator bool() const { return number > 0; }
  friend bool before(const Key& a, const Key& b) { return a.number < b.number; }

 private:
  int number;
  union {
    int low;
    float high;
  };
};

class Table {
 public:
  struct Rep;
  using Row = Key;
  static const int kSizes[];
  static Table* open(Outside* from);
  virtual int get(const Key& key) = 0;
  int count(const Key& key) { return low_ + kSizes[0]; }
  int count(const Key& from, const Key& to);

 private:
  Rep* rep_;
  int low_;
};

bool same(const Key& a, const Key& b);

}  // namespace store
