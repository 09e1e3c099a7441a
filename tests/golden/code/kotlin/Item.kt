package com.acme.model

/** Something that can be sold. */
sealed interface Item {
  val name: String
  fun price(): Price
}

data class Price(val cents: Int, val currency: Currency = Currency.EURO)

enum class Currency(private val sign: String) {
  EURO("€"),
  DOLLAR("$");

  fun sign() = sign
}

class Book(override val name: String, cents: Int) : Item {
  private val cost = Price(cents)

  override fun price(): Price = cost

  companion object {
    const val LIMIT = 10
    fun free(name: String) = Book(name, 0)
  }
}

fun Item.label(): String = "${this.name}: ${price().currency.sign()}"
