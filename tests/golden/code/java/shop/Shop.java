package com.acme.shop;

import static com.acme.model.Item.LIMIT;

import com.acme.model.Item;
import com.acme.model.Item.Currency;
import java.util.*;

public class Shop<T extends Item> {
  private final Map<String, T> items = new HashMap<>();

  public Shop(List<T> first) {
    first.forEach(it -> add(it));
    this.items.values().stream().map(Item::name).toList();
  }

  public Shop<T> add(T item) {
    items.put(item.name(), item);
    return this;
  }

  static String sign(Currency of) {
    return switch (of) {
      case EURO -> of.sign();
      case DOLLAR -> Currency.DOLLAR.sign();
    };
  }

  void show(Object thing) {
    if (thing instanceof Item item && item.isCheap()) {
      var price = item.price();
      for (Currency each : price.in()) System.out.println(sign(each) + LIMIT);
    }
    Runnable later = new Runnable() {
      @Override
      public void run() {
        Shop.this.show(items.get("a").price());
      }
    };
    later.run();
  }
}
