-- Some elements of a set that chance chooses; 1 where they are more bytes than the answer may have, 2 where they are better read at once, by a plain command;
-- where they are more than may be read without a turn, -2, or -3 where the set has not many more than are asked for; nil where there is no set.
-- KEYS: the item. ARGV: how many, the most bytes of the answer, bytes of an element beside its own, the most elements and bytes without a turn.
local n = redis.call('SCARD', KEYS[1])
if n == 0 then
  return false
end
local count, most = math.min(tonumber(ARGV[1]), n), tonumber(ARGV[2])
if count == 0 then
  return {}
end
if count * ARGV[3] > most then
  return 1
end
if count <= 16 then
  return redis.call('SRANDMEMBER', KEYS[1], count)
end
if count > tonumber(ARGV[4]) then
  return n > 3 * count and -2 or -3
end
-- About what they take: all are counted where they are few, else some of them.
local bytes = redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', n <= 512 and 0 or 512) * count / n
if bytes <= tonumber(ARGV[5]) then
  return redis.call('SRANDMEMBER', KEYS[1], count)
end
if bytes - count * 128 > 4 * most then
  return 1
end
return 2
