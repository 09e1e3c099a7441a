module Shop.Log where

info line = putStrLn line

format text = "> " ++ text
