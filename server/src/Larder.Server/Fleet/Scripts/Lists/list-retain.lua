-- Trims a list to a slice. Deletes the list if the slice is empty.
-- KEYS: the item.
-- ARGV: the start, the end, the TTL in ms, "1" to refresh the TTL.
-- Returns the remaining length, or nil if the list does not exist.
local n = redis.call('LLEN', KEYS[1])
if n == 0 then
  return false
end
local first, count = slice(ARGV[1], ARGV[2], n)
if count == 0 then
  redis.call('UNLINK', KEYS[1])
  return 0
end
redis.call('LTRIM', KEYS[1], first, first + count - 1)
if ARGV[4] == '1' then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return count
