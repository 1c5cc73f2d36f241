-- Pops an element from an end of a list.
-- KEYS: the item.
-- ARGV: LPOP or RPOP, the index of the element at that end, the maximum response size in bytes, the overhead of the element in the response.
-- Returns the element and the remaining length. Returns nil if the list does not exist. Returns 1 if the response would be too large; the element is
-- then not removed.
local value = redis.call('LINDEX', KEYS[1], ARGV[2])
if not value then
  return false
end
if #value + ARGV[4] > tonumber(ARGV[3]) then
  return 1
end
redis.call(ARGV[1], KEYS[1])
return {value, redis.call('LLEN', KEYS[1])}
