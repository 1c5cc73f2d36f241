-- Shared function. For a slice of a list with n elements, returns the index of the first element (from 0) and the number of elements.
-- A missing bound is an empty string.
local function slice(from, to, n)
  local first = from == '' and 0 or tonumber(from)
  if first < 0 then
    first = math.max(n + first, 0)
  end
  local stop = to == '' and n or tonumber(to)
  if stop < 0 then
    stop = n + stop
  end
  return first, math.max(math.min(stop, n) - first, 0)
end
