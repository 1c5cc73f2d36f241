-- Looks up elements of a collection.
-- KEYS: the item.
-- ARGV: the command that counts the elements, the command that looks elements up, the maximum response size in bytes, the overhead of a value
-- in the response, and then the elements.
-- Returns the result of the lookup command for each element. Returns 1 if the response would be too large, nil if the collection does not exist.
if redis.call(ARGV[1], KEYS[1]) == 0 then
  return false
end
local most, beside = tonumber(ARGV[3]), tonumber(ARGV[4])
local got, bytes = {}, 0
for at = 5, #ARGV, 32 do
  local part = redis.call(ARGV[2], KEYS[1], unpack(ARGV, at, math.min(at + 31, #ARGV)))
  for index = 1, #part do
    got[at - 5 + index] = part[index]
    bytes = bytes + beside + (type(part[index]) == 'string' and #part[index] or 0)
  end
  if bytes > most then
    return 1
  end
end
return got
