-- Changes the remaining TTL of an item.
-- KEYS: the item; in a cache with leases also its lease and its tail.
-- ARGV: the change (2 increase, 3 decrease, 4 overwrite), the TTL in ms.
-- Returns 1 if the TTL was changed, 2 if it was not changed, 3 if the item does not exist.
local left = redis.call('PTTL', KEYS[1])
if left == -2 then
  return 3
end
local ttl = tonumber(ARGV[2])
if ARGV[1] == '2' and (left == -1 or ttl <= left) then
  return 2
end
if ARGV[1] == '3' and left ~= -1 and ttl >= left then
  return 2
end
moveExpiry(ARGV[2])
return 1
