namespace Larder.Wire.Tests.Buffers;

public sealed class LargeBlocksTests
{
    [Theory]
    [InlineData(1, 16)]
    [InlineData(1_000, 1_024)]
    [InlineData(65_536, 65_536)]
    [InlineData(65_537, 131_072)]
    [InlineData(5_000_192, 5_046_272)]
    [InlineData(11_010_053, 11_010_053 / 65_536 * 65_536 + 65_536)]
    [InlineData(16_777_216, 16_777_216)]
    [InlineData(16_777_217, 16_842_752)]
    [InlineData(167_772_161, 167_837_696)]
    public void Rented_block_has_rounded_up_length(int bytes, int length)
    {
        Assert.Equal(length, LargeBlocks.LengthFor(bytes));
        ArraySegment<byte> block = LargeBlocks.Rent(bytes);
        Assert.Equal(length, block.Count);
        block[0] = block[^1] = 7;
        LargeBlocks.Return(block);
    }

    [Theory]
    [InlineData(11_000_000, 5_400_000, 5_439_488)]
    [InlineData(11_000_000, 100, 131_072)]
    [InlineData(200_000, 200_000, 262_144)]
    [InlineData(131_073, 0, 131_072)]
    [InlineData(60_000, 100, 65_536)]
    public void ShrinkToFit_keeps_written_bytes_and_releases_rest(int room, int bytes, int kept)
    {
        BufferAccount account = new(new BufferBudget(64L << 20));
        using (PooledBuffer buffer = new(512, account))
        {
            buffer.GetSpan(room)[..bytes].Fill(7);
            buffer.Advance(bytes);
            buffer.ShrinkToFit();
            Assert.Equal(kept, buffer.Written + buffer.GetSpan().Length);
            Assert.Equal(kept, account.HeldBytes);
            buffer.GetSpan(room)[..room].Clear();
            Assert.False(buffer.WrittenSpan.ContainsAnyExcept((byte)7));
        }

        Assert.Equal(0, account.HeldBytes);
    }

    [Fact]
    public void Buffer_keeps_bytes_while_growing_and_can_grow_after_abandon()
    {
        using PooledBuffer buffer = new(512);
        Random random = new(5);
        byte[] sent = new byte[9_000_000];
        random.NextBytes(sent);
        for (int at = 0; at < sent.Length;)
        {
            int count = Math.Min(random.Next(1, 300_000), sent.Length - at);
            sent.AsSpan(at, count).CopyTo(buffer.GetSpan(count));
            buffer.Advance(count);
            at += count;
        }

        Assert.True(buffer.WrittenSpan.SequenceEqual(sent));
        buffer.Abandon();
        buffer.Dispose();
        Assert.Equal(0, buffer.Written);
        buffer.GetSpan(1)[0] = 1;
    }
}
