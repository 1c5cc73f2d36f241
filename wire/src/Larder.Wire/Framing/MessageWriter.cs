using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Writes one message after another straight into what gathers them. The header's five bytes are taken with the first span and filled in when the
/// message ends, so nobody has to know a message's length beforehand and nothing is copied.
/// </summary>
internal sealed class MessageWriter : IBufferWriter<byte>
{
    private IGatheringWriter? _output;
    private int _headerAt;
    private bool _begun;
    private long _length;

    /// <summary>True between the first byte of a message and its end.</summary>
    public bool HasUnfinishedMessage => _begun;

    /// <summary>Writes to <paramref name="output"/> from now on. It must not be flushed within a message.</summary>
    public void Attach(IGatheringWriter output)
    {
        _output = output;
        _begun = false;
        _length = 0;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        if (_begun)
        {
            return _output!.GetMemory(sizeHint);
        }

        Memory<byte> room = _output!.GetMemory(FrameHeader.Size + Math.Max(sizeHint, 1));
        return room[FrameHeader.Size..];
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public void Advance(int count)
    {
        if (_begun)
        {
            _output!.Advance(count);
        }
        else if (count > 0)
        {
            _headerAt = _output!.Position;
            _output.Advance(FrameHeader.Size + count);
            _begun = true;
        }

        _length += count;
    }

    /// <summary>Ends the message; one in which nothing was written is an empty message.</summary>
    public void EndMessage()
    {
        if (_begun)
        {
            FrameHeader.Write(_output!.At(_headerAt, FrameHeader.Size), checked((int)_length));
        }
        else
        {
            FrameHeader.Write(_output!.GetSpan(FrameHeader.Size), 0);
            _output.Advance(FrameHeader.Size);
        }

        _begun = false;
        _length = 0;
    }
}
