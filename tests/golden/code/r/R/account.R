MINIMUM <- 10

# Makes an account.
new_account <- function(owner, balance = MINIMUM) {
  list(owner = owner, balance = balance)
}

deposit <- function(account, amount) {
  account$balance <- account$balance + amount
  log_info("deposit")
  account
}
