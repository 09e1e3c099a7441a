import 'package:shop/log.dart';

/// Money of one customer.
class Account extends Holder {
  static const int minimum = 10;
  final String owner;
  int _balance = minimum;
  final Log log;

  Account(this.owner, this.log);
  Account.empty(String owner) : this(owner, Log());

  int get balance => _balance;

  Account deposit(int amount) {
    _balance += amount;
    log.info('deposit $amount');
    return this;
  }
}

abstract class Holder {
  String get owner;
}

void main() {
  final account = Account('Ada', Log());
  account.deposit(5).deposit(7);
  for (final name in ['a', 'b']) {
    Account.empty(name).log.info(name);
  }
}
