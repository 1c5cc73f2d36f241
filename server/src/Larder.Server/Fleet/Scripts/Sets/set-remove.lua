-- Removes elements of a set. Answers 1; nil where there is no set.
-- KEYS: the item. ARGV: the elements.
if redis.call('SCARD', KEYS[1]) == 0 then
  return false
end
for at = 1, #ARGV, 7000 do
  redis.call('SREM', KEYS[1], unpack(ARGV, at, math.min(at + 6999, #ARGV)))
end
return 1
