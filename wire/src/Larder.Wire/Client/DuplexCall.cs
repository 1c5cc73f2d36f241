namespace Larder.Wire;

/// <summary>
/// A bidirectional call as bytes: whole frames (five bytes of header, and the message) both ways, fetched from its caller and handed to it where the connection
/// has them. It may live for days.
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
    /// Says that the source has something. From any thread, after <see cref="Send"/>. It leaves at once, or at the end of the waking of callers that this
    /// thread is at: with what they all ask for next.
    /// </summary>
    public void Signal() => _stream.Signal();

    /// <summary>Hands all that arrives to <paramref name="receiver"/> from now on, and what has arrived at once. Called once; until then it waits.</summary>
    public void Receive(IDuplexReceiver receiver)
    {
        ArgumentNullException.ThrowIfNull(receiver);
        _stream.Receive(receiver);
    }

    /// <summary>
    /// Says that nothing more will be sent than what the source has now, after <see cref="Send"/>; what the server sends goes on until it ends its side.
    /// </summary>
    public void CompleteWriting() => _stream.CompleteWriting();

    /// <summary>Gives the call up if it has not ended: the server sees it cancelled.</summary>
    public ValueTask DisposeAsync()
    {
        _stream.Release();
        return default;
    }
}
