-- A part of scripts. Where the slice of n elements begins, from 0, and how many it has; a bound that is not there is empty.
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
