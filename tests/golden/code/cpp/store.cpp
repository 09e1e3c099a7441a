#include "store.h"

class Outside {
 public:
  int size(int sizes[SPACE_LIMIT]);
};

namespace store {
namespace {

class Lone {
 public:
  Lone(int by) : by_(by) {}
  int run() { return by_; }

 private:
  int by_;
};

}  // namespace

struct Table::Rep {
  int files;
  void (Table::*then)(int);
};

const int Table::kSizes[] = {1, 2};

int Table::get(const Key& key) { return rep_->files; }

int Table::count(const Key& from, const Key& to) {
  return count(from) + (before(from, to) ? get(to) : this->Table::get(from));
}

template <> struct Special<Key> : space::Codec<Key> {};

int level(int log, Table* table) {
  log::Writer writer;
  writer.add(log);
  Key key(log);
  Table::Row row(level(1, table));
  Lone* lone = new Lone(2);
  char* text = new char[table->count(key)];
  int (Table::*method)(const Key&) = &Table::get;
  return lone->run() + (table->*method)(row);
}

}  // namespace store

int main() {
  store::Key key(1);
  same(key, key);
  space::print("text", 2);
  space::print(space::Where("here"), "text");
  space::Codec<int>::read("1");
}

TEST_F(TableTest, count) { count(key); }
