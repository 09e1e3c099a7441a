package com.acme.shop

import com.acme.model.Book
import com.acme.model.Item
import com.acme.model.label as text
import com.acme.model.label

typealias Listener = (Item) -> Unit

object Registry {
  val shops = mutableListOf<Shop<Item>>()
}

open class Shop<T : Item>(first: List<T>, private val listener: Listener) {
  private val items = mutableMapOf<String, T>()
  val cheapest: Book by lazy { Book.free("none") }

  init {
    first.forEach { add(it) }
  }

  fun add(item: T): Shop<T> {
    items[item.name] = item
    listener(item)
    return this
  }

  fun find(name: String): T? = items[name] ?: items.values.first { it.name == name }
}

fun show(thing: Any) {
  val shop = Shop(listOf(Book("a", Book.LIMIT))) { item -> println(item.label()) }
  if (thing is Book) println(thing.price().cents)
  when (thing) {
    is Item -> shop.find(thing.name)?.price()
    else -> Registry.shops.map { it.find("a") }
  }
  val name = shop.cheapest.name
  for ((key, value) in mapOf(name to shop)) println(key + value.find(key))
}
