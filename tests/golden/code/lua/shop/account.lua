--- Money of one customer.
local log = require 'shop.log'

local Account = {}
Account.__index = Account

local MINIMUM = 10

function Account.new(owner, opts)
  local self = setmetatable({ owner = owner }, Account)
  self.balance = opts and opts.balance or MINIMUM
  return self
end

function Account:deposit(amount)
  self.balance = self.balance + amount
  log.info('deposit', amount)
  return self
end

local function describe(account)
  return account.owner .. ': ' .. account.balance
end

Account.describe = function(self)
  return describe(self)
end

return Account
