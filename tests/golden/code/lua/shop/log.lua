local M = { level = 'info', sinks = {} }

function M.info(message, ...)
  for _, sink in ipairs(M.sinks) do
    sink(message, ...)
  end
end

function M.add(sink)
  local sinks = M.sinks
  sinks[#sinks + 1] = sink
end

return M
