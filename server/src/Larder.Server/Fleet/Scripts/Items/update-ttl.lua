-- Changes the time that an item has left. 1: changed, 2: it stands as it was, 3: there is no item.
-- KEYS: the item. ARGV: the change (2 increase, 3 decrease, 4 overwrite), TTL in ms.
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
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
