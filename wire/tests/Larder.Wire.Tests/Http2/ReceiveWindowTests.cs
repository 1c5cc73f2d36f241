using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

public sealed class ReceiveWindowTests
{
    [Fact]
    public void TryReceive_accepts_at_most_whole_window()
    {
        ReceiveWindow window = Open(100);
        Assert.True(window.TryReceive(60));
        Assert.True(window.TryReceive(40));
        Assert.False(window.TryReceive(1));
    }

    [Fact]
    public void Take_returns_credit_when_half_of_window_is_consumed()
    {
        ReceiveWindow window = Open(100);
        Assert.True(window.TryReceive(100));
        Assert.Equal((0, 0), (window.Take(30), window.Take(19)));
        Assert.Equal(50, window.Take(1));
        Assert.True(window.TryReceive(50));
        Assert.False(window.TryReceive(1));
    }

    [Fact]
    public void Take_of_more_than_half_window_returns_credit_immediately()
    {
        ReceiveWindow window = Open(100);
        Assert.True(window.TryReceive(100));
        Assert.Equal(100, window.Take(100));
        Assert.True(window.TryReceive(100));
    }

    [Fact]
    public void Open_resets_received_and_consumed_bytes()
    {
        ReceiveWindow window = Open(100);
        Assert.True(window.TryReceive(70));
        Assert.Equal(0, window.Take(40));
        window.Open(100);
        Assert.True(window.TryReceive(100));
        Assert.Equal(0, window.Take(40));
    }

    [Fact]
    public async Task Concurrent_Take_calls_return_each_byte_once()
    {
        Holder holder = new();
        holder.Window.Open(1_000);
        int given = 0;
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
        {
            for (int i = 0; i < 10_000; i++)
            {
                Interlocked.Add(ref given, holder.Window.Take(1));
            }
        })));
        int rest = holder.Window.Take(500);
        Assert.Equal(40_500, given + rest);
    }

    private static ReceiveWindow Open(int bytes)
    {
        ReceiveWindow window = default;
        window.Open(bytes);
        return window;
    }

    private sealed class Holder
    {
        public ReceiveWindow Window;
    }
}
