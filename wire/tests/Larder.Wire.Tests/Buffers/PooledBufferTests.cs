using System.Buffers;
using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Buffers;

public sealed class PooledBufferTests
{
    [Fact]
    public void What_is_written_in_pieces_is_there_whole() => Prop.ForAll<byte[][]>(pieces =>
    {
        using PooledBuffer buffer = new(1);
        foreach (byte[] piece in pieces)
        {
            buffer.Write(piece);
        }

        return buffer.WrittenSpan.SequenceEqual(pieces.SelectMany(piece => piece).ToArray());
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_large_array_is_given_back_on_reset()
    {
        using PooledBuffer buffer = new(16);
        buffer.Write(new byte[100_000]);
        buffer.Reset(keepBytes: 4_096);
        Assert.Equal(0, buffer.Written);
        Assert.True(buffer.GetMemory().Length <= 8_192);
    }
}
