-- Changes the time that an item has left if its value begins with a prefix. 1: changed, 3: there is no item; otherwise the value's first bytes.
-- KEYS: the item. ARGV: prefix, TTL in ms, the most bytes to return.
local head = redis.call('GETRANGE', KEYS[1], 0, tonumber(ARGV[3]) - 1)
if head == '' and redis.call('EXISTS', KEYS[1]) == 0 then
  return 3
end
local length = string.len(ARGV[1])
if length == 0 or string.sub(head, 1, length) ~= ARGV[1] then
  return head
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
