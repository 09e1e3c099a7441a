package com.acme.calls;

import static com.acme.calls.Level.HIGH;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

enum Level {
  @Deprecated
  LOW {
    int weight() {
      return base() + own();
    }

    private int own() {
      return 1;
    }
  },
  HIGH;

  int weight() {
    return 2;
  }

  static int base() {
    return 0;
  }
}

class Node implements Comparable<Node> {
  int depth;
  Node[][] grid;

  int depth() {
    return depth;
  }

  class Leaf {
    int grid() {
      return grid.length + depth;
    }
  }

  public int compareTo(Node other) {
    return depth - other.depth;
  }
}

/** What a library's list holds, a class of our own holds as well. */
class Nodes extends ArrayList<Node> {
  Node remove() {
    return remove(0);
  }
}

interface Visitor<T extends Comparable<T>> {
  boolean equals(Object other);

  void visit(T it, int depth);

  default void done() {}
}

sealed class Tree permits Oak {
  final Map<String, Node> byName = null;

  <T extends Comparable<T>> void walk(Visitor<T> visitor, T first) {}

  void each(Consumer<Node> action) {}

  <R> R fold(Class<R> type, BiFunction<Node, Node, R> join, Function<Node, R> only) {
    return only.apply(null);
  }

  int use(Nodes nodes, Level level, Node node) {
    walk((it, depth) -> it.depth(), node);
    each(it -> it.depth());
    fold(Level.class, (a, b) -> HIGH, it -> HIGH).weight();
    nodes.get(0).depth();
    nodes.forEach(it -> it.depth());
    for (var it : nodes) it.depth();
    nodes.sort(Comparator.naturalOrder());
    nodes.removeIf(it -> it.depth == 1);
    for (Map.Entry<String, Node> entry : byName.entrySet()) entry.getValue().depth();
    Objects.requireNonNull(node).depth();
    node.grid[0][1].depth();
    node.new Leaf().grid();
    com.acme.calls.Level.base();
    each(Oak::new);
    switch (level) {
      case LOW:
        return LIMIT;
      case HIGH:
        return 1;
    }
    switch (node.depth) {
      case LIMIT:
        return 2;
    }
    return 0;
  }

  static final int LIMIT = 3;
}

final class Oak extends Tree {
  Oak(Node node) {}
}
