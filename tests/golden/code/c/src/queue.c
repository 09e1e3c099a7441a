/* A list of jobs, the latest first. */
#include <stdlib.h>
#include "queue.h"

struct queue {
  job_t *head;
  int size;
};

int queue_count = 0;

static void link_job(queue *q, job_t *job) {
  job->next = q->head;
  q->head = job;
  q->size++;
}

queue *queue_new(void) {
  queue_count++;
  return calloc(1, sizeof(struct queue));
}

int queue_push(queue *q, job_t *job) {
  if (QUEUE_FULL(q)) return -1;
  link_job(q, job);
  return q->size;
}

int queue_size(const queue *q) { return q->size; }
