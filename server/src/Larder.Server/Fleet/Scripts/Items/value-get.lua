-- Reads a value.
-- KEYS: the item.
-- ARGV: the maximum size in bytes for a light command.
-- Returns the value, or -2 if it is larger, or nil if the item does not exist.
if redis.call('STRLEN', KEYS[1]) > tonumber(ARGV[1]) then
  return -2
end
return redis.call('GET', KEYS[1])
