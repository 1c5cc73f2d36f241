-- Reads the elements of a slice, or one page of it.
-- KEYS: the item.
-- ARGV: the start, the end, the maximum response size in bytes, the overhead of an element in the response, and the maximum number of elements
-- and of bytes for a light command. For a page, the last two are instead the number of elements before the page and the negated page size.
-- Returns the elements. Returns nil if the slice is empty, and 1 or -2 in the same cases as the function gather (part-pieces.lua). Also returns -2
-- if there are too many elements for a light command.
-- For a page, returns the number of elements after the page, and the elements of the page.
local n = redis.call('LLEN', KEYS[1])
local first, count = slice(ARGV[1], ARGV[2], n)
if count == 0 then
  return false
end
local read = function(at, some)
  return redis.call('LRANGE', KEYS[1], at, at + some - 1)
end
local most, beside, elements, bytes = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
if bytes < 0 then
  local before = math.min(elements, count)
  local got, at = gather(read, first + before, math.min(count - before, -bytes), 1, most, beside, math.huge)
  return type(got) == 'number' and got or {count - before - at, got}
end
if count * beside > most then
  return 1
end
if count > elements then
  return -2
end
return (gather(read, first, count, 1, most, beside, bytes))
