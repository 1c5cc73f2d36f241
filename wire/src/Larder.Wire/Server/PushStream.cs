namespace Larder.Wire;

/// <summary>
/// The responses of a long-lived call that is one of many with the same data. The data stays in an <see cref="IPushSource"/>, and the connection
/// reads as much as the client accepts. A stream with nothing to send costs nothing. Signalling a stream needs no task or thread switch of its own.
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

    /// <summary>Gets or sets when the end was requested, in the connection's milliseconds. Guarded by the connection's lock.</summary>
    internal long EndingSinceMs { get; set; }

    /// <summary>Gets whether nothing more is sent. Guarded by the connection's lock.</summary>
    internal bool IsOver { get; private set; }

    /// <summary>
    /// Sends the response headers. Then it sends the data of the source whenever the stream, or a set that contains it, is signalled. Call this once.
    /// </summary>
    /// <param name="source">The source of the responses.</param>
    /// <param name="sets">The sets that contain this stream while it runs.</param>
    /// <returns>A task that completes when the client has disconnected, or after <see cref="End"/> when everything was sent.</returns>
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

    /// <summary>Signals that the source has data. It can be called on any thread, may send on it, and does not block.</summary>
    public void Signal() => _stream.Connection.Push(this);

    /// <summary>
    /// Ends the stream after the remaining data of the source was sent. The handler sets the status of the call. If the client does not accept the
    /// data, the stream is reset.
    /// </summary>
    public void End() => _stream.Connection.EndPush(this);

    /// <summary>Marks the stream as ended: nothing more is sent. The caller must hold the connection's lock.</summary>
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
