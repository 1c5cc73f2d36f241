using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Writes consecutive messages directly into an output buffer. The five header bytes are reserved with the first span and filled in when the message
/// ends. The length of a message therefore need not be known in advance, and nothing is copied.
/// </summary>
internal sealed class MessageWriter : IBufferWriter<byte>
{
    private IGatheringWriter? _output;
    private int _headerAt;
    private bool _begun;
    private long _length;

    /// <summary>Gets whether a message has been started but not ended.</summary>
    public bool HasUnfinishedMessage => _begun;

    /// <summary>Sets the buffer to which subsequent messages are written. The buffer must not be flushed while a message is unfinished.</summary>
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

    /// <summary>Ends the message. If nothing was written, an empty message is written.</summary>
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
