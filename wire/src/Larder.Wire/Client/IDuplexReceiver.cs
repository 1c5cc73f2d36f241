namespace Larder.Wire;

/// <summary>
/// Receives the response of a duplex call on the connection's reader thread, without a copy or a thread switch. The methods must return quickly, must
/// not block or throw, and must not run application code.
/// </summary>
public interface IDuplexReceiver
{
    /// <summary>
    /// Receives bytes, which can be any part of the response's frames. The bytes are valid only until the method returns. If calls complete, the method adds
    /// their callers to <paramref name="callers"/>.
    /// </summary>
    void OnBytes(ReadOnlySpan<byte> bytes, ICallerBatch callers);

    /// <summary>Handles the end of one read of the connection. All data of the read has been passed to <c>OnBytes</c>.</summary>
    void OnReadEnd(ICallerBatch callers);

    /// <summary>
    /// Handles the end of the call. No method of the receiver is called afterwards. <paramref name="error"/> is null if the server ended the call with OK.
    /// </summary>
    void OnEnded(Exception? error);
}
