package shop

/** Money of one customer. */
class Account {
  String owner
  int balance

  Account deposit(int amount) {
    def next = balance + amount
    Log.info(owner)
    return this
  }
}
