namespace Larder.Wire;

/// <summary>
/// The responses of a long-lived call. Many such calls can send the same data. The data stays in an <see cref="IPushSource"/>, and the connection reads as much
/// as the client accepts. A stream that has no data to send costs nothing. Signalling a stream starts no task and needs no thread switch.
/// </summary>
public sealed class PushStream
{
    private readonly RpcStream _stream;
    private readonly TaskCompletionSource _over = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal PushStream(RpcStream stream) => _stream = stream;

    internal RpcStream Stream => _stream;

    internal IPushSource? Source { get; private set; }

    /// <summary>Gets or sets whether the stream is queued on the connection. Guarded by the connection's lock.</summary>
    internal bool IsQueued { get; set; }

    /// <summary>Gets or sets whether the stream ends when its source has no more data. Guarded by the connection's lock.</summary>
    internal bool IsEnding { get; set; }

    /// <summary>Gets or sets the time at which the end was requested, in milliseconds of the connection's clock. Guarded by the connection's lock.</summary>
    internal long EndingSinceMs { get; set; }

    /// <summary>Gets whether the stream has ended, so that nothing more is sent. Guarded by the connection's lock.</summary>
    internal bool IsOver { get; private set; }

    /// <summary>
    /// Sends the response headers. Then sends the data of the source whenever the stream, or a set that contains the stream, is signalled. Call this method
    /// once.
    /// </summary>
    /// <param name="source">The source of the responses.</param>
    /// <param name="sets">The sets that contain this stream while it runs.</param>
    /// <returns>A task that completes when the client has disconnected, or when all data was sent after <see cref="End"/>.</returns>
    public async Task RunAsync(IPushSource source, params PushSet[] sets)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(sets);
        Source = source;
        _stream.Call.BeganAfter = _stream.Call.Elapsed;
        foreach (PushSet set in sets)
        {
            set.Add(this);
        }

        try
        {
            _stream.Connection.Begin(this);
            await _over.Task.ConfigureAwait(false);
        }
        finally
        {
            foreach (PushSet set in sets)
            {
                set.Remove(this);
            }
        }
    }

    /// <summary>Signals that the source has data. This method can be called on any thread. It may send on that thread, but does not block.</summary>
    public void Signal() => _stream.Connection.Push(this);

    /// <summary>
    /// Ends the stream when the remaining data of the source has been sent. The handler sets the status of the call. If the client does not accept the data,
    /// the stream is reset.
    /// </summary>
    public void End() => _stream.Connection.EndPush(this);

    /// <summary>Marks the stream as ended, so that nothing more is sent. The caller must hold the connection's lock.</summary>
    internal void Over()
    {
        if (!IsOver)
        {
            IsOver = true;
            Source?.Closed();
            _over.TrySetResult();
        }
    }
}
