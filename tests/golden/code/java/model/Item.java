package com.acme.model;

import java.util.List;

/** Something that can be sold. */
public interface Item extends Comparable<Item> {
  int LIMIT = 10;

  String name();

  default boolean isCheap() {
    return price().cents() < LIMIT;
  }

  Price price();

  record Price(int cents, List<Currency> in) {}

  enum Currency {
    EURO("€"),
    DOLLAR("$") {
      @Override
      String sign() {
        return "US" + super.sign();
      }
    };

    private final String sign;

    Currency(String sign) {
      this.sign = sign;
    }

    String sign() {
      return sign;
    }
  }
}
