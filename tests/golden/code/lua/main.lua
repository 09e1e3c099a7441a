local Account = require('shop.account')
local log = require 'shop.log'

log.add(print)

local account = Account.new('Ada')
account:deposit(5):deposit(7)

do
  local account = 'shadow'
  print(account)
end

print(account:describe(), account.balance)
