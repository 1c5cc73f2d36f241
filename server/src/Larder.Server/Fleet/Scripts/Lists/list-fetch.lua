-- Reads the elements of a slice, or one page of it.
-- KEYS: the item.
-- ARGV: the start, the end, the maximum response size in bytes, the overhead of an element in the response, and then
-- for a whole slice: the maximum number of elements for a light command, the maximum number of bytes for a light command,
-- for a page: the number of elements of the slice before the page, the negated maximum number of elements in the page.
-- Returns, for a whole slice, the elements. Returns, for a page, the number of elements after the page and the elements of the page. Otherwise returns
-- nil if the slice is empty,
-- 1 if the response would be too large,
-- -2 if a whole slice is too large for a light command.
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
