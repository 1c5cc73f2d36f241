-- All elements of a dictionary or a set: themselves where they are few; 1 where they are more bytes than the answer may have, 2 where they are better read at
-- once, by a plain command, -2 where they are more than may be read without a turn; nil where there is no collection.
-- KEYS: the item. ARGV: the commands that count and that read, the most bytes of the answer, bytes of an element beside its own, the most elements and bytes
-- without a turn.
local n = redis.call(ARGV[1], KEYS[1])
if n == 0 then
  return false
end
local most = tonumber(ARGV[3])
if n * ARGV[4] > most then
  return 1
end
if n > tonumber(ARGV[5]) then
  return -2
end
local bytes = redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', 0)
if bytes <= tonumber(ARGV[6]) then
  return redis.call(ARGV[2], KEYS[1])
end
-- What the engine keeps is up to twice the bytes of an element, and some hundred more.
if bytes - n * 128 > 2 * most then
  return 1
end
return 2
