-- Sets the remaining TTL of an item if its value begins with a prefix.
-- KEYS: the item; in a cache with leases also its lease and its tail.
-- ARGV: the prefix, the TTL in ms, the maximum number of bytes to return.
-- Returns 1 if the TTL was changed, 3 if the item does not exist, otherwise the first bytes of the value.
local head = redis.call('GETRANGE', KEYS[1], 0, tonumber(ARGV[3]) - 1)
if head == '' and redis.call('EXISTS', KEYS[1]) == 0 then
  return 3
end
local length = string.len(ARGV[1])
if length == 0 or string.sub(head, 1, length) ~= ARGV[1] then
  return head
end
moveExpiry(ARGV[2])
return 1
