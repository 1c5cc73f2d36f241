using System.Buffers;
using System.IO.Pipelines;

namespace Larder.Wire;

/// <summary>
/// Writes one message after another straight into a pipe. The header's five bytes are taken with the first span and filled in when the
/// message ends, so nobody has to know a message's length beforehand and nothing is copied.
/// </summary>
internal sealed class MessageWriter : IBufferWriter<byte>
{
    private PipeWriter? _pipe;
    private Memory<byte> _header;
    private bool _begun;
    private long _length;

    /// <summary>True between the first byte of a message and its end.</summary>
    public bool HasUnfinishedMessage => _begun;

    /// <summary>Writes to <paramref name="pipe"/> from now on. The pipe must not be flushed within a message.</summary>
    public void Attach(PipeWriter pipe)
    {
        _pipe = pipe;
        _begun = false;
        _length = 0;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        if (_begun)
        {
            return _pipe!.GetMemory(sizeHint);
        }

        Memory<byte> room = _pipe!.GetMemory(FrameHeader.Size + Math.Max(sizeHint, 1));
        _header = room[..FrameHeader.Size];
        return room[FrameHeader.Size..];
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public void Advance(int count)
    {
        if (_begun)
        {
            _pipe!.Advance(count);
        }
        else if (count > 0)
        {
            _pipe!.Advance(FrameHeader.Size + count);
            _begun = true;
        }

        _length += count;
    }

    /// <summary>Ends the message; one in which nothing was written is an empty message.</summary>
    public void EndMessage()
    {
        if (_begun)
        {
            FrameHeader.Write(_header.Span, checked((int)_length));
        }
        else
        {
            FrameHeader.Write(_pipe!.GetSpan(FrameHeader.Size), 0);
            _pipe.Advance(FrameHeader.Size);
        }

        _begun = false;
        _length = 0;
        _header = default;
    }
}
