namespace Larder.Wire.Tests.Server.Connections;

/// <summary>Tests how the receive buffer of a connection grows and shrinks, and that its memory is returned.</summary>
[Collection("alone")]
public sealed class ReceiveBufferTests : IDisposable
{
    private readonly BufferAccount _account = new(new BufferBudget(1024 * 1024));
    private readonly ReceiveBuffer _buffer;
    private byte _next;

    public ReceiveBufferTests() => _buffer = new ReceiveBuffer(_account);

    public void Dispose() => _buffer.Dispose();

    [Fact]
    public void Buffer_doubles_when_full_up_to_maximum()
    {
        List<int> rooms = [];
        for (int receive = 0; receive < 8; receive++)
        {
            rooms.Add(Fill());
            Assert.True(IsInOrder(_buffer.Unread));
            _buffer.Consume(_buffer.Unread.Length);
        }

        Assert.Equal([4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 131_072, 131_072], rooms);
        Assert.Equal(131_072, _account.HeldBytes);
    }

    [Fact]
    public void Bytes_stay_in_order_while_buffer_grows()
    {
        for (int receive = 0; receive < 40; receive++)
        {
            Fill();
            Assert.True(IsInOrder(_buffer.Unread));

            // After most receives, part of a frame remains.
            _buffer.Consume(_buffer.Unread.Length - (100 * (receive % 3)));
        }
    }

    [Fact]
    public void Dispose_returns_block_to_pool()
    {
        long before = LargeBlocks.Taken;
        for (int receive = 0; receive < 7; receive++)
        {
            Fill();
            _buffer.Consume(_buffer.Unread.Length);
        }

        Assert.Equal(before + ReceiveBuffer.MaxBytes, LargeBlocks.Taken);
        _buffer.Dispose();
        _buffer.Dispose();
        Assert.Equal((before, 0L), (LargeBlocks.Taken, _account.HeldBytes));
    }

    [Fact]
    public void Buffer_shrinks_after_idle_period()
    {
        long before = LargeBlocks.Taken;
        for (int receive = 0; receive < 7; receive++)
        {
            Fill();
            _buffer.Consume(_buffer.Unread.Length);
        }

        _buffer.ShrinkSoon();
        Receive(17);
        Assert.Equal((before, 0L), (LargeBlocks.Taken, _account.HeldBytes));
        Assert.Equal(17, _buffer.Unread.Length);
        Assert.True(IsInOrder(_buffer.Unread));
    }

    [Fact]
    public void Buffers_of_successive_connections_are_reused()
    {
        Churn();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int connection = 0; connection < 100; connection++)
        {
            Churn();
        }

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100 * 1_000);
    }

    private static bool IsInOrder(ReadOnlySpan<byte> bytes)
    {
        for (int index = 1; index < bytes.Length; index++)
        {
            if (bytes[index] != (byte)(bytes[index - 1] + 1))
            {
                return false;
            }
        }

        return true;
    }

    private void Churn()
    {
        using ReceiveBuffer buffer = new(_account);
        for (int receive = 0; receive < 7; receive++)
        {
            buffer.Received(buffer.Room().Length);
            buffer.Consume(buffer.Unread.Length);
        }
    }

    private int Fill() => Receive(_buffer.Room().Length);

    private int Receive(int count)
    {
        Span<byte> room = _buffer.Room().Span[..count];
        for (int index = 0; index < count; index++)
        {
            room[index] = _next++;
        }

        _buffer.Received(count);
        return count;
    }
}
