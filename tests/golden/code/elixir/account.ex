defmodule Shop.Account do
  @moduledoc "Money of one customer."
  alias Shop.Log

  @minimum 10
  defstruct [:owner, balance: 0]

  @type t :: %__MODULE__{}

  def new(owner) do
    %__MODULE__{owner: owner, balance: @minimum}
  end

  def deposit(%__MODULE__{} = account, amount) when amount > 0 do
    Log.info("deposit")
    add(account, amount)
  end

  defp add(account, amount), do: %{account | balance: account.balance + amount}
end
