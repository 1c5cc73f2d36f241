-- Removes all elements of a list that equal a value.
-- KEYS: the item.
-- ARGV: the value, the maximum length for a light command, the maximum length for one command.
-- Returns the remaining length, or nil if the list does not exist. The script changes nothing and returns
-- -2 if the list is too long for a light command,
-- -3 if the list should be processed in parts.
local n = redis.call('LLEN', KEYS[1])
if n == 0 then
  return false
end
if n > tonumber(ARGV[3]) then
  return -3
end
if n > tonumber(ARGV[2]) then
  return -2
end
redis.call('LREM', KEYS[1], 0, ARGV[1])
return redis.call('LLEN', KEYS[1])
