using System.Buffers;
using System.IO.Pipelines;
using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Framing;

public sealed class MessageWriterTests
{
    [Fact]
    public void Messages_written_in_any_pieces_come_out_whole_and_in_order() => Prop.ForAll<byte[][][]>(messages =>
    {
        Pipe pipe = new(new PipeOptions(pauseWriterThreshold: 0));
        MessageWriter writer = new();
        writer.Attach(pipe.Writer);
        foreach (byte[][] message in messages)
        {
            foreach (byte[] piece in message)
            {
                writer.Write(piece);
            }

            writer.EndMessage();
        }

        pipe.Writer.Complete();
        return Frames(pipe.Reader).SequenceEqual(messages.Select(message => Convert.ToHexString([.. message.SelectMany(piece => piece)])));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_message_larger_than_a_segment_keeps_its_header()
    {
        Pipe pipe = new(new PipeOptions(pauseWriterThreshold: 0));
        MessageWriter writer = new();
        writer.Attach(pipe.Writer);
        byte[] large = new byte[1_000_000];
        Random.Shared.NextBytes(large);
        writer.Write(large.AsSpan(0, 10));
        writer.Write(large.AsSpan(10));
        writer.EndMessage();
        pipe.Writer.Complete();
        Assert.Equal(Convert.ToHexString(large), Assert.Single(Frames(pipe.Reader)));
    }

    private static List<string> Frames(PipeReader reader)
    {
        List<string> frames = [];
        Assert.True(reader.TryRead(out ReadResult read));
        ReadOnlySequence<byte> rest = read.Buffer;
        while (FrameHeader.TryRead(rest, out FrameHeader header))
        {
            frames.Add(Convert.ToHexString(rest.Slice(FrameHeader.Size, header.Length).ToArray()));
            rest = rest.Slice(FrameHeader.Size + header.Length);
        }

        Assert.Equal(0, rest.Length);
        return frames;
    }
}
