-- The elements of a slice, 1 and -2 as gather says, -2 where they are more than may be read without a turn too; of a page, how many are behind it, and its
-- elements. Nil where there are none.
-- KEYS: the item. ARGV: start, end, the most bytes of the answer, bytes of an element beside its own, the most elements and bytes without a turn; of a page
-- instead of these two how many elements are before it, and how many it has at most, below 0.
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
