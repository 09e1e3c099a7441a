module Shop.Account (deposit, Account(..)) where

import qualified Shop.Log as Log
import Shop.Log (format)

-- | Money of one customer.
data Account = Account { owner :: String, balance :: Int } | Closed

class Valued a where
  value :: a -> Int

instance Valued Account where
  value account = balance account

deposit :: Account -> Int -> Account
deposit Closed _ = Closed
deposit account amount = account { balance = total }
  where total = value account + amount

report account = do
  let line = format (owner account)
  Log.info line
