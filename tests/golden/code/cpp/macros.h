#ifndef MACROS_H
#define MACROS_H
#if __has_include(<version>) && !defined(DRAW_OLD)
#  include <version>
#endif

#define DRAW_API __attribute__((visibility("default")))
#define DRAW_CHECK(condition, message) \
  ((condition) /* goes on */           \
       ? (void)0                       \
       : fail(message))

DRAW_BEGIN_NAMESPACE
DRAW_PRAGMA(push, "draw")

class DRAW_API Pen FINAL : public Tool {
  Q_OBJECT
 public:
  DRAW_CONSTEXPR Pen(int width UNUSED) NOEXCEPT : width_(width) {}
  DRAW_CONSTEXPR20 ~Pen() {}
  static DRAW_INLINE void grow(int by) REQUIRES(lock_);
  MOCK_METHOD(void, press, (int, bool));

#if DRAW_WIDE
  void draw(long step) {
#else
  void draw(int step) {
#endif
    if DRAW_CONSTEXPR (sizeof(step) > 4) width_ += step;
    DRAW_TRY {
      grow(step);
    }
    DRAW_CATCH(...) {}
  }

 private:
  int width_ GUARDED_BY(lock_) = 0;
  Lock* lock_ DRAW_NONNULL;
};

DRAW_EXPORT template <typename T, DRAW_ENABLE_IF(sizeof(T) == 4)>
DRAW_API auto convert(T value) -> int {
  return value;
}

forceinline int twice(int a) { return a * 2; }
HANDLE opened(void);

DRAW_END_NAMESPACE

#endif
