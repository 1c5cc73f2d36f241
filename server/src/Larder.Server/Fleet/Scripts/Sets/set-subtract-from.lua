-- Subtracts a set from the given elements, and replaces the set with the result. The set keeps its TTL.
-- KEYS: the item.
-- ARGV: the elements.
-- Returns 1, or nil if the set does not exist.
if redis.call('SCARD', KEYS[1]) == 0 then
  return false
end
local left = redis.call('PTTL', KEYS[1])
local rest, count = {}, 0
for at = 1, #ARGV, 7000 do
  local present = redis.call('SMISMEMBER', KEYS[1], unpack(ARGV, at, math.min(at + 6999, #ARGV)))
  for index = 1, #present do
    if present[index] == 0 then
      count = count + 1
      rest[count] = ARGV[at + index - 1]
    end
  end
end
redis.call('UNLINK', KEYS[1])
for at = 1, count, 7000 do
  redis.call('SADD', KEYS[1], unpack(rest, at, math.min(at + 6999, count)))
end
if count > 0 and left >= 0 then
  redis.call('PEXPIRE', KEYS[1], math.max(left, 1))
end
return 1
