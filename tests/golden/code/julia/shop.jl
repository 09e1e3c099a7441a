module Shop
include("log.jl")

abstract type Holder end

struct Account{T} <: Holder
    owner::String
    balance::T
end

const MINIMUM = 10

total(account::Account) = account.balance + MINIMUM

function deposit(account::Account{T}, amount = MINIMUM) where {T}
    info("deposit")
    for value in 1:amount
        info(value)
    end
    total(account)
end
end
