-- Adds elements to a collection. Sets its TTL if the collection is new or if the caller requests a refresh of the TTL.
-- Adding no elements does not create a collection.
-- KEYS: the item; in a cache with leases also its lease and its tail.
-- ARGV: the type, the command, the TTL in ms, "1" to refresh the TTL, and then the arguments of the command.
-- Returns 1.
if #ARGV == 4 then
  local kind = redis.call('TYPE', KEYS[1]).ok
  if kind == 'none' then
    return 1
  end
  if kind ~= ARGV[1] then
    return redis.error_reply('WRONGTYPE the item is of another type')
  end
end
for at = 5, #ARGV, 7000 do
  redis.call(ARGV[2], KEYS[1], unpack(ARGV, at, math.min(at + 6999, #ARGV)))
end
endLease()
if ARGV[4] == '1' or redis.call('PTTL', KEYS[1]) == -1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 1
