using System.Runtime.CompilerServices;

namespace Larder.Wire;

/// <summary>
/// A bidirectional call as bytes: whole frames (five bytes of header, and the message) both ways. What is sent is fetched from its caller when the connection
/// sends; what arrives is read, or handed over where the connection has it. It may live for days.
/// </summary>
public sealed class DuplexCall : IAsyncDisposable
{
    private readonly StreamingStream _stream;

    internal DuplexCall(StreamingStream stream) => _stream = stream;

    /// <summary>
    /// Fetches what is to be sent from <paramref name="source"/>, when it is signalled and as far as the server's windows go. Called once. What is not fetched
    /// when the call ends is not sent; the receiver is told.
    /// </summary>
    public void Send(IOutputSource source)
    {
        ArgumentNullException.ThrowIfNull(source);
        _stream.Send(source);
    }

    /// <summary>
    /// Says that the source has something. From any thread, after <see cref="Send"/>. It leaves at once; or at the end of the read, or of the waking of
    /// callers, that this thread is at: with what all of it leads to.
    /// </summary>
    public void Signal() => _stream.Signal();

    /// <summary>
    /// Reads what has arrived, at least one byte, one read at a time; 0 when the server has ended the stream with OK. What is not read waits in the stream's
    /// window, and the server with the rest.
    /// </summary>
    /// <exception cref="RpcException">It ended otherwise.</exception>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReadAsync(Memory<byte> buffer) => await _stream.ReadAsync(buffer).ConfigureAwait(false);

    /// <summary>
    /// Hands all that arrives to <paramref name="receiver"/> from now on, and what has arrived at once, in place of <see cref="ReadAsync"/>. Called once.
    /// </summary>
    public void Receive(IDuplexReceiver receiver)
    {
        ArgumentNullException.ThrowIfNull(receiver);
        _stream.Receive(receiver);
    }

    /// <summary>
    /// Says that nothing more will be sent than what the source has now, after <see cref="Send"/>; what the server sends goes on until it ends its side.
    /// </summary>
    public void CompleteWriting() => _stream.CompleteWriting();

    /// <summary>
    /// Says that an answer did not arrive in time. If the connection has received nothing for its ping timeout, it is pinged now, also where keepalive is off,
    /// and given up if it is still silent after that time.
    /// </summary>
    public void DoubtConnection() => _stream.Connection?.Doubt();

    /// <summary>Gives the call up if it has not ended: the server sees it cancelled.</summary>
    public ValueTask DisposeAsync()
    {
        _stream.Release();
        return default;
    }
}
