-- Previews elements of a list by position, or of a sorted set by rank. Reads the elements in batches, but long elements one at a time.
-- KEYS: the item.
-- ARGV: the type of the item, the first position or rank, the maximum number of elements, the maximum number of bytes to return of each element.
-- Returns the number of elements in the collection, and then for each element its length, its first bytes and, in a sorted set, its score.
-- If the item has another type, returns that type instead. If the item does not exist, returns "none".
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= ARGV[1] then
  return kind
end
local isList = kind == 'list'
local length = redis.call(isList and 'LLEN' or 'ZCARD', KEYS[1])
local at, shown = tonumber(ARGV[2]), tonumber(ARGV[4])
local behind = math.min(at + tonumber(ARGV[3]), length)
local got, some = {length}, 1
while at < behind do
  local to = math.min(at + some, behind) - 1
  local part = isList and redis.call('LRANGE', KEYS[1], at, to) or redis.call('ZRANGE', KEYS[1], at, to, 'WITHSCORES')
  local bytes = 0
  for index = 1, #part, isList and 1 or 2 do
    bytes = bytes + #part[index]
    got[#got + 1] = #part[index]
    got[#got + 1] = part[index]:sub(1, shown)
    if not isList then
      got[#got + 1] = part[index + 1]
    end
  end
  at = to + 1
  some = bytes <= 65536 and math.min(2 * some, 32) or 1
end
return got
