#ifndef QUEUE_H
#define QUEUE_H

#define QUEUE_LIMIT 8
#define QUEUE_FULL(q) (queue_size(q) >= QUEUE_LIMIT)

enum priority { LOW, HIGH = 10 };

typedef struct job {
  int id;
  enum priority priority;
  struct job *next;
  void (*run)(struct job *self);
} job_t;

typedef struct queue queue;

queue *queue_new(void);
int queue_push(queue *q, job_t *job);
int queue_size(const queue *q);
extern int queue_count;

#endif
