package com.acme.shop

import com.acme.model.{Book, Currency, Item => Thing, _}
import scala.collection.mutable

abstract class Shop[T <: Thing](first: List[T]) { self =>
  type Listener = T => Unit
  private val items = mutable.Map.empty[String, T]
  protected def listener: Listener

  def add(item: T)(implicit times: Int): Shop[T] = {
    items(item.name) = item
    listener(item)
    self
  }

  def cheap: List[Price] =
    for { it <- first; price = it.price if price.cents < Book.Limit } yield price

  def names: List[String] = first.map(_.name).filter(name => name.nonEmpty)
}

object Shop {
  def describe(thing: Any): String = thing match {
    case book: Book => book.label("!")
    case whole @ Price(cents, _) if cents > 0 => whole.currency.sign
    case Currency.Dollar => Book("x").price.toString
    case _ => ""
  }

  val default = new Shop[Book](List(Book("a"))) {
    override def listener = book => println(describe(book))
  }
}
