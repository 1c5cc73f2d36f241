using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

public sealed class StreamTableTests
{
    [Fact]
    public void Stream_ids_are_odd_increasing_and_skip_slots_in_use()
    {
        StreamTable table = new();
        StreamingStream[] longLived = [.. Enumerable.Range(0, 3).Select(_ => Open(table))];
        int last = longLived[^1].Id;
        Assert.Equal(5, last);
        for (int opened = 0; opened < 10_000; opened++)
        {
            StreamingStream stream = Open(table);
            Assert.True((stream.Id & 1) == 1 && stream.Id > last);
            last = stream.Id;
            table.Remove(stream.Id);
        }

        Assert.Equal(longLived, table.All());
        Assert.All(longLived, stream => Assert.Same(stream, table.At(stream.Id)));
        Assert.Equal((false, true, true), (table.IsIdle(last), table.IsIdle(last + 2), table.IsIdle(2)));
    }

    private static StreamingStream Open(StreamTable table)
    {
        StreamingStream stream = new("/s/r", RpcHeaders.Empty, timeout: null, default, endsRequest: false) { Id = table.TakeId() };
        table.Add(stream);
        return stream;
    }
}
