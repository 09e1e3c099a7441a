package com.acme.calls;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

class Printer extends Base {
  final String name;

  Printer() {
    this("plain", 1);
  }

  Printer(String name, int width) {
    super(name);
    this.name = name;
  }

  void print(Object it) {}

  void print(String text) {}

  void print(char[] text) {}

  void print(long number) {}

  void print(double number) {}

  void print(Shape shape) {}

  void print(Runnable task) {}

  void print(String first, Object... rest) {}

  static String name(int code) {
    return "";
  }

  void all(int count, long total, Integer box, char letter, Circle circle, List<String> list) {
    print("text" + count);
    print(count);
    print(count * 2.5);
    print(count < 3);
    print(box);
    print(letter);
    print(circle);
    print(list);
    print(list.toString());
    print("a".toCharArray());
    print(() -> print(total));
    print("a", count, circle);
    print(name);
    print(name(3));
    print(count, circle);
    print(Long.MAX_VALUE);
    new Printer("wide", 80).print(new Circle[0].length);
    new Printer();
    throw new Failure("no", null);
  }

  void later(String hidden) {
    new Base("late") {
      void run() {
        print(hidden.length(), null);
      }
    };
  }
}

class Base {
  private String hidden;

  Base(String name) {}

  void print(int count, Shape shape) {}
}

interface Shape extends Closeable {}

class Circle implements Shape {
  public void close() {}

  void closeAll(Collection<Circle> all) {}

  void closeAll(Closeable... all) {
    closeAll(this);
    closeAll(new ArrayList<Circle>());
  }
}

class Failure extends RuntimeException {
  Failure(String message) {
    super(message);
  }

  Failure(String message, Throwable cause) {
    super(message, cause);
  }

  Failure(Shape shape) {
    this(shape.toString());
  }
}
