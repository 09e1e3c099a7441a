#ifdef __cplusplus
extern "C" {
#endif

#define EXPORT

EXPORT int first(void) PURE;
BOOL second(void);
EXTERN unsigned CALLBACK third(FILE *file, int flag UNUSED)
{
#ifdef TRACE
  if (flag) {
#else
  if (file) {
#endif
    LOCK(file)
    second();
  }
  return first()
#ifdef TRACE
    + 1
#endif
    ;
}

typedef int (CALLBACK *handler_t)(int);

struct PACKED header {
  int size ALIGNED(4);
};

static const int sizes[] = {
#ifdef TRACE
  1,
#else
  2,
#endif
  MAX,
};

#ifdef __cplusplus
}
#endif
