-- The elements of a range; 1, -2 and a page as list-fetch says; nil where there is no sorted set.
-- KEYS: the item. ARGV: "1" in descending order, "1" with scores, the most bytes of the answer, bytes of an element beside its own, the most elements and
-- bytes without a turn; of a page instead of these two how many elements are before it, and how many it has at most, below 0; then of a range by index its
-- start and its end; of one by score the lowest and the highest as the engine takes them, what is below the lowest so too (empty: nothing), how many to pass
-- over, and how many to answer (below 0: all).
local n = redis.call('ZCARD', KEYS[1])
if n == 0 then
  return false
end
local first, count
if #ARGV == 8 then
  first, count = slice(ARGV[7], ARGV[8], n)
else
  count = redis.call('ZCOUNT', KEYS[1], ARGV[7], ARGV[8])
  local below = ARGV[9] == '' and 0 or redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[9])
  local offset, asked = tonumber(ARGV[10]), tonumber(ARGV[11])
  first = (ARGV[1] == '1' and n - below - count or below) + offset
  count = math.max(count - offset, 0)
  if asked >= 0 then
    count = math.min(count, asked)
  end
end
local order = {}
if ARGV[1] == '1' then
  order[1] = 'REV'
end
if ARGV[2] == '1' then
  order[#order + 1] = 'WITHSCORES'
end
local read = function(at, some)
  return redis.call('ZRANGE', KEYS[1], at, at + some - 1, unpack(order))
end
local width, most, beside = ARGV[2] == '1' and 2 or 1, tonumber(ARGV[3]), tonumber(ARGV[4])
local elements, bytes = tonumber(ARGV[5]), tonumber(ARGV[6])
if bytes < 0 then
  local before = math.min(elements, count)
  local got, at = gather(read, first + before, math.min(count - before, -bytes), width, most, beside, math.huge)
  return type(got) == 'number' and got or {count - before - at, got}
end
if count * beside > most then
  return 1
end
if count > elements then
  return -2
end
return (gather(read, first, count, width, most, beside, bytes))
