-- Stores the union of sorted sets. All keys must be in one slot.
-- KEYS: the destination, the sources.
-- ARGV: SUM, MIN or MAX, the TTL in ms; then a weight for each source.
-- Returns the length of the union.
-- Redis also accepts sets as sources, and an item of any type as the destination. The ZCARD calls reject such keys.
for index = 1, #KEYS do
  redis.call('ZCARD', KEYS[index])
end
local command = {'ZUNIONSTORE', KEYS[1], #KEYS - 1}
for index = 2, #KEYS do
  command[#command + 1] = KEYS[index]
end
command[#command + 1] = 'WEIGHTS'
for index = 3, #ARGV do
  command[#command + 1] = ARGV[index]
end
command[#command + 1] = 'AGGREGATE'
command[#command + 1] = ARGV[1]
local length = redis.call(unpack(command))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return length
