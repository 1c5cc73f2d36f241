-- Reads all elements of a dictionary or a set.
-- KEYS: the item.
-- ARGV: the command that counts the elements, the command that reads them, the maximum response size in bytes, the overhead of an element in the
-- response, the maximum number of elements for a light command, and the maximum memory of the collection in bytes for a light command.
-- Returns the elements, or nil if the collection does not exist. If the script does not read the elements, it returns
-- 1 if the response would be too large,
-- 2 if the caller should read the elements with a plain command instead,
-- -2 if there are too many elements for a light command.
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
-- In Redis, an element takes up to twice its own size, plus 100 to 200 bytes.
if bytes - n * 128 > 2 * most then
  return 1
end
return 2
