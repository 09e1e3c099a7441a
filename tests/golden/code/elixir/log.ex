defmodule Shop.Log do
  def info(message) do
    message |> format() |> IO.puts()
  end

  # Private to this module.
  defp format(message), do: "> " <> message
end
