namespace Larder.Wire;

/// <summary>
/// A bidirectional call that exchanges raw bytes. Both directions contain whole frames: a five-byte header and the message. The connection reads outgoing data
/// from a source when it can send. Incoming data is either read by the owner of the call, or passed to a receiver on the connection's thread. A call may stay
/// open for days.
/// </summary>
public sealed class DuplexCall : IAsyncDisposable
{
    private readonly StreamingStream _stream;

    internal DuplexCall(StreamingStream stream) => _stream = stream;

    /// <summary>
    /// Sets the source of the outgoing data. The connection reads the source after a signal, as far as the server's windows allow. Call this method once. Data
    /// that has not been read when the call ends is not sent. The receiver is notified when the call ends.
    /// </summary>
    public void Send(IOutputSource source)
    {
        ArgumentNullException.ThrowIfNull(source);
        _stream.Send(source);
    }

    /// <summary>
    /// Signals that the source has data. This method can be called on any thread, after <see cref="Send"/>. If the thread is handling a read or
    /// resuming callers, the data is sent at the end of that work, together with all other data. Otherwise it is sent immediately.
    /// </summary>
    public void Signal() => _stream.Signal();

    /// <summary>
    /// Reads at least one byte. Only one read may be pending at a time. Returns 0 if the server has ended the stream with OK. Unread data stays in
    /// the stream's window, and the server waits when the window is full.
    /// </summary>
    /// <exception cref="RpcException">The stream ended with another status.</exception>
    /// <exception cref="OperationCanceledException">The call was cancelled.</exception>
    public async ValueTask<int> ReadAsync(Memory<byte> buffer) => await _stream.ReadAsync(buffer).ConfigureAwait(false);

    /// <summary>
    /// Passes all data to <paramref name="receiver"/>. Data that has already arrived is passed now, and further data when it arrives. Use this method
    /// instead of <see cref="ReadAsync"/>, and call it once.
    /// </summary>
    public void Receive(IDuplexReceiver receiver)
    {
        ArgumentNullException.ThrowIfNull(receiver);
        _stream.Receive(receiver);
    }

    /// <summary>
    /// Ends the request after the data that the source has now. Call this method after <see cref="Send"/>. The response continues until the server ends it.
    /// </summary>
    public void CompleteWriting() => _stream.CompleteWriting();

    /// <summary>
    /// Records that a response did not arrive in time. If the connection has received nothing for its ping timeout, it is pinged now, even if keepalive is off.
    /// If it receives nothing for another ping timeout, it is closed.
    /// </summary>
    public void CheckConnectionHealth() => _stream.Connection?.Doubt();

    /// <summary>
    /// Gets the total time for which a thread has handled responses of the call's connection, including the callers that were resumed on that thread.
    /// </summary>
    internal TimeSpan BusyTime => _stream.Connection?.BusyTime ?? TimeSpan.Zero;

    /// <summary>
    /// Gets the receiver of the connection whose responses this thread handles or whose callers it resumes. Null if there is no such connection, or if it has
    /// no receiver. A call that is sent on the same connection is sent together with the calls of the other callers, without a switch to another thread.
    /// </summary>
    internal static IDuplexReceiver? CurrentReceiver => CompletionBatch.CurrentReceiver;

    /// <summary>Cancels the call. Does nothing if the call has already ended.</summary>
    public ValueTask DisposeAsync()
    {
        _stream.Release();
        return default;
    }
}
