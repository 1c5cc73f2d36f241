-- Reads the elements of a range, or one page of it. The result has the same form as the result of list-fetch.lua.
-- KEYS: the item.
-- ARGV 1 to 4: "1" for descending order, "1" to return the scores, the maximum response size in bytes, the overhead of an element in the response.
-- ARGV 5 and 6, for a whole range: the maximum number of elements for a light command, the maximum number of bytes for a light command.
-- ARGV 5 and 6, for a page: the number of elements of the range before the page, the negated maximum number of elements in the page.
-- Further ARGV, for a range by index: the start, the end.
-- Further ARGV, for a range by score: the lower bound and the upper bound in Redis syntax, the upper bound of the scores below the range (empty if the
-- range has no lower bound), the offset, the count (negative if unlimited).
local n = redis.call('ZCARD', KEYS[1])
if n == 0 then
  return false
end
local first, count
if #ARGV == 8 then
  first, count = slice(ARGV[7], ARGV[8], n)
else
  count = redis.call('ZCOUNT', KEYS[1], ARGV[7], ARGV[8])
  local below = ARGV[9] == '' and 0 or redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[9])
  local offset, asked = tonumber(ARGV[10]), tonumber(ARGV[11])
  first = (ARGV[1] == '1' and n - below - count or below) + offset
  count = math.max(count - offset, 0)
  if asked >= 0 then
    count = math.min(count, asked)
  end
end
local order = {}
if ARGV[1] == '1' then
  order[1] = 'REV'
end
if ARGV[2] == '1' then
  order[#order + 1] = 'WITHSCORES'
end
local read = function(at, some)
  return redis.call('ZRANGE', KEYS[1], at, at + some - 1, unpack(order))
end
local width, most, beside = ARGV[2] == '1' and 2 or 1, tonumber(ARGV[3]), tonumber(ARGV[4])
local elements, bytes = tonumber(ARGV[5]), tonumber(ARGV[6])
if bytes < 0 then
  local before = math.min(elements, count)
  local got, at = gather(read, first + before, math.min(count - before, -bytes), width, most, beside, math.huge)
  return type(got) == 'number' and got or {count - before - at, got}
end
if count * beside > most then
  return 1
end
if count > elements then
  return -2
end
return (gather(read, first, count, width, most, beside, bytes))
