-- Shared function. Reads elements in growing batches, so that the size of each Redis reply is limited.
-- read: a function with the parameters "at" (the index of the first element to read) and "some" (the number of elements to read).
-- first: the index of the first element to read.
-- count: the number of elements to read.
-- width: the number of values that read returns per element. Only the first value of each element counts towards the size.
-- most: the maximum response size in bytes.
-- beside: the overhead of an element in the response.
-- turn: the maximum total size of the elements in bytes for a light command.
-- Returns the values and the number of elements read. Stops early when the values have at least 512 KiB, which is the size of a page.
-- Instead of the values, returns 1 if the response would be too large, or -2 if the elements are too large for a light command.
local function gather(read, first, count, width, most, beside, turn)
  local got, values, bytes, at, some = {}, 0, 0, 0, 1
  while at < count and bytes < 524288 do
    local asked = math.min(some, count - at)
    local part = read(first + at, asked)
    local before = bytes
    for index = 1, #part, width do
      bytes = bytes + #part[index]
    end
    at = at + asked
    if bytes > turn then
      return -2, at
    end
    if bytes + at * beside > most then
      return 1, at
    end
    if asked == count then
      return part, at
    end
    for index = 1, #part do
      got[values + index] = part[index]
    end
    values = values + #part
    some = bytes - before <= 65536 and math.min(2 * some, 256) or 1
  end
  return got, at
end
