-- What a command says of each element that was asked for; 1 where that is more bytes than the answer may have; nil where there is no collection.
-- KEYS: the item. ARGV: the commands that count and that look up, the most bytes of the answer, bytes of a value beside its own; then the elements.
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
