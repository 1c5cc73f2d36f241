using Larder.Wire;

namespace Larder.Client.Pipeline;

/// <content>
/// Writing. Calls are encoded into one buffer, under the lock, while the connection fetches the other. They change places under the lock; what is copied is the
/// connection's alone.
/// </content>
internal sealed partial class PipelineStream : IOutputSource
{
    private PipelineBuffer _filling = new();
    private PipelineBuffer _writing = new();
    private long _bufferNumber;

    // Whether the connection was told that there is something, and has not seen that there is no more. Under the lock.
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

    // Under the lock, after something was added. True where the caller must signal the connection, once it has left the lock.
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
