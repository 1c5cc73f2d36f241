-- A page of a collection: its type, the process whose positions these are (of a list empty: its positions are any node's), the next position ("0": that was
-- all), the elements. 1 where the key holds no collection, or one of another type than before; 2 where the page is more bytes than it may have; nil where
-- there is no key.
-- KEYS: the item. ARGV: the position, "0" at first; elements, about; the type before, empty at first; bytes that end a page, and the most that it may have.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then
  return false
end
local command = ({hash = 'HSCAN', set = 'SSCAN', zset = 'ZSCAN', list = 'LRANGE'})[kind]
if not command or (ARGV[3] ~= '' and ARGV[3] ~= kind) then
  return 1
end
local position, wanted, enough, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[4]), tonumber(ARGV[5])
local length = kind == 'list' and redis.call('LLEN', KEYS[1])
local each = (kind == 'hash' or kind == 'zset') and 2 or 1
local found, n, bytes, some = {}, 0, 0, 1
-- Few at first: what they take says how many more are asked for at once.
for _ = 1, 16 do
  local got
  if length then
    local first = tonumber(position)
    got = redis.call('LRANGE', KEYS[1], first, first + some - 1)
    local following = first + #got
    position = following < length and string.format('%d', following) or '0'
  else
    local page = redis.call(command, KEYS[1], position, 'COUNT', some)
    position, got = page[1], page[2]
  end
  for i = 1, #got do
    found[#found + 1] = got[i]
    bytes = bytes + #got[i]
  end
  if bytes > most then
    return 2
  end
  n = #found / each
  if position == '0' or n >= wanted or bytes >= enough then
    break
  end
  some = math.min(4 * some, 1024)
  if n > 0 then
    some = math.max(math.min(some, wanted - n, math.floor((enough - bytes) * n / math.max(bytes, 1))), 1)
  end
end
local process = length and '' or string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
return {kind, process, position, found}
