using Larder.Wire;

namespace Larder.Client.Pipeline;

/// <content>
/// Writes requests. Calls are encoded into one buffer, under the lock, while the connection copies bytes out of the other buffer. The buffers are swapped under
/// the lock. Only the connection copies bytes out.
/// </content>
internal sealed partial class PipelineStream : IOutputSource
{
    private PipelineBuffer _filling = new();
    private PipelineBuffer _writing = new();
    private long _bufferNumber;

    // Whether the connection was signalled and has not yet found an empty buffer. Guarded by the lock.
    private bool _isSignalled;

    int IOutputSource.Read(Span<byte> room)
    {
        int length = _writing.Take(room);
        while (length < room.Length && TrySwap())
        {
            length += _writing.Take(room[length..]);
        }

        return length;
    }

    // Must be called after bytes were added. The caller must hold the lock. Returns true if the caller must signal the connection after it has released the
    // lock.
    private bool MustSignal()
    {
        bool must = !_isSignalled;
        _isSignalled = true;
        return must;
    }

    private bool TrySwap()
    {
        lock (_lock)
        {
            if (_filling.IsEmpty || _isEnded)
            {
                _isSignalled = false;
                return false;
            }

            _filling.EndMessage();
            (_filling, _writing) = (_writing, _filling);
            _bufferNumber++;
            return true;
        }
    }
}
