-- Returns random elements of a set.
-- KEYS: the item.
-- ARGV: the count, the maximum response size in bytes, the overhead of an element in the response, the maximum number of elements for a light
-- command, the maximum number of bytes for a light command.
-- Returns the elements, or nil if the set does not exist. Otherwise returns
-- 1 if the response would be too large,
-- 2 if the caller should read the elements with a plain command instead,
-- -2 if the count is too large for a light command, and the set has more than three times as many elements as the count,
-- -3 if the count is too large for a light command, and the set has at most three times as many elements as the count.
local n = redis.call('SCARD', KEYS[1])
if n == 0 then
  return false
end
local count, most = math.min(tonumber(ARGV[1]), n), tonumber(ARGV[2])
if count == 0 then
  return {}
end
if count * ARGV[3] > most then
  return 1
end
if count <= 16 then
  return redis.call('SRANDMEMBER', KEYS[1], count)
end
if count > tonumber(ARGV[4]) then
  return n > 3 * count and -2 or -3
end
-- Estimates the size of the elements. In a small set all elements are measured, in a larger set a sample of them.
local bytes = redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', n <= 512 and 0 or 512) * count / n
if bytes <= tonumber(ARGV[5]) then
  return redis.call('SRANDMEMBER', KEYS[1], count)
end
if bytes - count * 128 > 4 * most then
  return 1
end
return 2
