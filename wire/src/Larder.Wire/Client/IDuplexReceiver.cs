namespace Larder.Wire;

/// <summary>
/// Receives the response of a duplex call on the connection's reader thread, without a copy or a thread switch. The methods must return quickly, must
/// not block or throw, and must not run application code.
/// </summary>
public interface IDuplexReceiver
{
    /// <summary>
    /// Called when bytes arrive: any part of the response's frames. They are valid only during the call. Callers whose calls complete are added to
    /// <paramref name="callers"/>.
    /// </summary>
    void OnBytes(ReadOnlySpan<byte> bytes, ICallerBatch callers);

    /// <summary>Called when all data of one read of the connection has been passed on.</summary>
    void OnReadEnd(ICallerBatch callers);

    /// <summary>Called when the call has ended; no other call follows. <paramref name="error"/> is null if the server ended the call with OK.</summary>
    void OnEnded(Exception? error);
}
