-- Removes elements of a set.
-- KEYS: the item.
-- ARGV: the elements.
-- Returns 1, or nil if the set does not exist.
if redis.call('SCARD', KEYS[1]) == 0 then
  return false
end
for at = 1, #ARGV, 7000 do
  redis.call('SREM', KEYS[1], unpack(ARGV, at, math.min(at + 6999, #ARGV)))
end
return 1
