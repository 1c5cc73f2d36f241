namespace Larder.Wire;

/// <summary>
/// Takes a duplex call's answer where the connection has it, on the connection's reader: no copy and no change of threads. Its members must return soon, wait
/// for nothing, run no code that is not theirs, and throw nothing.
/// </summary>
public interface IDuplexReceiver
{
    /// <summary>
    /// Bytes arrived: any piece of the answer's frames. They are gone when this returns. Whom they answer is added to <paramref name="callers"/>.
    /// </summary>
    void OnBytes(ReadOnlySpan<byte> bytes, ICallerBatch callers);

    /// <summary>All that one read of the connection brought was handed over.</summary>
    void OnReadEnd(ICallerBatch callers);

    /// <summary>The call has ended; nothing follows. Null where the server ended it with OK.</summary>
    void OnEnded(Exception? error);
}
