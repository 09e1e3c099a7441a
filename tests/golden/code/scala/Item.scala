package com.acme
package model

/** Something that can be sold. */
sealed trait Item extends Ordered[Item] {
  def name: String
  def price: Price
  def compare(that: Item): Int = price.cents - that.price.cents
}

case class Price(cents: Int, currency: Currency = Currency.Euro)

enum Currency(val sign: String):
  case Euro extends Currency("€")
  case Dollar extends Currency("$")

class Book private (val name: String, cents: Int) extends Item {
  lazy val price = Price(cents)
}

object Book {
  val Limit = 10
  def apply(name: String): Book = new Book(name, Limit)
}

given byPrice: Ordering[Price] with
  def compare(x: Price, y: Price) = x.cents - y.cents

extension (item: Item) def label(end: String): String = item.name + end
