using System.Buffers;

namespace Larder.Wire.Tests.Framing;

/// <summary>Builds byte sequences of several segments, like the sequences that a pipe returns.</summary>
internal static class Segments
{
    public static ReadOnlySequence<byte> Split(byte[] bytes, int at)
    {
        Segment first = new(bytes.AsMemory(0, at), 0);
        Segment last = first.Append(bytes.AsMemory(at));
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, long runningIndex)
        {
            Memory = memory;
            RunningIndex = runningIndex;
        }

        public Segment Append(ReadOnlyMemory<byte> memory)
        {
            Segment next = new(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
