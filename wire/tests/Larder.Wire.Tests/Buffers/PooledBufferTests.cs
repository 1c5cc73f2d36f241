using System.Buffers;
using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Buffers;

public sealed class PooledBufferTests
{
    [Fact]
    public void Buffer_returns_all_written_pieces_in_order() => Prop.ForAll<byte[][]>(pieces =>
    {
        using PooledBuffer buffer = new(1);
        foreach (byte[] piece in pieces)
        {
            buffer.Write(piece);
        }

        return buffer.WrittenSpan.SequenceEqual(pieces.SelectMany(piece => piece).ToArray());
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Reset_returns_large_array_to_pool()
    {
        using PooledBuffer buffer = new(16);
        buffer.Write(new byte[100_000]);
        buffer.Reset(keepBytes: 4_096);
        Assert.Equal(0, buffer.Written);
        Assert.True(buffer.GetMemory().Length <= 8_192);
    }
}
