-- Reads a value.
-- KEYS: the item.
-- ARGV: the maximum size in bytes for a light command.
-- Returns the value. Returns -2 if the value is larger than the maximum size, nil if the item does not exist.
if redis.call('STRLEN', KEYS[1]) > tonumber(ARGV[1]) then
  return -2
end
return redis.call('GET', KEYS[1])
