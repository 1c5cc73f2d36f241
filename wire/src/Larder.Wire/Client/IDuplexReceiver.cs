namespace Larder.Wire;

/// <summary>
/// Takes a duplex call's answer where the connection has it, on the connection's reader: no copy and no change of threads. Its members must return soon, wait for
/// nothing, run no code that is not theirs, and throw nothing.
/// </summary>
public interface IDuplexReceiver
{
    /// <summary>Bytes arrived: any piece of the answer's frames. They are gone when this returns.</summary>
    void OnBytes(ReadOnlySpan<byte> bytes);

    /// <summary>All that one read of the connection brought was handed over. Returns what is to be run once the next read has begun; null where there is nothing.</summary>
    IThreadPoolWorkItem? OnReadEnd();

    /// <summary>The call has ended; nothing follows. Null where the server ended it with OK.</summary>
    void OnEnded(Exception? error);
}
