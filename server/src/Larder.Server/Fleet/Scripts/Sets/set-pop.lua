-- Pops random elements of a set.
-- KEYS: the item.
-- ARGV: the count, the maximum response size in bytes, the overhead of an element in the response, the maximum count, the maximum count for a light
-- command.
-- Returns the elements, or nil if the set does not exist. The script changes nothing and returns
-- 1 if the response would be too large,
-- 2 if the count is too large,
-- -2 if the count is too large for a light command.
local n = redis.call('SCARD', KEYS[1])
if n == 0 then
  return false
end
local count, most, beside = math.min(tonumber(ARGV[1]), n), tonumber(ARGV[2]), tonumber(ARGV[3])
if count * beside > most then
  return 1
end
if count > tonumber(ARGV[4]) then
  return 2
end
if count > tonumber(ARGV[5]) then
  return -2
end
local left = redis.call('PTTL', KEYS[1])
local got, bytes, at = {}, 0, 0
while at < count do
  local part = redis.call('SPOP', KEYS[1], math.min(32, count - at))
  for index = 1, #part do
    got[at + index] = part[index]
    bytes = bytes + #part[index]
  end
  at = at + #part
  if bytes + at * beside > most then
    for first = 1, at, 7000 do
      redis.call('SADD', KEYS[1], unpack(got, first, math.min(first + 6999, at)))
    end
    if left > 0 then
      redis.call('PEXPIRE', KEYS[1], left)
    end
    return 1
  end
end
return got
