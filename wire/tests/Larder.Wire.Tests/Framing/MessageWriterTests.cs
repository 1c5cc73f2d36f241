using System.Buffers;
using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Framing;

public sealed class MessageWriterTests
{
    [Fact]
    public void Messages_written_in_pieces_are_framed_in_order() => Prop.ForAll<byte[][][]>(messages =>
    {
        using PooledBuffer gathered = new(16);
        MessageWriter writer = new();
        writer.Attach(gathered);
        foreach (byte[][] message in messages)
        {
            foreach (byte[] piece in message)
            {
                writer.Write(piece);
            }

            writer.EndMessage();
        }

        return Frames(gathered).SequenceEqual(messages.Select(message => Convert.ToHexString([.. message.SelectMany(piece => piece)])));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Message_larger_than_segment_keeps_its_header()
    {
        using PooledBuffer gathered = new(16);
        MessageWriter writer = new();
        writer.Attach(gathered);
        byte[] large = new byte[1_000_000];
        Random.Shared.NextBytes(large);
        writer.Write(large.AsSpan(0, 10));
        writer.Write(large.AsSpan(10));
        writer.EndMessage();
        Assert.Equal(Convert.ToHexString(large), Assert.Single(Frames(gathered)));
    }

    private static List<string> Frames(PooledBuffer gathered)
    {
        List<string> frames = [];
        ReadOnlySequence<byte> rest = new(gathered.WrittenMemory);
        while (FrameHeader.TryRead(rest, out FrameHeader header))
        {
            frames.Add(Convert.ToHexString(rest.Slice(FrameHeader.Size, header.Length).ToArray()));
            rest = rest.Slice(FrameHeader.Size + header.Length);
        }

        Assert.Equal(0, rest.Length);
        return frames;
    }
}
